"""Readers of a whole table: the real library, and the same rules on every bus that a PN532 can hang on."""

import random
import re
from collections.abc import Callable, Iterator

import pytest

from companion.devices.faults import FaultCode
from companion.devices.listening import start_all
from companion.devices.readers.source import BOOT, FIRST_PAUSE, LONGEST_PAUSE
from companion.devices.sensing import Appeared, Failed, Gone, Sensing, Working
from companion.errors import NotKept
from companion.events import PHONE
from tests.devices.readers import CARD, OTHER, SHORT, Table, count, kinds, on_i2c, on_spi, on_uart, uids
from tests.emulators.pn532 import Chip, frame


@pytest.fixture(params=[on_uart, on_spi, on_i2c], ids=["uart", "spi", "i2c"])
def table(request: pytest.FixtureRequest) -> Iterator[Table]:
    with request.param().set_up() as table:
        yield table


@pytest.fixture
def centre(table: Table) -> Chip:
    chip: Chip = table.chips["centre"]
    return chip


def collisions(table: Table) -> int:
    return getattr(table.bus, "collisions", 0)


# Cards


@pytest.mark.parametrize("uid", [CARD, SHORT])
def test_a_card_is_told_when_it_comes_and_when_it_goes(table: Table, centre: Chip, uid: str) -> None:
    table.rounds(3)
    centre.put(uid)
    table.until(lambda: uids(table.told, Appeared) == [uid])
    centre.clear()
    table.until(lambda: uids(table.told, Gone) == [uid])
    assert kinds(table.told, "centre") == [Working, Appeared, Gone]


def test_a_damaged_answer_whose_sums_hold_is_no_card(table: Table, centre: Chip) -> None:
    first = iter([frame(bytes.fromhex("D54B01010044000704FFFFFFFFFFFF"))])
    centre.to_host = lambda data: next(first, data) if len(data) > 20 else data
    centre.put(CARD)
    table.until(lambda: uids(table.told, Appeared))
    assert uids(table.told, Appeared) == [CARD]


def test_a_card_in_the_place_of_another_is_told_at_once(table: Table, centre: Chip) -> None:
    centre.put(CARD)
    table.until(lambda: count(table.told, Appeared))
    centre.swap(OTHER)
    table.until(lambda: uids(table.told, Appeared) == [CARD, OTHER], within=0.5)
    assert uids(table.told, Gone) == [CARD]


def test_a_tag_with_seven_bytes_is_seen_at_every_poll(table: Table, centre: Chip) -> None:
    centre.put(CARD)
    looks: list[tuple[str, ...]] = []
    centre.looked = looks.append
    table.rounds(20)
    assert looks == [(CARD,)] * len(looks)


def test_a_phone_is_told_once_without_its_uid_however_often_that_changes(table: Table, centre: Chip) -> None:
    centre.put("08AABBCC", ats=bytes.fromhex("7577810280"))
    table.rounds(20)
    assert "08AABBCC" not in centre._tags
    centre.clear()
    table.until(lambda: uids(table.told, Gone) == [PHONE])
    assert uids(table.told, Appeared) == [PHONE]


def test_still_cards_do_not_flicker_though_polls_miss_them(table: Table) -> None:
    chance = random.Random(1)
    table.lay_cards()
    for _ in range(15):
        chance.choice([*table.chips.values()]).miss(chance.randint(1, 2))
        table.rounds(3)
    assert table.told == []


# Many on one bus


def test_every_reader_tells_its_own_card(table: Table) -> None:
    assert start_all(table.sources) == []
    for place, chip in table.chips.items():
        chip.put(table.uids[place])
    table.until(lambda: count(table.told, Appeared) == len(table.chips))
    assert {news.place: news.uid for news in table.told if isinstance(news, Appeared)} == table.uids


