"""Views: what each observer may know of a match, as plain values, alike for `replay --view` and for every page.

A view holds no `seq` and no number of events, because they would show whether three cards were tapped or five. `entry`
numbers only the public verdicts.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypedDict

import msgspec
from msgspec.structs import replace

from companion import games
from companion.errors import WrongInput
from companion.events import SEATS, seat_at
from companion.game import END, AnyGame, Misplay, Now, Observer, RulingKind, Verdict, reads_as_misplay
from companion.judge.match import Match

LATEST = 12
"""How many of the last verdicts a view holds; the whole story is a separate request."""

PASSAGE = 100
"""How many entries of a story a page shows: a long match must not slow down its players."""

UNSHOWN: dict[str, Any] = {"now": {"code": "now-unshown"}}
"""What is shown of a table if its game's code failed."""


def unshown(view: Mapping[str, Any]) -> dict[str, Any]:
    """Return a view without the parts that need the game's code and words."""
    return {**view, "told": [], "table": UNSHOWN}


class Named(TypedDict):
    """A seat, and who sits there."""

    seat: int
    name: str


class ToldEntry(TypedDict):
    """A ruling or a misplay, as an observer was told it."""

    entry: int | None
    """Index among the public entries, from 0; null: only this seat was told it."""
    code: str
    """The game's code for it."""
    misplay: bool
    """Whether it broke the rules, and so changed nothing."""
    facts: dict[str, Any]
    """The facts that its sentence needs, in no language: seats, card ids, counts, microseconds."""
    same_act: bool
    """Whether the entry before it came from the same act."""


class View(TypedDict):
    """What an observer may know of a match."""

    game: str
    """Its slug."""
    players: list[Named]
    """Clockwise; the names as they were typed."""
    over: bool
    scores: dict[str, int | None]
    """By seat; null if the match has no scores."""
    winners: list[int]
    """Seats; none while the match is not over."""
    table: dict[str, Any]
    """The table: `now`, what it waits for, and what the game shows."""
    told: list[ToldEntry]
    """The latest entries of its story, oldest first."""


def now(match: Match) -> Now:
    """Return what the table waits for, as far as everybody may know."""
    return match.tried("now", lambda: match.game.now(match.state), Now("now-unshown"))


def observer(name: str) -> Observer:
    """Read "public", "host" or "seat-3". Raises `WrongInput`."""
    match name.split("-"):
        case ["public" | "host"]:
            return None
        case ["seat", _] if seat := seat_at(name):
            return seat
    raise WrongInput(f"unknown observer {name!r}; known: public, host, seat-1 … seat-{max(SEATS)}")


class Views(Mapping[Observer, View]):
    """The views of a match as it stood when this was made; each is built when it is first read.

    The match goes on while pages are rendered, so only values that no later event changes are kept here. Any thread may
    read a view; if two build it at once, both get the same.
    """

    def __init__(self, match: Match, keep_fault: Callable[[str, Exception], None]) -> None:
        """Take the match as it stands; `keep_fault` is called with a hook's name and what the game's code raised."""
        self._game = match.game
        self._names = match.names
        self._state = match.state
        self._is_over = match.over
        self._outcome = match.outcome
        self._told = _latest_of_all(match)
        self._public = len(match.public)
        self._keep_fault = keep_fault
        self._built: dict[Observer, View] = {}

    def __getitem__(self, observer: Observer) -> View:
        built = self._built.get(observer)
        if built is None:
            if observer not in self:
                raise KeyError(observer)
            built = self._built[observer] = self.build(observer)
        return built

    def __contains__(self, observer: object) -> bool:
        return observer is None or observer in self._names

    def __iter__(self) -> Iterator[Observer]:
        return iter((None, *self._names))

    def __len__(self) -> int:
        return 1 + len(self._names)

    def build(self, observer: Observer) -> View:
        """Build a view; an observer without a seat in the match gets one too."""
        try:
            table_seen = _table(self._game, self._state, observer)
        except Exception as wrong:
            self._keep_fault("view", wrong)
            table_seen = UNSHOWN
        return {
            "game": self._game.slug,
            "players": [{"seat": seat, "name": name} for seat, name in self._names.items()],
            "over": self._is_over,
            "scores": {str(seat): points for seat, points in self._outcome.scores.items()},
            "winners": list(self._outcome.winners),
            "table": table_seen,
            "told": _latest(self._told, self._public, observer, LATEST),
        }


