"""A PN532 reader on a serial port: the real library and the real pyserial against an emulated chip."""

import errno
import sys
import termios
import time
from collections.abc import Callable, Iterator, Sequence

import msgspec
import pytest
import serial

from companion.devices.drivers import pn532_uart
from companion.devices.drivers.pn532_uart import Reader, bus
from companion.devices.readers import pn532
from companion.devices.readers.pn532 import Bus, Connection, ReaderFault, configure, poll, rest, tags_in
from companion.devices.readers.source import ReaderSource
from companion.devices.sensing import Appeared, Crowded, Failed, Gone, NotThere, Sensing, Tag, TagKind, Working
from companion.errors import NotKept
from companion.events import PHONE
from tests.devices.readers import CARD, OTHER, SHORT, all_listening, count, listening, telling, uids
from tests.emulators.pn532 import Reply, UartPN532
from tests.emulators.pn532_i2c import EmulatedReset
from tests.waiting import until


@pytest.fixture
def chip() -> Iterator[UartPN532]:
    with UartPN532() as emulated:
        yield emulated


def source(chip: UartPN532) -> ReaderSource:
    return Reader(place="pad", port=chip.path).open(time.monotonic)


# Cards


def test_a_reader_that_works_says_which_chip_it_is(chip: UartPN532) -> None:
    reader = source(chip)
    reader.start()
    with listening(reader) as told:
        until(lambda: told)
    assert isinstance(told[0], Working)
    assert (told[0].source, told[0].detail) == ("reader pad", "PN532 firmware 1.6")


@pytest.mark.parametrize("uid", [CARD, SHORT])
def test_a_card_is_told_when_it_comes_and_when_it_goes(chip: UartPN532, uid: str) -> None:
    with listening(source(chip)) as told:
        chip.wait_polls(3)
        chip.put(uid)
        until(lambda: uids(told, Appeared) == [uid])
        chip.clear()
        until(lambda: uids(told, Gone) == [uid])
    assert [type(news) for news in told] == [Working, Appeared, Gone]


def test_a_still_card_is_told_once_though_polls_miss_it(chip: UartPN532) -> None:
    chip.put(CARD)
    with listening(source(chip)) as told:
        for _ in range(5):
            chip.wait_polls(6)
            chip.miss(3)
    assert [type(news) for news in told] == [Working, Appeared]


def test_a_card_in_the_place_of_another_is_told_at_once(chip: UartPN532) -> None:
    chip.put(CARD)
    with listening(source(chip)) as told:
        until(lambda: uids(told, Appeared) == [CARD])
        chip.swap(OTHER)
        until(lambda: uids(told, Appeared) == [CARD, OTHER])
    assert uids(told, Gone) == [CARD]


def test_two_tags_are_a_crowd_until_one_is_alone(chip: UartPN532) -> None:
    chip.put(CARD)
    chip.put(OTHER)
    with listening(source(chip)) as told:
        chip.wait_polls(10)
        assert [type(news) for news in told] == [Working, Crowded]
        chip.take(CARD)
        until(lambda: uids(told, Appeared) == [OTHER])


def test_a_tag_with_seven_bytes_is_read_at_every_poll(chip: UartPN532) -> None:
    chip.put(CARD)
    connection = bus(chip.path).connect()
    configure(connection.chip)
    for _ in range(20):
        assert poll(connection.chip) == (Tag(CARD),)
        rest(connection.chip)
    connection.close()


def test_a_phone_among_the_tags_does_not_hide_the_other(chip: UartPN532) -> None:
    chip.put("08AABBCC", ats=bytes.fromhex("7577810280"))
    chip.put(CARD)
    connection = bus(chip.path).connect()
    configure(connection.chip)
    assert poll(connection.chip) == (Tag(PHONE, TagKind.PHONE), Tag(CARD))
    connection.close()


def test_a_phone_is_told_once_without_its_uid_however_often_that_changes(chip: UartPN532) -> None:
    chip.put("08AABBCC", ats=bytes.fromhex("7577810280"))
    with listening(source(chip)) as told:
        chip.wait_polls(20)
        chip.clear()
        until(lambda: uids(told, Gone) == [PHONE])
    assert uids(told, Appeared) == [PHONE]
    assert "08AABBCC" not in chip._tags


@pytest.mark.parametrize(
    ("listing", "tag"),
    [
        ("0044 00 07 04A1B2C3D4E5F6", Tag("04A1B2C3D4E5F6", TagKind.STICKER)),
        ("0004 08 04 01020304", Tag("01020304", TagKind.PASS)),
        ("0002 18 04 01020304", Tag("01020304", TagKind.PASS)),
        ("0044 08 07 04A1B2C3D4E5F6", Tag("04A1B2C3D4E5F6", TagKind.PASS)),
        ("0004 20 04 01020304 05 75778102", Tag(PHONE, TagKind.PHONE)),
        ("0344 20 07 04A1B2C3D4E5F6 05 75778102", Tag(PHONE, TagKind.PHONE)),
        ("0004 28 04 01020304 05 75778102", Tag(PHONE, TagKind.PHONE)),
        ("0004 00 04 08ABCDEF", Tag(PHONE, TagKind.PHONE)),
    ],
)
def test_a_sticker_a_pass_and_a_phone_are_told_apart(listing: str, tag: Tag) -> None:
    assert tags_in(bytes.fromhex("01 01" + listing)) == (tag,)


