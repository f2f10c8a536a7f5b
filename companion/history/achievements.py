"""Achievements of players, declared in one table as folds over their matches, so that old evenings count."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import msgspec

from companion import games, player_names
from companion.events import SEATS
from companion.history.standings import Result, Seated
from companion.words import catalogue

FEAT = "feat-"
"""The prefix of a feat's code in a game's words."""
LONG = 3600
"""Seconds."""


class Own(msgspec.Struct, frozen=True):
    """A match from the point of view of one of its players."""

    of: Result
    me: Seated

    @property
    def won(self) -> bool:
        """Whether they won it, alone or with others."""
        return self.me.place == 1

    @property
    def last(self) -> bool:
        """Whether nobody is placed behind them."""
        return not self.won and self.me.place == max(player.place or 0 for player in self.of.players)


Measure = Callable[[Sequence[Own]], int]
"""(a player's matches, oldest first) → their progress. A further match must never lower it: `achieved` bisects."""


class Achievement(msgspec.Struct, frozen=True):
    """Something that a player can achieve."""

    code: str
    wanted: int
    measure: Measure
    game: str | None = None
    """The game whose feat it is; None: it is of all games."""


class Achieved(msgspec.Struct, frozen=True):
    """A player's progress with an achievement."""

    what: Achievement
    come: int
    at: Result | None
    """The match with which they achieved it; None: not yet."""


def count(holds: Callable[[Own], bool], matches: Sequence[Own]) -> int:
    """Count the matches for which this holds."""
    return sum(map(holds, matches))


def _different(values: Callable[[Own], Sequence[object]], matches: Sequence[Own]) -> int:
    return len({value for match in matches for value in values(match)})


def _most_on_an_evening(matches: Sequence[Own]) -> int:
    return max(Counter(match.of.evening for match in matches if match.of.evening).values(), default=0)


def _streak(matches: Sequence[Own]) -> int:
    longest = 0
    streak = 0
    for match in matches:
        streak = streak + 1 if match.won else 0
        longest = max(longest, streak)
    return longest


def _highlighted(code: str, at_most: int, match: Own) -> bool:
    return any(
        highlight.code == code and match.me.seat in highlight.seats and 0 < highlight.value <= at_most
        for highlight in match.of.souvenir.highlights
    )


def _others(match: Own) -> list[str]:
    people = [player_names.key(player.name) for player in match.of.players if player_names.is_persons(player.name)]
    return [key for key in people if key != player_names.key(match.me.name)]


def _by_night(match: Own) -> bool:
    return not match.of.began.startswith(match.of.evening)  # after midnight: it belongs to the evening before


def _evening(match: Own) -> list[str]:
    return [match.of.evening] if match.of.evening else []


def _feat(code: str, slug: str, match: Own) -> bool:
    return match.of.game == slug and match.me.seat in match.of.souvenir.feats.get(code, ())


def _won(match: Own) -> bool:
    return match.won


EVERYWHERE = (
    Achievement("first-match", 1, len),
    Achievement("matches-10", 10, len),
    Achievement("matches-50", 50, len),
    Achievement("matches-200", 200, len),
    Achievement("first-win", 1, partial(count, _won)),
    Achievement("wins-10", 10, partial(count, _won)),
    Achievement("wins-50", 50, partial(count, _won)),
    Achievement("streak-3", 3, _streak),
    Achievement("streak-5", 5, _streak),
    Achievement("every-game", len(games.known()), partial(_different, lambda match: [match.of.game])),
    Achievement(
        "every-game-won", len(games.known()), partial(_different, lambda match: [match.of.game] if match.won else [])
    ),
    Achievement("evenings-10", 10, partial(_different, _evening)),
    Achievement("marathon", 5, _most_on_an_evening),
    Achievement("by-night", 1, partial(count, _by_night)),
    Achievement("long", 1, partial(count, lambda match: (match.of.seconds or 0) >= LONG)),
    Achievement("people-10", 10, partial(_different, _others)),
    Achievement("full-table", 1, partial(count, lambda match: match.won and len(match.of.players) == len(SEATS))),
    Achievement("shared", 1, partial(count, lambda match: match.won and len(match.of.winners) > 1)),
    Achievement("by-one", 1, partial(count, partial(_highlighted, "finish", 1))),
    Achievement("comeback", 1, partial(count, partial(_highlighted, "comeback", 10**9))),
    Achievement("good-loser", 5, partial(count, lambda match: match.last)),
)


def declared() -> Iterator[Achievement]:
    """Yield all achievements: those of any game, and the feats of each game."""
    yield from EVERYWHERE
    for slug in games.known():
        for entry in catalogue(slug):
            if entry.startswith(FEAT) and not entry.endswith("-how"):
                code = entry.removeprefix(FEAT)
                yield Achievement(code, 1, partial(count, partial(_feat, code, slug)), slug)


def achieved(matches: Sequence[Own]) -> Iterator[Achieved]:
    """Yield a player's progress with each achievement."""
    for achievement in declared():
        reached = achievement.measure(matches)
        if reached < achievement.wanted:
            yield Achieved(achievement, reached, None)
        else:
            first = bisect_left(
                range(len(matches)), achievement.wanted, key=lambda index: achievement.measure(matches[: index + 1])
            )
            yield Achieved(achievement, achievement.wanted, matches[first].of)
