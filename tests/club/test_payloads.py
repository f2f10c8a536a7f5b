"""What another program wrote is read within bounds of our own, not a decoder's."""

import time

import pytest

from companion.club.payloads import DEEPEST, LARGEST, Ask, decoded, read


def nested(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


def test_nothing_is_read_that_is_deeper_than_any_payload() -> None:
    assert decoded(nested(DEEPEST))
    for deep in (nested(DEEPEST + 1), b'{"a":' * 100 + b"1" + b"}" * 100):
        with pytest.raises(ValueError, match="levels"):
            decoded(deep)
    assert read(b'{"since": 1, "more": ' + nested(DEEPEST) + b"}", Ask) is None


@pytest.mark.parametrize(
    "text", [b'"' + b"[" * 99 + b'"', b'"\\"' + b"{" * 99 + b'"', rb'"\\", "[[[["'.join([b"[", b"]"])]
)
def test_brackets_in_a_text_are_no_levels(text: bytes) -> None:
    assert decoded(text)


@pytest.mark.parametrize("filler", [b'\\"', b"[]", b'"', b"\\", b'["', b"]"])
def test_the_largest_payload_is_looked_through_once(filler: bytes) -> None:
    payload = b'"' + filler * ((LARGEST - 1) // len(filler))
    began = time.process_time()
    read(payload, Ask)
    assert time.process_time() < began + 5
