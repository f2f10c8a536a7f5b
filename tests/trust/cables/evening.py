"""A random evening at a bus, in time of its own: cards, faults and crashes as they come."""

import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from companion import config, games
from companion.devices.check.checkup import Checkup
from companion.devices.check.walk import around
from companion.devices.listening import take_turns
from companion.devices.sensing import Sensing
from companion.events import Player
from companion.live.table import Live
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from tests.emulators.time import Time, Until, passing
from tests.trust.cables.at_a_bus import Wired
from tests.trust.cables.faults import met
from tests.trust.cables.hand import Hand
from tests.trust.cables.trouble import Outcome, Trouble
from tests.trust.cables.truth import Place, disagreements, logged
from tests.web.table import app_of

GAME = "stop-it"
PEOPLE = tuple(Player(seat, f"Player {seat}") for seat in range(1, 7))
LAG_S = 0.7
"""From the moment when a chip looks to the time stamped on what it saw."""
PAUSE_S = 1.2
"""Seconds between two faults, on average."""
LASTING = (0.001, 0.05, 0.3, 1.0, 3.0, 8.0, 12.0)
"""Seconds that faults last, about."""


class Killed(BaseException):
    """What strikes the companion wherever it is."""


class Evening:
    """One evening; `outcome` grows while it goes on."""

    def __init__(self, folder: Path, wired: Wired, events: int, seed: int):
        self.outcome = Outcome()
        self._wired, self._wanted = wired, events
        self._chance = random.Random(seed)
        self._time = Time()
        self._folder = folder
        uids = {card: f"04{number:012X}" for number, card in enumerate(games.known()[GAME].deck)}
        (folder / "tags.toml").write_text(
            f"[{GAME}]\n" + "".join(f'{card} = "{uid}"\n' for card, uid in uids.items()), encoding="utf-8"
        )
        (folder / "table.toml").write_text(f'tags = "tags.toml"\n{wired.file}', encoding="utf-8")
        self._places = {name: Place(name, self._time.monotonic) for name in wired.chips}
        self._hands = [
            Hand(place, wired.chips[name], uids, list(uids)[n :: len(self._places)], random.Random(f"{seed} {name}"))
            for n, (name, place) in enumerate(self._places.items())
        ]
        self._trouble = Trouble(self._time, self._places, self.outcome)
        self._restarts: list[float] = []
        self._working = True

    def play(self) -> Outcome:
        """Play until there were as many events as are wanted; then mend all, and compare."""
        with passing(self._time), self._wired.plugged():
            for hand in self._hands:
                self._time.go(hand.play(lambda: not self._working))
            self._time.go(self._mischief())
            while not self._over():
                self._run()
        outcome = self.outcome
        outcome.cards = sum(hand.events for hand in self._hands)
        cards, _ = logged(self._folder / "log.sqlite")
        for place in self._places.values():
            place.end()
            outcome.wrong += disagreements(place, cards, self._restarts, LAG_S)
        return outcome

    def _over(self) -> bool:
        if self._working and sum(hand.events for hand in self._hands) >= self._wanted:
            self._working = False
        return not self._working and self._trouble.over

    # The companion

    def _run(self) -> None:
        """Run a companion until the evening is over or it is killed."""
        table = config.load(self._folder / "table.toml")
        log = Log(table.log, writes=True)
        live = Live(log, self._time.monotonic, Decks(table.tags))
        live.start()
        sources = [sensor.open(self._time.monotonic, self._time.sleep) for sensor in table.sensors]

        def tell(*sensings: Sensing) -> None:
            self._may_be_killed()
            live.tell(*sensings)
            self._may_be_killed()

        steps = around(table.seats, table.places)
        checkup = Checkup(sources, steps, self._time.monotonic, "", tell, lambda: live.snapshot.under_way)
        live.let_walk(lambda: checkup.walking)
        client = app_of(live, virtual=False, checkup=checkup).test_client()
        if live.snapshot.match is None:
            live.begin(GAME, PEOPLE, {})
        self._trouble.page = lambda: client.get("/").get_data(as_text=True)
        self._trouble.running_since = self._time.now
        try:
            take_turns(sources, checkup.tell, Until(self._time, self._over), self._time.monotonic)  # type: ignore[arg-type]
        except Killed:
            self.outcome.kills += 1
            self._restarts.append(self._time.now)
        finally:
            self._trouble.page = None
            for source in sources:
                with suppress(AssertionError):  # of the emulated bus, which is left as it was in the middle
                    source.close()
            self._wired.freed()
            live.stop()
            log.close()
        with suppress(Killed):
            self._time.sleep(self._chance.uniform(0.05, 3.0))

    def _may_be_killed(self) -> None:
        if self._working and self._chance.random() < 0.003:
            raise Killed

    # What goes wrong

    def _mischief(self) -> Iterator[float]:
        while self._working:
            yield self._chance.expovariate(1 / PAUSE_S)
            lasts = self._chance.choice(LASTING) * self._chance.uniform(0.7, 1.3)
            match self._chance.random():
                case odds if odds < 0.02:
                    self._time.after(self._chance.uniform(0.0, 0.05), self._kill)
                case odds if odds < 0.12:
                    self._trouble.strike(self._chance.choice(self._wired.faults), lasts)
                case _:
                    place = self._chance.choice(list(self._places))
                    self._trouble.strike(met(place, self._wired.chips[place], self._chance), lasts)

    def _kill(self) -> None:
        if self._trouble.page is not None:
            raise Killed
