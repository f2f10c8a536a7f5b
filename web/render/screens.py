"""Fragments: what one observer may see on one page, in one language, as bytes.

Rendered once per snapshot however many phones ask: five hundred phones cost one rendering.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from typing import Any, TypeVar

from jinja2 import Environment
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from companion import games
from companion.access import player_looks
from companion.access.seat_rights import HOST, Rights, Who
from companion.access.seat_rights import who as who_is
from companion.game import AnyGame
from companion.judge.attribution import Doer
from companion.judge.game_code_fault import fault_of
from companion.judge.views import UNSHOWN, sound, told_so_far
from companion.live.cards_aloud import HeardCards
from companion.live.demo import Telling
from companion.live.seat_feedback import Feedback
from companion.live.simulation import NO_SHOWN, NO_SIGHTS
from companion.live.snapshot import Snapshot
from companion.simulated_world import Sight, Strength
from companion.web.agreement import ALL_ARE_TOLD, Off, Question, Questions, asked_by, may_agree
from companion.web.render import to_scan
from companion.web.render.context import Context, Place, Suits
from companion.web.render.fields import Field, fields
from companion.web.render.news import decided, news
from companion.web.render.page_names import Page
from companion.web.render.players import faces_of, names_of, other_look, replacing
from companion.web.render.podium import Best, Ranked, bests, steps, theirs
from companion.web.render.verdicts import Sentences
from companion.web.render.waiting_for import task
from companion.web.render.words import NAMES, PageWords
from companion.web.room import Room

T = TypeVar("T")
NEWS = 5
"""Entries of the story after which it is no news any more who has gone."""
NOBODY: Set[Doer] = frozenset()
_BETWEEN_LINES = re.compile(rb"\s*\n\s*")


class _Now(Struct, frozen=True):
    """All that pages show."""

    snapshot: Snapshot
    rights: Rights
    question: Question | None
    unmet: Question | None
    off: Off | None
    silent: tuple[int, ...]
    telling: Telling | None
    sights: Mapping[int, Sight]
    shown: Mapping[str, Any]
    bots: Mapping[int, Strength] | None
    strength: Strength
    reads: bool
    stays: int
    mover: int | None
    walking: bool
    screen: bool

    def is_as(self, other: "_Now | None") -> bool:
        """Whether nothing is other than it was then: values that do not change are the same objects."""
        return other is not None and all(getattr(self, name) is getattr(other, name) for name in self.__struct_fields__)

    def looks_as(self, other: "_Now", page: Page) -> bool:
        """Whether this page looks as it did then. Where only what its observer may not know is other than it was, it is
        not rendered anew: already the time that takes would tell that something was done.
        """
        before = replace(other, snapshot=self.snapshot, sights=self.sights, shown=self.shown)
        same = self.is_as(before) and _sight(self.sights, page) == _sight(other.sights, page)
        same = same and _open(self.shown, page) == _open(other.shown, page)
        return same and _shown(self.snapshot, page) == _shown(other.snapshot, page)


class Screens:
    """Renders pages from the newest snapshot. Use it from the page's thread."""

    def __init__(self, env: Environment, room: Room, questions: Questions, across: Callable[[], bool]):
        """`across` says whether a big screen shows the table across the room."""
        self._env = env
        self._room = room
        self._questions = questions
        self._across = across
        self._of: _Now | None = None
        self._off_then: Off | None = None
        self._silent_then: tuple[int, ...] = ()
        self._made: dict[tuple[Page, str], bytes] = {}

    def fragment(self, page: Page, language: str) -> bytes:
        """Return the page's live part as it should look now."""
        now = self._now()
        before = self._of
        if before is None or not now.is_as(before):
            self._of = now
            self._made = {of: made for of, made in self._made.items() if before and now.looks_as(before, of[0])}
        made = self._made.get((page, language))
        if made is None:
            made = self._made[page, language] = self._render(page, language, now)
        return made

    def frame(self, page: Page, language: str) -> Context:
        """Return what a page's template needs around the live part."""
        return self._context(page, language, self._now())

    def whole(self, template: str, context: Mapping[str, Any]) -> str:
        """Render a page; where what its game brings to it fails, with the plain part instead, which says so."""
        try:
            return self._env.get_template(template).render(context)
        except Exception as wrong:
            if not context["brought"]:
                raise
            self._room.live.faults.note([fault_of(context["slug"], "page", wrong)])
            return self._env.get_template(template).render({**context, "brought": "", "failed": True})

    def rendered(self, template: str, context: Mapping[str, Any]) -> str:
        """Return a live part that no snapshot tells of."""
        return self._env.get_template(template).render(context)

    def past(self, page: Page, language: str, view: Mapping[str, Any] | None) -> Context:
        """Return what a template needs to show another match than the one on the table, or none.

        What is asked, was corrected or was freed at the table, and a break, is left out: it is said of its own match,
        in its words.
        """
        now = self._now()
        elsewhere = replace(
            now,
            question=None,
            unmet=None,
            snapshot=replace(now.snapshot, change=None, pause=None, hearing={}, highlights=()),
        )
        return {**self._around(page, language, elsewhere, view), "just_gone": {}}

    def words(self, language: str) -> PageWords:
        """Return the words for the match as it stands."""
        now = self._now()
        view = now.snapshot.views.get(None)
        names = {**names_of(view), **now.rights.people.corrected.get(now.snapshot.match or 0, {})}
        return PageWords(view["game"] if view else None, language, names, _form(now))

    def _render(self, page: Page, language: str, now: _Now) -> bytes:
        if page.kind == "table" and now.sights:
            page = Page("score")  # nothing is laid or pressed there by hand: it shows how things lie
        text = self.whole(f"live-{page.kind}.html", self._context(page, language, now))
        return _BETWEEN_LINES.sub(b"\n", text.encode()).strip()

    def _context(self, page: Page, language: str, now: _Now) -> Context:
        views = now.snapshot.views
        return self._around(page, language, now, views.get(page.observer) or views.get(None))

    def _around(self, page: Page, language: str, now: _Now, view: Mapping[str, Any] | None) -> Context:
        snapshot, question, known = _shown(now.snapshot, page), now.question, games.known()
        who, known_here, live = _only_who_sees(page, now.rights), now.rights.people, snapshot.views.get(None)
        names = {**names_of(view), **known_here.corrected.get(_match_of(page, snapshot), {})}
        called = {**names_of(live), **known_here.corrected.get(snapshot.match or 0, {})}
        words = PageWords(view["game"] if view else None, language, names, _form(now))
        looks = faces_of(view, names, known_here, _match_of(page, snapshot))
        failed = view is not None and view["table"] is UNSHOWN
        seats = {player["seat"]: words.name(player["seat"]) for player in view["players"]} if view else {}
        return {
            "page": page,
            "seat": page.seat,
            "language": language,
            "languages": NAMES,
            "words": words,
            "say": lambda code, **facts: words.say(code, facts),
            "snapshot": snapshot,
            "view": view,
            "table": view["table"] if view else None,
            "slug": view["game"] if view else None,
            "brought": "" if failed or view is None else view["game"],
            "failed": failed,
            "faults": self._room.live.faults.known,
            "game": known[view["game"]] if view else None,
            "games": known,
            "seats": seats,
            "news": news(snapshot, view, words, page.observer) if view else None,
            "decided": decided(view, words) if view and page.kind in ("big", "seat", "score") else None,
            "task": task(view, words, page.observer, now.bots or ()) if view else None,
            "faces": looks,
            "faces_now": lambda: faces_of(live, called, known_here, snapshot.match or 0),
            "other_look": other_look(page.seat or 0, names, looks, known_here, words),
            "lobby": _lobby(now.rights),
            "hosted": HOST in now.rights.holders,
            "podium": lambda: _podium(view, snapshot, words) if view and not failed else ((), ()),
            "told": Sentences(view["told"] if view else [], words, page.seat),
            "answer": snapshot.feedback.get(page.seat or 0),
            "sound": sound(view) if view else None,
            "broken": {name: device for name, device in snapshot.devices.items() if not device.works},
            "question": question,
            "off": now.off if question is not None else None,
            "silent": now.silent,
            "agrees": question is not None and may_agree(question, who, seats),
            "asks": question is not None and who.phone == question.phone,
            "unmet": now.unmet if now.unmet is not None and _hears(who, now.unmet) else None,
            "who": who,
            "held": now.rights.holders,
            "gone": now.rights.gone,
            "just_gone": {seat: one for seat, one in now.rights.gone.items() if told_so_far(live) - one.told < NEWS},
            "came": replacing(now.rights, (now.bots or {}).keys(), names_of(live), called) if now.sights else {},
            "codes": now.rights.codes if page.kind == "codes" else {},
            "passing": {part: code for part, code in now.rights.passing.items() if part in who.parts},
            "way_in": self._way_in,
            "address": self._room.address,
            "typed_address": self._room.address.removeprefix("http://").rstrip("/"),
            "join_address": self._room.join_address,
            "hand": self._room.hand,
            "demo": self._room.demo,
            "telling": now.telling,
            "sight": _sight(now.sights, page),
            "shown": _open(now.shown, page),
            "bots": now.bots,
            "strength": now.strength,
            "reads": now.reads,
            "dealt": bool(now.sights),
            "stays": now.stays,
            "undoes": _undoes(snapshot, now),
            "walking": now.walking,
            "screen": now.screen,
            "stickers": snapshot.stickers,
            "decks": lambda: _suits(view["game"], _looks(known[view["game"]]), words) if view else {},
            "suits": lambda slug, cards: _suits(slug, cards, PageWords(slug, language)),
            "of_game": lambda slug: PageWords(slug, language),
            "box": lambda slug: _box(slug, snapshot.stickers.stock[slug].box, PageWords(slug, language)),
        }

    def _now(self) -> _Now:
        room, rights = self._room, self._room.phones.rights
        seen, playing = (room.simulation.seen, room.simulation.playing) if room.simulation else (None, None)
        snapshot = seen.snapshot if seen else room.live.snapshot
        question = self._questions.current(rights, snapshot.match)
        return _Now(
            snapshot,
            rights,
            question=question,
            off=self._off(question, rights, snapshot),
            silent=self._silent(rights, snapshot),
            unmet=self._questions.unmet(snapshot.match),
            telling=room.demo.telling if room.demo is not None else None,
            sights=seen.sights if seen else NO_SIGHTS,
            shown=seen.shown if seen else NO_SHOWN,
            bots=room.simulation.bots if room.simulation else None,
            strength=playing.strength if playing else "easy",
            reads=room.simulation is not None and room.simulation.reads,
            stays=room.simulation.stays if room.simulation else 0,
            mover=room.simulation.mover(snapshot.done.seq) if room.simulation and snapshot.done else None,
            walking=room.checkup is not None and room.checkup.walking,
            screen=self._across(),
        )

    def _off(self, question: Question | None, rights: Rights, snapshot: Snapshot) -> Off | None:
        """Return whose phones are off, of those that are asked: the same value until it is another."""
        asked = asked_by(question, rights.holders, names_of(snapshot.views.get(None))) if question is not None else {}
        off = self._questions.off({seat: self._room.phones.unheard(one) for seat, one in asked.items()})
        self._off_then = _unless_alike(self._off_then, off)
        return self._off_then

    def _silent(self, rights: Rights, snapshot: Snapshot) -> tuple[int, ...]:
        """Return whose phones are off at a simulated table, where nothing else acts for them: the same value as before
        until it is another.
        """
        phones, plays = self._room.phones, self._room.simulation is not None and snapshot.people_play
        holders = sorted(rights.holders.items()) if plays else []
        silent = tuple(seat for seat, one in holders if seat != HOST and phones.unheard(one) > ALL_ARE_TOLD)
        self._silent_then = _unless_alike(self._silent_then, silent)
        return self._silent_then

    def _way_in(self, code: str) -> Markup:
        """Draw the code as a way in to be scanned."""
        return to_scan.inline(f"{self._room.join_address}/{code}")