@pytest.mark.parametrize("on_bus", [on_uart, on_spi, on_i2c])
def test_one_chip_is_spoken_to_and_of_those_close_to_each_other_one_field_is_on_at_a_time(
    on_bus: Callable[..., Table],
) -> None:
    with on_bus(turns="pads").set_up() as table:
        assert len({source.turns for source in table.sources}) == 1
        table.lay_cards()
        table.chips["centre"].clear()
        table.rounds(5)
        assert [chip.disturbed for chip in table.chips.values()] == [0] * len(table.chips)
        assert collisions(table) == 0


def test_those_far_from_each_other_look_for_cards_at_the_same_time() -> None:
    with on_spi(radio=0.05).set_up() as table:
        table.lay_cards()
        began = table.time.now
        table.rounds(20)
        assert 20 / (table.time.now - began) >= 10, "polls a second"
        assert collisions(table) == 0


def test_readers_on_ports_of_their_own_need_not_wait_for_each_other() -> None:
    with on_uart(turns="").set_up() as table:
        assert len({source.turns for source in table.sources}) == len(table.chips)
        table.rounds(5)
        assert any(chip.disturbed for chip in table.chips.values())


# Faults


def by_itself(chip: Chip) -> None:
    pass


Act = Callable[[Chip], None]


@pytest.mark.parametrize(
    ("harm", "cure"),
    [
        pytest.param(Chip.cut_power, Chip.restore_power, id="no power"),
        pytest.param(lambda chip: chip.garble(2), by_itself, id="wrong ACK"),
        pytest.param(lambda chip: chip.corrupt(2), by_itself, id="wrong checksum"),
        pytest.param(lambda chip: chip.delay(1.8), by_itself, id="late answer"),
        pytest.param(Chip.lock_up, by_itself, id="locked up until woken"),
        pytest.param(lambda chip: chip.lock_up(hard=True), by_itself, id="locked up until reset"),
    ],
)
def test_a_fault_is_told_once_the_reader_recovers_and_no_card_seems_to_move(table: Table, harm: Act, cure: Act) -> None:
    chip = table.chips["seat-2"]
    other = table.chips["centre"]
    table.lay_cards()
    harm(chip)
    table.until(lambda: count(table.told, Failed))
    polled = other.polls
    table.until(lambda: other.polls > polled + 3, within=2.0)  # while it lasts
    cure(chip)
    table.until(lambda: count(table.told, Working), within=5.0)
    table.rounds(5)
    assert kinds(table.told) == kinds(table.told, "seat-2") == [Failed, Working]
    assert collisions(table) == 0


@pytest.mark.parametrize(
    "harm",
    [
        pytest.param(Chip.garble, id="wrong ACK"),
        pytest.param(Chip.corrupt, id="wrong checksum"),
        pytest.param(Chip.lose, id="lost command"),
    ],
)
def test_what_went_wrong_once_is_asked_again_and_no_fault(table: Table, harm: Act) -> None:
    table.lay_cards()
    for _ in range(10):
        harm(table.chips["seat-2"])
        table.rounds(3)
    assert table.told == []


def test_a_fault_says_where_and_what_to_check(table: Table) -> None:
    table.lay_cards()
    table.chips["centre"].silent = True
    table.until(lambda: count(table.told, Failed))
    [failed] = table.told
    assert isinstance(failed, Failed)
    where = table.sources[list(table.chips).index("centre")]._bus.where
    assert failed.source == "reader centre"
    assert failed.fault.says.startswith(f"{where}: no answer")
    assert "Is it plugged in?" in failed.fault.says
    assert failed.fault.code is FaultCode.SILENT
    assert failed.fault.facts == {"where": where, "bus": table.sources[0]._bus.kind, "programs": ""}


def test_a_reader_that_has_worked_is_not_said_to_be_wired_or_set_up_wrongly(table: Table) -> None:
    table.lay_cards()
    table.chips["centre"].silent = True
    table.until(lambda: count(table.told, Failed))
    [failed] = table.told
    assert isinstance(failed, Failed)
    assert not re.search("right port|TX|HSU|switch", failed.fault.says)


def test_a_power_cut_too_short_to_be_seen_moves_no_card(table: Table) -> None:
    table.lay_cards()
    table.chips["seat-2"].cut_power()
    table.chips["seat-2"].restore_power()
    table.rounds(5)
    assert kinds(table.told) in ([], [Failed, Working])


