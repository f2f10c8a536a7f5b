"""PN532 readers on one SPI bus: the real library against emulated chips, at the level of the bus."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from companion import config
from companion.devices.drivers.pn532_spi import Reader, bus
from companion.devices.listening import start_all
from companion.devices.readers.pn532 import configure, poll, rest
from companion.devices.readers.source import ReaderSource
from companion.devices.sensing import Appeared, Crowded, Failed, Gone, NotThere, Sensing, Source, Tag, Working
from tests.devices.readers import CARD, OTHER, SHORT, all_listening, count, kinds, listening, uids
from tests.emulators.pn532_spi import EmulatedSpi, SpiPN532
from tests.waiting import until

PATH = "/dev/spidev0.0"
SELECTS = {"centre": 5, "seat-1": 6, "seat-2": 13, "seat-3": 19, "seat-4": 26, "seat-5": 21}
RESETS = {"centre": 17, "seat-1": 27, "seat-2": 22, "seat-3": 23, "seat-4": 24, "seat-5": 25}
RECOVERY = 5.0
"""Seconds from the end of a fault until the reader works again, at most."""

Put = Callable[[EmulatedSpi], EmulatedSpi]


@pytest.fixture
def put(monkeypatch: pytest.MonkeyPatch) -> Put:
    """Puts an emulated bus in the place of the Pi's."""

    def put(spi: EmulatedSpi) -> EmulatedSpi:
        monkeypatch.setattr("companion.devices.readers.buses.Spidev", spi.spidev)
        monkeypatch.setattr("companion.devices.gpio.output", spi.output)
        return spi

    return put


@pytest.fixture
def chip(put: Put) -> SpiPN532:
    """One reader, selected by the kernel, its reset wired to GPIO 17."""
    emulated = SpiPN532()
    put(EmulatedSpi({PATH: emulated}, {17: emulated}))
    return emulated


def source(reset: int | None = None) -> ReaderSource:
    return Reader(place="pad", reset=reset).open(time.monotonic)


def section(place: str) -> str:
    return f"""
        [[reader]]
        driver = "pn532-spi"
        place = "{place}"
        chip_select = {SELECTS[place]}
        reset = {RESETS[place]}
    """


class Six:
    """A table of six readers on one bus, as its file describes it."""

    def __init__(self, folder: Path, put: Put) -> None:
        self.chips = {place: SpiPN532(radio=0.001) for place in SELECTS}
        self.bus = put(
            EmulatedSpi(
                {SELECTS[place]: chip for place, chip in self.chips.items()},
                {RESETS[place]: chip for place, chip in self.chips.items()},
            )
        )
        self.uids = {place: f"04{number:012X}" for number, place in enumerate(SELECTS)}
        file = folder / "table.toml"
        file.write_text("".join(map(section, SELECTS)), encoding="utf-8")
        self.sources: list[Source] = [sensor.open(time.monotonic) for sensor in config.load(file).sensors]

    @contextmanager
    def with_cards(self) -> Iterator[list[Sensing]]:
        """A card lies at every place, and was told; what is told from then on."""
        for place, chip in self.chips.items():
            chip.put(self.uids[place])
        with all_listening(self.sources) as told:
            until(lambda: count(told, Appeared) == len(self.chips))
            told.clear()
            yield told

    def rounds(self, more: int) -> None:
        """Returns after every reader was polled this often."""
        goals = {chip: chip.polls + more for chip in self.chips.values()}
        until(lambda: all(chip.polls >= goal for chip, goal in goals.items()))


@pytest.fixture
def six(tmp_path: Path, put: Put) -> Iterator[Six]:
    six = Six(tmp_path, put)
    yield six
    assert six.bus.collisions == 0


# One reader


@pytest.mark.parametrize("uid", [CARD, SHORT])
def test_a_card_is_told_when_it_comes_and_when_it_goes(chip: SpiPN532, uid: str) -> None:
    with listening(source()) as told:
        chip.wait_polls(3)
        chip.put(uid)
        until(lambda: uids(told, Appeared) == [uid])
        chip.clear()
        until(lambda: uids(told, Gone) == [uid])
    assert [type(news) for news in told] == [Working, Appeared, Gone]


