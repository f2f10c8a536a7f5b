"""Whoever is told at home hears each happening when its time has come, and never out of order."""

from msgspec import Struct

from companion.access.people import People
from companion.house.happenings import Happening
from companion.house.telling import HouseTeller
from companion.live.snapshot import Snapshot
from tests.house.told import RECORDS, played

MATCH = next(record for record in RECORDS if record.stem == "match-clean" and record.parts[-3] == "stop_it")
STAGED = 2.8
"""Seconds that the big screen takes to turn up the cards of a count."""


class Ear(Struct):
    """Notes when it was told what."""

    clock: "Clock"
    said: list[tuple[float, str]] = []
    states: list[Snapshot] = []

    def start(self) -> None:
        pass

    def stop(self) -> None:
        pass

    def tell(self, happening: Happening) -> None:
        self.said.append((self.clock.now, happening.event_type))

    def show(self, snapshot: Snapshot) -> None:
        self.states.append(snapshot)


class Clock(Struct):
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


class AtHome:
    """A table whose snapshots come by hand."""

    def __init__(self) -> None:
        self.snapshot = Snapshot()
        self.clock = Clock()
        self.ear = Ear(self.clock)
        self.teller = HouseTeller(lambda: self.snapshot, People, "en", [self.ear], self.clock)

    def comes(self, snapshot: Snapshot) -> float:
        self.snapshot = snapshot
        self.teller.look()
        return self.teller.turn()


def test_a_staged_moment_waits_until_the_screen_has_played_it_and_all_that_follows_waits_for_it() -> None:
    home = AtHome()
    due_at = [home.comes(snapshot) for snapshot in played(MATCH)]
    assert home.ear.said[0] == (0.0, "match-begins")
    waits_until = max(at for at in due_at if at < float("inf"))
    told_before = len(home.ear.said)
    home.clock.now = due_at[-1] - 0.01
    home.teller.turn()
    assert len(home.ear.said) == told_before
    home.clock.now = waits_until + 10
    podium_stands_at = home.teller.turn()
    assert home.ear.said[-1][1] == "scored"
    home.clock.now = podium_stands_at
    home.teller.turn()
    assert home.ear.said[-1][1] == "winner"


def test_how_the_table_is_now_is_shown_once_nothing_waits_to_be_told() -> None:
    home = AtHome()
    *_, last = played(MATCH)
    for snapshot in played(MATCH):
        home.comes(snapshot)
    assert last not in home.ear.states
    home.clock.now = 60
    home.teller.turn()
    assert home.ear.states[-1] == last


def test_what_two_acts_bring_between_two_looks_is_told_of_both() -> None:
    one_by_one = AtHome()
    at_once = AtHome()
    for snapshot in played(MATCH):
        one_by_one.comes(snapshot)
        at_once.snapshot = snapshot
        at_once.teller.look()
    for home in (one_by_one, at_once):
        home.clock.now = 60
        home.teller.turn()
    assert [event for _, event in at_once.ear.said] == [event for _, event in one_by_one.ear.said]


def test_what_is_taken_back_while_the_screen_plays_it_is_not_told() -> None:
    home = AtHome()
    snapshots = [*played(MATCH)]
    staged = next(number for number, snapshot in enumerate(snapshots) if home.comes(snapshot) < float("inf"))
    told_before = [*home.ear.said]
    home.comes(snapshots[staged - 1])
    home.clock.now = 60
    home.teller.turn()
    assert home.ear.said == told_before
