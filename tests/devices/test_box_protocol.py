"""The codec against the protocol's own document, and against any bytes at all."""

import re
from binascii import crc_hqx
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.buzzer_box import protocol as bp
from companion.devices.lamp_cues import Cue

DOCUMENT = Path(__file__).parents[2] / "firmware" / "protocol.md"
EXAMPLES = [
    (sender, line.encode())
    for block in re.findall(r"^```\n(.*?)^```$", DOCUMENT.read_text(), re.M | re.S)
    for sender, line in re.findall(r"^(box|pi)> (.*)$", block, re.M)
]
u32 = st.integers(0, 2**32 - 1)
u64 = st.integers(0, 2**64 - 1)
seqs = st.integers(1, 2**32 - 1)
buttons = st.integers(1, 6)
boots = st.text("0123456789ABCDEF", min_size=12, max_size=12)
versions = st.text([chr(c) for c in range(33, 127)], min_size=1, max_size=24)
channels = st.text("+tc-", min_size=1, max_size=6)
from_box = st.one_of(
    st.builds(bp.Hello, boots, versions, buttons, u32),
    st.builds(bp.OtherVersion, u32.filter(lambda version: version != bp.VERSION)),
    st.builds(bp.Press, boots, seqs, buttons, u64),
    st.builds(bp.Beat, boots, u64, u32, u32),
    st.builds(bp.ToldUpTo, boots, u64, u32),
    st.builds(bp.TimeAnswer, boots, u32, u64, u64),
    st.builds(bp.Tested, boots, channels, st.sampled_from(["power", "reset", "watchdog"]), u32, versions),
    st.builds(bp.Bounces, boots, u32, buttons, st.sampled_from(["waits", "closed", "open"]), u32, u32),
    st.builds(bp.GivesWay, boots),
    st.builds(bp.Touched, boots, u32, u32),
)
from_pi = st.one_of(
    st.builds(bp.AskHello, u32),
    st.builds(bp.Ack, boots, u32),
    st.builds(bp.AskTime, u32),
    st.builds(bp.Show, buttons, st.sampled_from(Cue)),
    st.builds(bp.ShowCounted, buttons, seqs),
    st.just(bp.AskTest()),
    st.builds(bp.AskBounces, u32, buttons),
    st.builds(bp.GivesWay, boots),
    st.builds(bp.Touch, u32, st.integers(1, 2), u32),
)


@pytest.mark.parametrize(("sender", "line"), EXAMPLES)
def test_an_example_of_the_document_reads_and_writes_back(sender, line):
    message = (bp.from_box if sender == "box" else bp.from_pi)(line)
    assert message is not None
    assert bp.encode(message) == line + b"\n"


def test_so_does_a_fingers():
    lines = [line.encode() for line in re.findall(r"finger> (.*)$", DOCUMENT.read_text(), re.M)]
    touch = bp.from_pi(lines[0])
    touched = bp.from_box(lines[1])
    assert (touch, touched) == (bp.Touch(7133, 1, 400), bp.Touched("7F3A21B09C4D", 7133, 400))
    assert [bp.encode(touch), bp.encode(touched)] == [line + b"\n" for line in lines]


def test_the_document_shows_every_kind_of_line():
    assert {(sender, line[:1]) for sender, line in EXAMPLES} == {
        *(("box", kind) for kind in (b"H", b"P", b"B", b"W", b"T", b"S", b"C", b"U")),
        *(("pi", kind) for kind in (b"H", b"A", b"T", b"L", b"N", b"S", b"C", b"U")),
    }


def test_the_checksum_has_the_value_the_document_gives():
    assert f"{crc_hqx(b'123456789', 0xFFFF):04X}" == "29B1"
    assert "`123456789` gives 29B1" in DOCUMENT.read_text()


def test_the_document_and_the_code_agree_on_version_memory_and_cues():
    text = DOCUMENT.read_text()
    assert all(f"`{cue}`" in text for cue in Cue)
    assert f"\nVersion {bp.VERSION}." in text
    assert f"the box keeps {bp.KEPT_AT_MOST} unacknowledged presses" in text


@given(from_box)
def test_a_message_of_the_box_is_what_its_line_says(message):
    [line] = bp.LineCutter().feed(bp.encode(message))
    assert bp.from_box(line) == message


@given(from_pi)
def test_a_message_of_the_pi_is_what_its_line_says(message):
    [line] = bp.LineCutter().feed(bp.encode(message))
    assert bp.from_pi(line) == message


