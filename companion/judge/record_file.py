"""The record of a match as a file: UTF-8 JSON Lines, one event a line, strictly decoded.

A damaged record is refused as a whole: `Damaged` gives the line and what is wrong.

>>> record = b'''{"seq": 1, "at": 0, "kind": "started", "game": "kartel", "options": {},
... "players": [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Bo"}]}'''.replace(b"\\n", b"")
>>> [event.seq for event in decode(record + b'\\n{"seq": 2, "at": 1.5, "kind": "pressed", "seat": 1}')]
[1, 2]
>>> decode(record + b'\\n{"seq": 4, "at": 1.5, "kind": "pressed", "seat": 1}')
Traceback (most recent call last):
companion.judge.record_file.Damaged: line 2: seq 4 where 2 is due
"""

import io
import json
import math
import re
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

import msgspec

from companion import games
from companion.errors import WrongInput
from companion.events import KINDS, UNKNOWN, Event, Lifted, Retracted, Started, Tapped

FARTHEST = 1e12
"""Seconds, some 30,000 years: no table's clock gets there, and a float here still tells milliseconds apart."""

DIGEST = "[0-9A-Fa-f]{64}"
"""The form of a digest, as accepted without verifying it; the companion itself writes lower-case letters."""
_DIGEST_AT_THE_END = re.compile(rb',"digest":"[0-9a-f]{64}"}')
"""The end of a line on which the companion wrote a digest."""
_ITS_LENGTH = 77
"""Bytes of that: `,"digest":"`, 64 digits, and `"}`."""

_EVENT: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


class Damaged(WrongInput):
    """The record can't be judged: `line` (from 1) and what is wrong with it."""

    def __init__(self, line: int, why: str):
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


class NotInstalled(Damaged):
    """The record may be intact, but its game is not installed, so it can't be judged."""


class _NoSuchGame(WrongInput):
    """The first event's game is not installed."""


def decode(data: bytes) -> tuple[Event, ...]:
    """Read a whole record. Raises `Damaged`."""
    return tuple(decode_lines(io.BytesIO(data)))


def decode_lines(lines: Iterable[bytes]) -> Iterator[Event]:
    """Read a record's lines one by one, as a file gives them: it need not fit into memory. Raises `Damaged`.

    Digests are not verified here; but a record has them on every event or on none.
    """
    number = 0
    digested = False
    for number, line in enumerate(lines, 1):
        try:
            event, bears_one = _with_or_without_digest(line.removesuffix(b"\n"))
            _check(event, number)
            digested = bears_one if number == 1 else digested
            if bears_one != digested:
                raise ValueError("a `digest` on some events only; every event bears one, or none does")
        except _NoSuchGame as wrong:
            raise NotInstalled(number, str(wrong)) from None
        except ValueError as wrong:
            raise Damaged(number, str(wrong)) from None
        yield event
    if not number:
        raise Damaged(1, "the file is empty; a record begins with a `started` event")


def decode_line(line: bytes) -> Event:
    """Read one event. Raises ValueError with what is wrong."""
    event, _ = _with_or_without_digest(line)
    return event


def _with_or_without_digest(line: bytes) -> tuple[Event, bool]:
    """Read one event, and whether it bears a digest. Raises ValueError with what is wrong."""
    end = _DIGEST_AT_THE_END.fullmatch(line, max(0, len(line) - _ITS_LENGTH))
    event = _as_written(line[: end.start()] + b"}" if end else line)
    return (event, end is not None) if event else _looked_through(line)


