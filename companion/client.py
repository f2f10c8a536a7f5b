"""A client for programs: the table as everybody may know it, as it is and as it changes.

It stands alone: it needs nothing but Python, and nothing else of the companion.

    python -m companion.client http://table.lan:8000
"""

import json
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

SILENCE_S = 10.0
"""Seconds without a sign of life after which a connection is taken for lost: a table gives one every four."""
AGAIN_S = 1.0
"""Seconds until a table that was lost is asked again."""


class NoAnswer(OSError):
    """The table can't be reached, or can't answer: why."""


@dataclass(frozen=True)
class PlayerShown:
    """Who plays at a seat."""

    seat: int
    name: str
    animal: str
    colour: str
    points: int | None
    """None: the match has no scores."""
    won: bool


@dataclass(frozen=True)
class FollowedTable:
    """The table as everybody may know it."""

    match: int | None
    """The match's number; None: none has been started yet."""
    game: str
    """The game's title, in the language asked for; "" while there is no match."""
    headline: str
    """What just happened; "" for nothing."""
    task: str
    """What the table waits for; "" for nothing."""
    players: tuple[PlayerShown, ...]
    demo: bool
    """Whether it is nobody's match: it plays itself."""
    view: Mapping[str, Any] | None
    """Everything that everybody may know, as the game shows it; None while there is no match."""

    @property
    def winners(self) -> tuple[PlayerShown, ...]:
        """Who has won; () while the match goes on."""
        return tuple(player for player in self.players if player.won)


@dataclass(frozen=True)
class PlacedPlayer:
    """A player of an earlier match."""

    name: str
    points: int | None
    """None: the match has no scores."""
    place: int | None
    """From 1, shared by equals; None while the match is not over."""


@dataclass(frozen=True)
class EndedMatch:
    """How a match ended."""

    match: int
    game: str
    """The game's name in addresses and files, as `stop-it`."""
    began: str
    """Local time, ISO 8601; "" while nobody knows when it was."""
    over: bool
    players: tuple[PlacedPlayer, ...]
    """The winners first."""


@dataclass
class _Message:
    """One of a stream of server-sent events, while its lines come."""

    number: str
    kind: str = "message"
    lines: list[str] = field(default_factory=list)


class TableClient:
    """Reads what a table tells programs. Each method may be used from any thread."""

    def __init__(self, address: str, language: str = "en") -> None:
        """`address` is what phones open, for example "http://table.lan:8000"; sentences come in `language`."""
        self._address = f"{address.rstrip('/')}/api/1"
        self._language = language

    def now(self) -> FollowedTable:
        """Return the table as it is. Raises `NoAnswer`."""
        return _followed_table(self._read("public", lang=self._language))

    def results(self, after: int = 0) -> Iterator[EndedMatch]:
        """Yield how the matches behind this one ended, oldest first. Raises `NoAnswer`."""
        while page := self._read("results", after=after):
            yield from map(_ended_match, page)
            after = page[-1]["match"]

    def follow(self) -> Iterator[FollowedTable]:
        """Yield the table as it is, and again whenever it has changed, for ever: a lost table is waited for."""
        number = ""
        while True:
            try:
                for message in self._messages(number):
                    number = message.number
                    if message.kind == "message" and message.lines:
                        yield _followed_table(json.loads("\n".join(message.lines)))
            except (OSError, HTTPException):
                pass  # the table, or the network, is away for a while
            time.sleep(AGAIN_S)

    def _messages(self, number: str) -> Iterator[_Message]:
        """Yield what comes after the message of this number. Raises OSError and HTTPException."""
        request = Request(f"{self._address}/stream?{urlencode({'lang': self._language})}")
        if number:
            request.add_header("Last-Event-ID", number)
        with urlopen(request, timeout=SILENCE_S) as answer:
            message = _Message(number)
            for line in answer:
                key, _, value = line.decode().rstrip("\n").partition(": ")
                match key:
                    case "id":
                        message.number = value
                    case "event":
                        message.kind = value
                    case "data":
                        message.lines.append(value)
                    case "":
                        yield message
                        message = _Message(message.number)

    def _read(self, path: str, **query: object) -> Any:
        """Return an answer. Raises `NoAnswer`."""
        try:
            with urlopen(f"{self._address}/{path}?{urlencode(query)}", timeout=SILENCE_S) as answer:
                return json.load(answer)
        except HTTPError as refused:
            with refused:
                raise NoAnswer(_detail(refused)) from refused
        except (OSError, HTTPException, json.JSONDecodeError) as wrong:
            raise NoAnswer(f"{self._address} does not answer: {wrong}") from wrong


def _detail(refused: HTTPError) -> str:
    """Return what the table says about why it can't answer."""
    try:
        return str(json.load(refused)["detail"])
    except (ValueError, KeyError, TypeError):
        return f"it answers {refused.code} {refused.reason}"


def _followed_table(content: Mapping[str, Any]) -> FollowedTable:
    sentences = content["said"] or {"game": "", "news": "", "task": ""}
    players = tuple(
        PlayerShown(
            player["seat"], player["name"], player["animal"], player["colour"], player["points"], bool(player["won"])
        )
        for player in content["players"]
    )
    return FollowedTable(
        content["match"],
        sentences["game"],
        sentences["news"],
        sentences["task"],
        players,
        content["demo"],
        content["view"],
    )


def _ended_match(content: Mapping[str, Any]) -> EndedMatch:
    players = tuple(PlacedPlayer(player["name"], player["points"], player["place"]) for player in content["players"])
    return EndedMatch(content["match"], content["game"], content["began"], content["over"], players)


def main() -> None:
    """Print what a table tells, a line whenever it has changed."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m companion.client http://table.lan:8000")
    with suppress(KeyboardInterrupt):
        for table in TableClient(sys.argv[1]).follow():
            points = (f"{player.name} {player.points}" for player in table.players if player.points is not None)
            line = " · ".join((table.headline or table.task, *points))
            print("".join(filter(str.isprintable, line)), flush=True)  # a terminal obeys what is not printable


if __name__ == "__main__":
    main()
