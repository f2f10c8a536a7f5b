"""Laws of pages: how to play is shown, and every act and every simulated move has its button."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from jinja2 import ChoiceLoader
from msgspec import Struct
from werkzeug.datastructures import MultiDict

from companion.events import Event, Pressed, Retracted, Said, Tapped, seat_at
from companion.game import AnyGame
from companion.game.simulated_world import SETTING_UP, Move
from companion.judge import views
from companion.judge.match import Match
from companion.judge.taken_back import standing
from companion.kit.games_to_test import every_game
from companion.kit.page_laws import AllPlaces, stages, table, tablet
from companion.kit.simulated_matches import Simulated, moments
from companion.kit.world_laws import every_world, seats
from companion.languages import LANGUAGES
from companion.live.kept_simulated_world import Done, StoredWorld
from companion.live.simulation import Simulation
from companion.live.snapshot import Snapshot
from companion.live.table import Live
from companion.storage.log import Log
from companion.tags.deck_file import Decks

MATCHES = 5
ACTIONS = ("/enter", "/table/lay", "/table/lift", "/table/press")
"""The URLs to which acts are sent at a table that is played by hand."""
MOVE_FIELDS = ("seat", "what", "card", "number")
_FORM = re.compile(r"<form\b.*?</form>", re.DOTALL)
"""All that is read of a page: to parse the rest of it takes four times as long."""


class ShownWorld(Simulation):
    """A simulated table that shows any world that it is given."""

    def show(self, played: Simulated) -> None:
        """Show a match and its world."""
        everybodys_views = {observer: views.view(played.match, observer) for observer in (None, *played.seats)}
        slug = played.match.game.slug
        self._live.snapshot = Snapshot(1, simulated=True, views=everybodys_views)
        laid_out = (Done(SETTING_UP, 1),)
        self._now = StoredWorld(1, slug, played.seats, "", {}, done=laid_out), played.world


class SentForm(Struct, frozen=True):
    """The request that a button would send."""

    action: str
    fields: tuple[tuple[str, str], ...]

    def first(self, name: str) -> str:
        """Return the first value of a field, or ""."""
        return next((value for key, value in self.fields if key == name), "")


class _Forms(HTMLParser):
    """Collects the requests that a page's buttons would send with its forms unchanged."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[SentForm] = []
        self._action = ""
        self._fields: list[tuple[str, str]] = []
        self._buttons: list[tuple[str, str]] = []
        self._picked: set[str] = set()
        """Names of lists and radio groups whose first choice is picked already."""
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a form, or note what a control of it sends."""
        attributes = {name: value or "" for name, value in attrs}
        name = attributes.get("name", "")
        value = attributes.get("value", "on" if attributes.get("type") == "checkbox" else "")
        if "disabled" in attributes:
            return
        match tag, attributes.get("type", ""):
            case "form", _:
                self._action = attributes.get("action", "")
                self._fields = []
                self._buttons = []
                self._picked = set()
            case "input", "radio" | "checkbox":
                if name not in self._picked:
                    self._fields.append((name, value))
                self._picked.add(name)
            case "input", "number":
                self._fields.append((name, value or attributes.get("min", "0")))
            case "input", _:
                self._fields.append((name, value))
            case "select", _:
                self._select = name
            case "option", _ if self._select not in self._picked:
                self._fields.append((self._select, value))
                self._picked.add(self._select)
            case "button", _:
                self._buttons.append((name, value))

    def handle_endtag(self, tag: str) -> None:
        """Add what each button of the form sends."""
        if tag == "form":
            for button in self._buttons:
                self.sent.append(SentForm(self._action, tuple(pair for pair in (*self._fields, button) if pair[0])))
            self._buttons = []


def forms_of(page: str) -> list[SentForm]:
    """Return the requests that a page's buttons would send."""
    forms = _Forms()
    for form in _FORM.findall(page):
        forms.feed(form)
    return forms.sent


@every_game
def test_the_page_of_how_to_play_is_shown_in_every_language(game: AnyGame, tmp_path: Path) -> None:
    with table(tmp_path) as live:
        phone = tablet(live)
        for language in LANGUAGES:
            answer = phone.get(f"/how/{game.slug}", query_string={"lang": language})
            traces = "\n".join(fault.trace for fault in live.faults.known)
            assert answer.status_code == 200, f"/how/{game.slug} can't be shown ({language}): mend how.html\n{traces}"


