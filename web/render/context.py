"""Every name a template may use, its type and its meaning: `web/templates.md` is generated from this file."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Protocol, TypedDict

from jinja2 import Template
from markupsafe import Markup
from msgspec import Struct

from companion.access.player_looks import Face
from companion.access.seat_rights import Leaver, Who
from companion.acts.question import Question
from companion.devices.faults import DeviceFault
from companion.game import Game, Pieces
from companion.game.simulated_world import Sight, Strength
from companion.judge.attribution import Doer
from companion.judge.game_code_fault import Fault
from companion.judge.views import Sound
from companion.live.demo import Demo, Hand, Telling
from companion.live.device_status import Device
from companion.live.seat_feedback import Feedback
from companion.live.snapshot import Snapshot
from companion.network.own_wifi import OwnWifi
from companion.tags.enrolment_session import Stickers
from companion.web.render.asked import Off
from companion.web.render.fields import Field
from companion.web.render.news import News
from companion.web.render.page_names import Page
from companion.web.render.podium import Best, Ranked
from companion.web.render.verdicts import Sentences
from companion.web.render.waiting_for import Task
from companion.web.render.words import PageWords


class Say(Protocol):
    """`say("then", seats=[1, 3])`."""

    def __call__(self, code: str, **facts: Any) -> str:
        """Return the sentence of this code about these facts."""


class Place(Struct, frozen=True):
    """Who has sat down at a seat."""

    name: str
    face: Face
    waits: bool
    """Whether their phone gets the seat when the next match begins."""
    phone: bool
    """Whether a phone sits there, now or then."""
    out: bool = False
    """Whether they keep the seat and sit out the next match."""


Suits = Mapping[str | None, list[tuple[str, str]]]
"""Cards by colour (None: those without one): each card's id, and what its chip says."""


class OfPage(TypedDict):
    """Every page of a table, and a game's part of it, has all the names below; a hub's page has only these."""

    page: Page
    """Which page this is."""
    seat: int | None
    """Whose page it is, or for whom the host enters; None: nobody in particular."""
    language: str
    """"en" or "fr"."""
    languages: Mapping[str, str]
    """Each language by its own name."""
    words: PageWords
    """Sentences and names in the page's language and the game's words."""
    say: Say
    """A sentence by its code, with facts by name."""
    snapshot: Snapshot
    """How the table stands; on a page of a past match only its devices, its stickers and the disk."""
    games: Mapping[str, Game[Any, Any]]
    """All games, by slug."""
    with_tags: Mapping[str, Pieces]
    """Whose cards may bear tags: every game, and the table's own."""
    of_game: Callable[[str], PageWords]
    """The words of a game, which need not be the match's."""


class OfMatch(TypedDict):
    """About the match that the page shows."""

    view: Mapping[str, Any] | None
    """What this page's observer may know of the match; None: there is no match."""
    table: Any
    """The game's own part of the view, as its `view.py` builds it."""
    slug: str | None
    """Of the match's game, as text; None: there is no match."""
    brought: str
    """Which game's part of the pages is shown: the slug again, or "" for the plain part."""
    failed: bool
    """Whether the game's own view or page failed, and the plain one stands in for it."""
    game: Game[Any, Any] | None
    """The game of the match."""
    seats: Mapping[int, str]
    """Who sits where, by seat."""
    news: News | None
    """What just happened, as its observer was told it: `headline(news)` of `news.html` shows it; None: nothing."""
    decided: News | None
    """At the end, what ended the match, if it can be played before the winners are shown; None: nothing."""
    task: Task | None
    """What the table waits for, in the second person on a seat's own page: `now()` of `news.html` shows it."""
    podium: Callable[[], tuple[tuple[Ranked, ...], tuple[Best, ...]]]
    """Who stands where at the end of the match, and its best moments."""
    told: Sentences
    """What this page's observer was told, as sentences: `hint`, `private`, `public`, `latest`."""
    answer: Feedback | None
    """The answer to this seat's latest card or press."""
    sound: Sound | None
    """The latest ruling that sounds."""
    decks: Callable[[], Suits]
    """The cards of the match's game."""


class OfPeople(TypedDict):
    """About who sits where, and their phones."""

    faces: Mapping[int, Face]
    """How the player of each seat looks: `chip(seat)` of `parts.html` draws it."""
    other_look: str
    """On a seat's own page: why its player looks different from what they chose; "" if they look as chosen."""
    lobby: Mapping[int, Place]
    """Who has sat down, by seat: for the match under way and for the next one."""
    hosted: bool
    """Whether the table has a host."""
    who: Who
    """The phone that sees this page: its `parts`, and whether it is the `host`'s."""
    held: Mapping[int, str]
    """The parts that have a phone (seats, and 0 for the host), and which."""
    gone: Mapping[int, Leaver]
    """Who has left their seat since the match began, by seat."""
    just_gone: Mapping[int, Leaver]
    """Those of them whose leaving is news, in the match that the page shows."""
    came: Mapping[int, str]
    """At a simulated table: by seat, whom a player who was not there when the match began has replaced."""
    codes: Mapping[int, str]
    """Every part's code, only on the page of codes."""
    passing: Mapping[int, str]
    """The codes by which another phone gets this phone's own parts."""
    way_in: Callable[[str], Markup]
    """A code as a drawing to be scanned."""


