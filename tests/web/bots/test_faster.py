"""Whoever was too late at a simulated table hears who was faster, and never that when nobody was."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.events import Player
from companion.game.simulated_world import Move
from companion.games.speed_duel.cards import pile_for
from companion.games.speed_snap.bots import is_alike
from companion.live.simulation import Simulation
from tests.web.table import app_of, living, post

TWO = (Player(1, "Ana"), Player(3, "Bo"))
MOVED_ON = "That can’t be done now: the table has moved on."


@contextmanager
def dealt(slug: str, folder: Path) -> Iterator[tuple[Simulation, FlaskClient]]:
    with living(folder, simulated=True) as live:
        simulation = Simulation(live, seed=lambda: "always the same")
        simulation.begin(slug, TWO, {})
        yield simulation, app_of(live, simulation=simulation).test_client()


def try_to(phone: FlaskClient, move: Move) -> tuple[int, str]:
    return post(phone, "/play/move", seat=move.seat, what=move.what, card=move.card, number=move.number)


def moves_of(simulation: Simulation, seat: int, kind: str) -> list[Move]:
    return [move for move in simulation.sights[seat].moves if move.what == kind]


def make(simulation: Simulation, seat: int, kind: str) -> None:
    simulation.play(moves_of(simulation, seat, kind)[0])


def both_want_one_pile(simulation: Simulation) -> tuple[Move, Move]:
    """Go on until a card of Ana's would take away a card of Bo's; return both."""
    for seat in (1, 3):
        make(simulation, seat, "turn")
    for _ in range(100):
        tops = simulation.sights[1].table["tops"]
        for anas in moves_of(simulation, 1, "play"):
            place = pile_for(anas.card, tops)
            tops_after = [anas.card if at == place else top for at, top in enumerate(tops)]
            for bos in moves_of(simulation, 3, "play"):
                if pile_for(bos.card, tops_after) is None:
                    return anas, bos
        for seat in (1, 3):
            kind = "turn" if simulation.sights[seat].table["phase"] == "turn" else "press"
            if moves_of(simulation, seat, kind):
                make(simulation, seat, kind)
    raise AssertionError("they never want the same pile")


def both_see_two_alike(simulation: Simulation) -> tuple[Move, Move]:
    make(simulation, 1, "deal")
    while not is_alike(simulation.sights[1].table["top"]):
        make(simulation, simulation.sights[1].table["active"], "turn")
    return moves_of(simulation, 1, "press")[0], moves_of(simulation, 3, "press")[0]


def both_pick_from_one_pile(simulation: Simulation) -> tuple[Move, Move]:
    make(simulation, 1, "start")
    return moves_of(simulation, 1, "pick")[0], moves_of(simulation, 3, "pick")[0]


@pytest.mark.parametrize(
    ("slug", "both", "says"),
    [
        ("speed-duel", both_want_one_pile, "Ana was faster: the {card} lies there now."),
        ("speed-snap", both_see_two_alike, "Ana was faster."),
        ("stop-it", both_pick_from_one_pile, "Ana was faster."),
    ],
)
def test_of_two_who_want_the_same_the_slower_hears_who_was_faster(
    tmp_path: Path, slug: str, both: Callable[[Simulation], tuple[Move, Move]], says: str
) -> None:
    with dealt(slug, tmp_path) as (simulation, phone):
        anas, bos = both(simulation)
        assert try_to(phone, anas)[0] == 200
        card = phone.application.extensions["companion"].screens.words("en").card(anas.card)
        assert try_to(phone, bos) == (409, says.format(card=card))


def test_whoever_has_moved_since_has_seen_it(tmp_path: Path) -> None:
    with dealt("speed-duel", tmp_path) as (simulation, phone):
        anas, bos = both_want_one_pile(simulation)
        assert try_to(phone, anas)[0] == 200
        make(simulation, 3, "press")
        assert try_to(phone, bos) == (409, MOVED_ON)


def test_what_one_never_could_do_was_nobodys_speed(tmp_path: Path) -> None:
    with dealt("speed-duel", tmp_path) as (_, phone):
        assert try_to(phone, Move(3, "play", "spades-1")) == (409, MOVED_ON)
