"""The chain of digests through a record, which shows whether an event was altered, left out or moved.

An event's digest is the SHA-256 of the digest before it, as its 64 digits (nothing for the first event), and the
event's JSON without `digest`: keys sorted, no spaces, UTF-8, numbers as Python's `json` writes them.

>>> first = b'{"seq": 1, "at": 0.5, "kind": "pressed", "seat": 1}'
>>> digest, = chain([first])
>>> digest == hashlib.sha256(b'{"at":0.5,"kind":"pressed","seat":1,"seq":1}').hexdigest()
True
>>> list(chain([first, first]))[1] == list(chain([first], digest))[0]
True
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from companion.events import Event
from companion.judge.record_file import Damaged, decode_lines

_PYTHONS = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True)
_ALTERED = "the digest does not match: this event was altered, or one before it left out"
_SPELT_OTHERWISE = re.compile(rb"\de|0\.0000")
"""Numbers that msgspec may spell differently from Python: with an exponent, or very small."""


def chain(lines: Iterable[bytes], previous: str = "") -> Iterator[str]:
    """Yield the digest of each of these events, which follow the one whose digest is `previous`; "" for the first."""
    for line in lines:
        previous = _following(previous, msgspec.json.decode(line))
        yield previous


def bearing(line: bytes, digest: bytes) -> bytes:
    """Return an event's line, as the companion writes it, with the digest added at its end."""
    return b'%b,"digest":"%b"}' % (line[:-1], digest)


def decode_verified(lines: Iterable[bytes]) -> Iterator[Event]:
    """Read a record's lines as `decode_lines` does, and refuse one whose digest is wrong or missing.

    Raises `Damaged`.
    """
    return decode_lines(_verified(lines))


def see_that_none_was_altered(stored: Sequence[tuple[bytes, bytes]]) -> None:
    """Verify only the digests of these lines, because only their game knows what the events mean. Raises `Damaged`."""
    try:
        digests = [*chain(line for line, _ in stored)]
    except ValueError as wrong:
        raise Damaged(1, f"not JSON: {wrong}") from None
    for number, (digest, (_, stored_digest)) in enumerate(zip(digests, stored, strict=True), 1):
        if digest.encode() != stored_digest:
            raise Damaged(number, _ALTERED)


def _verified(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Pass the lines on to the decoder, and verify each one afterwards."""
    # Not before: a line that can't be decoded gets the decoder's message, which says what is wrong with it. The decoder
    # asks for the next line only once it has decoded this one.
    previous = ""
    for number, line in enumerate(lines, 1):
        yield line
        event = msgspec.json.decode(line)
        digest = event.pop("digest", None)
        if digest is None:
            raise Damaged(number, "no `digest`, so whether it was altered can't be seen")
        previous = _following(previous, event)
        if digest != previous:
            raise Damaged(number, _ALTERED)


def _following(previous: str, event: Any) -> str:
    return hashlib.sha256(previous.encode() + _written(event)).hexdigest()


def _written(event: Any) -> bytes:
    """Encode as Python's `json` does, in a fifth of the time."""
    written = msgspec.json.encode(event, order="sorted")
    return _PYTHONS.encode(event).encode() if _SPELT_OTHERWISE.search(written) else written