def _unless_alike(before: T, now: T) -> T:
    """Return what is now; where it was alike before, the same object, so that no page is rendered anew for it."""
    return before if before == now else now


def _undoes(snapshot: Snapshot, now: _Now) -> Set[Doer]:
    """Return who may take the latest act back: of a move of simulated cards, who made it, also where others may enter
    what it brings about.
    """
    if now.sights:
        return NOBODY if now.mover is None else frozenset({now.mover})
    return snapshot.done.by if snapshot.done else NOBODY


def _shown(snapshot: Snapshot, page: Page) -> Snapshot:
    """Return what a snapshot tells who looks at this page."""
    views = {who: snapshot.views[who] for who in (None, page.observer) if who in snapshot.views}
    hearing = {seat: heard if _is_of(page, seat) else HeardCards() for seat, heard in snapshot.hearing.items()}
    return replace(snapshot, views=views, feedback=_answers(snapshot, page), hearing=hearing)


def _sight(sights: Mapping[int, Sight], page: Page) -> Sight | None:
    """Return what the player whose own page this is knows of simulated things."""
    return sights.get(page.seat) if page.kind == "seat" and page.seat else None


def _open(shown: Mapping[str, Any], page: Page) -> Mapping[str, Any]:
    """Return what of simulated things lies open, for a page that draws the table for all; `sight` tells a player."""
    return shown if page.kind in ("big", "score") else NO_SHOWN


