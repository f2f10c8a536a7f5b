"""Taking back at the simulated table depends on nothing that is sealed, and takes nothing unseen from anybody alone."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec import Struct

from companion.game.simulated_world import Move
from companion.kit.simulated_matches import PLAYABLE
from companion.live.simulation import Simulation
from companion.live.table import Live
from companion.web.render.verdicts import mark
from tests.web.bots.sitting import begin_with_bots, sit
from tests.web.table import Clock, app_with, client_of, living, phones_of, post, question


class Party(Struct):
    """Ana (host, seat 1), Bo (3) and Mal (4) play; where a game is for two, Ana and Bo (4)."""

    live: Live
    simulation: Simulation
    phones: dict[int, FlaskClient]
    app: Flask

    def moves(self) -> list[Move]:
        return [move for sight in self.simulation.sights.values() for move in sight.moves]

    def do(self, seat: int, kind: str, card: str = "") -> tuple[int, str]:
        move_wanted = next(
            move for move in self.moves() if (move.seat, move.what) == (seat, kind) and card in move.card
        )
        return self.move(move_wanted)

    def move(self, move: Move) -> tuple[int, str]:
        form = {"what": move.what, "card": move.card, "number": move.number}
        return post(self.phones[move.seat], "/play/move", seat=move.seat, **form)

    def told(self) -> int:
        return self.live.ask(lambda match: len(match.public))

    def take_back(self, seat: int, entry: int) -> tuple[int, str]:
        ruling = self.live.ask(lambda match: match.public[entry])
        form = {"entry": entry, "code": ruling.code, "mark": mark(ruling.code, dict(ruling.facts))}
        return post(self.phones[seat], "/take-back", **form)

    def agree(self, asker: int) -> bool:
        """Whether what was asked is taken back: somebody else says yes."""
        seat = min(seat for seat in self.phones if seat != 1) if asker == 1 else 1
        name = question(self.phones[seat], f"/seat/{seat}" if asker == 1 else "/host")
        return bool(name) and post(self.phones[seat], "/answer", question=name, answer="yes")[0] == 200

    def everybody(self) -> list[str]:
        watching = client_of(self.app, None)
        return [watching.get(path).text for path in ("/", "/big", "/story")]


UNSEEN = ("change", "not-yet", "join", "part", "pick")


@contextmanager
def party(folder: Path, slug: str) -> Iterator[Party]:
    folder.mkdir()
    with living(folder, clock := Clock(), simulated=True) as live:
        simulation = Simulation(live, seed=lambda: "always the same")
        app = app_with(live, phones_of(live, {}, clock), simulation=simulation, clock=clock)
        ana = begin_with_bots(app, slug)
        names = zip(sorted(simulation.bots), ("Bo", "Mal"), strict=False)
        phones = {1: ana} | {seat: sit(app, ana, name, seat) for seat, name in names}
        yield Party(live, simulation, phones, app)


@pytest.fixture
def laid(tmp_path: Path) -> Iterator[Party]:
    """Bo has laid STOP, and then Mal has laid."""
    with party(tmp_path / "party", "stop-me-go") as opened:
        opened.do(1, "turn-up")
        opened.do(3, "lay", "stop")
        opened.do(4, "lay", "go")
        yield opened


def test_nobody_alone_undoes_what_another_may_have_changed_unseen(laid: Party) -> None:
    laid.do(3, "change", "go")
    sights_before = laid.simulation.sights
    assert "the host must agree" in laid.take_back(4, laid.told() - 1)[1]
    assert laid.simulation.sights == sights_before


def test_nobody_alone_takes_back_a_start_since_which_others_may_have_collected(tmp_path: Path) -> None:
    with party(tmp_path / "party", "stop-it") as opened:
        opened.do(4, "start")
        assert "the host must agree" in opened.take_back(4, opened.told() - 1)[1]


def test_who_has_done_nothing_that_others_could_answer_unseen_still_undoes_it_alone(tmp_path: Path) -> None:
    with party(tmp_path / "party", "stop-me-go") as opened:
        opened.do(1, "turn-up")
        opened.do(4, "lay", "go")
        assert opened.take_back(4, opened.told() - 1) == (200, "Taken back.")


def test_a_question_counts_only_the_moves_that_everybody_was_told_of(laid: Party) -> None:
    for card in ("go", "stop", "go"):
        laid.do(3, "change", card)
    laid.take_back(1, laid.told() - 2)
    assert "Take back “Bo has played”, and the move after it?" in laid.phones[3].get("/seat/3").text


def test_what_somebody_does_unseen_neither_closes_a_question_nor_shows(laid: Party) -> None:
    laid.take_back(4, laid.told() - 1)
    question_name = question(laid.phones[1], "/host")
    pages = laid.everybody()
    assert laid.do(3, "change", "go") == (200, "")
    assert (question(laid.phones[1], "/host"), laid.everybody()) == (question_name, pages)
    laid.do(1, "lay")
    assert question(laid.phones[1], "/host") == ""


GONE = 'id="taken-back"'


def test_whoever_loses_what_they_did_unseen_reads_so_on_their_own_page_alone_until_they_move(laid: Party) -> None:
    laid.do(3, "change", "go")
    laid.take_back(4, laid.told() - 1)
    assert post(laid.phones[1], "/answer", question=question(laid.phones[1], "/host"), answer="yes")[0] == 200
    assert [seat for seat, phone in laid.phones.items() if GONE in phone.get(f"/seat/{seat}").text] == [3]
    assert not any(GONE in page for page in laid.everybody())
    laid.do(3, "change", "go")
    assert GONE not in laid.phones[3].get("/seat/3").text


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("slug", PLAYABLE)
def test_two_tables_that_differ_only_in_what_was_done_unseen_answer_the_same(
    tmp_path: Path, slug: str, seed: int
) -> None:
    answers = []
    for unseen in (False, True):
        chance = random.Random(seed)
        with party(tmp_path / str(unseen), slug) as opened:
            asker = chance.choice([*opened.phones])
            back = chance.randint(1, 3)
            least = chance.randint(3, 25)
            for step in range(60):
                moves = opened.moves()
                quiet = [move for move in moves if move.seat != asker and move.what in UNSEEN]
                if not moves or (quiet and step >= least):
                    break
                opened.move(chance.choice(moves))
            rulings = opened.told()
            if unseen and quiet:
                opened.move(quiet[0])
            assert opened.told() == rulings
            answer = opened.take_back(asker, max(opened.told() - back, 0))
            questions = [page.partition('id="question"')[2][:400] for page in opened.everybody()]
            pages_after = (
                [*opened.everybody(), opened.phones[asker].get(f"/seat/{asker}").text] if opened.agree(asker) else ()
            )
            answers.append((answer, questions, pages_after))
    assert answers[0] == answers[1]
