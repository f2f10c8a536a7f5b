"""The souvenir of a match: where it turned, who came from behind, how it ended, and who was best at what.

Pure, and from what everybody could see: a fold over the standing events.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import UNSET

from companion.game import FINISH, AnyGame, Chart, Ruling, Verdict
from companion.judge import views
from companion.judge.match import Match
from companion.judge.rejudging import rejudged
from companion.player_names import is_bots
from companion.words import catalogue

Who = TypeVar("Who")

LEADS = ("last", "turning", "led")
"""The kinds for when the winner took the lead for good: with the last act, before it, or with nobody ever ahead."""
RUSH = 3
"""The fewest presses that make a rush."""
RUSH_WITHIN = 500_000
"""Microseconds after the first press within which they come."""
PHOTOS = 3
"""How many of the closest finishes are kept."""


class Highlight(msgspec.Struct, frozen=True):
    """One thing worth telling of a match."""

    code: str
    """last, turning, led, comeback, finish or rush; or `least-CHART`, `most-CHART` or `tale-FEAT`, as the game's words
    name it."""
    seats: tuple[int, ...]
    """The seats it belongs to: several may share a best, a margin has two presses; of a rush the first comes first."""
    value: int
    """How many points ahead of the next at the end (0: level), or behind the first; in a rush the microseconds from
    first to last; otherwise the chart's own figure."""
    unit: Literal["number", "microseconds"] = "number"
    column: tuple[str, tuple[tuple[str, str | int], ...]] | None = None
    """The chart, and the facts of its column (none if of several); None if it belongs to no chart."""
    entry: int | None = None
    """The entry of the story that told it."""
    minute: int | None = None
    """Minutes since the start."""

    @property
    def is_of_game(self) -> bool:
        """Whether only its game's words can tell it."""
        return self.column is not None or self.code.startswith("tale-")


class Photo(msgspec.Struct, frozen=True):
    """A finish: presses that came close together."""

    entry: int
    """The entry of the story that told of the last of them."""
    presses: tuple[tuple[int, int], ...]
    """Each seat with its microseconds behind the first, in order."""
    dead_heat: bool
    window: int = 0
    """The tie window in microseconds, if it decided; else 0."""


class Souvenir(msgspec.Struct, frozen=True):
    """The souvenir of a match."""

    highlights: tuple[Highlight, ...] = ()
    photos: tuple[Photo, ...] = ()
    """The closest first."""
    feats: Mapping[str, tuple[int, ...]] = {}
    """By a feat's code, the seats that did it."""


NOTHING = Souvenir()


class _Stand(msgspec.Struct, frozen=True):
    """The progress of all players when an entry was told."""

    entry: int
    minute: int
    points: Mapping[int, int]
    """More is better."""


def souvenir(match: Match) -> Souvenir:
    """Return the souvenir of a match; an empty one if it is not over."""
    if not match.over:
        return NOTHING
    table = views.view(match, None)["table"]
    if table is views.UNSHOWN:
        return NOTHING
    return match.tried("souvenir", lambda: _kept(match, table), NOTHING)


def _kept(match: Match, table: Mapping[str, Any]) -> Souvenir:
    photos = _photos(match)
    figures = bests(match.game, match.game.charts(table), people(match.names))
    feats = {code: tuple(sorted(set(seats))) for code, seats in match.game.feats(table).items() if seats}
    highlights = (*_tales(match, feats), *_rush(photos), *_of_the_race(match), *figures)
    return Souvenir(highlights, photos[:PHOTOS], feats)


def _tales(match: Match, feats: Mapping[str, Collection[int]]) -> Iterator[Highlight]:
    """Yield the feats worth telling the next day, for which the game's words have `tale-FEAT`; not those of bots."""
    named = catalogue(match.game.slug)
    persons = people(match.names)
    for feat, seats in feats.items():
        if f"tale-{feat}" in named and not persons.isdisjoint(seats):
            yield Highlight(f"tale-{feat}", tuple(seats), len(seats))


def turned(course: Sequence[Mapping[Who, int]], winner: Who) -> int | None:
    """Return the index since which the winner was ahead of all others; None if they are not at the end.

    >>> turned([{"Ana": 0, "Bo": 0}, {"Ana": 1, "Bo": 0}, {"Ana": 1, "Bo": 1}, {"Ana": 2, "Bo": 1}], "Ana")
    3
    """
    since = None
    # Backwards from the end to the latest moment at which somebody else was level.
    for index in reversed(range(len(course))):
        if any(points >= course[index][winner] for rival, points in course[index].items() if rival != winner):
            break
        since = index
    return since


def behind(course: Sequence[Mapping[Who, int]], winner: Who) -> tuple[int, int] | None:
    """Return when the winner, in last place, was furthest behind the first, and by how much; None if never last."""
    gaps = [
        (max(stood.values()) - stood[winner], index)
        for index, stood in enumerate(course)
        if stood[winner] == min(stood.values()) < max(stood.values())
    ]
    if not gaps:
        return None
    gap, at = max(gaps, key=lambda gap_and_index: gap_and_index[0])
    return at, gap


def people(players: Mapping[int, str]) -> frozenset[int]:
    """Return the seats that can have bests: all but bots', or all if only bots play.

    >>> sorted(people({1: "Ana", 3: "Bot Max"})), sorted(people({1: "Bot Kim", 3: "Bot Max"}))
    ([1], [1, 3])
    """
    return frozenset(seat for seat, name in players.items() if not is_bots(name)) or frozenset(players)