def with_crc(body: bytes) -> bytes:
    return b"%b *%04X" % (body, crc_hqx(body, 0xFFFF))


@given(st.one_of(st.binary(max_size=90), st.binary(max_size=60).map(with_crc)))
def test_no_line_raises(line):
    for read in (bp.from_box, bp.from_pi):
        message = read(line)
        if message is not None and not isinstance(message, bp.OtherVersion):
            assert bp.encode(message) == line + b"\n", "one value, one text"


BOOT = b"7F3A21B09C4D"


@pytest.mark.parametrize(
    "body",
    [
        b"P %b 0 2 5" % BOOT,
        b"P %b 1 0 5" % BOOT,
        b"P %b 1 7 5" % BOOT,
        b"P %b 01 2 5" % BOOT,
        b"P %b +1 2 5" % BOOT,
        b"P %b 1_0 2 5" % BOOT,
        b"P %b 1 2 -5" % BOOT,
        b"P %b 1 2 18446744073709551616" % BOOT,
        b"P %b 4294967296 2 5" % BOOT,
        b"P %b 1 2 5 6" % BOOT,
        b"P %b 1 2" % BOOT,
        b"P  %b 1 2 5" % BOOT,
        b"P 7F3A 1 2 5",
        b"P %b 1 2 5" % BOOT.lower(),
        b"H 1 %b \xff 6 0" % BOOT,
        b"H 1 %b 1.0 7 0" % BOOT,
        b"S %b +++++++ power 5 1.0" % BOOT,
        b"S %b ++x+ power 5 1.0" % BOOT,
        b"S %b ++++ magic 5 1.0" % BOOT,
        b"C %b 1 7 closed 0 0" % BOOT,
        b"C %b 1 2 shut 0 0" % BOOT,
        b"C %b 1 2 closed 0 -1" % BOOT,
        b"C %b 1 2 closed 0" % BOOT,
        b"U",
        b"X 1",
        b"",
    ],
)
def test_a_line_that_is_not_exactly_right_is_ignored(body):
    assert bp.from_box(with_crc(body)) is None


@pytest.mark.parametrize(
    "body",
    [b"L 7 first", b"L 2 disco", b"L 2 FIRST", b"L 2", b"N 0 7", b"N 2 0", b"N 2", b"S 1", b"C 1 0", b"C 1", b"U x"],
)
def test_a_line_to_the_box_that_is_not_exactly_right_is_ignored(body):
    assert bp.from_pi(with_crc(body)) is None


def test_the_hello_of_another_version_is_told_from_noise():
    assert bp.from_box(with_crc(b"H 2 something else altogether")) == bp.OtherVersion(2)


def test_a_carriage_return_of_a_console_does_no_harm():
    line = with_crc(b"P %b 1 2 5" % BOOT)
    assert bp.LineCutter().feed(line + b"\r\n") == [line]


@given(st.lists(from_box, min_size=1, max_size=8), st.data())
def test_noise_loses_at_most_the_line_it_hits(messages, data):
    lines = [bp.encode(message) for message in messages]
    hit = data.draw(st.integers(0, len(lines) - 1))
    at = data.draw(st.integers(0, len(lines[hit]) - 1))
    noise = data.draw(st.binary(max_size=200))
    stream = b"".join([*lines[:hit], lines[hit][:at], noise, lines[hit][at:], *lines[hit + 1 :]])
    heard = read_in_pieces(stream, data)
    other_messages = messages[:hit] + messages[hit + 1 :]
    remaining = iter(heard)
    assert all(message in remaining for message in other_messages), "all the others came, in order"


@given(st.lists(from_box, max_size=8), st.data())
def test_bytes_may_come_in_any_pieces(messages, data):
    stream = b"".join(bp.encode(message) for message in messages)
    assert read_in_pieces(stream, data) == messages


def read_in_pieces(stream, data):
    lines = bp.LineCutter()
    heard = []
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=6).map(sorted))
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        heard += [bp.from_box(line) for line in lines.feed(stream[start:end])]
    return [message for message in heard if message is not None]


def test_endless_noise_without_a_line_end_takes_no_memory():
    lines = bp.LineCutter()
    for _ in range(1000):
        assert lines.feed(b"x" * 1000) == []
        assert len(lines._rest) <= 81
    good = bp.encode(bp.AskTime(1))
    assert lines.feed(good) == [], "the end of a line that began as noise"
    lines.feed(b"x" * 100)
    assert lines.feed(b"\n" + good) == [good[:-1]]
