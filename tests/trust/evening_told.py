"""What the house is told of an evening beside what the big screen said: nothing earlier, nothing else, all of it.

Bots play a match of every game at a simulated table, whose people now and then take something back or a break. The
table keeps the hours of a clock set by hand. Whenever something changes, the big screen's page is kept, and a real
Chromium says after how many seconds its headline can be read: so long it plays what happened. How brokers and programs
get what the house is told, `tests/house` tries.
"""

import math
import random
import re
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
from flask.testing import FlaskClient
from msgspec import Struct
from msgspec.structs import replace
from playwright.sync_api import Route, sync_playwright

from companion import games
from companion.access.people import People
from companion.acts.putting_right import back_to
from companion.events import Event, Player
from companion.house.broker import TableState, state_of
from companion.house.happenings import Happening
from companion.house.telling import HouseTeller
from companion.house_settings import HouseEvent
from companion.judge.match import Match
from companion.kit.simulated_matches import PLAYABLE
from companion.live.bots import Bots
from companion.live.pause import Why
from companion.live.simulation import Simulation
from companion.live.snapshot import Snapshot
from companion.live.table import Live
from tests.chromium import TELEVISION, UNSEEN
from tests.trust.findings import Finding, Tally
from tests.web.table import Clock, app_with, living, phones_of

PEOPLE = (Player(1, "Ana"), Player(3, "Bo"), Player(5, "Cléo"))
HERE = "http://table.test"
BREAK_S = 60.0
RESTS_S = 30.0
"""Seconds from a match to the next: whatever the big screen plays at its end, it has said."""
SEED = 55
BEGINNING = 60
"""Turns after which people end a match of which only the beginning is wanted."""
LONGEST = 6000
"""Turns in which the longest match ends."""
ROUNDED_S = 0.001
SCRIPTS = re.compile(r"<script.*?</script>", re.DOTALL)
WHOLE = ("kartel",)
"""The games that are played to their end in short; of the others a beginning is, which people end."""
# What each headline of a page says, and of which form it is: whatever decides how long it is held back.
LISTED = """(html) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  const steps = page.querySelector(".steps")?.className;
  return [...page.querySelectorAll("main [data-news]")].map((news) => {
    const [match, entry, code] = news.dataset.news.split(" ");
    const headline = news.querySelector(".headline:not(.soon)");
    for (const sign of headline.querySelectorAll("[aria-hidden]")) sign.remove();
    const { className } = news, decides = Boolean(news.closest(".decided"));
    return { match: Number(match), entry: Number(entry), code, won: news.matches(".won"), fresh: news.matches(".fresh"),
      text: headline.textContent,
      form: [code, className.replace(/ long\\w*/, ""), decides, steps, Boolean(news.querySelector(".soon"))].join() };
  });
}"""
# After how many seconds each can be read: as the page's animations have it, moved by hand.
SECONDS = """() => {
  const moving = document.getAnimations();
  for (const one of moving) one.pause();
  const timings = moving.map((one) => one.effect.getComputedTiming());
  const turns = new Set([0, ...timings.flatMap(({ delay, endTime }) => [delay, endTime])]);
  const moments = [...turns].filter((moment) => moment >= 0 && moment < Infinity).sort((one, other) => one - other);
  const at = (moment) => { for (const one of moving) one.currentTime = moment + 10; };
  const clear = (one) => one ? getComputedStyle(one).opacity * clear(one.parentElement) : 1;
  const over = document.querySelector(".decided");
  const reads = (one) => clear(one) > 0.01 && (!over || over.contains(one) || clear(over) < 0.5);
  return [...document.querySelectorAll("main [data-news] .headline:not(.soon)")].map(
    (headline) => moments.find((moment) => (at(moment), reads(headline))) / 1000);
}"""


STAGINGS = {kind.stage for game in games.known().values() for kind in game.rulings.values() if kind.stage}


