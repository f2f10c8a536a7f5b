"""PN532 readers on one I2C bus, alone or behind multiplexers: the real library against emulated chips."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from companion import config
from companion.devices.drivers.pn532_i2c import Reader, bus
from companion.devices.listening import start_all
from companion.devices.readers.pn532 import configure, poll, rest
from companion.devices.sensing import Appeared, Failed, Gone, NotThere, Sensing, Source, Tag, Working
from companion.events import PLACES
from tests.devices.readers import CARD, SHORT, all_listening, count, kinds, listening, uids
from tests.emulators.pn532_i2c import EmulatedI2c, I2cPN532, Multiplexer
from tests.waiting import until

RECOVERY = 5.0
"""Seconds from the end of a fault until the reader works again, at most."""

Put = Callable[[EmulatedI2c], EmulatedI2c]


@pytest.fixture
def put(monkeypatch: pytest.MonkeyPatch) -> Put:
    """Puts an emulated bus in the place of the Pi's."""

    def put(i2c: EmulatedI2c) -> EmulatedI2c:
        monkeypatch.setattr("companion.devices.readers.buses.I2cdev", i2c.i2cdev)
        monkeypatch.setattr("companion.devices.gpio.output", i2c.output)
        return i2c

    return put


class Table:
    """A reader at every place, on the channels of two multiplexers of which the first can be reset, as its file
    describes it.
    """

    def __init__(self, folder: Path, put: Put) -> None:
        self.chips = {place: I2cPN532(radio=0.001) for place in PLACES}
        self.seats = Multiplexer(dict(enumerate(self.chips[place] for place in PLACES[:6])))
        self.pads = Multiplexer(dict(enumerate(self.chips[place] for place in PLACES[6:])))
        self.bus = put(EmulatedI2c({0x70: self.seats, 0x71: self.pads}, resets={17: self.seats}))
        self.uids = {place: f"04{number:012X}" for number, place in enumerate(PLACES)}
        file = folder / "table.toml"
        file.write_text("".join(map(section, range(len(PLACES)))), encoding="utf-8")
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


def section(number: int) -> str:
    multiplexer, channel = ("0x70", number) if number < 6 else ("0x71", number - 6)
    return f"""
        [[reader]]
        driver = "pn532-i2c"
        place = "{PLACES[number]}"
        multiplexer = {multiplexer}
        channel = {channel}
        {"multiplexer_reset = 17" if number < 6 else ""}
    """


@pytest.fixture
def table(tmp_path: Path, put: Put) -> Iterator[Table]:
    table = Table(tmp_path, put)
    yield table
    assert table.bus.collisions == 0


# One reader


@pytest.mark.parametrize("uid", [CARD, SHORT])
def test_a_card_is_told_when_it_comes_and_when_it_goes(put: Put, uid: str) -> None:
    chip = I2cPN532()
    i2c = put(EmulatedI2c(alone=chip))
    with listening(Reader(place="pad").open(time.monotonic)) as told:
        chip.wait_polls(3)
        chip.put(uid)
        until(lambda: uids(told, Appeared) == [uid])
        chip.clear()
        until(lambda: uids(told, Gone) == [uid])
    assert [type(news) for news in told] == [Working, Appeared, Gone]
    assert i2c.files == 0


def test_a_tag_with_seven_bytes_is_read_at_every_poll(put: Put) -> None:
    chip = I2cPN532()
    put(EmulatedI2c(alone=chip))
    chip.put(CARD)
    connection = bus(Reader(place="pad")).connect()
    configure(connection.chip)
    for _ in range(20):
        assert poll(connection.chip) == (Tag(CARD),)
        rest(connection.chip)
    connection.close()


def test_a_chip_that_locked_up_is_reset_by_its_pin(put: Put) -> None:
    chip = I2cPN532()
    put(EmulatedI2c(alone=chip, resets={4: chip}))
    with listening(Reader(place="pad", reset=4).open(time.monotonic)) as told:
        until(lambda: count(told, Working))
        chip.lock_up(hard=True)
        until(lambda: count(told, Working) == 2, RECOVERY)
    assert [type(news) for news in told] == [Working, Failed, Working]


