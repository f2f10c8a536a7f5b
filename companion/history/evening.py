"""The summary of an evening: who won it, where it turned, and the best of all its matches. Pure."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from companion import player_names
from companion.history.souvenir import LEADS, PHOTOS, Highlight, Photo, turned
from companion.history.standings import Result, standings

CLOSE = 0.2
"""A finish is close if it is won by no more than this share of the most points; one point is always close."""


class Award(msgspec.Struct, frozen=True):
    """The best of its kind in all matches of an evening."""

    of: Result
    highlight: Highlight

    @property
    def holders(self) -> frozenset[str]:
        """The keys of its holders' names."""
        seats = self.highlight.seats
        return frozenset(player_names.key(player.name) for player in self.of.players if player.seat in seats)


class Evening(msgspec.Struct, frozen=True):
    """The summary of an evening."""

    winners: tuple[str, ...]
    """Those who won the most matches."""
    won: int
    turned: Result | None
    """The match since which a single player had won the most; None: there is none."""
    awards: tuple[Award, ...]
    photos: tuple[tuple[Result, Photo], ...]
    """The closest first."""


def evening(results: Sequence[Result]) -> Evening | None:
    """Return the summary of these matches, oldest first, all of which count; None if people won none of them."""
    ranking = standings(results)
    most = max((standing.won for standing in ranking), default=0)
    if not most:
        return None
    winners = tuple(standing.name for standing in ranking if standing.won == most)
    photos = [(result, photo) for result in results for photo in result.souvenir.photos]
    photos.sort(key=lambda result_and_photo: result_and_photo[1].presses[1][1])
    return Evening(winners, most, _turned(results, winners), tuple(bests_of(results)), tuple(photos[:PHOTOS]))


def _turned(results: Sequence[Result], winners: Sequence[str]) -> Result | None:
    """Return the match since which the only winner had won more than anybody else; None if that was the first one."""
    if len(winners) > 1:
        return None
    won = Counter(dict.fromkeys((player_names.key(standing.name) for standing in standings(results)), 0))
    course = []
    for result in results:
        won.update(key for player in result.winners if (key := player_names.key(player.name)) in won)
        course.append(dict(won))
    index = turned(course, player_names.key(winners[0]))
    return results[index] if index else None


def bests_of(results: Sequence[Result], is_counted: Callable[[str], bool] = player_names.is_persons) -> Iterator[Award]:
    """Yield the best of each kind among named people; bots get none. Of equals each person is named once."""
    best: dict[tuple[str, str], list[Award]] = {}
    for result in results:
        names_of = {player.seat: player.name for player in result.players}
        for highlight in result.souvenir.highlights:
            theirs = replace(highlight, seats=tuple(seat for seat in highlight.seats if is_counted(names_of[seat])))
            if highlight.code in LEADS or not theirs.seats or _is_runaway(result, highlight):
                continue
            kind = (result.game if highlight.is_of_game else "", highlight.code)
            awards = best.setdefault(kind, [])
            if awards and _is_better(theirs, awards[0].highlight):
                awards.clear()
            named = {key for award in awards for key in award.holders}
            award = Award(result, theirs)
            # An equal is added only for a person who has none of this kind yet.
            if not awards or not (_is_better(awards[0].highlight, theirs) or award.holders <= named):
                awards.append(award)
    for awards in sorted(best.values(), key=lambda awards: awards[0].highlight.column is not None):
        yield from awards


def _is_runaway(result: Result, highlight: Highlight) -> bool:
    """Whether a finish was not close: its lead is more than a point and more than a share of the most points."""
    if highlight.code != "finish" or highlight.value <= 1:
        return False
    return highlight.value > CLOSE * max((abs(player.points or 0) for player in result.players), default=0)


def _is_better(highlight: Highlight, rival: Highlight) -> bool:
    if highlight.code == "rush" and len(highlight.seats) != len(rival.seats):
        return len(highlight.seats) > len(rival.seats)
    fewest = highlight.code in ("finish", "rush") or highlight.code.startswith("least-")
    return abs(highlight.value) < abs(rival.value) if fewest else highlight.value > rival.value
