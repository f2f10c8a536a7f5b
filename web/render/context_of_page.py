"""What a page's template gets, subject by subject: the part of what pages show that its viewer may know."""

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion import games
from companion.access import player_looks
from companion.access.seat_rights import HOST, Rights, Who
from companion.access.seat_rights import who as who_is
from companion.acts.decide import may_agree
from companion.acts.question import Question
from companion.game import AnyGame
from companion.game.simulated_world import Sight, Strength
from companion.judge.attribution import Doer
from companion.judge.views import UNSHOWN, sound, told_so_far
from companion.live.cards_aloud import HeardCards
from companion.live.demo import Telling
from companion.live.seat_feedback import Feedback
from companion.live.simulated_sights import NO_SHOWN, NO_SIGHTS
from companion.live.snapshot import Snapshot
from companion.web.render import to_scan
from companion.web.render.asked import Off
from companion.web.render.context import (
    Context,
    OfMatch,
    OfNow,
    OfPage,
    OfPeople,
    OfQuestion,
    OfSimulation,
    OfTable,
    Place,
    Suits,
)
from companion.web.render.fault_words import said_to_players
from companion.web.render.fields import Field, fields
from companion.web.render.news import decided, news
from companion.web.render.page_names import Page
from companion.web.render.players import corrected_names, faces_of, names_of, other_look, replacing
from companion.web.render.podium import Best, Ranked, bests, steps, theirs
from companion.web.render.verdicts import Sentences
from companion.web.render.waiting_for import task
from companion.web.render.words import NAMES, PageWords
from companion.web.room import Room

NEWS = 5
"""Entries of the story after which somebody's leaving, or that nobody agreed, is no longer news."""
NOBODY: Set[Doer] = frozenset()


class AllShown(Struct, frozen=True):
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
    urls: tuple[str, ...]
    """Where phones may open the table, the likeliest first."""
    form: str
    """The form of sentences: "dealt" if nothing is tapped or pressed by hand."""

    def is_as(self, other: "AllShown | None") -> bool:
        """Whether nothing has changed since then: values that do not change are the same objects."""
        return other is not None and all(getattr(self, name) is getattr(other, name) for name in self.__struct_fields__)

    def looks_as(self, other: "AllShown", page: Page) -> bool:
        """Whether this page looks as it did then. If only facts sealed from its observer changed, it is not
        rendered again: even the time that takes would reveal that something was done.
        """
        before = replace(other, snapshot=self.snapshot, sights=self.sights, shown=self.shown)
        same = self.is_as(before) and _sight(self.sights, page) == _sight(other.sights, page)
        same = same and _open(self.shown, page) == _open(other.shown, page)
        return same and shown_on(self.snapshot, page) == shown_on(other.snapshot, page)


def context_of(room: Room, page: Page, language: str, now: AllShown, view: Mapping[str, Any] | None) -> Context:
    """Return what a template needs if this page shows a match as this view has it."""
    snapshot, people = shown_on(now.snapshot, page), now.rights.people
    names = corrected_names(view, people, _match_of(page, snapshot))
    words = PageWords(view["game"] if view else None, language, names, now.form)
    who = _only_who_sees(page, now.rights)
    match = _of_match(room, page, now, snapshot, view, words)
    return {
        **of_page(page, words, snapshot),
        **match,
        **_of_people(room, page, now, snapshot, view, who, words),
        **of_now(page, now),
        **_of_question(now, who, match["seats"], words),
        **_of_simulation(room, page, now, snapshot),
        **_of_table(room, now, snapshot, words),
    }


def of_now(page: Page, now: AllShown) -> OfNow:
    """Return what the way to one's own seat needs to know of the match on the table."""
    snapshot, people = shown_on(now.snapshot, page), now.rights.people
    view, match = snapshot.views.get(None), snapshot.match or 0
    return {
        "on_table": snapshot,
        "faces_now": lambda: faces_of(view, corrected_names(view, people, match), people, match),
        "bots_now": now.bots,
    }


def looking_back(page: Page, now: AllShown, form: str) -> AllShown:
    """Return what a page of past matches may show of the table as it is: who sits there, and what ails it. Nothing of
    the match on the table, its questions and breaks, or a demonstration.
    """
    table = now.snapshot
    past = Snapshot(
        match=_match_of(page, Snapshot()) or None,
        simulated=table.simulated,
        devices=table.devices,
        trouble=table.trouble,
        ailments=table.ailments,
        stickers=table.stickers,
    )
    return AllShown(
        past,
        now.rights,
        question=None,
        unmet=None,
        off=None,
        silent=(),
        telling=None,
        sights=NO_SIGHTS,
        shown=NO_SHOWN,
        bots=None,
        strength=now.strength,
        reads=False,
        stays=0,
        mover=None,
        walking=now.walking,
        screen=now.screen,
        urls=now.urls,
        form=form,
    )