@pytest.mark.parametrize(
    "listing",
    [
        "01 01 0044 00 04 04A1B2C3D4E5F6",
        "00 01 0044 00 07 04A1B2C3D4E5F6",
        "01 01 0044 00 07 04A1B2C3D4E5F6 02 0044 00 07 04B1B2C3D4E5F6",
    ],
    ids=["a length too short", "a count of none", "a count of one"],
)
def test_a_listing_that_does_not_come_out_even_is_no_uid(listing: str) -> None:
    with pytest.raises(ValueError, match="beyond"):
        tags_in(bytes.fromhex(listing))


class LosesZeros(UartPN532):
    """Two zeros of a uid are lost on the wire, which changes no sum."""

    def hear(self, data: bytes) -> list[Reply]:
        return [Reply(after, told.replace(bytes(4), bytes(2))) for after, told in super().hear(data)]


def test_an_answer_that_lost_zeros_on_the_way_is_none_though_its_sum_is_right() -> None:
    """The library would take the sum, and the zero after it, for the end of the uid."""
    with LosesZeros() as chip:
        connection = bus(chip.path).connect()
        configure(connection.chip)
        chip.put("04000000000001")
        with pytest.raises(ReaderFault, match="no whole answer"):
            poll(connection.chip)
        connection.close()


def test_a_listing_cut_short_is_no_uid() -> None:
    with pytest.raises((ValueError, IndexError)):
        tags_in(bytes.fromhex("01 01 0044 00 07 04A1B2"))


# Faults


def silence(chip: UartPN532) -> None:
    chip.silent = True


def speak(chip: UartPN532) -> None:
    chip.silent = False


def by_itself(chip: UartPN532) -> None:
    pass


FAULTS = pytest.mark.parametrize(
    ("harm", "cure"),
    [
        pytest.param(silence, speak, id="silence"),
        pytest.param(UartPN532.unplug, UartPN532.replug, id="unplugged"),
        pytest.param(UartPN532.corrupt, by_itself, id="wrong checksum"),
        pytest.param(lambda chip: chip.delay(0.8), by_itself, id="late answer"),
        pytest.param(UartPN532.lock_up, by_itself, id="locked up"),
    ],
)
Act = Callable[[UartPN532], None]


@FAULTS
def test_a_fault_is_told_once_and_the_reader_recovers_by_itself(chip: UartPN532, harm: Act, cure: Act) -> None:
    chip.put(CARD)
    with listening(source(chip)) as told:
        until(lambda: count(told, Appeared))
        harm(chip)
        until(lambda: count(told, Failed))
        cure(chip)
        until(lambda: count(told, Working) == 2)
        chip.wait_polls(10)
    assert [type(news) for news in told] == [Working, Appeared, Failed, Working]


def test_a_card_taken_during_a_fault_is_gone_only_after_the_recovery(chip: UartPN532) -> None:
    chip.put(CARD)
    with listening(source(chip)) as told:
        until(lambda: count(told, Appeared))
        chip.unplug()
        until(lambda: count(told, Failed))
        chip.clear()
        chip.replug()
        until(lambda: count(told, Gone))
    assert [type(news) for news in told] == [Working, Appeared, Failed, Working, Gone]
    back, gone = told[-2:]
    assert gone.at - back.at >= 0.3


def test_a_fault_says_where_and_what_to_check(chip: UartPN532) -> None:
    with listening(source(chip)) as told:
        until(lambda: count(told, Working))
        chip.silent = True
        until(lambda: count(told, Failed))
    why = next(news.why for news in told if isinstance(news, Failed))
    assert chip.path in why
    assert "plugged in" in why


def test_a_chip_that_only_its_reset_pin_revives_is_reset_through_it(chip: UartPN532) -> None:
    wired = msgspec.structs.replace(bus(chip.path), reset=chip.reset)
    with listening(ReaderSource("pad", wired, time.monotonic)) as told:
        until(lambda: count(told, Working))
        chip.lock_up(hard=True)
        until(lambda: count(told, Working) == 2)
    assert [type(news) for news in told] == [Working, Failed, Working]