def test_a_reader_that_a_pin_selects_is_read_the_same(put: Put) -> None:
    chip = SpiPN532()
    put(EmulatedSpi({5: chip}))
    chip.put(CARD)
    with listening(Reader(place="pad", chip_select=5).open(time.monotonic)) as told:
        until(lambda: uids(told, Appeared) == [CARD])


@pytest.mark.parametrize("speed", [100_000, 1_000_000, 5_000_000])
def test_the_bus_runs_at_the_readers_speed_and_wakes_the_chip(put: Put, speed: int) -> None:
    chip = SpiPN532()
    spi = put(EmulatedSpi({PATH: chip}))
    connection = bus(Reader(place="pad", speed=speed)).connect()
    assert configure(connection.chip) == "PN532 firmware 1.6"
    connection.close()
    assert spi.speeds == {speed}
    assert spi.files == 0


def test_a_tag_with_seven_bytes_is_read_at_every_poll(chip: SpiPN532) -> None:
    chip.put(CARD)
    connection = bus(Reader(place="pad")).connect()
    configure(connection.chip)
    for _ in range(20):
        assert poll(connection.chip) == (Tag(CARD),)
        rest(connection.chip)
    connection.close()


def test_two_tags_are_a_crowd_until_one_is_alone(chip: SpiPN532) -> None:
    chip.put(CARD)
    chip.put(OTHER)
    with listening(source()) as told:
        chip.wait_polls(10)
        assert [type(news) for news in told] == [Working, Crowded]
        chip.take(CARD)
        until(lambda: uids(told, Appeared) == [OTHER])


# Six on one bus


def test_six_readers_each_tell_their_own_card(six: Six) -> None:
    assert start_all(six.sources) == []
    for place, chip in six.chips.items():
        chip.put(six.uids[place])
    with all_listening(six.sources) as told:
        until(lambda: count(told, Appeared) == 6)
    assert {news.place: news.uid for news in told if isinstance(news, Appeared)} == six.uids
    assert six.bus.files == 0


def test_one_thread_polls_them_with_one_field_on_and_one_chip_selected(six: Six) -> None:
    before = threading.active_count()
    with six.with_cards():
        assert threading.active_count() == before + 1
        six.chips["centre"].clear()
        six.rounds(5)
    assert [chip.disturbed for chip in six.chips.values()] == [0] * 6


def test_they_are_polled_equally_often(six: Six) -> None:
    with six.with_cards():
        before = [chip.polls for chip in six.chips.values()]
        six.rounds(12)
        polls = [chip.polls - start for chip, start in zip(six.chips.values(), before, strict=True)]
    assert max(polls) - min(polls) <= 1


def test_still_cards_do_not_flicker_though_polls_miss_them(six: Six) -> None:
    chance = random.Random(1)
    with six.with_cards() as told:
        for _ in range(15):
            chance.choice([*six.chips.values()]).miss(chance.randint(1, 2))
            six.rounds(2)
    assert told == []


def test_a_reader_that_never_was_there_is_named_and_the_others_work(six: Six) -> None:
    six.chips["seat-3"].cut_power()
    (missing,) = start_all(six.sources)
    assert missing.startswith("reader seat-3: /dev/spidev0.0, chip select GPIO 19 opens, but nothing answers")
    assert "SPI" in missing
    with all_listening(six.sources) as told:
        until(lambda: count(told, Working) == 5)
        until(lambda: count(told, Failed) == 1)
        six.chips["seat-3"].restore_power()
        until(lambda: count(told, Working) == 6, RECOVERY)


# Faults


def by_itself(chip: SpiPN532) -> None:
    pass


Act = Callable[[SpiPN532], None]
FAULTS = pytest.mark.parametrize(
    ("harm", "cure"),
    [
        pytest.param(SpiPN532.cut_power, SpiPN532.restore_power, id="no power"),
        pytest.param(SpiPN532.garble, by_itself, id="wrong ACK"),
        pytest.param(SpiPN532.corrupt, by_itself, id="wrong checksum"),
        pytest.param(lambda chip: chip.delay(0.8), by_itself, id="late answer"),
        pytest.param(SpiPN532.lock_up, by_itself, id="locked up until woken"),
        pytest.param(lambda chip: chip.lock_up(hard=True), by_itself, id="locked up until reset"),
    ],
)