class _StoppedClock:
    """A clock that stands still, so that no delay of a match ends."""

    at = 0.0
    """Seconds."""

    def __call__(self) -> float:
        return self.at


@contextmanager
def _by_hand(folder: Path, clock: _StoppedClock) -> Iterator[tuple[Live, FlaskClient]]:
    """Yield a table where everything is entered by hand, and the phone that may enter all of it."""
    log = Log(folder / "log.sqlite", writes=True)
    live = Live(log, clock, Decks(None))
    live.start()
    try:
        yield live, tablet(live, hand=AllPlaces())
    finally:
        live.stop()
        log.close()


@every_game
def test_every_button_of_a_page_is_an_act_of_the_game(game: AnyGame, tmp_path: Path) -> None:
    clock = _StoppedClock()
    with _by_hand(tmp_path, clock) as (live, phone):
        for waited_for, match in stages(game.slug).items():
            clock.at = match.events[-1].at + 0.5
            _enter_all_of(match, live)
            moment = f"while the match waits for {waited_for!r}"
            for form in _some_of_each(_acts_on(phone.get("/table").text)):
                _see_that_it_is_an_act(phone, live, form, f"on /table, {moment}")
            for seat in _one_seat_of_each_kind(match):
                for path in (f"/seat/{seat}", f"/host/{seat}"):
                    offered = _acts_on(phone.get(path).text)
                    for form in _some_of_each(offered):
                        _see_that_it_is_an_act(phone, live, form, f"on {path}, {moment}")
                    _see_that_nothing_is_missing(
                        match.game.moves.likely(match.state), seat, offered, f"on {path}, {moment}"
                    )


def _enter_all_of(match: Match, live: Live) -> None:
    """Begin a match at the table, and enter all events of this one."""
    live.begin(match.started.game, match.started.players, match.started.options)
    live.act(lambda _, at: tuple(match.events[1:]))


def _one_seat_of_each_kind(match: Match) -> list[int]:
    """Return a seat that is likely to act next, and one that is not."""
    may = [seat for seat in match.seats if any(_doer(act) == seat for act in match.game.moves.likely(match.state))]
    return [*may[:1], *(seat for seat in match.seats if seat not in may)][:2]


def _doer(act: Event) -> int | str | None:
    match act:
        case Tapped(place=place):
            return seat_at(place)
        case Pressed(seat=seat) | Said(seat=seat):
            return seat
    return None


@every_game
def test_the_plain_page_of_a_seat_offers_its_cards_and_its_press(game: AnyGame, tmp_path: Path) -> None:
    """It stands in for a page of the game's own that is missing, or fails."""
    clock = _StoppedClock()
    with _by_hand(tmp_path, clock) as (live, phone):
        leave_out_pages_of_games(phone)
        for waited_for, match in stages(game.slug).items():
            clock.at = match.events[-1].at + 0.5
            _enter_all_of(match, live)
            moment = f"while the match waits for {waited_for!r}"
            for seat in _one_seat_of_each_kind(match):
                offered = _acts_on(phone.get(f"/seat/{seat}").text)
                for form in _some_of_each(offered):
                    _see_that_it_is_an_act(phone, live, form, f"on seat {seat}'s plain page, {moment}")
                sensed = [act for act in match.game.moves.likely(match.state) if not isinstance(act, Said)]
                _see_that_nothing_is_missing(sensed, seat, offered, f"on the plain page, {moment}")


def _see_that_nothing_is_missing(acts: Sequence[Event], seat: int, offered: Sequence[SentForm], where: str) -> None:
    """Assert that each likely act of a seat, except for cards in the middle, has its button.

    A word may stand in for a card that only a reader can identify.
    """
    buttons = {(form.first("kind"), form.first("seat") or form.first("place"), form.first("what")) for form in offered}
    for act in acts:
        if _doer(act) != seat:
            continue
        match act:
            case Pressed():
                button = "pressed", str(seat), ""
            case Said(what=what):
                button = "said", str(seat), what
            case Tapped(place=place):
                button = "tapped", place, ""
                if any(kind == "said" and doer == str(seat) for kind, doer, _ in buttons):
                    continue
            case _:
                continue
        assert button in buttons, f"no button {where} for {button}, which `moves` hold likely"


def _acts_on(page: str) -> list[SentForm]:
    return [form for form in forms_of(page) if form.action in ACTIONS]


