"""What players achieve: one table of declarations, each a fold over the matches played, so that old evenings count."""

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
    """A match, as one of its players."""

    of: Result
    me: Seated

    @property
    def won(self) -> bool:
        """Whether they won it, alone or with others."""
        return self.me.place == 1

    @property
    def last(self) -> bool:
        """Whether nobody stands behind them."""
        return not self.won and self.me.place == max(player.place or 0 for player in self.of.players)


Measure = Callable[[Sequence[Own]], int]
"""(somebody's matches, oldest first) → how far they have come. A further match never makes it less."""


class Achievement(msgspec.Struct, frozen=True):
    """Something that a player can achieve."""

    code: str
    wanted: int
    measure: Measure
    game: str | None = None
    """Whose feat it is."""


class Achieved(msgspec.Struct, frozen=True):
    """How far somebody has come with it."""

    what: Achievement
    come: int
    at: Result | None
    """The match with which they achieved it; None: not yet."""


def count(of: Callable[[Own], bool], mine: Sequence[Own]) -> int:
    """Count the matches for which this holds."""
    return sum(map(of, mine))


def _different(of: Callable[[Own], Sequence[object]], mine: Sequence[Own]) -> int:
    return len({found for one in mine for found in of(one)})


def _most_on_an_evening(mine: Sequence[Own]) -> int:
    return max(Counter(one.of.evening for one in mine if one.of.evening).values(), default=0)


def _streak(mine: Sequence[Own]) -> int:
    longest = now = 0
    for one in mine:
        now = now + 1 if one.won else 0
        longest = max(longest, now)
    return longest


def _highlighted(code: str, at_most: int, one: Own) -> bool:
    return any(
        found.code == code and one.me.seat in found.seats and 0 < found.value <= at_most
        for found in one.of.souvenir.highlights
    )


def _others(one: Own) -> list[str]:
    known = [player_names.key(player.name) for player in one.of.players if player_names.is_persons(player.name)]
    return [key for key in known if key != player_names.key(one.me.name)]


def _by_night(one: Own) -> bool:
    return not one.of.began.startswith(one.of.evening)  # it belongs to the evening before


def _evening(one: Own) -> list[str]:
    return [one.of.evening] if one.of.evening else []


def _feat(code: str, slug: str, one: Own) -> bool:
    return one.of.game == slug and one.me.seat in one.of.souvenir.feats.get(code, ())


def _won(one: Own) -> bool:
    return one.won


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
    Achievement("every-game", len(games.known()), partial(_different, lambda one: [one.of.game])),
    Achievement(
        "every-game-won", len(games.known()), partial(_different, lambda one: [one.of.game] if one.won else [])
    ),
    Achievement("evenings-10", 10, partial(_different, _evening)),
    Achievement("marathon", 5, _most_on_an_evening),
    Achievement("by-night", 1, partial(count, _by_night)),
    Achievement("long", 1, partial(count, lambda one: (one.of.seconds or 0) >= LONG)),
    Achievement("people-10", 10, partial(_different, _others)),
    Achievement("full-table", 1, partial(count, lambda one: one.won and len(one.of.players) == len(SEATS))),
    Achievement("shared", 1, partial(count, lambda one: one.won and len(one.of.winners) > 1)),
    Achievement("by-one", 1, partial(count, partial(_highlighted, "finish", 1))),
    Achievement("comeback", 1, partial(count, partial(_highlighted, "comeback", 10**9))),
    Achievement("good-loser", 5, partial(count, lambda one: one.last)),
)


def declared() -> Iterator[Achievement]:
    """Return everything that can be achieved: in any game, and the feats of each game."""
    yield from EVERYWHERE
    for slug in games.known():
        for entry in catalogue(slug):
            if entry.startswith(FEAT) and not entry.endswith("-how"):
                code = entry.removeprefix(FEAT)
                yield Achievement(code, 1, partial(count, partial(_feat, code, slug)), slug)


def achieved(mine: Sequence[Own]) -> Iterator[Achieved]:
    """Return how far somebody has come with each achievement."""
    for what in declared():
        come = what.measure(mine)
        if come < what.wanted:
            yield Achieved(what, come, None)
        else:
            first = bisect_left(range(len(mine)), what.wanted, key=lambda at: what.measure(mine[: at + 1]))
            yield Achieved(what, what.wanted, mine[first].of)
