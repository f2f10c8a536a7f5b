"""A newcomer does only what their page says: they finish each game, and whatever goes wrong is explained to them.

They read the page of their seat at 200 words a minute, and press a button that it shows, by lot: at a simulated table
against bots, and at a table without readers, where nobody but newcomers plays by phone. Where only they can see what is
true, as which cards they hold, they tell what the game's own `moves` hold likely, if their page lets them.
"""

import json
import random
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from pathlib import Path

from flask.testing import FlaskClient
from msgspec.structs import replace

from companion import games
from companion.events import Event, Player, Pressed, Said, Tapped, seat_at
from companion.game import Misplay
from companion.kit.button_laws import SentForm, forms_of
from companion.kit.simulated_matches import PLAYABLE
from companion.live.bots import Bots
from companion.live.simulation import Simulation
from companion.live.snapshot import Snapshot
from companion.live.table import Live
from companion.words import Words
from tests.trust.findings import Finding
from tests.web.table import ANAS, BOS, CLEOS, Clock, app_with, client_of, living, phones_of, post

SEED = 53
MATCHES = 20
QUICK = "stop-me-go"
"""The game of the short form."""
WORDS_A_SECOND = 200 / 60
TAP_S = 2.0
"""Seconds from having read what to do to having done it, and between two acts that need no reading."""
FIRST_ACT_S = 60.0
"""Seconds within which whoever is new does something legal."""
NO_BUTTON_KNOWS = {"go", "stop-it"}
"""Games whose players tell by phone what they hold: what is true there, a page can't know."""
LONGEST = 4000
"""Looks at the pages; a match that is not over by then does not end."""
OF_A_GAME = ("/enter", "/play/move", "/play/read")
ASKED = ("turn", "all")
"""What a seat's page says of itself where its player is to do something."""
NOT_SHOWN = re.compile(r'<ol id="spoken".*?</ol>|<(details|svg|nav|footer)\b.*?</\1>|<[^>]+>', re.DOTALL)
WORD = re.compile(r"[^\W\d_]{2,}")
"""Figures on cards are seen, not read."""
STATE = re.compile(r'id="phone" data-state="(\w+)"')


class Match:
    """One match of newcomers, and what came of it."""

    def __init__(self, live: Live, clock: Clock, chance: random.Random, newcomers: dict[int, FlaskClient]) -> None:
        self.first_acts: dict[int, float] = {}
        """By seat, the seconds until it first did something legal once its page had asked for it."""
        self.misplays = 0
        self.unexplained: list[str] = []
        self._live = live
        self._clock = clock
        self._chance = chance
        self._newcomers = newcomers
        self._tells_of_cards = (
            not live.snapshot.simulated and live.ask(lambda match: match.game.slug) in NO_BUTTON_KNOWS
        )
        self._asked_at: dict[int, float] = {}
        self._ready_at: dict[int, float] = {}
        self._seen: dict[int, tuple[Snapshot | None, str]] = {}

    @property
    def over(self) -> bool:
        return self._live.ask(lambda match: match.over)

    def look(self) -> None:
        """Have everybody look at their page, and do what it says once they have read it."""
        for seat in self._chance.sample([*self._newcomers], len(self._newcomers)):
            page = self._page(seat)
            offered = [form for form in forms_of(page) if form.action in OF_A_GAME]
            if self._tells_of_cards:
                likely = self._live.ask(lambda match: match.game.moves.likely(match.state))
                offered = true_of(likely, offered, page)
            state = STATE.search(page)
            if state is None or state[1] not in ASKED or not offered:
                continue
            if seat not in self._asked_at:
                self._asked_at[seat] = self._clock()
                self._ready_at[seat] = self._clock() + _words_on(page) / WORDS_A_SECOND
            if self._clock() >= self._ready_at[seat]:
                self._do(seat, self._chance.choice(offered))
                self._ready_at[seat] = self._clock() + TAP_S

    def _page(self, seat: int) -> str:
        """Return what this seat's page shows; it is asked for only when something has happened."""
        snapshot = self._live.snapshot
        seen, page = self._seen.get(seat, (None, ""))
        if seen is not snapshot:
            page = self._newcomers[seat].get(f"/seat/{seat}?lang=en").text
            self._seen[seat] = snapshot, page
        return page

    def _do(self, seat: int, form: SentForm) -> None:
        told_before = self._live.ask(lambda match: len(match.told))
        phone = self._newcomers[seat]
        status, message = post(phone, form.action, **dict(form.fields))
        verdicts = self._live.ask(lambda match: match.told[told_before:])
        misplays = [verdict for verdict in verdicts if isinstance(verdict, Misplay) and verdict.to in (None, seat)]
        self.misplays += len(misplays)
        page = unescape(phone.get(f"/seat/{seat}?lang=en").text)
        words = Words(self._live.snapshot.views[None]["game"], "en", self._live.ask(lambda match: match.names))
        for misplay in misplays:
            sentence = words.say(misplay.code, misplay.facts)
            if sentence not in page and sentence != message:
                self.unexplained.append(f"{misplay.code} after {dict(form.fields)}")
        if status >= 400:
            self.misplays += 1
            self.unexplained += [] if message else [f"{status} after {dict(form.fields)}"]
        elif not misplays:
            self.first_acts.setdefault(seat, self._clock() + TAP_S - self._asked_at[seat])


