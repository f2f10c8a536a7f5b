"""The chain of digests: what was altered, left out or put elsewhere is refused with its line."""

import hashlib
import json
from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.events import Player, Pressed, Said, Started
from companion.judge.digest_chain import _written, bearing, chain, decode_verified
from companion.judge.record_file import Damaged, decode, encode_line

EVENTS = (
    Started(1, 0.0, "stop-it", (Player(1, "Cléo"), Player(2, "Bo")), {"tie_window": 1e-5}),
    Said(2, 1e-6, 2, "count", {"b": 1e22, "a": [10**40, "é\x1f\u2028"]}),
    Pressed(3, 7331.000001, 1),
    Pressed(4, 7331.0, 1),
)
LINES = [encode_line(event) for event in EVENTS]
CHAINED = [bearing(line, digest.encode()) for line, digest in zip(LINES, chain(LINES), strict=True)]


def written(event: object) -> bytes:
    return json.dumps(event, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def verify(lines: list[bytes]) -> tuple[object, ...]:
    return tuple(decode_verified(lines))


def test_a_digest_is_the_one_that_record_md_describes() -> None:
    last_digest = ""
    for line in CHAINED:
        event = json.loads(line)
        digest = event.pop("digest")
        last_digest = hashlib.sha256(last_digest.encode() + written(event)).hexdigest()
        assert digest == last_digest


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(), inside, max_size=4),
    max_leaves=8,
)


@given(ANYTHING)
def test_whatever_was_said_every_python_writes_the_same_letters_under_a_digest(value: object) -> None:
    line = json.dumps({"value": value}).encode()
    assert _written(msgspec.json.decode(line)) == written(json.loads(line))


def test_who_verifies_and_who_does_not_read_the_same_events() -> None:
    assert verify(CHAINED) == decode(b"\n".join(CHAINED)) == EVENTS


def test_a_record_that_others_wrote_is_verified_by_what_it_says_and_not_by_how_it_is_spelt() -> None:
    spelt = [json.dumps(dict(reversed(json.loads(line).items())), indent=None).encode() for line in CHAINED]
    assert spelt != CHAINED
    assert verify(spelt) == EVENTS


ALTERED: dict[str, tuple[Callable[[list[bytes]], list[bytes]], int]] = {
    "an event": (lambda lines: [*lines[:2], lines[2].replace(b'"seat":1', b'"seat":2'), lines[3]], 3),
    "a digest": (lambda lines: [*lines[:3], bearing(LINES[3], b"0" * 64)], 4),
    "its letters": (lambda lines: [*lines[:3], lines[3][:-66] + lines[3][-66:].upper()], 4),
    "who was first": (lambda lines: [*lines[:1], *_swapped(lines[1:3]), lines[3]], 2),
}


def _swapped(lines: list[bytes]) -> list[bytes]:
    return [lines[1].replace(b'"seq":3', b'"seq":2'), lines[0].replace(b'"seq":2', b'"seq":3')]


@pytest.mark.parametrize(("alter", "line"), ALTERED.values(), ids=ALTERED.keys())
def test_what_was_altered_is_refused_by_who_verifies_and_judged_by_who_does_not(
    alter: Callable[[list[bytes]], list[bytes]], line: int
) -> None:
    altered = alter(CHAINED)
    assert len(decode(b"\n".join(altered))) == 4
    with pytest.raises(Damaged, match=f"line {line}: the digest does not match"):
        verify(altered)


def test_a_record_without_digests_can_not_be_verified() -> None:
    with pytest.raises(Damaged, match="line 1: no `digest`"):
        verify(LINES)


@pytest.mark.parametrize(("lines", "line"), [([CHAINED[0], LINES[1]], 2), ([LINES[0], LINES[1], CHAINED[2]], 3)])
def test_every_event_bears_a_digest_or_none_does(lines: list[bytes], line: int) -> None:
    with pytest.raises(Damaged, match=f"line {line}: .*every event bears one, or none does"):
        decode(b"\n".join(lines))


@pytest.mark.parametrize("digest", [b'""', b"null", b"7", b'"%b"' % (b"0" * 63), b'"%b"' % (b"g" * 64)])
def test_a_digest_is_64_hexadecimal_digits(digest: bytes) -> None:
    with pytest.raises(Damaged, match="line 1: `digest` is not 64 hexadecimal digits"):
        decode(b'%b,"digest":%b}' % (LINES[0][:-1], digest))
