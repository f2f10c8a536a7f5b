"""Between the sources and the table: what is shown of the devices, and what a walk keeps from the match."""

import threading

import pytest

from companion.devices.check.checkup import LEFT_S, Checkup
from companion.devices.check.walk import StepResult, around
from companion.devices.figures import Bounce, ButtonFigures, ButtonsFigures, Figures, ReaderFigures
from companion.devices.sensing import Appeared, Buzzed, Failed, Gone, Sensing, Tell, Working
from companion.errors import NotKept
from tests.devices.hearing import cabled, companion_at

CARD = "04A1B2C3D4E5F6"


class Device:
    """A source that measured this."""

    def __init__(self, name: str, figures: Figures):
        self.name = name
        self.figures = figures

    def start(self) -> None:
        raise AssertionError("a checkup opens nothing")

    def listen(self, tell: Tell, stop: threading.Event) -> None:
        raise AssertionError("a checkup listens to nothing")

    def close(self) -> None:
        raise AssertionError("a checkup closes nothing")


READER = Device("reader centre", ReaderFigures("centre", polls=80.0, read=0.5))
BUTTONS = Device("buzzers", ButtonsFigures((ButtonFigures(1, 3, Bounce(2, 0.025)),), edges="all", firmware="0.9"))


class Table:
    """What the match hears, and all that a checkup asks."""

    def __init__(self) -> None:
        self.now = 0.0
        self.match: int | None = None
        self.may_keep = True
        self.heard: list[Sensing] = []
        self.checkup = Checkup(
            [READER, BUTTONS],
            around((1, 2), ("centre",)),
            lambda: self.now,
            "1.0",
            self.keep,
            lambda: self.match,
        )

    def keep(self, *sensings: Sensing) -> None:
        if not self.may_keep:
            raise NotKept
        self.heard += sensings

    def codes(self) -> list[list[str]]:
        return [[finding.code for finding in device.findings] for device in self.checkup.devices()]


@pytest.fixture
def table() -> Table:
    table = Table()
    table.checkup.tell(Working("reader centre", "PN532", 0.0), Working("buzzers", "box", 0.0))
    table.heard.clear()
    return table


def press(seat: int, at: float = 0.0) -> Buzzed:
    return Buzzed(seat, at, 0.0, f"press-{seat}-{at}")


def test_every_device_is_shown_with_what_is_wrong(table: Table) -> None:
    assert [(device.works, device.detail) for device in table.checkup.devices()] == [(True, "PN532"), (True, "box")]
    assert table.codes() == [["reader-weak"], ["firmware-other", "button-bounces"]]


def test_a_device_that_fails_says_why_and_one_that_said_nothing_is_silent(table: Table) -> None:
    table.checkup.tell(Failed("buzzers", "no box.", 1.0))
    assert (table.checkup.devices()[1].works, table.checkup.devices()[1].detail) == (False, "no box.")
    assert Table().codes() == [["device-silent"], ["device-silent"]]


@pytest.mark.parametrize("walking", [False, True])
def test_while_people_play_nothing_is_shown_that_a_card_changes(table: Table, walking: bool) -> None:
    table.match = 7
    if walking:
        table.checkup.begin()
    reader, buttons = table.checkup.devices()
    assert reader.figures == ReaderFigures("centre")
    assert buttons.figures == ButtonsFigures((), edges="all", firmware="0.9")
    assert table.codes() == [[], ["firmware-other"]]


def test_without_a_walk_everything_is_passed_on(table: Table) -> None:
    sensings = (press(1), Appeared("centre", CARD, 1.0), Gone("centre", CARD, 2.0))
    table.checkup.tell(*sensings)
    assert tuple(table.heard) == sensings


def test_a_walk_hears_what_is_passed_on(table: Table) -> None:
    table.checkup.begin()
    sensings = (press(1), Appeared("centre", CARD, 1.0), Gone("centre", CARD, 2.0))
    table.checkup.tell(*sensings)
    assert tuple(table.heard) == sensings
    walk = table.checkup.look()
    assert walk is not None
    assert [step.answer for step in walk.found] == [StepResult.RIGHT]
    assert table.checkup.walking


def test_after_its_end_nobody_walks(table: Table) -> None:
    table.checkup.begin()
    for step in range(3):
        assert table.checkup.walking
        table.checkup.pass_over(step)
    assert not table.checkup.walking


def test_a_walk_that_nobody_looks_at_is_over(table: Table) -> None:
    table.checkup.begin()
    table.now = LEFT_S + 1
    assert not table.checkup.walking
    assert table.checkup.look() is None


def test_a_match_that_begins_ends_a_walk(table: Table) -> None:
    table.checkup.begin()
    table.match = 7
    assert not table.checkup.walking
    assert table.checkup.look() is None


def test_a_step_is_passed_over_once_however_often_it_is_asked(table: Table) -> None:
    table.checkup.begin()
    table.checkup.pass_over(0)
    table.checkup.pass_over(0)
    walk = table.checkup.look()
    assert walk is not None
    assert len(walk.found) == 1


def test_what_could_not_be_kept_is_told_again_and_heard_once(table: Table) -> None:
    table.checkup.begin()
    table.may_keep = False
    sensings = (press(1), Failed("reader centre", "unplugged.", 1.0))
    with pytest.raises(NotKept):
        table.checkup.tell(*sensings)
    table.may_keep = True
    table.checkup.tell(*sensings)
    walk = table.checkup.look()
    assert walk is not None
    assert (len(walk.found), len(table.heard)) == (1, 2)


def test_a_box_is_asked_how_each_button_bounces_while_people_walk() -> None:
    with cabled() as box, companion_at(box, seats=(4, 2), working=False) as table:
        box.contacts = {1: "closed 6 1480", 2: "open 15 23000"}
        checkup = Checkup([table.source], around((4, 2), ()), box.time.monotonic, "", table, lambda: None)
        table.tell = checkup.tell

        def bounces() -> dict[int, Bounce | None]:
            return {button.seat: button.bounce for button in table.source.figures.buttons}

        table.until(lambda: checkup.devices()[0].works)
        checkup.begin()
        for button, seat in ((2, 2), (1, 4)):
            table.until(lambda button=button: box.recording == button)
            box.press(button)
            table.until(lambda seat=seat: bounces()[seat])
        assert bounces() == {2: Bounce(15, 0.023), 4: Bounce(6, 0.00148)}
        walk = checkup.look()
        assert walk is not None
        assert walk.next_step is None
        assert [button.presses for button in table.source.figures.buttons] == [1, 1]


class Watched(Device):
    """Buttons whose contacts can be looked at."""

    looks = 0

    def look_at_contacts(self) -> None:
        self.looks += 1


def test_contacts_are_looked_at_only_while_nobody_plays_or_walks() -> None:
    buttons = Watched("buzzers", ButtonsFigures((), edges="all"))
    under_way: list[int] = []
    checkup = Checkup(
        [buttons], around((1,), ()), lambda: 0.0, "", lambda *_: None, lambda: max(under_way, default=None)
    )
    checkup.look_at_contacts()
    assert buttons.looks == 1
    under_way.append(7)
    checkup.look_at_contacts()
    assert buttons.looks == 1, "a match is under way"
    under_way.clear()
    checkup.begin()
    checkup.look_at_contacts()
    assert buttons.looks == 1, "somebody walks"