class OfNow(TypedDict):
    """About the match on the table, whatever match the page shows: for the way to one's own seat, and nothing else."""

    on_table: Snapshot
    """How the table stands now."""
    faces_now: Callable[[], Mapping[int, Face]]
    """How the player of each seat looks now."""
    bots_now: Mapping[int, Strength] | None
    """Which seats bots play now; None where things are not simulated."""


class OfQuestion(TypedDict):
    """About what two must agree to."""

    question: Question | None
    """The open question: what one phone wants and another must agree to."""
    wish: str
    """What it asks, in words; "" if there is none."""
    off: Off | None
    """Whose phones are off, if nobody who is asked can answer, and how long they are still waited for."""
    silent: tuple[int, ...]
    """Seats of a simulated table whose phones have been off for a while."""
    agrees: bool
    """Whether this page's phone is the one that is asked."""
    asks: bool
    """Whether this page's phone is the one that asks."""
    unmet: Question | None
    """What this page's phone, or somebody without a seat, asked in vain a while ago, declined or lapsed; None:
    nothing, or the match has gone on since, or is over."""


class OfSimulation(TypedDict):
    """About a virtual table: its hand, what plays by itself, and simulated things."""

    hand: Hand | None
    """Where the virtual table's cards are laid and its buzzers pressed; None at a real table."""
    demo: Demo | None
    """Plays by itself at a virtual table; None at a real one."""
    telling: Telling | None
    """How a demonstration is told; None: there is none."""
    sight: Sight | None
    """What this seat's player knows about simulated things, and can do with them; None: nothing is simulated."""
    shown: Mapping[str, Any]
    """The simulated things that lie open, on the pages for everybody; {}: nothing beyond the view."""
    bots: Mapping[int, Strength] | None
    """Which seats bots play, and how well; None where things are not simulated at all."""
    strength: Strength
    """How well bots play here, even once people have taken all their places."""
    reads: bool
    """Whether a bot goes on once somebody has read the count, or after a while."""
    dealt: bool
    """Whether the things of the match are simulated: then people make moves, and enter nothing else."""
    stays: int
    """How many entries of the story can't be taken back: they record how simulated things were laid out."""
    undoes: Set[Doer]
    """The seats that did the latest act, and are offered to take it back."""


class OfTable(TypedDict):
    """About the table itself."""

    address: str
    """Where phones find the table."""
    typed_address: str
    """The same as people type it: browsers assume plain http if there is no `https://` in front."""
    typed_others: Sequence[str]
    """Other addresses of this machine, in case phones can't reach that one, as people type them."""
    qr: str
    """The file with the code for it: another file for another address, so that no browser shows an old one."""
    join_address: str
    """Where codes are typed."""
    broken: Mapping[str, Device]
    """The devices that fail, by name."""
    fault_said: Callable[[str, DeviceFault], str]
    """What is wrong with the device of this name and what to do now, for whoever plays; "" if no code says it."""
    faults: tuple[Fault, ...]
    """Exceptions from games' code since the table started, for whoever can fix it."""
    walking: bool
    """Whether somebody is walking around the table to check it: presses do not count."""
    screen: bool
    """Whether a big screen shows the table: it plays what is staged, and phones wait for it."""
    stickers: Stickers
    """Which cards have their stickers, and how putting them on goes."""
    suits: Callable[[str, Iterable[str]], Suits]
    """These cards of this game."""
    box: Callable[[str], Iterator[Field]]
    """What the owner declared of this game's box, as fields of a form."""


class Context(OfPage, OfMatch, OfPeople, OfNow, OfQuestion, OfSimulation, OfTable):
    """All of these."""


class Globals(TypedDict):
    """The same on every page of a running site."""

    edition: str
    """Names the static files' edition, so that a phone never mixes an old style sheet with a new page."""
    checks: bool
    """Whether the devices are monitored: there is a page `/check`."""
    all_seats: range
    """The seats that a table may have."""
    table_seats: tuple[int, ...]
    """Those where people sit; at the others they can with a phone."""
    spots: Mapping[int, int]
    """Where each seat is drawn, by its number: six spots around the table, three above and three below, clockwise."""
    around: tuple[int, ...]
    """All seats in the order of their spots."""
    upkeep: bool
    """Whether the machine can update itself and switch itself off: there is a page `/host/upkeep`."""
    sets_up: bool
    """Whether the host may set the table up again: there is a page `/setup`."""
    networked: bool
    """Whether the host may change the table's network: there is a page `/network`."""
    own_wifi: OwnWifi | None
    """The table's own Wi-Fi, if it is open: the page restarts when that changes."""
    table_name: str
    """What the table is called; "" if nobody has said."""
    me: Callable[[], Who]
    """This request's phone: for what surrounds a live part, which is the same for all who look."""
    part_of: Callable[[str, str], Template]
    """A game's own part of a page by its slug and the part's name, or the plain one if it brings none."""