def test_a_chip_that_does_not_acknowledge_while_it_is_busy_is_waited_for(put: Put) -> None:
    chip = I2cPN532()
    put(EmulatedI2c(alone=chip))
    with listening(Reader(place="pad").open(time.monotonic)) as told:
        until(lambda: count(told, Working))
        chip.shy = True
        chip.put(CARD)
        until(lambda: uids(told, Appeared) == [CARD])
    assert count(told, Failed) == 0


def test_a_bus_that_fails_is_given_up_at_once(put: Put) -> None:
    i2c = put(EmulatedI2c(alone=I2cPN532()))
    reader = Reader(place="pad").open(time.monotonic)
    with listening(reader) as told:
        until(lambda: count(told, Working))
        i2c.broken = 1_000_000
        until(lambda: count(told, Failed))
        tried = 1_000_000 - i2c.broken
        i2c.broken = 0
    assert tried < 10, "the library tries for half a second"


# Ten behind two multiplexers


def test_every_reader_tells_its_own_card(table: Table) -> None:
    assert start_all(table.sources) == []
    for place, chip in table.chips.items():
        chip.put(table.uids[place])
    with all_listening(table.sources) as told:
        until(lambda: count(told, Appeared) == 10)
    assert {news.place: news.uid for news in told if isinstance(news, Appeared)} == table.uids
    assert table.bus.files == 0


def test_one_chip_is_spoken_to_and_one_field_is_on_at_a_time(table: Table) -> None:
    with table.with_cards() as told:
        table.rounds(5)
    assert [chip.disturbed for chip in table.chips.values()] == [0] * 10
    assert told == []


Act = Callable[[I2cPN532], None]


def by_itself(chip: I2cPN532) -> None:
    pass


@pytest.mark.parametrize(
    ("harm", "cure"),
    [
        pytest.param(I2cPN532.cut_power, I2cPN532.restore_power, id="no power"),
        pytest.param(I2cPN532.garble, by_itself, id="wrong ACK"),
        pytest.param(I2cPN532.corrupt, by_itself, id="wrong checksum"),
        pytest.param(lambda chip: chip.delay(0.8), by_itself, id="late answer"),
        pytest.param(lambda chip: chip.lock_up(hard=True), I2cPN532.reset, id="locked up until reset"),
    ],
)
def test_a_fault_is_told_once_the_reader_recovers_and_no_card_seems_to_move(table: Table, harm: Act, cure: Act) -> None:
    chip = table.chips["seat-2"]
    with table.with_cards() as told:
        harm(chip)
        until(lambda: count(told, Failed))
        table.chips["centre"].wait_polls(3)  # while it lasts
        cure(chip)
        until(lambda: count(told, Working), RECOVERY)
        table.rounds(5)
    assert [type(news) for news in told] == [Failed, Working]
    assert kinds(told, "seat-2") == [Failed, Working]


def test_a_bus_that_fails_recovers_and_no_card_seems_to_move(table: Table) -> None:
    with table.with_cards() as told:
        table.bus.broken = 10
        until(lambda: count(told, Failed))
        until(lambda: count(told, Working) == count(told, Failed), RECOVERY)
        table.rounds(5)
    for place in table.chips:
        assert kinds(told, place) in ([], [Failed, Working])


# Multiplexers


def hang(multiplexer: Multiplexer) -> None:
    multiplexer.hung = True


def stick(multiplexer: Multiplexer) -> None:
    multiplexer.stuck = True


@pytest.mark.parametrize("harm", [hang, stick])
def test_a_multiplexer_that_hangs_is_reset_by_its_pin(table: Table, harm: Callable[[Multiplexer], None]) -> None:
    with table.with_cards() as told:
        harm(table.seats)
        until(lambda: not (table.seats.hung or table.seats.stuck), RECOVERY)
        table.rounds(5)
        until(lambda: count(told, Working) == count(told, Failed), RECOVERY)
    for place in table.chips:
        assert kinds(told, place) in ([], [Failed, Working])