def test_the_reset_pin_is_a_setting(chip: UartPN532, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.devices.gpio.output", {None: None, 17: EmulatedReset(chip)}.get)
    with listening(Reader(place="pad", port=chip.path, reset=17).open(time.monotonic)) as told:
        until(lambda: count(told, Working))
        chip.lock_up(hard=True)
        until(lambda: count(told, Working) == 2)
    assert [type(news) for news in told] == [Working, Failed, Working]


def test_a_reader_that_was_not_there_is_told_when_it_comes(chip: UartPN532) -> None:
    chip.unplug()
    with listening(source(chip)) as told:
        until(lambda: count(told, Failed))
        chip.replug()
        until(lambda: count(told, Working))
    assert [type(news) for news in told] == [Failed, Working]


class ListsNothing:
    """A chip whose polls look fine and empty, but which is not alive."""

    alive = True

    @property
    def firmware_version(self) -> Sequence[int]:
        if not self.alive:
            raise RuntimeError("Failed to detect the PN532")
        return (0x32, 1, 6, 7)

    def call_function(self, command: int, response_length: int, params: Sequence[int], timeout: float) -> bytes:
        time.sleep(0.002)
        return b"\x00"


def test_a_dead_chip_that_looks_like_no_card_is_found_out() -> None:
    dead = ListsNothing()
    way = Bus(where="here", connect=lambda: Connection(dead, lambda: None), advice="Look.")
    with listening(ReaderSource("pad", way, time.monotonic)) as told:
        until(lambda: count(told, Working))
        dead.alive = False
        until(lambda: count(told, Failed))


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("checksum"),
        serial.SerialException("gone"),
        OSError(errno.EIO, "gone"),
        termios.error(5, "gone"),
        TypeError(),
        ValueError(),
        IndexError(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_whatever_the_library_raises_is_one_fault(error: Exception) -> None:
    class Broken(ListsNothing):
        def call_function(self, *asked: object) -> bytes:
            raise error

    with pytest.raises(ReaderFault):
        poll(Broken())


# Neighbours


@pytest.mark.parametrize("turns", ["pads", ""])
def test_readers_that_take_turns_never_have_their_fields_on_together(
    turns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A reader that a busy machine holds up must not pass for one that failed: nobody can switch its field off.
    monkeypatch.setattr(pn532, "ANSWER_WITHIN", 30.0)
    monkeypatch.setattr(pn532_uart, "ANSWER_WITHIN", 30.0)
    with UartPN532() as first, UartPN532() as second:
        first.neighbours, second.neighbours = [second], [first]
        ports = {"centre": first.path, "discard": second.path}
        readers = [Reader(place=place, port=port, turns=turns) for place, port in ports.items()]
        with all_listening([reader.open(time.monotonic) for reader in readers]):
            first.wait_polls(10)
            second.put(CARD)
            second.wait_polls(10)
        assert bool(first.disturbed or second.disturbed) is not bool(turns)


# What could not be stored


def test_what_could_not_be_stored_is_told_again_unchanged(chip: UartPN532) -> None:
    chip.put(CARD)
    kept: list[Sensing] = []
    refused: list[Sensing] = []

    def tell(*news: Sensing) -> None:
        if len(refused) < 10:
            refused.extend(news)
            raise NotKept
        kept.extend(news)

    with telling(source(chip), tell):
        until(lambda: len(kept) >= 2)
    assert [type(news) for news in kept] == [Working, Appeared]
    assert kept == refused[-2:]
    assert set(refused) <= set(kept)


# What is said when a reader is not there


def why_not(reader: ReaderSource) -> str:
    with pytest.raises(NotThere) as caught:
        reader.start()
    return str(caught.value)


def test_a_missing_port_is_named_with_the_ports_that_exist(chip: UartPN532, monkeypatch: pytest.MonkeyPatch) -> None:
    class Port:
        device = "/dev/ttyUSB7"

    monkeypatch.setattr("companion.devices.drivers.pn532_uart.comports", lambda: [Port()])
    chip.unplug()
    why = why_not(source(chip))
    assert f"{chip.path} does not exist" in why
    assert "/dev/ttyUSB7" in why


def test_without_permission_the_group_is_named(chip: UartPN532, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(port: object) -> None:
        raise serial.SerialException(errno.EACCES, "Permission denied")

    monkeypatch.setattr(serial.Serial, "open", refuse)
    assert "dialout" in why_not(source(chip))


def test_a_port_that_another_program_has_open_is_called_busy(chip: UartPN532) -> None:
    with serial.Serial(chip.path, exclusive=True):
        assert "busy" in why_not(source(chip))


def test_a_file_that_is_no_serial_port_is_called_so(chip: UartPN532) -> None:
    assert "serial port" in why_not(Reader(place="pad", port="/dev/null").open(time.monotonic))


def test_a_port_where_nothing_answers_asks_for_the_switch(chip: UartPN532) -> None:
    chip.silent = True
    why = why_not(source(chip))
    assert "nothing answers there as a PN532" in why
    assert "HSU" in why


def test_a_port_given_up_can_be_opened_again(chip: UartPN532) -> None:
    for _ in range(2):
        reader = source(chip)
        reader.start()
        reader.close()


def test_a_missing_library_is_named_with_the_command_that_installs_it(
    chip: UartPN532, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "adafruit_pn532.uart", None)
    assert "pip install 'table-companion[pn532]'" in why_not(source(chip))


def test_a_setting_the_driver_does_not_know_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="bauds"):
        msgspec.convert({"place": "pad", "port": "/dev/ttyUSB0", "bauds": 9600}, Reader)