class Said(Struct, frozen=True):
    """A headline as a page of the big screen has it."""

    match: int
    entry: int
    code: str
    text: str
    won: bool
    """Whether it names the winners."""
    fresh: bool
    """Whether nothing has been decided since."""
    form: str
    """Headlines of the same form are held back for as long."""

    @property
    def plays_s(self) -> float:
        """For how many seconds the big screen draws what it says; the house is told after it."""
        return max((staging.seconds for staging in STAGINGS if f" stage-{staging.name}," in self.form), default=0.0)


class Shown(Struct, frozen=True):
    """The big screen from a moment on."""

    at: float
    page: str


class Headline(Struct, frozen=True):
    """A headline of the evening."""

    said: Said
    came: float
    """When its page came."""
    held_back: float
    """Seconds from then until it can be read."""
    gone: float
    """When a page came without it."""

    @property
    def read_at(self) -> float:
        """When it could be read."""
        return self.came + self.held_back

    @property
    def must_be_told(self) -> bool:
        """Whether it was new, and stood there until it could be read and what is drawn of it had played."""
        return self.said.fresh and max(self.read_at, self.came + self.said.plays_s) < self.gone

    def is_of(self, happening: Happening) -> bool:
        """Whether it says what the house was told."""
        said = self.said
        if said.match != happening.match or said.won is not (happening.event_type == HouseEvent.WINNER):
            return False
        if happening.event_type == HouseEvent.BREAK:
            return said.code == happening.event_type
        return (said.won or said.code == happening.event_type) and said.text.split() == happening.text.split()


class Told(Struct, frozen=True):
    """Something that the house was told, and when."""

    at: float
    happening: Happening


class Home:
    """The house around a table: it hears what is told, and is shown how the table is."""

    def __init__(self, live: Live, clock: Clock) -> None:
        self._clock = clock
        self.told: list[Told] = []
        self.states: list[tuple[float, TableState]] = [(clock.now, state_of(live.snapshot))]
        teller = HouseTeller(lambda: live.snapshot, People, "en", (self,), clock)
        live.watch(teller.look)
        self.turn = teller.turn
        """Has told what is due; returns when something is due again."""

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def tell(self, happening: Happening) -> None:
        self.told.append(Told(self._clock.now, happening))

    def show(self, snapshot: Snapshot) -> None:
        self.states.append((self._clock.now, state_of(snapshot)))


class Evening:
    """An evening at a table, and what it came to."""

    def __init__(self, live: Live, clock: Clock, home: Home, chance: random.Random) -> None:
        self._live = live
        self._clock = clock
        self._home = home
        self._chance = chance
        self._simulation = Simulation(live, seed=lambda: str(chance.random()))
        self._bots = Bots(self._simulation, chance=chance)
        app = app_with(live, phones_of(live, {}, clock), simulation=self._simulation)
        self.client: FlaskClient = app.test_client()
        self.shown: list[Shown] = []
        self._on_screen: tuple[object, object] | None = None
        """What the latest page was made from."""

    def play(self, slug: str, most: int) -> None:
        """Play a match to its end; after so many turns people end it."""
        people = PEOPLE[: games.known()[slug].most_players]
        self._simulation.begin(slug, people, dict.fromkeys([player.seat for player in people], "middle"))
        befalls = [*self._chance.sample(range(5, 60), 3)]
        for turn in range(most):
            self._look()
            if self._live.ask(lambda match: match.over):
                break
            if turn in befalls:
                self._chance.choice((self._take_break, self._take_back))()
            next_move = self._bots.step(self._clock.now)
            due_at = self._look()
            soon = min(due_at, next_move or due_at, self._clock.now + 1.0)
            self._clock.now = max(soon, self._clock.now + 0.01)
        else:
            self._live.pause(Why.ENDED)
        self._rest(RESTS_S)

    def _rest(self, seconds: float) -> None:
        """Do nothing; what is due meanwhile is told."""
        end = self._clock.now + seconds
        while (due_at := self._look()) < end:
            self._clock.now = due_at
        self._clock.now = end
        self._look()

    def _look(self) -> float:
        """Keep the big screen if it is new, and have told what is due; return when something is due again."""
        for _ in range(2):
            self._live.ask(lambda match: None)
        on_table = (self._live.snapshot, self._simulation.seen)
        if self._on_screen is None or any(old is not new for old, new in zip(self._on_screen, on_table, strict=True)):
            self._on_screen = on_table
            self.shown.append(Shown(self._clock.now, self.client.get("/big?lang=en").text))
        return self._home.turn()

    def _take_break(self) -> None:
        self._live.pause(Why.BREAK)
        self._rest(BREAK_S)
        self._live.go_on()

    def _take_back(self) -> None:
        dealt = self._simulation.dealt
        if not dealt or len(dealt.moves) < 2:
            return

        def plan(match: Match, at: float) -> tuple[Event, ...]:
            return back_to(match, dealt.moves[-1].before, at)

        self._simulation.take_back(plan)


