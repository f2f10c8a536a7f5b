"""At a simulated table: nobody looks over a bot's shoulder, and who plays where changes before everybody's eyes."""

import random
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from flask.testing import FlaskClient

from companion.access.player_looks import ANIMALS, COLOURS
from companion.kit.simulated_matches import PLAYABLE
from companion.live.simulation import Simulation
from tests.trust.findings import Finding, Tally
from tests.web.table import app_with, client_of, living, phones_of, post, question

SEED = 24
EVENINGS = 60
QUICKLY = 1
FORMS = 30


def trial(quick: bool) -> Iterator[Finding]:
    """Have four phones send whatever leads to a seat, by lot."""
    yield from evenings(QUICKLY if quick else EVENINGS)


def evenings(number: int) -> Iterator[Finding]:
    """Play so many, each at a table of its own."""
    tally = Tally(SEED)
    for evening in range(number):
        with tempfile.TemporaryDirectory() as folder:
            _evening(Path(folder), random.Random(f"{SEED} {evening}"), tally)
    yield from tally.findings("simulated: {}")


def _evening(folder: Path, chance: random.Random, tally: Tally) -> None:
    with living(folder, simulated=True) as live:
        simulation = Simulation(live)
        phones = phones_of(live, {})
        app = app_with(live, phones, simulation=simulation)
        clients = [client_of(app, None) for _ in range(4)]
        forms: list[tuple[int, str, Mapping[str, object]]] = []
        assert post(clients[0], "/play", game="kartel", name="Ana", bots=2)[0] == 200
        after = _plays(clients, simulation)
        for _ in range(FORMS):
            before = after
            page = _seen(clients)
            who, (path, form) = chance.choice((0, 0, 0, 1, 2, 3)), _form(chance, phones.rights.codes)
            forms.append((who, path, form))
            status, _ = post(clients[who], path, **form)
            if path == "/play/sit":
                for client, page_of in ((one, f"/seat/{seat}") for one in clients for seat in range(1, 7)):
                    if name := question(client, page_of):
                        post(client, "/answer", question=name, answer="yes")
            after = _plays(clients, simulation)
            example = forms[-4:]
            tally.note("no form is the page's own fault", holds=status < 500, example=example)
            watched = [seat for seat in simulation.bots if any(seat in opened for opened in after[0])]
            tally.note("a bot's hand is nobody's to see", holds=not watched, example=example, events=len(forms))
            shared = any(sum(seat in opened for opened in after[0]) > 1 for seat in range(1, 7))
            tally.note("a seat's page is one phone's", holds=not shared, example=example, events=len(forms))
            if before[1] - after[1]:
                told = _seen(clients) != page
                tally.note("a bot that leaves is seen to", holds=told, example=example, events=len(forms))


def _plays(clients: list[FlaskClient], simulation: Simulation) -> tuple[list[set[int]], set[int]]:
    """Which seats' pages each phone sees, and where bots play."""
    opened = [{seat for seat in range(1, 7) if one.get(f"/seat/{seat}").status_code == 200} for one in clients]
    return opened, {*simulation.bots}


def _seen(clients: list[FlaskClient]) -> bytes:
    """What whoever looks on sees."""
    return clients[-1].get("/big").data


def _form(chance: random.Random, codes: Mapping[int, str]) -> tuple[str, dict[str, object]]:
    seat = chance.choice((1, 2, 3, 3, 4, 4, 5, 6))  # bots sit at 3 and 4 first
    name = chance.choice(("Ana", "Bo", "Bot Kim", "Bot Max", "B\u043et Kim", "Zoé"))
    look = {"animal": chance.choice(ANIMALS), "colour": chance.choice(COLOURS)}
    game = chance.choice(list(PLAYABLE))
    return chance.choice(
        (
            ("/play", {"game": game, "name": name, "bots": chance.choice((0, 2, 5))}),
            ("/play", {"game": "kartel", "name": name, "bots": 5}),
            ("/play/sit", {"seat": seat, "name": name}),
            ("/play/sit", {"seat": seat, "name": name}),
            ("/join", {"code": codes[chance.randint(1, 6)]}),
            ("/join", {"code": codes[chance.randint(1, 6)]}),
            ("/sit", {"seat": seat, "name": name, **look}),
            ("/leave", {"part": seat}),
            ("/free", {"part": seat}),
            ("/rename", {"part": seat, "name": name}),
            ("/move", {"part": seat, "to": chance.randint(1, 6)}),
            ("/again", {}),
            ("/end", {}),
        )
    )