def _hears(who: Who, unmet: Question) -> bool:
    """Return whether this phone hears that nobody agreed: whoever asked, and of a newcomer all who play nowhere."""
    return not who.parts if unmet.by_newcomer else who.phone == unmet.phone


def _answers(snapshot: Snapshot, page: Page) -> dict[int, Feedback]:
    """Return what the sensors of this page's seat were answered."""
    return {seat: answer for seat, answer in snapshot.feedback.items() if _is_of(page, seat)}


def _is_of(page: Page, seat: int) -> bool:
    """Return whether this is a seat's own page."""
    return page.kind == "seat" and page.seat == seat


def _form(now: _Now) -> str:
    """Return in which form sentences are said: where the table itself deals, nothing is tapped or pressed by hand."""
    return "dealt" if now.sights or now.telling else ""


def _only_who_sees(page: Page, now: Rights) -> Who:
    """Return what the phone is that sees this page; a page for all is seen by nobody in particular."""
    part = HOST if page.kind in ("host", "table", "codes") else page.seat
    if page.kind == "lobby" and part is not None and part in now.people.seated:
        return who_is(now, now.people.seated[part].phone)
    return who_is(now, now.holders.get(part) if part is not None else None)


def _match_of(page: Page, snapshot: Snapshot) -> int:
    """Return the number of the match that a page shows; 0 where it shows none."""
    if page.kind in ("results", "otherwise", "then"):
        number = page.of.partition("-")[0] if page.kind == "then" else page.of
        return int(number) if number.isdigit() else 0
    return snapshot.match or 0