OnPage = Sequence[tuple[Said, float]]
"""What a page says, and after how many seconds."""


def read_on(screens: Sequence[Shown], client: FlaskClient, *, every: bool) -> Sequence[OnPage]:
    """Return what each page says; unless it is to be asked of `every` one, the browser moves one of each form.

    It does so beside this thread: whoever asks may have another browser open in theirs.
    """
    with ThreadPoolExecutor(1) as aside:
        return aside.submit(lambda: [*_read_on(screens, client, every)]).result()


def _read_on(screens: Sequence[Shown], client: FlaskClient, every: bool) -> Iterator[OnPage]:
    wanted = ""
    with sync_playwright() as playwright, playwright.chromium.launch(**UNSEEN) as browser:
        page = browser.new_page(viewport=TELEVISION)

        def answer(route: Route) -> None:
            path = route.request.url.removeprefix(HERE)
            if path == "/":
                route.fulfill(content_type="text/html", body=wanted)
                return
            with client.get(path) as answered:
                route.fulfill(status=answered.status_code, headers=dict(answered.headers), body=answered.data)

        page.route(f"{HERE}/**", answer)
        page.goto(f"{HERE}/")
        held_back: dict[str, list[float]] = {}
        for number, screen in enumerate(screens):
            listed: list[Said] = msgspec.convert(page.evaluate(LISTED, screen.page), list[Said])
            form = "; ".join(said.form for said in listed) + str(number) * every
            if form not in held_back:
                wanted = SCRIPTS.sub("", screen.page)
                page.goto(f"{HERE}/")
                held_back[form] = page.evaluate(SECONDS)
            yield [*zip(listed, held_back[form], strict=True)]


def headlines(screens: Sequence[Shown], said_on: Sequence[OnPage]) -> list[Headline]:
    """Return every headline of the evening, in the order in which they could be read.

    What comes to light again, because something that only hid it was taken back, is no news.
    """
    found: list[Headline] = []
    standing: dict[Said, Headline] = {}
    said_before: set[Said] = set()
    for screen, on_page in zip(screens, said_on, strict=True):
        seconds_of = {replace(said, fresh=True, form=""): (said, seconds) for said, seconds in on_page}
        for key in [key for key in standing if key not in seconds_of]:
            found.append(replace(standing.pop(key), gone=screen.at))
        for key, (said, seconds) in seconds_of.items():
            if key in standing:
                continue
            if said.code == HouseEvent.CORRECTED:
                said_before.clear()
            is_new = said.fresh and key not in said_before
            standing[key] = Headline(replace(said, fresh=is_new), screen.at, seconds, math.inf)
            said_before.add(key)
    return sorted([*found, *standing.values()], key=lambda headline: (headline.came, headline.read_at))


