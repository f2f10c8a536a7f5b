"""What goes wrong in an evening; whether the page tells of it meanwhile, and whether all is well soon after."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.emulators.time import Time
from tests.trust.cables.truth import Place

TOLD_S = 5.0
"""Seconds from a fault's beginning until the page tells of it."""

LOOK_S, SETTLED_S = 0.1, 1.0
"""Seconds between two looks, and from the end of the last fault until the evening may end."""


@dataclass(frozen=True)
class Happening:
    """A fault as it is met: where, how it begins and ends."""

    name: str
    places: tuple[str, ...]
    begin: Callable[[], object]
    end: Callable[[], object]
    silent: bool = False
    """Whether nothing works there while it lasts: then the page must say so."""


@dataclass
class Outcome:
    """What an evening came to."""

    cards: int = 0
    """Laid or lifted."""
    presses: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    kills: int = 0
    recoveries: list[float] = field(default_factory=list)
    told: int = 0
    """Faults that the page told of."""
    wrong: list[str] = field(default_factory=list)
    """What the log says that was not so, or leaves out."""
    slow: list[str] = field(default_factory=list)
    """What did not recover in time."""
    untold: list[str] = field(default_factory=list)
    """What the page did not tell, or told for too long."""

    def add(self, other: "Outcome", which: str) -> None:
        """Add what another evening came to, with a word for which that was."""
        self.cards += other.cards
        self.presses += other.presses
        self.faults += other.faults
        self.kills += other.kills
        self.told += other.told
        self.recoveries += other.recoveries
        for mine, theirs in ((self.wrong, other.wrong), (self.slow, other.slow), (self.untold, other.untold)):
            mine += [f"{which}: {what}" for what in theirs]


class Trouble:
    """Strikes, and looks afterwards."""

    def __init__(self, time: Time, places: dict[str, Place], outcome: Outcome):
        self.page: Callable[[], str] | None = None
        """Gives the page; None while no companion runs."""
        self.running_since = 0.0
        self._time = time
        self._places = places
        self._outcome = outcome
        self._awaited = 0

    def strike(self, fault: Happening, lasts: float) -> None:
        """Let it begin now, and end in so many seconds."""
        self._outcome.faults[fault.name] += 1
        there = [self._places[place] for place in fault.places]
        for place in there:
            place.fault(1)
        fault.begin()
        for place in there if fault.silent and lasts > TOLD_S else ():
            self._time.after(TOLD_S, lambda place=place, at=place.faulted_at: self._told(place, fault.name, at))

        def over() -> None:
            fault.end()
            for place in there:
                place.fault(-1)
                if not place.faults:
                    self._time.go(self._until_well(place, place.faulted_at))

        self._time.after(lasts, over)

    @property
    def over(self) -> bool:
        """Whether nothing is wrong any more, and everything has recovered or had its time to."""
        now = self._time.now
        places = self._places.values()
        return not self._awaited and all(not place.faults and now - place.faulted_at > SETTLED_S for place in places)

    def _until_well(self, place: Place, ended: float) -> Iterator[float]:
        """Look again and again until all is well there, or it takes too long."""
        self._awaited += 1
        while self._time.now - ended < place.well_after_s:
            yield LOOK_S
            if place.faulted_at != ended or self.page is None or self.running_since > ended:
                break  # it was broken anew meanwhile
            if place.looked_at > ended and not _named(self.page(), place.name):
                self._outcome.recoveries.append(self._time.now - ended)
                break
        else:
            if place.looked_at <= ended:
                self._outcome.slow.append(f"{place.name} since {ended:.3f}")
            else:
                self._outcome.untold.append(f"{place.name} works, the page says it does not, {self._time.now:.3f}")
        self._awaited -= 1

    def _told(self, place: Place, name: str, began: float) -> None:
        if place.faulted_at != began or self.page is None or self.running_since > began:
            return
        if _named(self.page(), place.name):
            self._outcome.told += 1
        else:
            self._outcome.untold.append(f"{name} at {place.name}, {began:.3f}")


def _named(page: str, place: str) -> bool:
    """Whether the page says of a place's reader, or of the box, that it does not work."""
    device = place if place.startswith("buzzers") else f"reader {place}"
    return f'<p class="broken" data-device="{device}">' in page
