"""Worlds at the whole table: cards lie on emulated readers on an I2C bus, buttons move emulated lines, words come from
phones, and what is sensed goes through drivers, intake and log to the judge. Time passes only while the table looks.

Readers are as bad as the world: polls miss a card, answers come late or damaged, and now and then the program is
stopped and started again in the middle.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import UNSET

from companion import games
from companion.devices.buttons.debounce import Edge
from companion.devices.buttons.gpio_source import ButtonSource
from companion.devices.listening import take_turns
from companion.devices.sensing import TurnTaker
from companion.events import Elapsed, Event, Lifted, Player, Pressed, Retracted, Tapped
from companion.game import AnyGame, Misplay
from companion.judge import corrections
from companion.live.table import Live
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from tests.devices import readers
from tests.emulators.time import Time, Until, passing
from tests.trust.findings import Finding, small
from tests.trust.worlds.compared import disagreements
from tests.trust.worlds.judged import SHORT, TRUTHS, acts
from tests.trust.worlds.people import Act, People, is_offered

SEATS = (1, 2, 3, 4, 5, 6)
TAGS = {
    (slug, card): f"04{of:02X}{number:010X}"
    for of, (slug, pieces) in enumerate(games.with_tags().items())
    for number, card in enumerate(pieces.deck)
}
PATIENCE_S = 3.0
"""How long a card lies at most until it is told; then people lay it again."""
STOPPED = 0.02
"""How often the program is stopped, of all acts."""


class Lines:
    """The lines of six buttons, which a hand moves."""

    detail = "fingers"
    late = 0.0
    hears = "all"
    behind = None

    def __init__(self, time: Time) -> None:
        self._time = time
        self.moved: list[Edge] = []

    def __call__(self) -> "Lines":
        return self

    def closed(self) -> list[bool]:
        return [False] * len(SEATS)

    def edges(self, wait: float) -> list[Edge]:
        self._time.sleep(wait)
        moved = self.moved
        self.moved = []
        return moved

    def close(self) -> None: ...


class Sensed:
    """A table as it is built; `people.Table` says what its methods do."""

    reads_at_once = False

    def __init__(self, folder: Path, stack: ExitStack, game: AnyGame, seats: tuple[int, ...], seed: str):
        assert game.physics is not None
        self.game = game
        self._chance = random.Random(f"{seed} table")
        self._time, self._wired, self._folder = Time(), readers.on_i2c(), folder
        self._time.now = 100.0
        self._chips = self._wired.chips
        tags = "".join(
            f"[{slug}]\n" + "".join(f'{card} = "{TAGS[slug, card]}"\n' for card in known.deck)
            for slug, known in games.with_tags().items()
        )
        (folder / "tags.toml").write_text(tags, encoding="utf-8")
        stack.enter_context(passing(self._time))
        stack.enter_context(readers.plugged(self._wired.bus))
        self._lines = Lines(self._time)
        self._refused = ""
        self._start()
        stack.callback(self._stop)
        people = tuple(Player(seat, f"P{seat}") for seat in seats)
        self.live.begin(game.slug, people, {**game.physics.options, **SHORT.get(game.slug, {})})
        self.match = self.live.ask(lambda match: match)

    @property
    def now(self) -> int:
        return round(self._time.now * 1_000_000)

    def tell(self, events: Sequence[Event], at: int) -> list[int]:
        self._pass_until(at / 1_000_000)
        before = self.match
        first = len(self.match.events)
        state = self.match.state
        for number, event in enumerate(events):
            self._sense(event, min(at, self.now) if number == 0 else self.now)
        new = [event for event in before.events[first:] if not isinstance(event, Lifted | Elapsed)]
        numbers = {event.seq for event in new}
        told = (one for one in before.verdicts if isinstance(one, Misplay) and one.seq in numbers)
        self._refused = next((f"refused: {one.code} {before.events[one.seq - 1]}" for one in told), "")
        return [event.seq for event in new] if before.state is not state else []

    def refused(self) -> str:
        return self._refused

    def take_back(self, numbers: Sequence[int], at: int) -> None:
        self._pass_until(at / 1_000_000)
        self.live.act(lambda _, now: [Retracted(0, now, number, by="phone") for number in reversed(numbers)])

    def correct(self, wrong: int, card: str, at: int) -> None:
        self._pass_until(at / 1_000_000)
        self.live.act(lambda match, now: corrections.correction(match, wrong, card, now))

    def may_correct(self, wrong: int) -> bool:
        return is_offered(self.match, wrong)

    def stop_and_start(self) -> None:
        """As a power cut does, but that the log is whole."""
        self._stop()
        self._wired.bus._locked = False  # the kernel gives it back
        self._time.sleep(self._chance.uniform(0.5, 5.0))
        self._start()
        self.match = self.live.ask(lambda match: match)
        for place, chip in self._chips.items():
            if chip.lies:
                self._look(place, lambda: False, 1.0)

    def _start(self) -> None:
        self._log = Log(self._folder / "log.sqlite", writes=True)
        self.live = Live(self._log, self._time.monotonic, Decks(self._folder / "tags.toml"))
        self.live.start()
        self._readers: dict[str, TurnTaker] = {
            settings.place: settings.open(self._time.monotonic, self._time.sleep) for settings in self._wired.readers
        }
        self._buttons = ButtonSource("buttons", SEATS, self._lines, self._time.monotonic, self._time_ns)

    def _time_ns(self) -> int:
        return round(self._time.now * 1e9)

    def _stop(self) -> None:
        for source in (*self._readers.values(), self._buttons):
            source.close()
        self.live.stop()
        self._log.close()

    def _pass_until(self, at: float) -> None:
        """Let time pass; what runs out meanwhile has run out before anything else happens."""
        self._time.sleep(max(0.0, at - self._time.now))
        for _ in range(2):
            self.live.ask(lambda match: None)

    def _sense(self, event: Event, at: int) -> None:
        match event:
            case Tapped(by=by) | Pressed(by=by) if by is not UNSET:
                self.live.enter(event)
            case Tapped():
                self._lay(event)
            case Lifted(place=place):
                self._chips[place].clear()
                self._look(place, lambda: False, 0.7)
            case Pressed(seat=seat):
                self._press(seat, at)
            case _:
                self.live.enter(event)

    def _lay(self, event: Tapped) -> None:
        """Lay a card where another may lie; whoever lays the same one again lifts it first."""
        tag = str(event.tag) if event.tag is not UNSET else self._tag(event.card)
        for place, other in self._chips.items():
            if tag in other.lies:
                other.clear()
                self._look(place, lambda: False, 0.7)
        chip = self._chips[event.place]
        taps = self._taps()
        if self._chance.random() < 0.1:
            self._chance.choice((lambda: chip.miss(2), lambda: chip.corrupt(1), lambda: chip.delay(0.05, 1)))()
        while self._taps() == taps:
            chip.clear()
            self._look(event.place, lambda: False, self._chance.choice((0.0, 0.7)))
            chip.swap(tag)
            self._look(event.place, lambda: self._taps() > taps, PATIENCE_S)
        if self._chance.random() < 0.3:
            chip.clear()
            self._look(event.place, lambda: False, 0.7)

    def _tag(self, card: str) -> str:
        """The sticker of a card, of this game first."""
        slug = self.game.slug if card in self.game.deck else games.whose(card)[0]
        return TAGS[games.bearer_of(slug), card]

    def _taps(self) -> int:
        return sum(isinstance(event, Tapped) for event in self.match.events)

    def _press(self, seat: int, at: int) -> None:
        """At a time (microseconds) that may be past: which press is told first is another matter."""
        button = SEATS.index(seat)
        self._lines.moved += [Edge(button, at * 1000, True, 0), Edge(button, (at + 80_000) * 1000, False, 0)]
        end = self._time.now + 0.15
        self._buttons.listen(self.live.tell, Until(self._time, lambda: self._time.now > end))  # type: ignore[arg-type]

    def _look(self, place: str, done: Callable[[], bool], seconds: float) -> None:
        end = self._time.now + seconds
        over = Until(self._time, lambda: self._time.now > end or done())
        take_turns([self._readers[place]], self.live.tell, over, self._time.monotonic)  # type: ignore[arg-type]


def played(game: AnyGame, seed: str, done: Sequence[Act]) -> str:
    """Play this at a table that is built anew; return what disagrees first, "" for nothing."""
    chance = random.Random(seed)
    seats = tuple(sorted(chance.sample(SEATS, chance.randint(game.fewest_players, game.most_players))))
    with TemporaryDirectory(prefix="worlds-") as folder, ExitStack() as stack:
        table = Sensed(Path(folder), stack, game, seats, seed)
        people = People(table, TRUTHS[game.slug].begin(seats, chance))
        for act in done:
            if random.Random(act.lot).random() < STOPPED:
                table.stop_and_start()
            if not people.act(act):
                if people.truth.over:
                    break
                people.wait()
            if people.settled:
                wrong = people.refused or next(disagreements(people.truth, table.match), "")
                if wrong:
                    return wrong
            people.refused = ""
    return ""


def findings(worlds: int, most: int) -> Iterator[Finding]:
    """Play so many worlds of each game, each of so many acts at most."""
    for slug in TRUTHS:
        yield of_game(games.known()[slug], worlds, most)


def of_game(game: AnyGame, worlds: int, most: int) -> Finding:
    """Play worlds of a game; the first in which something disagrees is made small."""
    broken = 0
    example = ""
    few = None
    for number in range(worlds):
        seed = f"{game.slug} {number}"
        done = acts(random.Random(f"{seed} acts"))[:most]
        wrong = played(game, seed, done)
        broken += bool(wrong)
        if wrong and few is None:
            left = small(done, partial(_still, game, seed, wrong))
            few = len(left)
            example = f"{seed}: {wrong} after {left}".replace("|", "/")
    what = f"{game.title}, worlds at emulated readers and buttons: the judge says what is true"
    return Finding(what, worlds, broken, example or f"of {most} acts each, at most", events=few)


def _still(game: AnyGame, seed: str, wrong: str, left: Sequence[Act]) -> bool:
    return played(game, seed, left).partition(":")[0] == wrong.partition(":")[0]
