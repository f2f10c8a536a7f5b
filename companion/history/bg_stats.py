"""Exports matches to the app BG Stats: a link that passes it one match, and a file of plays.

The link follows the app's documentation (bgstatsapp.com, "Push plays to BG Stats"). The file format is not documented:
its keys are those that BG Stats itself writes and other programs read. Games, people and the place, which the user of
the app matches by hand, are given by name.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

import msgspec

from companion import games, player_names
from companion.history.standings import Result, Seated

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Table companion"
_OURS = uuid5(NAMESPACE_URL, "urn:table-companion:plays")
"""The namespace of the ids of plays, games and persons, which are the same in every export."""


def can_take(result: Result) -> bool:
    """Return whether a match can be exported: people played it to its end, and its date is known."""
    return result.over and not result.demo and not result.left_out and bool(result.evening)


def link(result: Result) -> str:
    """Return the address that opens the app with this match; "" if it can't be exported."""
    if not can_take(result):
        return ""
    play = {
        "sourceName": SOURCE,
        "sourcePlayId": _id("play", result.began, str(result.match)),
        "playDate": _written(_began(result).astimezone(UTC)),
        "durationMin": _minutes(result),
        "location": SOURCE,
        "comments": "SIMULATED" if result.simulated else "",
        "game": {"sourceGameId": result.game, "name": _title(result), **_counting(result)},
        "players": [
            {**_score(player), "name": _name(player), "sourcePlayerId": _person(player), "role": ""}
            for player in result.players
        ],
    }
    return ADDRESS + quote(msgspec.json.encode(play).decode(), safe="")


def play_file(matches: Iterable[Result]) -> bytes:
    """Return a `.bgsplay` file of these matches."""
    results = list(matches)
    slugs = list(dict.fromkeys(result.game for result in results))
    seated = {_person(player): _name(player) for result in results for player in result.players}
    people = list(seated)
    title = {result.game: {"name": _title(result), **_counting(result)} for result in results}
    flags = {"cooperative": False, "usesTeams": False, "bggId": 0, "bggYear": 0}
    plays = [
        {
            "uuid": _id("play", result.began, str(result.match)),
            "playDate": _written(_began(result)),
            "durationMin": _minutes(result),
            "gameRefId": slugs.index(result.game) + 1,
            "locationRefId": 1,
            "ignored": False,
            "manualWinner": False,
            "usesTeams": False,
            "rounds": 0,
            "rating": 0,
            "scoringSetting": 0,
            "comments": "SIMULATED" if result.simulated else "",
            "playerScores": [
                {
                    **_score(player),
                    "score": "" if player.points is None else str(player.points),
                    "playerRefId": people.index(_person(player)) + 1,
                    "newPlayer": False,
                    "seatOrder": player.seat,
                }
                for player in result.players
            ],
        }
        for result in results
    ]
    return msgspec.json.encode(
        {
            "games": [
                {"id": number, "uuid": _id("game", slug), **title[slug], **flags}
                for number, slug in enumerate(slugs, 1)
            ],
            "players": [
                {"id": number, "uuid": _id("player", person), "name": seated[person], "isAnonymous": False}
                for number, person in enumerate(people, 1)
            ],
            "locations": [{"id": 1, "uuid": _id("location"), "name": SOURCE}],
            "plays": plays,
            "userInfo": {"meRefId": 0},
        }
    )


def _counting(result: Result) -> dict[str, Any]:
    no_points = all(player.points is None for player in result.players)
    return {"highestWins": not games.known()[result.game].fewest_win, "noPoints": no_points}


def _score(player: Seated) -> dict[str, Any]:
    """Return the fields on a player that link and file share. Who began is not known in every game, but the app rejects
    a link without `startPlayer`.
    """
    fields: dict[str, Any] = {"winner": player.place == 1, "rank": player.place, "startPlayer": False}
    return fields if player.points is None else {**fields, "score": player.points}


def _title(result: Result) -> str:
    return games.known()[result.game].title


def _name(player: Seated) -> str:
    return player.name or f"Seat {player.seat}"


def _person(player: Seated) -> str:
    return player_names.key(player.name) or f"seat-{player.seat}"


def _began(result: Result) -> datetime:
    return datetime.fromisoformat(result.began)


def _minutes(result: Result) -> int:
    return max(1, round((result.seconds or 0) / 60))


def _written(when: datetime) -> str:
    return f"{when:%Y-%m-%d %H:%M:%S}"


def _id(*parts: str) -> str:
    return str(uuid5(_OURS, "/".join(parts))).upper()