@pytest.mark.parametrize("harm", [hang, stick])
def test_one_that_has_no_reset_pin_recovers_when_it_is_mended(
    table: Table, harm: Callable[[Multiplexer], None]
) -> None:
    with table.with_cards() as told:
        harm(table.pads)
        until(lambda: count(told, Failed))
        until(lambda: any("multiplexer 0x71" in news.why for news in told if isinstance(news, Failed)))
        table.pads.reset()
        until(lambda: count(told, Working) == count(told, Failed), RECOVERY)
        table.rounds(5)
    for place in table.chips:
        assert kinds(told, place) in ([], [Failed, Working])


def test_a_stuck_multiplexer_shows_no_card_at_a_wrong_place(table: Table) -> None:
    with all_listening(table.sources) as told:
        until(lambda: count(told, Working) == 10)
        for place in PLACES[6:]:
            table.chips[place].put(table.uids[place])
        until(lambda: count(told, Appeared) == 4)
        table.pads.stuck = True
        until(lambda: count(told, Failed) >= 3)
        time.sleep(0.5)
    where = {news.uid: news.place for news in told if isinstance(news, Appeared)}
    assert where == {table.uids[place]: place for place in PLACES[6:]}
    assert count(told, Gone) == 0


def test_a_multiplexer_without_power_is_named_and_the_other_works_on(table: Table) -> None:
    with table.with_cards() as told:
        table.pads.silent = True
        until(lambda: count(told, Failed) == 4)
        table.chips["seat-1"].wait_polls(5)
        table.pads.silent, table.pads.register = False, 0
        until(lambda: count(told, Working) == 4, RECOVERY)
    assert all("multiplexer 0x71" in news.why for news in told if isinstance(news, Failed))
    assert kinds(told, "seat-1") == []


def test_a_multiplexer_that_began_anew_is_set_again(put: Put) -> None:
    chip = I2cPN532()
    multiplexer = Multiplexer({3: chip})
    put(EmulatedI2c({0x70: multiplexer}))
    with listening(Reader(place="pad", multiplexer=0x70, channel=3).open(time.monotonic)) as told:
        until(lambda: count(told, Working))
        multiplexer.reset()
        until(lambda: count(told, Working) == 2, RECOVERY)


# What is said


def why_not(put: Put, i2c: EmulatedI2c, **settings: int) -> str:
    put(i2c)
    with pytest.raises(NotThere) as caught:
        msgspec.convert({"place": "pad", **settings}, Reader).open(time.monotonic).start()
    return str(caught.value)


def test_a_bus_without_a_chip_asks_for_switches_and_wires(put: Put) -> None:
    why = why_not(put, EmulatedI2c())
    assert "/dev/i2c-1 opens, but nothing answers there as a PN532" in why
    assert "SDA and SCL" in why


def test_a_multiplexer_that_is_not_there_is_named(put: Put) -> None:
    assert "no answer from the multiplexer 0x72" in why_not(put, EmulatedI2c(), multiplexer=0x72, channel=3)


def test_a_multiplexer_that_the_kernel_has_is_told_with_the_cure(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object, **__: object) -> None:
        raise OSError(16, "Device or resource busy")

    monkeypatch.setattr(EmulatedI2c, "writeto", busy)
    assert "dtoverlay=i2c-mux" in why_not(put, EmulatedI2c(), multiplexer=0x70, channel=0)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"multiplexer": 0x78, "channel": 0}, "<= 119"),
        ({"multiplexer": 0x70, "channel": 8}, "<= 7"),
        ({"multiplexer": 0x70}, "go together"),
        ({"channel": 1}, "go together"),
        ({"multiplexer_reset": 4}, "on a multiplexer"),
    ],
)
def test_settings_that_can_not_be_are_refused(wrong: dict[str, int], why: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=why):
        msgspec.convert({"place": "pad", **wrong}, Reader)