SHOWN = "the house is told what the big screen says, in its order, and nothing else"
NOT_EARLIER = "the house is told nothing before the big screen has said it"
COMPLETE = "what stood on the big screen is told"
STATE = "the broker keeps no winner whom the big screen has not named"
OF_STATE: Mapping[str, Callable[[Happening, str], bool]] = {
    HouseEvent.MATCH_BEGINS: lambda happening, page: all(player.name in page for player in happening.players),
    HouseEvent.MATCH_ENDED: lambda _, page: 'id="now-ended"' in page,
    HouseEvent.GOES_ON: lambda _, page: "news weight-3 fresh break" not in page,
}
"""Whether the big screen shows what it says in no headline."""


class Compared:
    """What the house was told beside what the big screen said."""

    def __init__(self, seed: int) -> None:
        self._tally = Tally(seed)
        self._lags: list[float] = []
        """Seconds from the big screen to the house."""

    def take_in(self, evening: Evening, home: Home, *, every: bool) -> None:
        """Compare an evening."""
        screens = evening.shown
        said = headlines(screens, read_on(screens, evening.client, every=every))
        untold = [*said]
        for told in home.told:
            event = told.happening.event_type
            example = f"{told.at:.2f} {told.happening}"
            if event in OF_STATE:
                page = [screen.page for screen in screens if screen.at <= told.at][-1]
                self._tally.note(SHOWN, holds=OF_STATE[event](told.happening, page), example=example)
                continue
            number = next((number for number, line in enumerate(untold) if line.is_of(told.happening)), None)
            self._tally.note(SHOWN, holds=number is not None, example=example)
            if number is None:
                continue
            headline = untold[number]
            self._note_untold(untold[:number])
            self._tally.note(COMPLETE, holds=True, example="")
            untold = untold[number + 1 :]
            late = told.at - headline.read_at
            self._lags.append(late)
            self._tally.note(NOT_EARLIER, holds=late > -ROUNDED_S, example=f"{late:.2f} s: {example}")
        self._note_untold(untold)
        for at, state in home.states:
            read_at = [
                headline.read_at for headline in said if headline.said.won and headline.said.match == state.match
            ]
            early = bool(state.winner) and at < min(read_at, default=math.inf) - ROUNDED_S
            self._tally.note(STATE, holds=not early, example=f"{at:.2f} {state}")

    def _note_untold(self, passed_over: Sequence[Headline]) -> None:
        for headline in passed_over:
            if headline.must_be_told:
                self._tally.note(COMPLETE, holds=False, example=f"{headline.read_at:.2f} {headline.said}")

    def findings(self) -> Iterator[Finding]:
        """Return what came of it, and how much later than the screen the house was told."""
        yield from self._tally.findings("evening: {}")
        if self._lags:
            lags = f"{min(self._lags):.2f} to {max(self._lags):.2f} s after the screen"
            yield Finding("evening: what was told, and when", len(self._lags), 0, lags)


def trial(quick: bool) -> Iterator[Finding]:
    """Play one evening, or many."""
    if not Path(UNSEEN["executable_path"]).exists():
        yield Finding("evening: with a real browser", 0, 0, untried="Chromium is missing")
        return
    if quick:
        yield from evenings([1], PLAYABLE, WHOLE)
    else:
        yield from evenings((1, 2), PLAYABLE, PLAYABLE, every=True)


def evenings(
    seeds: Iterable[int], slugs: Iterable[str], whole: Collection[str], *, every: bool = False
) -> Iterator[Finding]:
    """Play evenings of these games, and those of `whole` to their end.

    A browser moves one page of each form, or `every` one.
    """
    compared = Compared(SEED)
    for seed in seeds:
        clock = Clock()
        with tempfile.TemporaryDirectory() as folder, living(Path(folder), clock, simulated=True) as live:
            home = Home(live, clock)
            evening = Evening(live, clock, home, random.Random(f"{SEED} {seed}"))
            for slug in slugs:
                evening.play(slug, LONGEST if slug in whole else BEGINNING)
            compared.take_in(evening, home, every=every)
    yield from compared.findings()
