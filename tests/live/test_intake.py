"""Who gets what is sensed: whoever claims it, in their order, then the match."""

import itertools
from pathlib import Path

import pytest

from companion.devices.sensing import Appeared, Buzzed, Failed, Gone
from companion.live.cards_aloud import Hearing
from companion.live.intake import Claimant, Intake
from companion.live.pad_answers import PadAnswers
from companion.live.pause import Pause, Why
from companion.tags.deck_file import Decks
from companion.tags.enrolment_session import Enrolment

CARD = Appeared("seat-1", "040404AA", 1.0)
LIFTED = Gone("seat-1", "040404AA", 2.0)
PRESS = Buzzed(1, 1.0, 0.0, "box:1")


ORDER = (Claimant.WALK, Claimant.STICKERS, Claimant.OWNER, Claimant.PAUSE, Claimant.HEARING)
OF_PRESSES = (Claimant.WALK, Claimant.ANNOUNCEMENT, Claimant.PAUSE)
"""A press puts no sticker on, names nobody, and is no card to be heard."""


class Table:
    def __init__(self, folder: Path) -> None:
        self.walking = False
        self.owners: set[str] = set()
        """The tags of club cards."""
        self.now = 0.0
        self.pause = Pause(lambda: self.now)
        self.hearing = Hearing(lambda: self.now)
        decks = Decks(folder / "tags.toml")
        self.enrolment = Enrolment(decks, lambda: 0.0)
        self.intake = Intake(self.enrolment, decks, lambda origin: False, PadAnswers(lambda: 0.0))
        self.intake.walking = lambda: self.walking
        self.announced = False
        self.intake.is_about_next_match = lambda press: self.announced
        self.intake.is_club_card = lambda place, uid: uid in self.owners

    def begin(self, claimant: Claimant) -> None:
        match claimant:
            case Claimant.WALK:
                self.walking = True
            case Claimant.STICKERS:
                self.enrolment.begin("kartel")
            case Claimant.OWNER:
                self.owners.add(CARD.uid)
            case Claimant.ANNOUNCEMENT:
                self.announced = True
            case Claimant.PAUSE:
                self.pause.begin(Why.BREAK)
            case Claimant.HEARING:
                self.hearing.begin(1)

    def end_all(self) -> None:
        self.walking = False
        self.enrolment.end()
        self.owners.clear()
        self.pause.end(None)
        self.hearing.end(1)

    def claimant(self, sensing_told: Appeared | Gone | Buzzed | Failed) -> Claimant | None:
        return self.intake.claimant(sensing_told, self.pause, self.hearing)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


@pytest.mark.parametrize(
    "wanting",
    [some for number in range(len(Claimant) + 1) for some in itertools.combinations(Claimant, number)],
    ids=lambda some: "+".join(claimant.value for claimant in some) or "nobody",
)
def test_the_first_in_the_order_gets_a_card_and_a_press(table: Table, wanting: tuple[Claimant, ...]) -> None:
    for claimant in wanting:
        table.begin(claimant)
    assert table.claimant(CARD) is next((first for first in ORDER if first in wanting), None)
    assert table.claimant(PRESS) is next((first for first in OF_PRESSES if first in wanting), None)


@pytest.mark.parametrize("claimant", ORDER)
def test_a_card_that_was_withheld_is_lifted_for_nobody_also_afterwards(table: Table, claimant: Claimant) -> None:
    table.begin(claimant)
    table.claimant(CARD)
    table.end_all()
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
    assert table.claimant(Appeared("seat-1", "040404AA", 9.9)) is None, "told late"
    table.now = 20.0
    table.pause.end(None)
    assert table.claimant(Appeared("seat-2", "040404BB", 19.9)) is Claimant.PAUSE, "told late"
    assert table.claimant(Appeared("seat-3", "040404CC", 20.1)) is None
