"""Laws of rendering: every part of every page renders at every stage of a match, in every language."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from hypothesis import given
from msgspec import UNSET
from msgspec.structs import replace

from companion import games
from companion.access.people import People, Person
from companion.access.rights_file import Phones
from companion.access.seat_rights import PARTS, Rights, phone_of
from companion.devices.monotonic_clock import TableClock
from companion.events import CENTRE, SEAT_PLACES, SEATS, Player, Started, Tapped, place_of, seat_at
from companion.game import AnyGame, Heard, Misplay
from companion.judge import corrections, teaching, views
from companion.judge.match import Match
from companion.kit.games_to_test import every_game, seeds, waits
from companion.kit.random_matches import begun, random_match
from companion.languages import LANGUAGES
from companion.live.in_play import InPlay
from companion.live.seat_feedback import AnswerKind
from companion.live.snapshot import Snapshot
from companion.live.table import Live
from companion.network.page_address import fixed
from companion.storage.files import phones_of
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from companion.web import Room, create_app
from companion.web.render.news import news
from companion.web.render.page_names import Page
from companion.web.render.words import PageWords

MATCHES = 6
TOKEN = "7ab1e7" + 26 * "0"
"""A phone's token."""
NAMES_AT_SEATS = {seat: f"{seat}WWWWWWWWWWWWWWWWWWW" for seat in SEATS}
NEWCOMERS = People(known=tuple(map(Person, NAMES_AT_SEATS.values())))
"""The players, each of whom plays for the first time."""


class AllPlaces:
    """A virtual hand with a reader and a buzzer at every place, which does nothing."""

    places = (*SEAT_PLACES, CENTRE)
    seats = tuple(SEATS)

    def lay(self, place: str, slug: str, *cards: str, origin: str = "") -> None: ...
    def lift(self, place: str) -> None: ...
    def press(self, seat: int, at: float | None = None, origin: str = "") -> None: ...


@every_game
def test_every_page_renders_whatever_the_match_waits_for(game: AnyGame, tmp_path: Path) -> None:
    with table(tmp_path) as live:
        phones = Phones(phones_of(live.kept_in))
        phones.change(lambda rights: Rights(rights.codes, people=NEWCOMERS))
        app = create_app(Room(live=live, phones=phones, found_at=fixed("http://table.lan/")))
        screens = app.extensions["companion"].screens
        with app.test_request_context():
            for waited_for in show_each_stage(live, game):
                pages_of_seats = [Page(kind, seat) for kind in ("seat", "host") for seat in (1, 2)]
                for page in (*map(Page, ("score", "big", "host")), *pages_of_seats):
                    for language in LANGUAGES:
                        assert screens.fragment(page, language), (page, waited_for)
                        failed = [fault.trace for fault in live.faults.known]
                        assert not failed, (
                            f"{page.name} can't be shown while the match waits for {waited_for!r}: "
                            f"mend that page, or have `view` or locale/words.pot bring what it asks for\n{failed[0]}"
                        )


@every_game
@given(seed=seeds)
def test_a_seats_page_says_of_what_it_reads_what_its_lamp_shows(game: AnyGame, seed: int) -> None:
    """A refusal that its player alone is told of does not count: its lamp is green, for others may not know."""
    chance = random.Random(seed)
    events = random_match(game, seed, noise=0.3, undo=0.0, most=80)
    played = InPlay(1, begun(events), float, demo=False)
    acts = [act for event in events[1:] for act in chance.choice(((event,), (event, event)))]
    for event in acts:
        if played.match.over:
            return
        played.judge([replace(event, seq=len(played.match.events) + 1)])
        seat = seat_at(event.place) if isinstance(event, Tapped) else None
        if seat not in played.match.seats or event.by is not UNSET:
            continue
        is_red = played.lamps.shown()[place_of(seat)].refused is not None
        answer = played.feedback[seat]
        is_private = isinstance(answer.wrong, Misplay) and answer.wrong.heard is Heard.PRIVATELY
        assert (answer.kind is AnswerKind.WRONG) == (is_red or is_private), (
            f"seat {seat}'s page says {answer.kind.value!r}, its lamp is {'red' if is_red else 'green'} "
            f"{waits(played.match)}"
        )


@every_game
def test_every_headline_on_a_page_has_the_facts_that_it_asks_for(game: AnyGame) -> None:
    told_codes: set[str] = set()
    for seed in range(MATCHES):
        events = random_match(game, seed, undo=0.0, most=5000, noise=0.05)
        match = begun(events)
        for event in events[1:]:
            codes = {verdict.code for verdict in match.add(event)}
            moments = {code for code in codes if game.kind_of(code).weight}
            if moments - told_codes:
                newest = views.newest(views.view(match, None))  # the end of a match covers what led to it
                told_codes |= {newest.code} if newest else set()
                _see_that_its_headline_is_told(match)


def _see_that_its_headline_is_told(match: Match) -> None:
    for observer in (None, *match.seats):
        view = views.view(match, observer)
        for language in LANGUAGES:
            try:
                news(Snapshot(1), view, PageWords(match.game.slug, language, match.names), observer)
            except KeyError as missing:
                raise AssertionError(f"no fact {missing} ({language}): {' '.join(missing.__notes__)}") from None


@contextmanager
def table(folder: Path) -> Iterator[Live]:
    """Yield a table without threads or players; tests set its snapshot."""
    log = Log(folder / "log.sqlite", writes=True)
    try:
        yield Live(log, TableClock(), Decks(None), simulated=True)
    finally:
        log.close()


def tablet(live: Live, **more: Any) -> FlaskClient:
    """Return a table's only phone, the host's, which holds every seat; `more` are further arguments of `Room`."""
    phones = Phones(phones_of(live.kept_in))
    holders = dict.fromkeys(PARTS, phone_of(TOKEN))
    phones.change(lambda rights: Rights(rights.codes, holders, people=NEWCOMERS))
    room = Room(live=live, phones=phones, found_at=fixed("http://table.lan/"), **more)
    client = create_app(room).test_client()
    client.set_cookie("phone", TOKEN)
    return client


def show_each_stage(live: Live, game: AnyGame) -> Iterator[str]:
    """Show a match in every stage; yield what it waits for."""
    for waited_for, match in stages(game.slug).items():
        views_of = {observer: views.view(match, observer) for observer in (None, *match.seats)}
        met = teaching.met(match)
        live.snapshot = Snapshot(1, simulated=True, views=views_of, misread=corrections.offered(match), hints_met=met)
        yield waited_for


@cache
def stages(slug: str) -> dict[str, Match]:
    """Return matches at their beginning and at the first moment of each task, with as many players as possible."""
    game = games.known()[slug]
    people = tuple(Player(seat, NAMES_AT_SEATS[seat]) for seat in range(1, game.most_players + 1))
    stages_met = {"its beginning": Match(Started(1, 100.0, slug, people, {}))}
    for seed in range(MATCHES):
        events = random_match(game, seed, undo=0.0, most=5000, noise=0.05, people=people)
        match = begun(events)
        for event in events[1:]:
            match.add(event)
            code = match.game.now(match.state).code
            if code not in stages_met:
                stages_met[code] = begun(events)
                stages_met[code].add_all(events[1 : event.seq])
    return stages_met
