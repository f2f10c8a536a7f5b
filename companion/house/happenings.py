"""Derives happenings for the home from what everybody sees, to be told once the big screen has shown them.

Pure: they follow from the snapshots alone.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from companion.access.people import People
from companion.access.player_looks import Face
from companion.game import DECISIVE_S, END
from companion.house_settings import HouseEvent
from companion.judge import views
from companion.live.pause import Why
from companion.live.snapshot import Snapshot
from companion.web.render import news as told_news
from companion.web.render.players import corrected_names, faces_of
from companion.web.render.words import PageWords

LAMP_COLOURS: Mapping[str, tuple[int, int, int]] = {
    "red": (255, 0, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 180, 0),
    "green": (0, 255, 0),
    "orange": (255, 80, 0),
    "violet": (140, 0, 255),
    "lightblue": (0, 160, 255),
    "pink": (255, 0, 120),
}
"""The players' colours for a lamp in a room, as RGB from 0 to 255: brighter than on a page."""


class PlayerTold(msgspec.Struct, frozen=True):
    """Whose a happening is."""

    seat: int
    name: str
    animal: str
    colour: str
    rgb: tuple[int, int, int]


class Happening(msgspec.Struct, frozen=True):
    """Something that has happened, as programs are told it."""

    event_type: str
    """A `HouseEvent`, or the code of a game's ruling that is news."""
    match: int | None
    """The match's number; None: none has been started."""
    game: str = ""
    """Its slug."""
    text: str = ""
    """What the big screen says, in the table's language."""
    seat: int | None = None
    """Whose it is, if it is one player's; of several winners, the first."""
    name: str = ""
    animal: str = ""
    colour: str = ""
    rgb: tuple[int, int, int] | None = None
    players: tuple[PlayerTold, ...] = ()
    """At the beginning all who play, clockwise; at the end the winners."""
    simulated: bool = False
    demo: bool = False
    """Whether it is nobody's match: a demonstration."""


class Due(msgspec.Struct, frozen=True):
    """A happening, and when it may be told."""

    happening: Happening
    after: float = 0.0
    """Seconds for which the big screen plays it before it tells the outcome."""
    entry: int | None = None
    """The public entry that tells it; None: it is no news of a game."""


class AlreadyTold(msgspec.Struct, frozen=True):
    """The state up to which happenings were derived."""

    snapshot: Snapshot
    news: tuple[int | None, int, str] | None = None
    """The match, entry and code of the latest news."""


def begin(snapshot: Snapshot) -> AlreadyTold:
    """Begin with the present snapshot, so that a restarted table repeats nothing."""
    return AlreadyTold(snapshot, _mark(snapshot))


def happened(
    already_told: AlreadyTold, snapshot: Snapshot, people: People, language: str
) -> tuple[AlreadyTold, tuple[Due, ...]]:
    """Return the new state, and what has happened since `already_told`, in order."""
    happenings = tuple(_since(already_told, snapshot, people, language))
    return AlreadyTold(snapshot, _mark(snapshot)), happenings


def still_stands(due: Due, snapshot: Snapshot) -> bool:
    """Return whether a queued happening still holds, and was not taken back meanwhile."""
    if due.entry is None:
        return True
    view = snapshot.views.get(None)
    if view is None or snapshot.match != due.happening.match:
        return True  # the next match has begun, so it can't be taken back any more
    if due.happening.event_type == HouseEvent.WINNER:
        return view["over"]
    told_entries = {(entry["entry"], entry["code"]) for entry in view["told"]}
    # A view holds only the newest entries; older ones are assumed to hold.
    oldest = min((entry for entry, _ in told_entries if entry is not None), default=0)
    return due.entry < oldest or (due.entry, due.happening.event_type) in told_entries


def _mark(snapshot: Snapshot) -> tuple[int | None, int, str] | None:
    view = snapshot.views.get(None)
    newest = views.newest(view) if view else None
    return (snapshot.match, newest.entry, newest.code) if newest else None


