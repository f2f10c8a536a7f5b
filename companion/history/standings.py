"""Results of matches, and what is computed from them: places, evenings, and standings of players."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta

import msgspec
from msgspec.structs import replace

from companion import games, player_names
from companion.game import Misplay
from companion.history.souvenir import NOTHING, Souvenir, souvenir
from companion.judge.attribution import took_back_a_look
from companion.judge.match import Match

DAWN = timedelta(hours=6)
"""The hour after midnight until which a match still belongs to the evening before."""


class Seated(msgspec.Struct, frozen=True):
    """A player of a match, and their result."""

    seat: int
    name: str
    points: int | None
    """None: the match has no scores."""
    place: int | None
    """From 1, shared by equals; None while the match is not over."""


class Result(msgspec.Struct, frozen=True):
    """The result of a match of the log."""

    match: int
    began: str
    """Local time, ISO 8601; "" while it is unknown."""
    simulated: bool
    game: str
    """Its slug; of a damaged match, as far as it can be read."""
    players: tuple[Seated, ...] = ()
    """The winners first; () of a match that can't be read."""
    over: bool = False
    seconds: int | None = None
    """How long it took; None while it is not over, because that would reveal sealed acts."""
    demo: bool = False
    """Whether it counts for nobody: it played itself, or its players were invented."""
    looked_again: bool = False
    """Whether a simulated move was taken back that had shown its player something sealed."""
    souvenir: Souvenir = NOTHING
    left_out: bool = False
    """Whether people have decided that it counts nowhere."""
    put_right: bool = False
    """Whether it was changed after its end."""

    @property
    def evening(self) -> str:
        """The evening it belongs to, as a date in ISO 8601; "" if the machine did not know the time."""
        return evening_of(self.began)

    @property
    def practice(self) -> bool:
        """Whether it was only practice: somebody alone against bots took back a look, to which nobody had to agree."""
        persons = [player for player in self.players if player_names.is_persons(player.name)]
        return self.looked_again and len(persons) == 1

    @property
    def winners(self) -> tuple[Seated, ...]:
        """The winners; () while it is not over."""
        return tuple(player for player in self.players if player.place == 1)


class Season(msgspec.Struct, frozen=True):
    """The summary of all that was played at a table."""

    results: tuple[Result, ...]
    """Every match, oldest first."""
    played: int
    """How many of them count."""
    tables: Sequence[tuple[str | None, Sequence["Standing"]]]
    """As returned by `by_game`."""
    evenings: tuple[str, ...]
    """The latest first."""


class Standing(msgspec.Struct, frozen=True):
    """A player's standing over some matches."""

    name: str
    """As it was typed last."""
    played: int
    won: int
    place: float
    """The average place."""
    best: int | None
    """The best points; None if the matches are of several games, or none has points."""


def evening_of(began: str) -> str:
    """Return the evening of a match that began at this time; "" if the machine did not know the time."""
    try:
        return (datetime.fromisoformat(began) - DAWN).date().isoformat()
    except (ValueError, OverflowError):
        return ""


def result(match: Match, number: int, began: str, simulated: bool, demo: bool = False) -> Result:
    """Return the result of a match as it stands."""
    outcome = match.outcome
    fewest_win = match.game.fewest_win
    placed = places(outcome.scores, outcome.winners, fewest_win=fewest_win) if match.over else {}
    seated = [Seated(seat, match.names[seat], outcome.scores[seat], placed.get(seat)) for seat in match.seats]
    seated.sort(key=lambda player: player.place or 0)
    looked_again = simulated and not demo and took_back_a_look(match)
    seconds = _seconds(match)
    return Result(
        number,
        began,
        simulated,
        match.game.slug,
        tuple(seated),
        match.over,
        seconds,
        demo,
        looked_again,
        souvenir(match),
    )


def corrected(result: Result, names: Mapping[int, str]) -> Result:
    """Return a result with these corrected names, by seat."""
    players = tuple(replace(player, name=names.get(player.seat, player.name)) for player in result.players)
    return replace(result, players=players) if names else result


def counted(results: Iterable[Result], table_simulated: bool) -> list[Result]:
    """Return the matches that count: people played them to the end and not for practice, and have not left them out. At
    a real table simulated ones don't count.
    """
    played = (result for result in results if result.over and not (result.demo or result.practice or result.left_out))
    return [result for result in played if table_simulated or not result.simulated]


def within(results: Iterable[Result], begins: str, ends: str) -> tuple[Result, ...]:
    """Return the matches of the evenings from one date to another, inclusive; `ends` is "" for no end."""
    return tuple(result for result in results if result.evening >= begins and (not ends or result.evening <= ends))


def season(results: tuple[Result, ...], table_simulated: bool) -> Season:
    """Return the summary of all matches of a table."""
    counting = counted(results, table_simulated)
    evenings = dict.fromkeys(result.evening for result in reversed(results) if not result.demo)
    return Season(results, len(counting), by_game(counting), tuple(evening for evening in evenings if evening))


def standings(results: Iterable[Result]) -> list[Standing]:
    """Return everybody's standing over matches that count, most wins first.

    Names are matched by `player_names.key`, since they are typed. Players without a name, and bots, are left out.
    """
    by_person: dict[str, list[tuple[str, Seated]]] = {}
    for result in results:
        for player in result.players:
            if player_names.is_persons(player.name):
                by_person.setdefault(player_names.key(player.name), []).append((result.game, player))
    ranking = [_standing(theirs) for theirs in by_person.values()]
    return sorted(
        ranking,
        key=lambda standing: (-standing.won, standing.place, -standing.played, player_names.plain(standing.name)),
    )


def by_game(results: Sequence[Result]) -> list[tuple[str | None, list[Standing]]]:
    """Return the standings of all games together (None), and of each by its slug if there are several."""
    played = sorted({result.game for result in results})
    of_games = [(game, standings(result for result in results if result.game == game)) for game in played]
    return [(None, standings(results)), *of_games] if len(of_games) > 1 else [*of_games]


def _standing(theirs: list[tuple[str, Seated]]) -> Standing:
    played = {game for game, _ in theirs}
    came = [player.place for _, player in theirs if player.place is not None]
    points = [player.points for _, player in theirs if player.points is not None]
    best = None
    if len(played) == 1 and points:
        best = min(points) if games.known()[played.pop()].fewest_win else max(points)
    name = " ".join(theirs[-1][1].name.split())
    return Standing(name, len(theirs), came.count(1), sum(came) / len(came), best)


def places(scores: Mapping[int, int | None], winners: Collection[int], *, fewest_win: bool) -> dict[int, int]:
    """Return the places by seat: the winners first, then by points. Ties share a place, as do seats without points.

    >>> places({1: 3, 2: 9, 3: 3, 4: 1}, [2], fewest_win=False)
    {2: 1, 1: 2, 3: 2, 4: 4}
    """
    # A game may have a winner with fewer points than another player, so only the others are placed by points.
    reckoned = {
        seat: (points or 0) * (1 if fewest_win else -1) for seat, points in scores.items() if seat not in winners
    }
    ahead = {seat: sum(rival < figure for rival in reckoned.values()) for seat, figure in reckoned.items()}
    return dict.fromkeys(winners, 1) | {seat: len(winners) + 1 + ahead[seat] for seat in reckoned}


def _seconds(match: Match) -> int | None:
    """Return the seconds from the start to the last ruling, so that taps after the end do not count."""
    if not match.over:
        return None
    last = max(verdict.seq for verdict in match.verdicts if not isinstance(verdict, Misplay))
    return round(match.seconds_played(match.events[last - 1].at))
