"""A random evening in time of its own: what people do, faults and crashes as they come."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from companion import games
from companion.devices.check.checkup import Checkup
from companion.devices.check.walk import around
from companion.devices.sensing import Clock, Sensing, Tell
from companion.events import Player
from companion.live.table import Live
from companion.storage import log as storage
from companion.tags.deck_file import Decks
from tests.emulators.time import Time, Until, passing
from tests.trust.cables.trouble import Happening, Outcome, Trouble
from tests.trust.cables.truth import Log, Place, logged
from tests.web.table import app_of

GAME = "stop-it"
PEOPLE = tuple(Player(seat, f"Player {seat}") for seat in range(1, 7))
LASTING = (0.001, 0.05, 0.3, 1.0, 3.0, 8.0, 12.0)
"""Seconds that faults last, about."""


class Devices(Protocol):
    """What is plugged in, and those who play with it."""

    name: str
    seats: tuple[int, ...]
    pause_s: float
    """Between two faults, on average."""

    def plugged(self) -> Any: ...
    def opened(self, time: Time) -> list[Any]: ...
    def freed(self) -> None: ...
    def sit_down(self, time: Time, uids: Mapping[str, str], seed: int) -> dict[str, Place]: ...
    def scripts(self, over: Callable[[], bool]) -> list[Iterator[float]]: ...
    def listen(self, sources: Sequence[Any], tell: Tell, over: Until, clock: Clock) -> None: ...
    def fault(self, chance: random.Random) -> Happening: ...
    @property
    def events(self) -> int: ...
    @property
    def settled(self) -> bool: ...
    def compare(self, log: Log, restarts: Sequence[float], outcome: Outcome) -> None: ...


class Killed(BaseException):
    """What strikes the companion wherever it is."""


class Evening:
    """One evening; `outcome` grows while it goes on."""

    def __init__(self, folder: Path, devices: Devices, events: int, seed: int):
        self.outcome = Outcome()
        self._devices = devices
        self._wanted = events
        self._chance = random.Random(seed)
        self._time = Time()
        self._folder = folder
        uids = {card: f"04{number:012X}" for number, card in enumerate(games.known()[GAME].deck)}
        tags = "".join(f'{card} = "{uid}"\n' for card, uid in uids.items())
        (folder / "tags.toml").write_text(f"[{GAME}]\n{tags}", encoding="utf-8")
        self._seed = seed
        self._uids = uids
        self._restarts: list[float] = []
        self._working = True

    def play(self) -> Outcome:
        """Play until there were as many events as are wanted; then mend all, and compare."""
        with passing(self._time), self._devices.plugged():
            places = self._devices.sit_down(self._time, self._uids, self._seed)
            self._places = places
            self._trouble = Trouble(self._time, places, self.outcome)
            for script in (*self._devices.scripts(lambda: not self._working), self._mischief()):
                self._time.go(script)
            while not self._over():
                self._run()
        self._devices.compare(logged(self._folder / "log.sqlite"), self._restarts, self.outcome)
        return self.outcome

    def _over(self) -> bool:
        if self._working and self._devices.events >= self._wanted:
            self._working = False
        return not self._working and self._trouble.over and self._devices.settled

    # The companion

    def _run(self) -> None:
        """Run a companion until the evening is over or it is killed."""
        for place in self._places.values():
            place.begun_anew()
        clock = self._time.monotonic
        log = storage.Log(self._folder / "log.sqlite", writes=True)
        live = Live(log, clock, Decks(self._folder / "tags.toml"))
        live.start()
        sources = self._devices.opened(self._time)

        def tell(*sensings: Sensing) -> None:
            self._may_be_killed()
            live.tell(*sensings)
            self._may_be_killed()

        places = [name for name in self._places if not self._devices.seats]
        steps = around(self._devices.seats, places)
        checkup = Checkup(sources, steps, clock, "", tell, lambda: live.snapshot.under_way)
        live.withhold_while(lambda: checkup.walking)
        client = app_of(live, virtual=False, checkup=checkup).test_client()
        if live.snapshot.match is None:
            live.begin(GAME, PEOPLE, {})
        self._trouble.page = lambda: client.get("/").get_data(as_text=True)
        self._trouble.running_since = self._time.now
        try:
            self._devices.listen(sources, checkup.tell, Until(self._time, self._over), clock)
        except Killed:
            self.outcome.kills += 1
            self._restarts.append(self._time.now)
        finally:
            self._trouble.page = None
            for source in sources:
                with suppress(AssertionError):  # of the emulated bus, which is left as it was in the middle
                    source.close()
            self._devices.freed()
            live.stop()
            log.close()
        with suppress(Killed):
            self._time.sleep(self._chance.uniform(0.05, 3.0))

    def _may_be_killed(self) -> None:
        if self._working and self._chance.random() < 0.003:
            raise Killed

    # What goes wrong

    def _mischief(self) -> Iterator[float]:
        while True:
            yield self._chance.expovariate(1 / self._devices.pause_s)
            if not self._working:
                return  # or another companion would start, and none was killed
            if self._chance.random() < 0.02:
                self._time.after(self._chance.uniform(0.0, 0.05), self._kill)
            else:
                lasts = self._chance.choice(LASTING) * self._chance.uniform(0.7, 1.3)
                self._trouble.strike(self._devices.fault(self._chance), lasts)

    def _kill(self) -> None:
        if self._trouble.page is not None:
            raise Killed
