"""A random evening on cables, in real time: the real program at emulated readers and an emulated box."""

import random
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import msgspec

from companion import games
from companion.events import PLACES
from tests.bench.rig import GAME, Program, free_port
from tests.emulators.box import EmulatedBox
from tests.emulators.pn532 import UartPN532
from tests.trust.cables.at_ports import BOX, Box, Cable, Press, faults_of_a_reader, faults_of_the_box, faults_of_the_hub
from tests.trust.cables.faults import met
from tests.trust.cables.hand import Hand
from tests.trust.cables.trouble import Outcome, Trouble
from tests.trust.cables.truth import NOTHING, Place, disagreements, logged
from tests.trust.cables.truth import Press as LoggedPress
from tests.trust.cables.wall import Wall
from tests.trust.journal import Told, errors, journal

RADIO = 0.02
"""Seconds a poll: slow readers leave the machine time for many of them."""
LAG_S = 2.0
"""From what happens until it is in the log, where no more time is allowed."""
PRESS_S = 0.4
"""Seconds between two shouts, on average; each is a press or several."""
PAUSE_S = 1.0
LASTING = (0.01, 0.1, 0.5, 2.0, 6.0, 9.0)
CLOSE_US = 100_000
"""Presses closer than this keep their distance to the microsecond."""


class Evening:
    """One evening; `play` gives what it came to."""

    def __init__(self, folder: Path, stack: ExitStack, readers: int, seed: int, within: float):
        self.outcome = Outcome()
        self._chance = random.Random(seed)
        self._folder = folder
        self._time = Wall()
        self._lag = max(LAG_S, within)
        self._chips = {place: stack.enter_context(UartPN532(radio=RADIO)) for place in PLACES[:readers]}
        drift, start = self._chance.uniform(-50, 50), self._chance.choice((0, 2**32 - 20_000_000))
        self._box = Box(stack.enter_context(EmulatedBox(drift_ppm=drift, counter_start=start, seed=seed)))
        self._cables = {place: Cable(chip) for place, chip in self._chips.items()} | {BOX: self._box.cable}
        uids = {card: f"04{number:012X}" for number, card in enumerate(games.known()[GAME].deck)}
        self._describe(uids)
        self._places = {place: Place(place, lambda: self._time.now) for place in self._chips}
        self._hands = [
            Hand(place, self._chips[name], uids, list(uids)[n::readers], random.Random(f"{seed} {name}"))
            for n, (name, place) in enumerate(self._places.items())
        ]
        box = Place(f"{BOX} {self._box.emulated.path}", lambda: self._time.now)
        self._trouble = Trouble(self._time, self._places | {BOX: box}, self.outcome, within)
        self._told_of = box
        self._kills: list[float] = []
        self._working = True

    def _describe(self, uids: dict[str, str]) -> None:
        self._port = free_port()
        tags = "".join(f'{card} = "{uid}"\n' for card, uid in uids.items())
        (self._folder / "tags.toml").write_text(f"[{GAME}]\n{tags}", encoding="utf-8")
        readers = "".join(
            f'[[reader]]\ndriver = "pn532-uart"\nplace = "{place}"\nport = "{chip.path}"\n'
            for place, chip in self._chips.items()
        )
        (self._folder / "table.toml").write_text(
            f'tags = "tags.toml"\n[page]\nhost = "127.0.0.1"\nport = {self._port}\n{readers}'
            f'[[buzzers]]\ndriver = "pico"\nport = "{self._box.emulated.path}"\nseats = [1, 2, 3, 4, 5, 6]\n',
            encoding="utf-8",
        )

    def play(self, seconds: float) -> Outcome:
        """Play so long, then mend all, and compare."""
        self._program = self._started()
        self._program.first_page()
        self._program.start_match()
        for hand in self._hands:
            self._time.go(hand.play(lambda: not self._working))
        for script in (self._presses(), self._mischief(self._time.now + seconds), self._watch()):
            self._time.go(script)
        try:
            self._time.pass_until(lambda: not self._working and self._trouble.over and not self._box.emulated.unacked)
        finally:
            self._program.stop()
        self._compare()
        return self.outcome

    def _started(self) -> Program:
        return Program(self._port, sys.executable, "-m", "tests.trust.journal", str(self._folder / "table.toml"))

    # What happens

    def _presses(self) -> Iterator[float]:
        while self._working:
            yield self._chance.expovariate(1 / PRESS_S)
            for seat in self._chance.sample(range(1, 7), self._chance.choice((1, 1, 2, 3, 6))):
                self._box.press(seat)

    def _mischief(self, until: float) -> Iterator[float]:
        while self._time.now < until:
            yield self._chance.expovariate(1 / PAUSE_S)
            lasts = self._chance.choice(LASTING) * self._chance.uniform(0.7, 1.3)
            lasts = min(lasts, max(0.0, until - self._time.now) + 1)  # a short evening has no long faults
            place = self._chance.choice(list(self._chips))
            match self._chance.random():
                case odds if odds < 0.05:
                    yield from self._kill()
                case odds if odds < 0.1:
                    self._trouble.strike(self._chance.choice(faults_of_the_hub(self._cables, self._box)), lasts)
                case odds if odds < 0.35:
                    self._trouble.strike(self._chance.choice(faults_of_the_box(self._box, self._chance)), lasts)
                case odds if odds < 0.5:
                    self._trouble.strike(self._chance.choice(faults_of_a_reader(place, self._cables[place])), lasts)
                case _:
                    self._trouble.strike(met(place, self._chips[place], self._chance), lasts)

        while self._trouble.page is None:
            yield 0.1
        # Last of all something is mended while the program runs, so that it is seen to recover.
        self._trouble.strike(faults_of_the_hub(self._cables, self._box)[0], LASTING[2])
        self._working = False

    def _kill(self) -> Iterator[float]:
        for seat in self._chance.sample(range(1, 7), 3):
            self._box.press(seat)
        # It may have heard them, stored them, acknowledged them, or not yet; most telling is right after it has.
        patience = self._chance.choice((0.0, 0.03, 0.2, 0.2))
        while patience > 0 and self._box.emulated.unacked:
            yield 0.001
            patience -= 0.001
        self._trouble.page = None
        self._program.kill()
        self._kills.append(self._time.now)
        self.outcome.kills += 1
        yield self._chance.uniform(0.0, 2.0)
        self._program = self._started()

    def _watch(self) -> Iterator[float]:
        """See when the program is there, and when the box has told all it knows."""
        while True:
            yield 0.1
            if self._trouble.page is None and self._program.page():
                self._trouble.page, self._trouble.running_since = self._program.page, self._time.now
            if not self._box.emulated.unacked:
                self._told_of.looked(NOTHING)

    # What came of it

    def _compare(self) -> None:
        log = self._folder / "log.sqlite"
        told = [msgspec.json.decode(line, type=Told) for line in journal(log).read_bytes().splitlines()]
        starts = [line for line in told if not line.origin]
        cards, presses = logged(log)

        def offset(at: float) -> float:
            """What the table's clock was ahead when it showed this; after one that stored anything, by minutes more."""
            return [start.offset for start in starts if start.at - 300 <= at][-1]

        real = [msgspec.structs.replace(card, at=card.at - offset(card.at)) for card in cards]
        outcome, box = self.outcome, self._box
        outcome.cards = sum(hand.events for hand in self._hands)
        outcome.presses = len(box.pressed)
        for place in self._places.values():
            place.end()
            outcome.wrong += disagreements(place, real, self._kills, self._lag)
        _, raised, where = errors(log).read_text(encoding="utf-8").partition("Traceback")
        outcome.wrong += [raised + where[:2000]] if raised else []
        outcome.wrong += mistold(box, presses, [line for line in told if line.origin])