@FAULTS
def test_a_fault_is_told_once_the_reader_recovers_and_no_card_seems_to_move(six: Six, harm: Act, cure: Act) -> None:
    chip = six.chips["seat-2"]
    with six.with_cards() as told:
        harm(chip)
        until(lambda: count(told, Failed))
        six.chips["centre"].wait_polls(3)  # while it lasts
        cure(chip)
        until(lambda: count(told, Working), RECOVERY)
        six.rounds(5)
    assert [type(news) for news in told] == [Failed, Working]
    assert kinds(told, "seat-2") == [Failed, Working]


def test_a_bus_that_fails_recovers_and_no_card_seems_to_move(six: Six) -> None:
    with six.with_cards() as told:
        six.bus.fail(20)
        until(lambda: count(told, Failed))
        until(lambda: count(told, Working) == count(told, Failed), RECOVERY)
        six.rounds(5)
    for place in six.chips:
        assert kinds(told, place) in ([], [Failed, Working])


def test_a_bus_that_hangs_for_a_while_moves_no_card(six: Six) -> None:
    with six.with_cards() as told:
        six.bus.hang(0.5)
        six.rounds(5)
    assert told == []


def test_a_power_cut_too_short_to_be_seen_moves_no_card(six: Six) -> None:
    chip = six.chips["seat-4"]
    with six.with_cards() as told:
        chip.cut_power()
        chip.restore_power()
        six.rounds(5)
    assert kinds(told, "seat-4") in ([], [Failed, Working])
    assert kinds(told, "centre") == []


def test_a_card_taken_during_a_fault_is_gone_only_after_the_recovery(six: Six) -> None:
    chip = six.chips["seat-2"]
    with six.with_cards() as told:
        chip.cut_power()
        until(lambda: count(told, Failed))
        chip.clear()
        chip.restore_power()
        until(lambda: count(told, Gone))
    assert kinds(told, "seat-2") == [Failed, Working, Gone]


def test_a_dead_reader_does_not_hold_up_the_others(six: Six) -> None:
    centre = six.chips["centre"]

    def seconds() -> float:
        before, since = centre.polls, time.monotonic()
        until(lambda: centre.polls - before >= 30)
        return time.monotonic() - since

    with six.with_cards() as told:
        healthy = seconds()
        six.chips["seat-2"].cut_power()
        until(lambda: count(told, Failed))
        assert seconds() < 4 * healthy, "the library's own patience is a second"


def test_a_chip_that_locked_up_is_reset_by_its_pin_and_by_nothing_else(chip: SpiPN532) -> None:
    with listening(source()) as told:
        until(lambda: count(told, Working))
        chip.lock_up(hard=True)
        until(lambda: count(told, Failed))
        time.sleep(0.5)
        assert count(told, Working) == 1
    with listening(source(reset=17)) as told:
        until(lambda: count(told, Working))
        chip.lock_up(hard=True)
        until(lambda: count(told, Working) == 2, RECOVERY)
    assert [type(news) for news in told] == [Working, Failed, Working]


def test_a_chip_that_was_left_locked_up_is_reset_at_the_start(chip: SpiPN532) -> None:
    chip.lock_up(hard=True)
    reader = source(reset=17)
    reader.start()
    reader.close()


def test_wires_that_float_are_no_answer(put: Put) -> None:
    for floats in (0x00, 0xFF):
        chip = SpiPN532(floats=floats)
        chip.cut_power()
        put(EmulatedSpi({PATH: chip}))
        with pytest.raises(NotThere, match="nothing answers there as a PN532"):
            source().start()


# Settings


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"speed": 5_000_001}, "<= 5000000"),
        ({"chip_select": 28}, "<= 27"),
        ({"reset": -1}, ">= 0"),
        ({"sped": 1}, "sped"),
    ],
)
def test_settings_that_can_not_be_are_refused(wrong: dict[str, int], why: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=why):
        msgspec.convert({"place": "pad", **wrong}, Reader)