Play = Callable[[Path, str, random.Random], tuple[Match, bool]]
"""Plays a match of a game; returns it, and whether it came to its end."""


def trial(quick: bool) -> Iterator[Finding]:
    """Play every game with newcomers; quickly, only what few pages show."""
    for slug in games.known():
        if slug in PLAYABLE and not quick:
            yield from _findings(f"{slug}, a newcomer against bots", _dealt, slug, MATCHES)
        if slug == QUICK or not quick:
            yield from _findings(f"{slug}, newcomers with phones alone", _by_phone, slug, 1 if quick else MATCHES)


def _findings(named: str, play: Play, slug: str, number: int) -> Iterator[Finding]:
    played = []
    for seed in range(number):
        with tempfile.TemporaryDirectory() as folder:
            played.append(play(Path(folder), slug, random.Random(f"{SEED} {slug} {seed}")))
    unfinished = sum(not is_over for _, is_over in played)
    unexplained = [misplay for match, _ in played for misplay in match.unexplained]
    misplays = sum(match.misplays for match, _ in played)
    seconds = sorted(first for match, _ in played for first in match.first_acts.values())
    late = sum(first > FIRST_ACT_S for first in seconds)
    yield Finding(f"{named}: the match ends", number, unfinished)
    told = "; ".join(dict.fromkeys(unexplained)) or f"{misplays} misplays"
    yield Finding(f"{named}: each misplay is explained", max(misplays, number), len(unexplained), told[:300])
    slowest = f"the slowest after {seconds[-1]:.0f} s" if seconds else ""
    yield Finding(f"{named}: the first act within a minute", len(seconds), late, slowest)


def _dealt(folder: Path, slug: str, chance: random.Random) -> tuple[Match, bool]:
    clock = Clock()
    with living(folder, clock, simulated=True) as live:
        simulation = Simulation(live, seed=lambda: str(chance.random()))
        app = app_with(live, phones_of(live, {}, clock), simulation=simulation, clock=clock)
        phone = client_of(app, None)
        game = games.known()[slug]
        post(phone, "/play", game=slug, name="Ana", bots=max(game.fewest_players - 1, 2), minutes="10")
        seat = next(seat for seat in live.ask(lambda match: match.seats) if seat not in simulation.bots)
        match = Match(live, clock, chance, {seat: phone})
        bots = Bots(simulation, chance=chance)
        due = 0.0
        for _ in range(LONGEST):
            clock.now += 1
            match.look()
            due = bots.step(clock.now) or due
            if match.over:
                break
        return match, match.over


def _by_phone(folder: Path, slug: str, chance: random.Random) -> tuple[Match, bool]:
    clock = Clock()
    game = games.known()[slug]
    people = ((1, "Ana", ANAS), (3, "Bo", BOS), (5, "Cléo", CLEOS), (6, "Dédé", "dédé's own, which is long enough"))
    seated = people[: max(game.fewest_players, 3)]
    with living(folder, clock) as live:
        app = app_with(live, phones_of(live, {seat: token for seat, _, token in seated}, clock), virtual=False)
        live.begin(slug, tuple(Player(seat, name) for seat, name, _ in seated), dict(game.in_ten_minutes))
        match = Match(live, clock, chance, {seat: client_of(app, token) for seat, _, token in seated})
        for _ in range(LONGEST):
            clock.now += 1
            live.ask_any(lambda: None)
            match.look()
            if match.over:
                break
        return match, match.over


def true_of(acts: Iterable[Event], offered: Iterable[SentForm], page: str) -> list[SentForm]:
    """Return these acts as the page's forms tell them; an act that it does not let its reader tell is left out."""
    forms = [(act, form) for act in acts for form in _forms_telling(act, offered)]
    told = [_filled_in(form, act) for act, form in forms if not isinstance(act, Tapped) or f'"{act.card}"' in page]
    return [*dict.fromkeys(told)]


def _forms_telling(act: Event, offered: Iterable[SentForm]) -> list[SentForm]:
    """Return the forms that tell this act; a card in the middle may be told at one's own seat."""
    forms = [form for form in offered if _tells(form, act)]
    if not forms and isinstance(act, Tapped) and seat_at(act.place) is None:
        return [form for form in offered if form.first("card") == act.card]
    return forms


def _tells(form: SentForm, act: Event) -> bool:
    match act:
        case Tapped(place=place):  # a card in the middle is told without a pad, wherever there it lies
            return form.first("kind") == "tapped" and seat_at(form.first("place")) == seat_at(place)
        case Pressed(seat=seat):
            return (form.first("kind"), form.first("seat")) == ("pressed", str(seat))
        case Said(seat=seat, what=what):
            return (form.first("kind"), form.first("seat"), form.first("what")) == ("said", str(seat), what)
    return False


def _filled_in(form: SentForm, act: Event) -> SentForm:
    """Choose the card that was tapped, or type the number that was said; what else is said stays as the page has it."""
    match act:
        case Tapped(card=card):
            filled_in = {"card": card}
        case Said(value=int(number)):
            filled_in = {"value": json.dumps(number)}
        case _:
            filled_in = {}
    return replace(form, fields=tuple((name, filled_in.get(name, value)) for name, value in form.fields))


def _words_on(page: str) -> int:
    """Count the words that a newcomer has before their eyes."""
    screen = page.partition('id="phone"')[2].partition("</main>")[0]
    return len(WORD.findall(NOT_SHOWN.sub(" ", screen)))