def _as_written(line: bytes) -> Event | None:
    """Read a line that is byte for byte as the companion writes it, so nothing in it is lost or doubled.

    Ten times as fast as examining the line; None if it must be examined.
    """
    try:
        event: Event = _EVENT.decode(line)
        return event if encode_line(event) == line and abs(event.at) <= FARTHEST else None
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def _looked_through(line: bytes) -> tuple[Event, bool]:
    """Read a line that another program may have written. Raises ValueError with what is wrong."""
    if not line.strip():
        raise ValueError("a blank line")
    try:
        text = line.decode()
    except UnicodeDecodeError as wrong:
        raise ValueError(f"not UTF-8 at byte {wrong.start + 1}") from None
    try:
        fields = json.loads(
            text, object_pairs_hook=_object, parse_int=_whole, parse_float=_finite, parse_constant=_no_number
        )
    except json.JSONDecodeError as wrong:
        raise ValueError(f"not JSON: {wrong.msg} at column {wrong.colno}") from None
    except RecursionError:
        raise ValueError("not an event: nested far too deeply") from None
    if not isinstance(fields, dict):
        raise ValueError("not a JSON object")
    # Only an escape can make half a character in valid UTF-8, so the costly check is skipped for every other line.
    if "\\u" in text:
        _whole_characters(fields)
    digests = [fields.pop("digest")] if "digest" in fields else []
    try:
        event: Event = msgspec.convert(fields, Event)
    except msgspec.ValidationError as wrong:
        raise ValueError(_explained(str(wrong), fields)) from None
    if abs(event.at) > FARTHEST:
        raise ValueError(f"`at` {event.at} is beyond any table's clock")
    if not all(isinstance(digest, str) and re.fullmatch(DIGEST, digest) for digest in digests):
        raise ValueError("`digest` is not 64 hexadecimal digits")
    return event, bool(digests)


def encode(events: Iterable[Event]) -> bytes:
    """Write a record; `decode` reads the same events back."""
    return b"".join(encode_line(event) + b"\n" for event in events)


def encode_line(event: Event) -> bytes:
    """Write one event as a line of the record, without its end of line."""
    return msgspec.json.encode(event)


def check_readable(event: Event) -> None:
    """Check that `decode` will read back what `encode` writes of this event. Raises `WrongInput`.

    Nothing else may enter a log: one value that can't be read back would cost the whole match.
    """
    try:
        read_back = decode_line(encode_line(event))
        same = read_back == event or _as_json(read_back) == _as_json(event)
    except (msgspec.MsgspecError, TypeError, RecursionError, ValueError) as wrong:
        raise WrongInput(f"can't be recorded: {wrong}") from None
    if not same:
        raise WrongInput("can't be recorded: it would be read back as something else")


def check_started(started: Started) -> msgspec.Struct:
    """Check that a match can be played like this, and return its options. Raises `WrongInput` with what is wrong."""
    game = games.known().get(started.game)
    if game is None:
        raise _NoSuchGame(f"unknown game {started.game!r}; known: {', '.join(games.known())}")
    seats = [player.seat for player in started.players]
    if len(set(seats)) < len(seats):
        raise WrongInput("a seat occurs twice among the players")
    if not game.fewest_players <= len(seats) <= game.most_players:
        most = game.most_players
        fitting = f"{game.fewest_players} to {most}" if game.fewest_players < most else f"{most}"
        raise WrongInput(f"{len(seats)} players; {game.title} is for {fitting}")
    try:
        options: msgspec.Struct = msgspec.convert(started.options, game.options)
    except msgspec.ValidationError as wrong:
        raise WrongInput(f"options of {game.title}: {wrong}") from None
    return options


def _as_json(event: Event) -> Any:
    """Encode with Python's encoder, which refuses an infinity; msgspec's writes null."""
    return json.loads(json.dumps(msgspec.to_builtins(event, str_keys=True), allow_nan=False))


def _check(event: Event, number: int) -> None:
    if isinstance(event, Tapped | Lifted) and event.place not in games.places():
        raise ValueError(f"unknown place {event.place!r}; known: {', '.join(games.places())}")
    if event.seq != number:
        raise ValueError(f"seq {event.seq} where {number} is due")
    match event:
        case Started() if number == 1:
            check_started(event)
        case Started():
            raise ValueError("a second `started`; a record holds one match")
        case _ if number == 1:
            raise ValueError("the first event is not `started`")
        case Retracted(target=target) if not 1 < target < number:
            raise ValueError(f"can't take back event {target} here, only an earlier one, and not the first")
        case Tapped(card=card, tag=msgspec.UNSET) if card == UNKNOWN:
            raise ValueError('a card "?" without the `tag` that names it')


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} twice")
    return fields


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"a whole number of {len(text)} digits is too long") from None


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is not a finite number")
    return number


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a JSON number")


def _whole_characters(fields: dict[str, Any]) -> None:
    """Check that escapes like \\ud800 left no half characters, which no UTF-8 file can hold."""
    try:
        json.dumps(fields, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("half a character (a lone surrogate escape)") from None


def _explained(wrong: str, fields: dict[str, Any]) -> str:
    kind = fields.get("kind")
    if "kind" in fields and kind not in KINDS:
        return f"unknown kind {kind!r}; known: {', '.join(KINDS)}"
    return wrong