def _some_of_each(offered: Sequence[SentForm]) -> Iterator[SentForm]:
    """Yield the first and last of forms that differ only in the card."""
    kinds: dict[tuple[tuple[str, str], ...], list[SentForm]] = {}
    for form in offered:
        kinds.setdefault(tuple(pair for pair in form.fields if pair[0] != "card"), []).append(form)
    for alike in kinds.values():
        yield from dict.fromkeys((alike[0], alike[-1]))


def _see_that_it_is_an_act(phone: FlaskClient, live: Live, form: SentForm, where: str) -> None:
    last_seq = live.ask(lambda match: len(match.events))
    answer = phone.post(form.action, data=MultiDict(form.fields), headers={"Accept": "application/json"})
    codes = live.ask(lambda match: [verdict.code for verdict in match.verdicts if verdict.seq > last_seq])
    assert answer.status_code < 400, f"{dict(form.fields)} {where} is refused: {answer.text}"
    assert "unknown-word" not in codes, f"{dict(form.fields)} {where} says what the rules don't know"
    live.act(
        lambda match, at: tuple(
            Retracted(0, at, event.seq) for event in reversed(standing(match.events)) if event.seq > last_seq
        )
    )


@every_world
def test_every_move_has_its_button_on_the_page_and_every_button_is_a_move(game: AnyGame, tmp_path: Path) -> None:
    with table(tmp_path) as live:
        world, phone = simulated_table(live)
        for waited_for, played in world_stages(game):
            world.show(played)
            for seat in played.seats:
                for language in LANGUAGES:
                    page = phone.get(f"/seat/{seat}", query_string={"lang": language}).text
                    where = f"on seat {seat}'s page, while the match waits for {waited_for!r}"
                    traces = "\n".join(fault.trace for fault in live.faults.known)
                    assert not traces, f"it can't be shown what is {where}: mend world.html\n{traces}"
                    _see_that_buttons_are_moves(page, played.sight(seat).moves, where)


@every_world
def test_the_plain_page_has_a_button_for_every_move(game: AnyGame, tmp_path: Path) -> None:
    """It stands in for a page of the game's own that is missing, or fails."""
    with table(tmp_path) as live:
        world, phone = simulated_table(live)
        leave_out_pages_of_games(phone)
        for waited_for, played in world_stages(game):
            world.show(played)
            for seat in played.seats:
                page = phone.get(f"/seat/{seat}").text
                where = f"on seat {seat}'s plain page, while the match waits for {waited_for!r}"
                _see_that_buttons_are_moves(page, played.sight(seat).moves, where)


def _see_that_buttons_are_moves(page: str, moves: Iterable[Move], where: str) -> None:
    moves_as_sent = set(map(_as_sent, moves))
    sent = (form for form in forms_of(page) if form.action == "/play/move")
    buttons = {tuple(map(form.first, MOVE_FIELDS)) for form in sent}
    missing = sorted(moves_as_sent - buttons)
    assert not missing, f"no button {where} for {missing[0]}: let world.html show every move of `sight.moves`"
    odd = sorted(buttons - moves_as_sent)
    assert not odd, f"a button {where} makes {odd[0]}, which is no move: let world.html show `sight.moves` alone"


def simulated_table(live: Live) -> tuple[ShownWorld, FlaskClient]:
    """Return a simulated table to show matches at, and the phone that holds every seat."""
    world = ShownWorld(live)
    return world, tablet(live, simulation=world)


def leave_out_pages_of_games(phone: FlaskClient) -> None:
    """Have the plain pages replace those of every game."""
    loader = phone.application.jinja_loader
    assert isinstance(loader, ChoiceLoader)
    phone.application.jinja_loader = loader.loaders[0]


def _as_sent(move: Move) -> tuple[str, ...]:
    return str(move.seat), move.what, move.card, str(move.number or "")


def world_stages(game: AnyGame) -> Iterator[tuple[str, Simulated]]:
    """Yield random matches at the first moment of each kind: by what is waited for, and the kinds of moves."""
    met_stages: set[Any] = set()
    for seed in range(MATCHES):
        for played in moments(game, seats(game, seed), seed):
            state = played.match.state
            stage = game.now(state).code, tuple(sorted({move.what for move in played.moves()}))
            if stage not in met_stages:
                met_stages.add(stage)
                yield stage[0], played