def view(match: Match, observer: Observer) -> View:
    """Build this observer's view of a match as it stands."""
    return Views(match, match.keep_fault).build(observer)


def table(match: Match, observer: Observer) -> dict[str, Any]:
    """Return the table as this observer may know it, without the rest of the view."""
    return _table(match.game, match.state, observer)


def _table(game: AnyGame, state: Any, observer: Observer) -> dict[str, Any]:
    awaited = game.now(state)
    task: dict[str, Any] = {"code": awaited.code, **awaited.facts}
    if awaited.seats:
        task["seats"] = list(awaited.seats)
    if awaited.first is not None:
        task["first"] = awaited.first
    return {"now": task, **game.view(state, observer)}


def story(match: Match, observer: Observer, most: int | None = None) -> list[ToldEntry]:
    """Return this observer's story, oldest first: the last `most` verdicts, or all."""
    return _latest(match.told, len(match.public), observer, most)


def _latest(verdicts: Sequence[Verdict], public: int, observer: Observer, most: int | None) -> list[ToldEntry]:
    """Return the latest entries for this observer; `public` is the number of public verdicts in all."""
    for_observer = (verdict for verdict in reversed(verdicts) if verdict.to is None or verdict.to == observer)
    latest = list(islice(for_observer, most))[::-1]
    previous = next(for_observer, None)
    return _entries(latest, previous, public - sum(verdict.to is None for verdict in latest))


def _latest_of_all(match: Match) -> Sequence[Verdict]:
    """Return the last part of `told` that holds each observer's latest entries and the one before them."""
    public = 0
    for number in range(len(match.told) - 1, -1, -1):
        public += match.told[number].to is None
        if public > LATEST:
            return match.told[number:]
    return [*match.told]


class Then(msgspec.Struct, frozen=True):
    """The table as it stood."""

    view: View
    """The public view."""
    minute: int
    """Since the start."""
    all: tuple[int, ...]
    """The entries of all moments of the match."""