def of_page(page: Page, words: PageWords, snapshot: Snapshot) -> OfPage:
    """Return what every page needs, even if no match is shown."""
    language = words.language
    return {
        "page": page,
        "seat": page.seat,
        "language": language,
        "languages": NAMES,
        "words": words,
        "say": lambda code, **facts: words.say(code, facts),
        "snapshot": snapshot,
        "games": games.known(),
        "with_tags": games.with_tags(),
        "of_game": lambda slug: PageWords(slug, language),
    }


def _of_match(
    room: Room, page: Page, now: AllShown, snapshot: Snapshot, view: Mapping[str, Any] | None, words: PageWords
) -> OfMatch:
    known, failed = games.known(), view is not None and view["table"] is UNSHOWN
    return {
        "view": view,
        "table": view["table"] if view else None,
        "slug": view["game"] if view else None,
        "brought": "" if failed or view is None else view["game"],
        "failed": failed,
        "game": known[view["game"]] if view else None,
        "seats": {seat: words.name(seat) for seat in names_of(view)},
        "news": news(snapshot, view, words, page.observer) if view else None,
        "decided": decided(view, words) if view and page.kind in ("big", "seat", "score") else None,
        "task": task(view, words, page.observer, now.bots or ()) if view else None,
        "podium": lambda: _podium(room, view, snapshot, words) if view and not failed else ((), ()),
        "told": Sentences(view["told"] if view else [], words, page.seat),
        "answer": snapshot.feedback.get(page.seat or 0),
        "sound": sound(view) if view else None,
        "decks": lambda: _suits(view["game"], _looks(known[view["game"]]), words) if view else {},
    }


def _of_people(
    room: Room,
    page: Page,
    now: AllShown,
    snapshot: Snapshot,
    view: Mapping[str, Any] | None,
    who: Who,
    words: PageWords,
) -> OfPeople:
    people, live = now.rights.people, snapshot.views.get(None)
    called = corrected_names(live, people, snapshot.match)
    looks = faces_of(view, words.names, people, _match_of(page, snapshot))
    return {
        "faces": looks,
        "other_look": other_look(page.seat or 0, words.names, looks, people, words),
        "lobby": _lobby(now.rights),
        "hosted": HOST in now.rights.holders,
        "who": who,
        "held": now.rights.holders,
        "gone": now.rights.gone,
        "just_gone": {seat: one for seat, one in now.rights.gone.items() if told_so_far(live) - one.told < NEWS},
        "came": replacing(now.rights, (now.bots or {}).keys(), names_of(live), called) if now.sights else {},
        "codes": now.rights.codes if page.kind == "codes" else {},
        "passing": {part: code for part, code in now.rights.passing.items() if part in who.parts},
        "way_in": lambda code: to_scan.inline(f"{room.join_address}/{code}"),
    }


def _of_question(now: AllShown, who: Who, seats: Mapping[int, str], words: PageWords) -> OfQuestion:
    question = now.question
    return {
        "question": question,
        "wish": "" if question is None else question_in_words(question, words),
        "off": now.off if question is not None else None,
        "silent": now.silent,
        "agrees": question is not None and may_agree(question, who, seats),
        "asks": question is not None and who.phone == question.phone,
        "unmet": now.unmet if now.unmet is not None and _hears(who, now.unmet) else None,
    }


def _of_simulation(room: Room, page: Page, now: AllShown, snapshot: Snapshot) -> OfSimulation:
    return {
        "hand": room.hand,
        "demo": room.demo,
        "telling": now.telling,
        "sight": _sight(now.sights, page),
        "shown": _open(now.shown, page),
        "bots": now.bots,
        "strength": now.strength,
        "reads": now.reads,
        "dealt": bool(now.sights),
        "stays": now.stays,
        "undoes": _undoes(snapshot, now),
    }


def _of_table(room: Room, now: AllShown, snapshot: Snapshot, words: PageWords) -> OfTable:
    language = words.language
    return {
        "address": now.urls[0],
        "typed_address": to_scan.typed(now.urls[0]),
        "typed_others": [to_scan.typed(url) for url in now.urls[1:]],
        "qr": to_scan.qr_file(now.urls[0]),
        "join_address": room.join_address,
        "broken": {name: device for name, device in snapshot.devices.items() if not device.works},
        "fault_said": lambda name, fault: said_to_players(name, fault, words),
        "faults": room.live.faults.known,
        "walking": now.walking,
        "screen": now.screen,
        "stickers": snapshot.stickers,
        "suits": lambda slug, cards: _suits(slug, cards, PageWords(slug, language)),
        "box": lambda slug: _box(slug, snapshot.stickers.stock[slug].box, PageWords(slug, language)),
    }