def mistold(box: Box, log: list[LoggedPress], told: list[Told]) -> Iterator[str]:
    """Give the presses that the log lost, doubled, made up, or put at a time when they were not."""
    pressed = {press.origin: press for press in box.pressed}
    by_origin: dict[str, list[LoggedPress]] = {}
    for one in log:
        by_origin.setdefault(one.origin, []).append(one)
        if one.origin not in pressed:
            yield f"nobody pressed: {one}"
    for press in box.pressed:
        match by_origin.get(press.origin, []):
            case [one] if one.seat != press.seat:
                yield f"another seat: {one}, it was {press}"
            case [one] if not any(_is_true(one, line, press) for line in told if line.origin == press.origin):
                yield f"another time: {one}, it was {press}"
            case [_]:
                pass
            case [] if press.origin in box.lost:
                pass
            case [] | [_, *_] as found:
                yield f"{len(found)} times in the log: {press}"
    in_order = sorted((press for press in box.pressed if press.origin in by_origin), key=lambda press: press.after)
    for one, other in pairwise(in_order):
        apart = other.device - one.device
        first, second = by_origin[one.origin][0], by_origin[other.origin][0]
        same_boot = one.origin.rpartition("-")[0] == other.origin.rpartition("-")[0]
        # Presses that two programs told lie a pause apart.
        close = same_boot and apart < CLOSE_US and 0 <= second.at - first.at < 60
        if close and round((second.at - first.at) * 1e6) != apart:
            yield f"{apart} µs apart, not as in the log: {first}, {second}"


def _is_true(one: LoggedPress, told: Told, press: Press) -> bool:
    """Whether the log has what was told, and that was true within what was stated."""
    slack = told.uncertainty
    true = press.after - slack <= told.at - told.offset <= press.before + slack
    return true and abs(one.at - told.at) < 2e-6