def _lobby(now: Rights) -> dict[int, Place]:
    """Return who sits where, by seat."""
    seated = now.people.seated
    looks = player_looks.apart({seat: guest.face for seat, guest in seated.items() if guest.face}, {})
    return {
        seat: Place(guest.name, looks[seat], bool(guest.phone), bool(guest.phone) or seat in now.holders, guest.out)
        for seat, guest in sorted(seated.items())
    }


def _podium(
    view: Mapping[str, Any], snapshot: Snapshot, words: PageWords
) -> tuple[tuple[Ranked, ...], tuple[Best, ...]]:
    """Return who stands where at the end, and what was best."""
    game = games.known()[view["game"]]
    return steps(view, game), bests(theirs(snapshot.highlights, demo=snapshot.demo), words)


def _looks(game: AnyGame) -> Iterable[str]:
    """Return one card of each look, so that nobody has to choose among copies."""
    first: dict[tuple[object, ...], str] = {}
    for card in game.deck.values():
        first.setdefault(card.look, card.id)
    return first.values()


def _suits(slug: str, ids: Iterable[str], words: PageWords) -> Suits:
    """Sort cards of a game by colour."""
    suits: dict[str | None, list[tuple[str, str]]] = {}
    for card in (games.known()[slug].deck[one] for one in ids):
        chip = words.card(card.id) if card.value is None else str(card.value)
        suits.setdefault(card.colour, []).append((card.id, chip))
    return suits


def _box(slug: str, box: Struct, words: PageWords) -> Iterator[Field]:
    """Return what owners declared about their box last."""
    for field in fields(type(box), f"{slug}.box", words):
        yield replace(field, default=getattr(box, field.key.rpartition(".")[2]))
