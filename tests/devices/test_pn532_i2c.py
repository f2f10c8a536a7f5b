"""What only PN532 on an I2C bus have: multiplexers, and chips that do not acknowledge while they are busy."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import msgspec
import pytest

from companion.devices.drivers.pn532_i2c import Reader
from companion.devices.sensing import Appeared, Failed, Gone, NotThere, Working
from companion.games import places
from tests.devices.readers import CARD, RADIO, Table, alone, count, kinds, on_i2c, uids
from tests.emulators.pn532_i2c import EmulatedI2c, I2cPN532, Multiplexer


@pytest.fixture
def table() -> Iterator[Table]:
    """Ten readers behind two multiplexers, each with its card."""
    with on_i2c().set_up() as table:
        table.lay_cards()
        yield table
        assert all(kinds(table.told, place) in ([], [Failed], [Failed, Working]) for place in table.chips)
        assert table.bus.collisions == 0


@pytest.fixture
def seats(table: Table) -> Multiplexer:
    """The one that can be reset."""
    return table.bus.multiplexers[0x70]


@pytest.fixture
def pads(table: Table) -> Multiplexer:
    return table.bus.multiplexers[0x71]


def test_a_bus_without_multiplexers_has_one_reader() -> None:
    chip = I2cPN532(radio=RADIO)
    chip.put(CARD)
    with alone(EmulatedI2c(alone=chip, resets={4: chip}), chip, Reader("pad", reset=4)).set_up() as table:
        table.until(lambda: uids(table.told, Appeared) == [CARD])
        chip.lock_up(hard=True)
        table.until(lambda: count(table.told, Working) == 2, within=5.0)


def test_a_chip_that_does_not_acknowledge_while_it_is_busy_is_waited_for() -> None:
    chip = I2cPN532(radio=RADIO)
    with alone(EmulatedI2c(alone=chip), chip, Reader("pad")).set_up() as table:
        table.rounds(1)
        chip.shy = True
        chip.put(CARD)
        table.until(lambda: uids(table.told, Appeared) == [CARD])
        assert kinds(table.told) == [Working, Appeared]


def test_a_bus_that_fails_is_given_up_at_once() -> None:
    chip = I2cPN532(radio=RADIO)
    with alone(EmulatedI2c(alone=chip), chip, Reader("pad")).set_up() as table:
        table.rounds(1)
        table.bus.broken = 1_000_000
        table.until(lambda: count(table.told, Failed))
        assert 1_000_000 - table.bus.broken < 10, "the library tries for half a second"


def test_a_bus_that_fails_recovers_and_no_card_seems_to_move(table: Table) -> None:
    table.bus.broken = 10
    table.until(lambda: count(table.told, Failed))
    table.until(lambda: count(table.told, Working) == count(table.told, Failed), within=5.0)
    table.rounds(5)


def test_a_chip_whose_answers_were_lost_a_while_is_spoken_to_as_quickly_as_before() -> None:
    chip = I2cPN532(radio=RADIO)
    with alone(EmulatedI2c(alone=chip), chip, Reader("pad")).set_up() as table:
        table.rounds(1)
        for answers in (2, 3, 4, 5, 6):
            chip.delay(1.0, answers)
            table.until(lambda: kinds(table.told)[-1] is Failed)
            table.until(lambda: kinds(table.told)[-1] is Working)
            began = table.time.now
            table.rounds(10)
            assert table.time.now - began < 0.5


@pytest.mark.parametrize("without_s", range(1, 7))
def test_a_chip_that_gets_power_late_is_spoken_to_as_quickly_as_others(without_s: int) -> None:
    chip = I2cPN532(radio=RADIO)
    chip.silent = True
    with alone(EmulatedI2c(alone=chip), chip, Reader("pad")).set_up() as table:
        table.until(lambda: table.time.now > without_s)
        chip.silent = False
        table.until(lambda: count(table.told, Working))
        began = table.time.now
        table.rounds(10)
        assert table.time.now - began < 0.5


def test_a_silent_chip_keeps_nobody_waiting_for_half_a_second(table: Table) -> None:
    polls: list[float] = []
    table.chips["seat-2"].looked = lambda _: polls.append(table.time.now)
    for place in ("seat-1", "seat-3", "seat-4"):
        table.chips[place].delay(0.6, 10**9)
    ends = table.time.now + 10
    table.until(lambda: table.time.now > ends)
    settled = [at for at in polls if at > ends - 8]
    assert max(later - earlier for earlier, later in pairwise(settled)) < 0.5


# Multiplexers


def hang(multiplexer: Multiplexer) -> None:
    multiplexer.hung = True


def stick(multiplexer: Multiplexer) -> None:
    multiplexer.stuck = True


BOTH = pytest.mark.parametrize("harm", [hang, stick])
Harm = Callable[[Multiplexer], None]


@BOTH
def test_a_multiplexer_that_hangs_is_reset_by_its_pin(table: Table, seats: Multiplexer, harm: Harm) -> None:
    harm(seats)
    table.until(lambda: not (seats.hung or seats.stuck), within=5.0)
    table.rounds(5)
    table.until(lambda: count(table.told, Working) == count(table.told, Failed), within=5.0)


@BOTH
def test_one_that_has_no_reset_pin_recovers_when_it_is_mended(table: Table, pads: Multiplexer, harm: Harm) -> None:
    harm(pads)
    table.until(lambda: any("multiplexer 0x71" in news.fault.says for news in table.told if isinstance(news, Failed)))
    pads.reset()
    table.until(lambda: count(table.told, Working) == count(table.told, Failed), within=5.0)
    table.rounds(5)


def test_one_that_is_stuck_is_said_not_to_obey(table: Table, pads: Multiplexer) -> None:
    stick(pads)
    table.until(lambda: count(table.told, Failed) >= 1)
    says = {news.fault.says for news in table.told if isinstance(news, Failed)}
    assert any("the multiplexer 0x71 does not obey" in said for said in says), says


def test_one_that_hangs_is_told_of_at_every_place_within_four_seconds(table: Table, pads: Multiplexer) -> None:
    began = table.time.now
    hang(pads)
    table.until(lambda: count(table.told, Failed) == len(table.chips))
    assert max(news.at for news in table.told if isinstance(news, Failed)) - began < 4.0


def test_a_stuck_multiplexer_shows_no_card_at_a_wrong_place() -> None:
    with on_i2c().set_up() as table:
        for place in places()[6:]:
            table.chips[place].put(table.uids[place])
        table.until(lambda: count(table.told, Appeared) == 4)
        table.bus.multiplexers[0x71].stuck = True
        table.until(lambda: count(table.told, Failed) >= 3)
        ended = table.time.now + 10
        table.until(lambda: table.time.now > ended)
        where = {news.uid: news.place for news in table.told if isinstance(news, Appeared)}
        assert where == {table.uids[place]: place for place in places()[6:]}
        assert count(table.told, Gone) == 0


def test_a_multiplexer_without_power_is_named_and_the_other_works_on(table: Table, pads: Multiplexer) -> None:
    pads.silent = True
    table.until(lambda: count(table.told, Failed) == 4)
    assert all(
        "no answer from the multiplexer 0x71" in news.fault.says for news in table.told if isinstance(news, Failed)
    )
    assert {place for place in table.chips if kinds(table.told, place)} == {*places()[6:]}
    pads.silent = False
    pads.register = 0
    table.until(lambda: count(table.told, Working) == 4, within=5.0)


def test_a_multiplexer_that_began_anew_is_set_again() -> None:
    chip = I2cPN532(radio=RADIO)
    multiplexer = Multiplexer({3: chip})
    reader = Reader("pad", multiplexer=0x70, channel=3)
    with alone(EmulatedI2c({0x70: multiplexer}), chip, reader).set_up() as table:
        table.rounds(1)
        multiplexer.reset()
        table.until(lambda: count(table.told, Working) == 2, within=5.0)
        assert kinds(table.told) == [Working, Failed, Working]


# What is said


def why_not(i2c: EmulatedI2c, **settings: int) -> str:
    reader = msgspec.convert({"place": "pad", **settings}, Reader)
    with alone(i2c, I2cPN532(), reader).set_up() as table, pytest.raises(NotThere) as caught:
        table.sources[0].start()
    return str(caught.value)


def test_a_bus_without_a_chip_asks_for_switches_and_wires() -> None:
    why = why_not(EmulatedI2c())
    assert "/dev/i2c-1 opens, but nothing answers there as a PN532" in why
    assert "SDA and SCL" in why


def test_a_multiplexer_that_is_not_there_is_named() -> None:
    assert "no answer from the multiplexer 0x72" in why_not(EmulatedI2c(), multiplexer=0x72, channel=3)


def test_a_multiplexer_that_the_kernel_has_is_told_with_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object, **__: object) -> None:
        raise OSError(16, "Device or resource busy")

    monkeypatch.setattr(EmulatedI2c, "writeto", busy)
    assert "dtoverlay=i2c-mux" in why_not(EmulatedI2c(), multiplexer=0x70, channel=0)