def then(match: Match, entry: int) -> Then | None:
    """Return how the table stood when this entry was told, or None if there is no such entry."""
    if entry >= len(match.public):
        return None
    earlier = match.as_of(match.public[entry].seq)
    minute = int(match.seconds_played(earlier.events[-1].at) // 60)
    return Then(view(earlier, None), minute, moments(match))


def moments(match: Match) -> tuple[int, ...]:
    """Return the entries that were news."""
    return tuple(
        entry
        for entry, verdict in enumerate(match.public)
        if match.game.kind_of(verdict.code).weight and not isinstance(verdict, Misplay)
    )


class Passage(msgspec.Struct, frozen=True):
    """A part of an observer's story, oldest first: a long match is not told in one go."""

    first: int
    """How many entries stand before it."""
    whole: int
    """How many the whole story has."""
    told: list[ToldEntry]
    times: list[float]
    """The seconds after the start at which this observer was told each of them.

    Not times of day, which a table without a network does not know for certain.
    """

    @property
    def end(self) -> int:
        """How many entries there are up to its last one."""
        return self.first + len(self.told)


UNTOLD = Passage(0, 0, [], [])
"""The part to show before the first match."""


def passage(match: Match, observer: Observer, part: slice) -> Passage:
    """Return this part of an observer's story."""
    numbers = [number for number, verdict in enumerate(match.told) if verdict.to is None or verdict.to == observer]
    chosen = numbers[part]
    first = part.indices(len(numbers))[0]
    previous = match.told[numbers[first - 1]] if chosen and first else None
    entry = sum(verdict.to is None for verdict in match.told[: chosen[0]]) if chosen else 0
    entries = _entries([match.told[number] for number in chosen], previous, entry)
    times = [match.seconds_played(match.events[match.told_with[number] - 1].at) for number in chosen]
    return Passage(first, len(numbers), entries, times)


def _entries(verdicts: Sequence[Verdict], previous: Verdict | None, entry: int) -> list[ToldEntry]:
    """Return these verdicts as entries, after `previous`; `entry` is the number of the first public one."""
    entries: list[ToldEntry] = []
    for verdict in verdicts:
        entries.append(
            {
                "entry": entry if verdict.to is None else None,
                "code": verdict.code,
                "misplay": reads_as_misplay(verdict),
                "facts": dict(verdict.facts),
                "same_act": previous is not None and verdict.seq == previous.seq,
            }
        )
        entry += verdict.to is None
        previous = verdict
    return entries


def told_so_far(view: Mapping[str, Any] | None) -> int:
    """Return how many public entries a match has."""
    return (
        1 + max((told_entry["entry"] for told_entry in view["told"] if told_entry["entry"] is not None), default=-1)
        if view
        else 0
    )


class Sound(msgspec.Struct, frozen=True):
    """The latest sound of a match."""

    name: str
    """first, start, card, stamp, score or end."""
    entry: int
    """The public entry that caused it: a later sound has a greater number."""


def sound(view: Mapping[str, Any]) -> Sound | None:
    """Return the latest sound in a view, or None if no entry still shown has one."""
    rulings = _public_rulings(view)
    if view["over"]:
        return Sound("end", rulings[-1]["entry"]) if rulings else None
    game = games.known()[view["game"]]
    for ruling in reversed(rulings):
        name = game.kind_of(ruling["code"]).sound
        if name is not None:
            return Sound(name, ruling["entry"])
    return None


class Newest(msgspec.Struct, frozen=True):
    """The newest moment of a match, as an observer was told it."""

    code: str
    facts: Mapping[str, Any]
    entry: int
    """The public entry that tells it."""
    kind: RulingKind
    fresh: bool
    """Whether nothing has been decided since, as far as this observer was told."""


def newest(view: Mapping[str, Any]) -> Newest | None:
    """Return the newest moment of a view, the weightiest of an act; None if no entry still shown is one.

    Its `fresh` outlasts a misplay, which changes nothing.
    """
    if view["over"]:
        return _end(view)
    game = games.known()[view["game"]]
    newest_moment: Newest | None = None
    fresh = False
    for ruling in _rulings(view):
        of_same_act = fresh and ruling["same_act"]
        fresh = of_same_act
        kind = _as_moment(ruling, game)
        if kind and not (of_same_act and newest_moment and newest_moment.kind.weight > kind.weight):
            newest_moment = _as_news(ruling, kind)
            fresh = True
    return newest_moment and replace(newest_moment, fresh=fresh)


def decided(view: Mapping[str, Any]) -> Newest | None:
    """Return the weightiest staged moment of the act that ended the match, or None if it goes on or had none."""
    staged = [moment for moment in _ending_moments(view) if moment.kind.stage]
    return max(staged, key=lambda moment: moment.kind.weight, default=None)


def named_at_the_end(view: Mapping[str, Any]) -> Newest | None:
    """Return the moment of the act that ended the match which weighs as much as the end and has no stage.

    The winner's headline names it, because nobody would hear of it otherwise. None: the match goes on, or there is no
    such moment.
    """
    unplayed = (moment for moment in _ending_moments(view) if not moment.kind.stage)
    return next((moment for moment in unplayed if moment.kind.weight >= END.weight), None)


def _ending_moments(view: Mapping[str, Any]) -> list[Newest]:
    """Return the moments of the act that ended the match, the earliest first."""
    game = games.known()[view["game"]]
    moments: list[Newest] = []
    for ruling in reversed(_rulings(view) if view["over"] else []):
        kind = _as_moment(ruling, game)
        if kind:
            moments.insert(0, _as_news(ruling, kind))
        if not ruling["same_act"]:
            break
    return moments


def _rulings(view: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [told_entry for told_entry in view["told"] if not told_entry["misplay"]]


def _public_rulings(view: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [ruling for ruling in _rulings(view) if ruling["entry"] is not None]


def _as_moment(ruling: Mapping[str, Any], game: AnyGame) -> RulingKind | None:
    """Return the kind of a ruling that is news; None for any other."""
    if ruling["entry"] is None:
        return None
    kind = game.kind_of(ruling["code"])
    return kind if kind.weight else None


def _as_news(ruling: Mapping[str, Any], kind: RulingKind, **more: Any) -> Newest:
    return Newest(ruling["code"], {**ruling["facts"], **more}, ruling["entry"], kind, fresh=True)


def _end(view: Mapping[str, Any]) -> Newest | None:
    """Return the end as news, attributed to the last ruling."""
    rulings = _public_rulings(view)
    return _as_news(rulings[-1], END, seats=view["winners"]) if rulings and view["winners"] else None