def bests(game: AnyGame, charts: Sequence[Chart], whose: Collection[int]) -> Iterator[Highlight]:
    """Yield the bests among these seats, of charts for which the game's words have `least-CHART` or `most-CHART`."""
    named = catalogue(game.slug)
    for chart in charts:
        rows = {seat: row for seat, row in chart.rows.items() if seat in whose}
        figures = [
            (value, column, seat) for seat, row in rows.items() for column, value in enumerate(row) if value is not None
        ]
        for code, choose in ((f"least-{chart.code}", min), (f"most-{chart.code}", max)):
            if figures and code in named:
                best = choose(figures, key=lambda figure: abs(figure[0]) if choose is min else figure[0])[0]
                where = {column for value, column, _ in figures if value == best}
                seats = tuple(sorted({seat for value, _, seat in figures if value == best}))
                if choose is min or (best > 1 and _is_a_record(best, seats, chart)):
                    facts = tuple(chart.columns[min(where)].items()) if len(where) == 1 else ()
                    yield Highlight(code, seats, best, chart.unit, (chart.code, facts))


def _is_a_record(best: int, seats: Sequence[int], chart: Chart) -> bool:
    """Whether these seats alone reached the best figure, and are at most half of all."""
    holders = {seat for seat, row in chart.rows.items() if best in row}
    return holders == {*seats} and 2 * len(holders) <= len(chart.rows)


def _of_the_race(match: Match) -> Iterator[Highlight]:
    """Return the finish and, if one player alone won, the turning point and the comeback."""
    course = tuple(_course(match))
    winners = match.outcome.winners
    if not winners or not course:
        return
    if len(winners) > 1:
        yield Highlight("finish", winners, 0, entry=course[-1].entry)
        return
    (winner,) = winners
    points = [stood.points for stood in course]
    turn = turned(points, winner)
    if turn is not None:
        last = points[-1]
        stood = course[turn]
        behind_before = any(max(reached.values()) > reached[winner] for reached in points[:turn])
        if behind_before or stood is not course[-1]:  # else all were level until the last act, so nobody had led
            code = "led"
            if behind_before:
                code = "last" if stood is course[-1] else "turning"
            yield Highlight(code, (winner,), turn, entry=stood.entry, minute=stood.minute)
            lead = last[winner] - max(reached for seat, reached in last.items() if seat != winner)
            yield Highlight("finish", (winner,), lead, entry=course[-1].entry)
    low = behind(points, winner)
    if low is not None and low[1] > 1:
        at, gap = low
        yield Highlight("comeback", (winner,), gap, entry=course[at].entry, minute=course[at].minute)


def _course(match: Match) -> Iterator[_Stand]:
    """Yield the progress of all players each time it changes; nothing if the match does not tell it."""
    sign = -1 if match.game.fewest_win else 1
    previous = None
    verdicts_told = 0
    for step in rejudged(match):
        replayed = step.after
        if len(replayed.public) == verdicts_told:
            continue
        verdicts_told = len(replayed.public)
        progress = replayed.game.progress(replayed.state) if replayed.game.progress else replayed.outcome.scores
        points = {seat: sign * reached for seat, reached in progress.items() if reached is not None}
        if points != previous and len(points) == len(match.seats):
            previous = points
            yield _Stand(verdicts_told - 1, int(match.seconds_played(step.event.at) // 60), points)


def _photos(match: Match) -> tuple[Photo, ...]:
    """Return the photo finishes, the closest first. A press by phone makes none, because its delay is unknown."""
    photos: list[Photo] = []
    previous: Photo | None = None
    for entry, verdict in enumerate(match.public):
        if not isinstance(verdict, Ruling) or not _of_a_finish(match, verdict):
            continue
        photo = _photo(entry, verdict, previous)
        if photo and previous:  # another press of the same finish
            photos.remove(previous)
        if photo:
            photos.append(photo)
        previous = photo
    theirs = people(match.names)
    sensed = [
        photo
        for photo in photos
        if _by_sensors(match, match.public[photo.entry]) and any(seat in theirs for seat, _ in photo.presses)
    ]
    return tuple(sorted(sensed, key=lambda photo: photo.presses[1][1]))


def _rush(photos: Sequence[Photo]) -> Iterator[Highlight]:
    """Yield the finish in which most pressed almost at once, if enough did."""
    rushes = []
    for photo in photos:
        presses = [(seat, behind) for seat, behind in photo.presses if behind <= RUSH_WITHIN]
        if len(presses) >= RUSH:
            rushes.append((len(presses), -presses[-1][1], presses, photo.entry))
    if rushes:
        _, _, presses, entry = max(rushes)
        yield Highlight("rush", tuple(seat for seat, _ in presses), presses[-1][1], "microseconds", entry=entry)


def _of_a_finish(match: Match, ruling: Ruling) -> bool:
    return match.game.kind_of(ruling.code).stage == FINISH


def _photo(entry: int, ruling: Ruling, previous: Photo | None) -> Photo | None:
    """Return the photo of a finish, or None if only one pressed.

    A dead heat stays one even if a later ruling on the same finish no longer says so, because a player has withdrawn.
    """
    presses = tuple((seat, behind) for seat, behind in ruling.facts.get("behind", ()))
    if len(presses) < 2:
        return None
    still_tied = previous if previous and previous.dead_heat and previous.presses[:2] == presses[:2] else None
    window = ruling.facts.get("window") or (still_tied.window if still_tied else 0)
    return Photo(entry, presses, "seats" in ruling.facts or still_tied is not None, window)


def _by_sensors(match: Match, verdict: Verdict) -> bool:
    seqs = (verdict.seq, *verdict.events) if isinstance(verdict, Ruling) else ()
    return all(getattr(match.events[seq - 1], "by", UNSET) is UNSET for seq in seqs)
