"""Who gets what is sensed: the walk, the stickers, the pause, then the match."""

import itertools
from pathlib import Path

import pytest

from companion.devices.sensing import Appeared, Buzzed, Failed, Gone
from companion.live.intake import Claimant, Intake
from companion.live.pause import Pause, Why
from companion.tags.deck_file import Decks
from companion.tags.enrolment_session import Enrolment

CARD = Appeared("seat-1", "04AA", 1.0)
LIFTED = Gone("seat-1", "04AA", 2.0)
PRESS = Buzzed(1, 1.0, 0.0, "box:1")


class Table:
    def __init__(self, folder: Path) -> None:
        self.walking = False
        self.now = 0.0
        self.pause = Pause(lambda: self.now)
        self.enrolment = Enrolment(Decks(folder / "tags.toml"), lambda: 0.0)
        self.intake = Intake(self.enrolment)
        self.intake.walking = lambda: self.walking

    def claimant(self, told: Appeared | Gone | Buzzed | Failed) -> Claimant | None:
        return self.intake.claimant(told, self.pause)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


@pytest.mark.parametrize(
    ("walking", "paused", "enrolling"),
    list(itertools.product((True, False), repeat=3)),
    ids=lambda on: "on" if on else "-",
)
def test_the_first_in_the_order_gets_a_card_and_a_press(
    table: Table, walking: bool, paused: bool, enrolling: bool
) -> None:
    table.walking = walking
    if paused:
        table.pause.begin(Why.BREAK)
    if enrolling:
        table.enrolment.begin("kartel")
    claimants = [(walking, Claimant.WALK), (enrolling, Claimant.STICKERS), (paused, Claimant.PAUSE), (True, None)]
    assert table.claimant(CARD) is next(claimant for wants, claimant in claimants if wants)
    del claimants[1]  # a press puts no sticker on
    assert table.claimant(PRESS) is next(claimant for wants, claimant in claimants if wants)


@pytest.mark.parametrize("claimant", [Claimant.WALK, Claimant.PAUSE])
def test_a_card_that_was_withheld_is_lifted_for_nobody_also_afterwards(table: Table, claimant: Claimant) -> None:
    table.walking = claimant is Claimant.WALK
    if claimant is Claimant.PAUSE:
        table.pause.begin(Why.BREAK)
    table.claimant(CARD)
    table.walking = False
    table.pause.end(None)
    assert table.claimant(LIFTED) is claimant
    assert table.claimant(CARD) is None


def test_a_card_that_lay_there_before_is_lifted_for_the_match_too(table: Table) -> None:
    table.claimant(CARD)
    table.walking = True
    assert table.claimant(LIFTED) is None


def test_a_fault_is_claimed_by_nobody(table: Table) -> None:
    table.walking = True
    table.pause.begin(Why.BREAK)
    assert table.claimant(Failed("reader centre", "unplugged.", 1.0)) is None


def test_a_card_counts_by_when_it_was_laid(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.now = 10.0
    table.pause.begin(Why.BREAK)
    assert table.claimant(Appeared("seat-1", "04AA", 9.9)) is None, "told late"
    table.now = 20.0
    table.pause.end(None)
    assert table.claimant(Appeared("seat-2", "04BB", 19.9)) is Claimant.PAUSE, "told late"
    assert table.claimant(Appeared("seat-3", "04CC", 20.1)) is None