def test_a_card_taken_during_a_fault_is_gone_only_after_the_recovery(table: Table) -> None:
    chip = table.chips["seat-2"]
    table.lay_cards()
    chip.cut_power()
    table.until(lambda: count(table.told, Failed))
    chip.clear()
    chip.restore_power()
    table.until(lambda: count(table.told, Gone))
    assert kinds(table.told) == [Failed, Working, Gone]
    _, back, gone = table.told
    assert gone.at - back.at >= 0.3


def test_a_reader_that_never_was_there_is_named_and_the_others_work(table: Table) -> None:
    chip = table.chips["seat-3"]
    other_readers = len(table.chips) - 1
    chip.cut_power()
    (missing,) = start_all(table.sources)
    assert missing.startswith("reader seat-3: /dev/")
    assert "opens, but nothing answers there as a PN532 (no answer" in missing
    table.until(lambda: count(table.told, Working) == other_readers and count(table.told, Failed) == 1)
    chip.restore_power()
    table.until(lambda: count(table.told, Working) == other_readers + 1, within=5.0)


def test_a_chip_that_was_left_locked_up_is_reset_at_the_start(table: Table) -> None:
    for chip in table.chips.values():
        chip.lock_up(hard=True)
    assert start_all(table.sources) == []


def test_a_dead_reader_does_not_hold_up_the_others(table: Table) -> None:
    centre = table.chips["centre"]

    def seconds() -> float:
        began = table.time.now
        goal = centre.polls + 30
        table.until(lambda: centre.polls >= goal)
        return table.time.now - began

    table.lay_cards()
    healthy = seconds()
    table.chips["seat-2"].cut_power()
    table.until(lambda: count(table.told, Failed))
    assert seconds() < healthy + 3.0, "the library's own patience is a second, at each of 30 polls"


@pytest.mark.parametrize("wired", [on_spi, on_i2c])
def test_a_chip_that_does_not_acknowledge_is_given_up_sooner_than_one_that_does_not_answer(
    wired: Callable[[], Table],
) -> None:
    with wired().set_up() as table:
        source = table.sources[0]
        chip = next(iter(table.chips.values()))
        took = []
        for harm in (Chip.cut_power, lambda chip: chip.delay(100.0)):
            table.rounds(1)
            harm(chip)
            began = table.time.now
            source.turn(table.tell)
            took.append(table.time.now - began)
            chip.restore_power()
        assert count(table.told, Failed) == 2
        assert took[0] < 0.1 < took[1] < 0.4


def test_a_reader_that_stays_away_is_tried_ever_more_patiently(table: Table) -> None:
    table.chips["centre"].cut_power()
    source = table.sources[list(table.chips).index("centre")]
    pauses = [source.turn(table.tell) for _ in range(8)]
    assert pauses == [FIRST_PAUSE, BOOT, 2 * BOOT, 4 * BOOT, *[LONGEST_PAUSE] * 4]
    table.chips["centre"].restore_power()
    assert source.turn(table.tell) == 0.0
    assert kinds(table.told) == [Failed, Working]


def test_one_that_can_not_begin_is_not_tried_again_in_the_same_turn(table: Table) -> None:
    source = table.sources[0]
    table.chips["centre" if source.name.endswith("centre") else "seat-1"].cut_power()
    source.begin()
    assert source.turn(table.tell) == FIRST_PAUSE
    assert kinds(table.told) == [Failed]


# What could not be stored


def test_what_could_not_be_stored_is_told_again_unchanged(table: Table, centre: Chip) -> None:
    centre.put(CARD)
    source = table.sources[list(table.chips).index("centre")]
    refused: list[Sensing] = []

    def refuse(*news: Sensing) -> None:
        refused[:] = news
        raise NotKept

    for _ in range(5):
        source.turn(refuse)
    assert [type(news) for news in refused] == [Working, Appeared]
    source.turn(table.tell)
    assert table.told == refused