def question_in_words(question: Question, words: PageWords) -> str:
    """Return what is asked; about an earlier match, in the words of its game and with the names of its players."""
    earlier = question.earlier
    speech = words if earlier is None else PageWords(earlier.game, words.language, earlier.names)
    said = speech.quote(question.quotes.code, question.quotes.facts) if question.quotes else ""
    wish = speech.say(question.code, dict(question.facts, said=said))
    if earlier is None:
        return wish
    return words.say("ask-about-earlier", {"number": earlier.number, "game": earlier.game, "said": wish})


def _undoes(snapshot: Snapshot, now: AllShown) -> Set[Doer]:
    """Return who may take the latest act back: a move of simulated cards only by whoever made it, even if others may
    enter the events it causes.
    """
    if now.sights:
        return NOBODY if now.mover is None else frozenset({now.mover})
    return snapshot.done.by if snapshot.done else NOBODY


def shown_on(snapshot: Snapshot, page: Page) -> Snapshot:
    """Return the view of a snapshot for whoever looks at this page."""
    views = {who: snapshot.views[who] for who in (None, page.observer) if who in snapshot.views}
    hearing = {seat: heard if _is_of(page, seat) else HeardCards() for seat, heard in snapshot.hearing.items()}
    refused = {place: answer for place, answer in snapshot.answered.items() if answer.refused}
    return replace(snapshot, views=views, feedback=_answers(snapshot, page), hearing=hearing, answered=refused)


def _sight(sights: Mapping[int, Sight], page: Page) -> Sight | None:
    """Return what the player whose own page this is knows of simulated things."""
    return sights.get(page.seat) if page.kind == "seat" and page.seat else None


def _open(shown: Mapping[str, Any], page: Page) -> Mapping[str, Any]:
    """Return the simulated things that lie open, for a page that draws the table for all; a player has `sight`."""
    return shown if page.kind in ("big", "score") else NO_SHOWN


def _hears(who: Who, unmet: Question) -> bool:
    """Return whether this phone hears that nobody agreed: the asker, or for a newcomer all who play nowhere."""
    return not who.parts if unmet.by_newcomer else who.phone == unmet.phone


def _answers(snapshot: Snapshot, page: Page) -> dict[int, Feedback]:
    """Return the latest answer to the sensors of this page's seat."""
    return {seat: answer for seat, answer in snapshot.feedback.items() if _is_of(page, seat)}


def _is_of(page: Page, seat: int) -> bool:
    """Return whether this is a seat's own page."""
    return page.kind == "seat" and page.seat == seat


def _only_who_sees(page: Page, now: Rights) -> Who:
    """Return the rights of the phone that sees this page; a page for all is seen by nobody in particular."""
    part = HOST if page.kind in ("host", "table", "codes", "mend") else page.seat
    if page.kind == "lobby" and part is not None and part in now.people.seated:
        return who_is(now, now.people.seated[part].phone)
    return who_is(now, now.holders.get(part) if part is not None else None)


def _match_of(page: Page, snapshot: Snapshot) -> int:
    """Return the number of the match that a page shows, or 0."""
    if page.kind in ("results", "mend", "otherwise", "then"):
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
    room: Room, view: Mapping[str, Any], snapshot: Snapshot, words: PageWords
) -> tuple[tuple[Ranked, ...], tuple[Best, ...]]:
    """Return who stands where at the end, and what was best."""
    game = games.known()[view["game"]]
    best = theirs(snapshot.highlights, demo=snapshot.demo)
    return steps(view, game), room.live.faults.tried(game.slug, "words", lambda: bests(best, words), tuple)


def _looks(game: AnyGame) -> Iterable[str]:
    """Return one card of each look, so that nobody has to choose between copies."""
    first: dict[tuple[object, ...], str] = {}
    for card in game.deck.values():
        first.setdefault(card.look, card.id)
    return first.values()


def _suits(slug: str, ids: Iterable[str], words: PageWords) -> Suits:
    """Sort cards of a game by colour."""
    suits: dict[str | None, list[tuple[str, str]]] = {}
    for card in (games.with_tags()[slug].deck[one] for one in ids):
        chip = words.card(card.id) if card.value is None else str(card.value)
        suits.setdefault(card.colour, []).append((card.id, chip))
    return suits


def _box(slug: str, box: Struct, words: PageWords) -> Iterator[Field]:
    """Return what owners last declared about their box."""
    for field in fields(type(box), f"{slug}.box", words):
        yield replace(field, default=getattr(box, field.key.rpartition(".")[2]))