def _since(already_told: AlreadyTold, snapshot: Snapshot, people: People, language: str) -> Iterator[Due]:
    snapshot_before = already_told.snapshot
    if bool(snapshot.trouble) != bool(snapshot_before.trouble):
        yield Due(_plain(HouseEvent.NOT_RECORDING if snapshot.trouble else HouseEvent.RECORDING, snapshot))
    view = snapshot.views.get(None)
    if view is None:
        return
    begins = snapshot.match != snapshot_before.match
    pause_changes = not begins and snapshot.pause is not snapshot_before.pause
    pause_event = _pause_event(snapshot_before.pause, snapshot.pause) if pause_changes else None
    is_corrected = bool(snapshot.change) and snapshot.change is not snapshot_before.change
    mark = _mark(snapshot)
    is_news = mark is not None and mark != already_told.news and _is_later(mark, already_told.news)
    if pause_event:
        yield Due(_plain(pause_event, snapshot, view["game"]))
    if not (begins or is_corrected or is_news):
        return
    teller = _Teller(snapshot, people, language)
    if begins:
        yield Due(teller.of_players(HouseEvent.MATCH_BEGINS, teller.seats))
    if is_corrected:
        yield Due(teller.of_news(HouseEvent.CORRECTED))
    elif mark and is_news:
        yield from teller.newest(mark[1])


def _is_later(mark: tuple[int | None, int, str], known_mark: tuple[int | None, int, str] | None) -> bool:
    """Return whether news is new: an older entry that is the newest again, after an undo, is not."""
    return known_mark is None or mark[0] != known_mark[0] or mark[1] >= known_mark[1]


def _pause_event(why_before: Why | None, why_after: Why | None) -> HouseEvent | None:
    match why_after:
        case Why.BREAK:
            return HouseEvent.BREAK
        case None:
            return HouseEvent.GOES_ON if why_before else None
        case _:
            return HouseEvent.MATCH_ENDED if why_after.is_end else None


def _plain(event: HouseEvent, snapshot: Snapshot, game: str = "") -> Happening:
    return Happening(event, snapshot.match, game, simulated=snapshot.simulated, demo=snapshot.demo)


class _Teller:
    """Words and faces for the happenings of one snapshot."""

    def __init__(self, snapshot: Snapshot, people: People, language: str) -> None:
        self._snapshot = snapshot
        self._view: Mapping[str, Any] = snapshot.views[None]
        names = corrected_names(self._view, people, snapshot.match)
        self._names = names
        self._faces: Mapping[int, Face] = faces_of(self._view, names, people, snapshot.match or 0)
        self._words = PageWords(self._view["game"], language, names)
        self.seats = tuple(names)

    def newest(self, entry: int) -> Iterator[Due]:
        """Yield the game's newest news, and before a winner the decisive moment."""
        newest = views.newest(self._view)
        assert newest is not None
        stage = newest.kind.stage
        played = stage.lasts(len(self.seats)) if stage else 0.0
        if newest.kind != END:
            yield Due(self.of_news(newest.code), played, entry)
            return
        decisive = views.decided(self._view)
        decision = told_news.decided(self._view, self._words)
        if decisive and decisive.kind.stage and decision:
            yield Due(self._said(decisive.code, decision), decisive.kind.stage.lasts(len(self.seats)), decisive.entry)
            played += DECISIVE_S[decisive.kind.weight]
        won = self.of_players(HouseEvent.WINNER, self._view["winners"])
        yield Due(won, played, entry)

    def of_news(self, event: str) -> Happening:
        """Return a happening with the big screen's present headline."""
        news = told_news.news(self._snapshot, self._view, self._words, None)
        return self._said(event, news) if news else self._with(event, ())

    def of_players(self, event: HouseEvent, seats: Any) -> Happening:
        """Return a happening about these seats."""
        news = told_news.news(self._snapshot, self._view, self._words, None)
        text = "".join(news.headline) if news and event is HouseEvent.WINNER else ""
        first = seats[0] if seats and event is HouseEvent.WINNER else None
        return self._with(event, tuple(map(self._player, seats)), text, first)

    def _said(self, event: str, news: told_news.News) -> Happening:
        return self._with(event, (), "".join(news.headline), news.seat)

    def _with(self, event: str, players: tuple[PlayerTold, ...], text: str = "", seat: int | None = None) -> Happening:
        player = self._player(seat) if seat else None
        return Happening(
            event,
            self._snapshot.match,
            self._view["game"],
            text,
            seat=seat,
            name=player.name if player else "",
            animal=player.animal if player else "",
            colour=player.colour if player else "",
            rgb=player.rgb if player else None,
            players=players,
            simulated=self._snapshot.simulated,
            demo=self._snapshot.demo,
        )

    def _player(self, seat: int) -> PlayerTold:
        face = self._faces[seat]
        return PlayerTold(seat, self._names[seat], face.animal, face.colour, LAMP_COLOURS[face.colour])
