"""What may be asked of any table: addresses of its routes, and forms that these may well be sent."""

import itertools
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from companion import games
from companion.games import places
from companion.history.profile import mark
from tests.trust.twin import Twin

WORDS = ("count", "fault", "piles-empty", "void", "done", "series", "value", "values", "turn", "nonsense")
VALUES = ("2", "9", "99", "[]", '"red"', '{"seat":1,"fault":"dropped"}', "")
STANDS = {
    "<int:seat>": ("3",),
    "<int:number>": ("1",),
    "<of>": ("2026-11-20",),
    "<name>": ("score",),
    "<code>": ("ZZZZZZ",),
    "<path:filename>": ("companion.css",),
    "<kind>": ("css",),
    "<slug>": ("go",),
    "<who>": (mark("Ana"),),
    "<int:entry>": ("0",),
}
"""What may stand in an address."""


def addresses(rule: str, values: Mapping[str, Sequence[str]] = STANDS) -> Iterator[str]:
    """Return a route's addresses with each of these in each of its places."""
    holes = re.findall("<[^>]+>", rule)
    for filled in itertools.product(*(values[hole] for hole in holes)):
        address = rule
        for hole, value in zip(holes, filled, strict=True):
            address = address.replace(hole, quote(value), 1)
        yield address


def made_up(
    table: Twin, path: str, seats: Sequence[int], chance: random.Random, likely: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """Make up a form for an address: most would be done for who may do it. `likely` are some that it expects."""
    deck = table.deck()
    known = list(games.known())
    seat = str(chance.choice((*seats, *seats, "host", 9)))
    part = str(chance.choice((0, *seats, 6)))
    entry = {"entry": str(chance.randrange(14)), "code": chance.choice(("counted", "laid", "started", "called"))}
    card = {"card": chance.choice(deck)}
    place = {"place": chance.choice(places())}
    cards = {"card": chance.sample(deck, chance.randint(1, 5))}
    said = {"kind": "said", "seat": seat, "what": chance.choice(WORDS)}
    forms: dict[str, list[Mapping[str, Any]]] = {
        "/enter": [
            {"kind": "pressed", "seat": seat},
            {"kind": "tapped", **place, **cards},
            {"kind": "tapped", "place": f"seat-{seat}", **cards},
            {**said, "value": chance.choice(VALUES)},
            said,
        ],
        "/take-back": [{"seat": seat}, {"seat": seat, **cards}, entry, {**entry, "seat": seat}],
        **{to: [{"match": "1"}, {"match": "2"}] for to in ("/leave-out", "/count-again", "/go-on")},
        "/start": [{"game": chance.choice(known), "seat-1": "Ana", "seat-3": "Bo"}],
        "/demo/start": [{"game": "stop-it"}],
        "/table/lay": [{**place, **card}],
        "/table/lift": [place],
        "/table/press": [{"seat": seat}],
        "/join": [{"code": chance.choice(("ZZZZZZ", "", "AAAAAAA"))}],
        "/sit": [{"name": "Zoé", "animal": "owl", "colour": "pink", "seat": str(number)} for number in range(1, 7)],
        "/send-away": [{"part": part}],
        "/move": [{"part": part, "to": "2"}],
        "/rename": [{"part": part, "name": "Mallory"}],
        "/answer": [{"question": "x", "answer": "yes"}],
        **{to: [{"seat": seat}] for to in ("/hear", "/hear/end")},
        "/tags/begin": [{"game": chance.choice(known), **card}, {"game": "stop-it"}],
        "/tags/choose": [card],
        "/check/next": [{"step": "0"}],
        **{to: [{"part": part}] for to in ("/hand-on", "/keep", "/free")},
    }
    other = [{"part": part}, {"mark": "00000000", "wrong": chance.choice(deck), **card}, {"seat": seat, **place}]
    page = chance.choice(("score", "host", f"seat-{seat}", f"host-{seat}", "table", "nonsense"))
    return {**chance.choice([*forms.get(path, other), *likely]), "page": page}
