"""The emulator speaks the frames that NXP's manual and the Adafruit library's own words show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.drivers.pn532_uart import bytes_missing
from tests.emulators.pn532 import ACK, ERROR, NACK, Chip, frame, take_frame

PAYLOADS = st.binary(min_size=1, max_size=250)

GET_FIRMWARE = bytes.fromhex("0000FF02FED4022A00")
FIRMWARE_1_6 = bytes.fromhex("0000FF06FAD50332010607E800")
SAM_CONFIGURATION = bytes.fromhex("0000FF05FBD4140114010200")
WAKE_UP = b"\x55\x55" + bytes(15)


def test_a_command_is_framed_with_both_checksums() -> None:
    assert frame(b"\xd4\x02") == GET_FIRMWARE
    assert frame(b"\xd4\x14\x01\x14\x01") == SAM_CONFIGURATION


def test_a_chip_asleep_hears_nothing_before_it_is_woken() -> None:
    chip = Chip()
    assert chip.hear(GET_FIRMWARE) == []
    assert [reply.data for reply in chip.hear(WAKE_UP + GET_FIRMWARE)] == [ACK, FIRMWARE_1_6]


def test_a_listed_tag_is_told_with_number_atqa_sak_and_uid() -> None:
    chip = Chip(radio=0.25)
    chip.put("04A1B2C3D4E5F6")
    ack, listing = chip.hear(WAKE_UP + frame(b"\xd4\x4a\x02\x00"))
    assert (ack.after, listing.after) == (0.0, 0.25)
    assert take_frame(listing.data)[0] == bytes.fromhex("D54B 01 01 0044 00 07 04A1B2C3D4E5F6")


def test_with_endless_retries_the_answer_waits_for_a_tag() -> None:
    chip = Chip()
    assert [reply.data for reply in chip.hear(WAKE_UP + frame(b"\xd4\x4a\x01\x00"))] == [ACK]
    assert chip.idle() == []
    chip.put("01020304")
    assert [take_frame(reply.data)[0] for reply in chip.idle()] == [bytes.fromhex("D54B 01 01 0004 08 04 01020304")]


def test_a_seven_byte_tag_left_selected_misses_every_second_poll() -> None:
    chip = Chip()
    chip.put("04A1B2C3D4E5F6")
    polls = [chip.hear(WAKE_UP + frame(b"\xd4\x4a\x01\x00"))[1].data[7] for _ in range(4)]
    assert polls == [1, 0, 1, 0]


def test_a_command_the_chip_does_not_know_gets_the_error_frame() -> None:
    assert [reply.data for reply in Chip().hear(WAKE_UP + frame(b"\xd4\x99"))] == [ACK, ERROR]


def test_a_command_with_a_wrong_checksum_gets_no_answer() -> None:
    wrong = GET_FIRMWARE[:-2] + b"\x2b\x00"
    assert Chip().hear(WAKE_UP + wrong) == []


@given(PAYLOADS, st.integers(0, 260))
def test_a_frame_is_found_however_it_is_cut(payload: bytes, cut: int) -> None:
    chip_heard = WAKE_UP + frame(payload)
    first, remaining = take_frame(chip_heard[:cut])
    if first is None:
        first, remaining = take_frame(remaining + chip_heard[cut:])
    assert first == payload


@given(PAYLOADS, st.data())
def test_a_reader_never_asks_beyond_the_end_of_a_frame(payload: bytes, data: st.DataObject) -> None:
    whole = frame(payload)
    cut = data.draw(st.integers(0, len(whole) - 1))
    assert 0 < bytes_missing(whole[:cut]) <= len(whole) - cut
    assert bytes_missing(whole) == 0


@pytest.mark.parametrize("short", [ACK, NACK, ERROR], ids=["ack", "nack", "error"])
def test_the_short_frames_have_their_own_ends(short: bytes) -> None:
    assert all(0 < bytes_missing(short[:cut]) <= len(short) - cut for cut in range(len(short)))
    assert bytes_missing(short) == 0
