"""A yes is done once, whatever fails; a no is a no; and a restart finds what was asked."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.access import rights_file
from companion.access.presence import AFTER_A_START
from companion.acts.act import Act
from companion.acts.decide import Reply
from companion.acts.kept_questions import KeptQuestions
from companion.acts.match_acts import End, EnterWord, LeaveOut, TakeBack
from companion.acts.outcome import ActRefused
from companion.acts.question import LAPSES
from companion.acts.seat_acts import FreeSeat, Rename
from companion.acts.table_acts import LayCards, PressBuzzer
from companion.acts.told import EntryTold
from companion.acts.upkeep_acts import SwitchOff
from companion.devices.drivers import virtual as virtual_driver
from companion.devices.listening import Listening
from companion.errors import NotKept
from companion.events import SEATS, Pressed, Tapped
from companion.games import places
from companion.storage import files
from tests.acts.at_table import TableOfActs, table_of_acts
from tests.live.table import refusing
from tests.web.table import Clock, TestHand

FULL = OSError(28, "No space left on device")
HOST = "phone-1"
BO = "phone-2"
CLEO = "phone-3"
FOR_CLEO = EnterWord(3, "count", 5)
"""The host enters it for Cléo; Bo agrees."""


HANDS_ACTS = pytest.mark.parametrize("act", [LayCards("seat-2", ("red-5", "red-6")), PressBuzzer(2)])


class PowerCut(Exception):
    """The table is switched off at this point."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TableOfActs]:
    with table_of_acts(tmp_path) as table:
        yield table


@pytest.fixture
def virtual(table: TableOfActs) -> TableOfActs:
    """The same with a virtual hand; what it does is sensed."""
    table.hand_of = TestHand
    table.restart()
    return table


@pytest.fixture
def with_virtual_sensors(table: TableOfActs) -> Iterator[TableOfActs]:
    """The same with virtual readers and buzzers, and all their threads."""
    settings = *map(virtual_driver.Reader, places()), virtual_driver.Buzzers(tuple(SEATS))
    sources = [sensor.open(table.clock) for sensor in settings]
    table.hand_of = lambda _: virtual_driver.VirtualHand(sources)
    table.restart()
    listening = Listening(sources, table.live.tell)
    yield table
    listening.stop()


@pytest.fixture
def question_id(table: TableOfActs) -> str:
    """The host has asked; the question's number."""
    return ask(table, FOR_CLEO)


def test_a_restart_finds_the_question_and_the_yes_does_it(table: TableOfActs, question_id: str) -> None:
    table.clock.now += LAPSES - 1
    table.restart()
    assert table.question is not None
    assert table.question.id == question_id
    assert table.counts() == {2: 4}
    table.answer(BO, question_id)
    assert table.counts() == {2: 4, 3: 5}
    assert table.question is None


def test_while_the_table_is_started_again_no_time_passes_for_a_question(table: TableOfActs, question_id: str) -> None:
    table.close()
    table.clock.now += LAPSES + AFTER_A_START
    table.open()
    assert table.question is not None
    table.clock.now += LAPSES
    assert table.question is None


def test_what_one_restart_finds_is_found_by_the_next(table: TableOfActs, question_id: str) -> None:
    for _ in range(3):
        table.clock.now += LAPSES
        table.restart()
        table.clock.now += LAPSES - 1
        assert table.question is not None
        assert table.question.id == question_id


def test_what_lapsed_long_ago_is_not_asked_again_after_a_restart(table: TableOfActs, question_id: str) -> None:
    table.clock.now += LAPSES + AFTER_A_START + 1
    table.restart()
    assert table.question is None


def test_after_the_machine_was_started_its_clock_begins_again(table: TableOfActs, question_id: str) -> None:
    table.close()
    table.questions_clock = Clock()
    table.questions_clock.now = 1
    table.open()
    assert table.question is not None
    assert table.question.lapses == 1 + LAPSES


def test_nobody_is_asked_before_it_is_on_disk(table: TableOfActs) -> None:
    with refusing(files, "replace_private", error=FULL), pytest.raises(NotKept):
        table.do(HOST, FOR_CLEO)
    assert table.question is None
    assert table.do(HOST, FOR_CLEO).asked


def test_a_yes_that_could_not_be_stored_is_given_again_even_after_a_restart(
    table: TableOfActs, question_id: str
) -> None:
    with refusing(table.log, "append"), pytest.raises(NotKept):
        table.answer(BO, question_id)
    table.restart()
    table.answer(BO, question_id)
    assert table.counts() == {2: 4, 3: 5}


def ask(table: TableOfActs, act: Act) -> str:
    """Have the host ask for this; return the question's number."""
    assert table.do(HOST, act).asked
    assert table.question is not None
    return table.question.id


def cut_before_it_is_closed(table: TableOfActs, question_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def cut(*_: object) -> None:
        raise PowerCut

    monkeypatch.setattr(KeptQuestions, "close_done", cut)
    with suppress(PowerCut):
        table.answer(BO, question_id)
    monkeypatch.undo()
    table.restart()


@pytest.fixture
def done_before_a_cut(table: TableOfActs, question_id: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the question to which a yes was done just before the power was cut, so that it is open again."""

    cut_before_it_is_closed(table, question_id, monkeypatch)
    return question_id


def test_what_was_done_just_before_a_power_cut_is_not_done_again(table: TableOfActs, done_before_a_cut: str) -> None:
    table.answer(CLEO, done_before_a_cut)
    assert table.entered_under(done_before_a_cut) == 1
    assert table.question is None


@HANDS_ACTS
def test_what_the_virtual_hand_did_just_before_a_power_cut_is_not_done_again(
    virtual: TableOfActs, act: Act, monkeypatch: pytest.MonkeyPatch
) -> None:
    question_id = ask(virtual, act)
    cut_before_it_is_closed(virtual, question_id, monkeypatch)
    events = virtual.live.ask(lambda match: len(match.events))
    assert virtual.answer(BO, question_id).said.code == "ask-done"
    assert virtual.entered_under(question_id) == 1
    assert virtual.live.ask(lambda match: len(match.events)) == events
    assert virtual.question is None


@HANDS_ACTS
def test_what_a_real_virtual_hand_did_is_on_disk_before_its_question_is_closed(
    with_virtual_sensors: TableOfActs, act: Act, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = with_virtual_sensors
    question_id = ask(table, act)
    entered: list[int] = []
    close = KeptQuestions.close_done
    monkeypatch.setattr(
        KeptQuestions, "close_done", lambda *step: (entered.append(table.entered_under(question_id)), close(*step))
    )
    table.answer(BO, question_id)
    assert entered == [1]


@HANDS_ACTS
def test_what_the_virtual_hand_did_and_no_disk_could_store_is_not_on_its_way(
    with_virtual_sensors: TableOfActs, act: Act
) -> None:
    """The same people may still say no; what the hand does later is not preceded by it."""
    table = with_virtual_sensors
    question_id = ask(table, act)
    with refusing(table.log, "append"), pytest.raises(NotKept):
        table.answer(BO, question_id)
    assert table.answer(BO, question_id, Reply.NO).said.code == "ask-declined"
    table.do(CLEO, PressBuzzer(3))
    pressed = table.live.ask(lambda match: [event.seat for event in match.events if isinstance(event, Pressed)])
    assert pressed[2:] == [3]
    assert table.entered_under(question_id) == 0


def test_cards_are_laid_all_or_none(with_virtual_sensors: TableOfActs) -> None:
    table = with_virtual_sensors
    question_id = ask(table, LayCards("seat-2", ("red-5", "red-6")))
    with refusing(table.log, "append"), pytest.raises(NotKept):
        table.answer(BO, question_id)
    table.answer(BO, question_id)
    cards = table.live.ask(lambda match: [event.card for event in match.events if isinstance(event, Tapped)])
    assert cards[1:] == ["red-5", "red-6"]


def test_while_nobody_knows_whether_a_yes_is_stored_nobody_declines_it(table: TableOfActs, question_id: str) -> None:
    """A disk that fails says nothing about what it has written before."""
    with refusing(table.log, "append", "try_to_write"):
        with pytest.raises(NotKept):
            table.answer(BO, question_id)
        with pytest.raises(NotKept):
            table.answer(CLEO, question_id, Reply.NO)
    assert table.question is not None
    assert table.answer(CLEO, question_id, Reply.NO).said.code == "ask-declined"


def test_a_seat_whose_new_holder_was_written_though_the_disk_failed_is_as_it_was_after_a_no(
    table: TableOfActs,
) -> None:
    question_id = ask(table, FreeSeat(2))
    swap = files.swap

    def written_and_failing(part: Path, path: Path) -> None:
        swap(part, path)
        raise FULL

    with pytest.MonkeyPatch.context() as disk:
        disk.setattr(files, "swap", written_and_failing)
        with pytest.raises(NotKept):
            table.answer(BO, question_id)
    table.answer(BO, question_id, Reply.NO)
    table.restart()
    assert table.phones.rights.holders[2] == BO


def test_a_no_that_a_restart_would_not_know_of_is_not_taken(table: TableOfActs, question_id: str) -> None:
    with (
        refusing(files, "replace_private", "sync", error=FULL),
        pytest.raises(NotKept),
    ):
        table.answer(BO, question_id, Reply.NO)
    assert table.question is not None


def test_a_table_that_was_switched_off_does_not_ask_about_that_again(table: TableOfActs) -> None:
    ask(table, SwitchOff())
    table.restart()
    assert table.question is None


def test_whoever_declines_what_was_done_just_before_a_power_cut_hears_that_it_is_done(
    table: TableOfActs, done_before_a_cut: str
) -> None:
    assert table.answer(CLEO, done_before_a_cut, Reply.NO).said.code == "ask-done-already"


def test_whoever_declines_while_the_disk_is_full_is_heard_for_good(table: TableOfActs, question_id: str) -> None:
    with refusing(files, "replace_private", error=FULL):
        table.answer(BO, question_id, Reply.NO)
    table.restart()
    with pytest.raises(ActRefused):
        table.answer(CLEO, question_id)
    assert table.counts() == {2: 4}


def test_what_is_withdrawn_or_has_lapsed_is_not_done_after_a_restart(table: TableOfActs, question_id: str) -> None:
    table.answer(HOST, question_id, Reply.NO)
    table.restart()
    with pytest.raises(ActRefused):
        table.answer(BO, question_id)
    assert table.counts() == {2: 4}


def test_a_question_does_not_outlive_its_match_by_a_restart(table: TableOfActs, question_id: str) -> None:
    table.count()
    table.restart()
    with pytest.raises(ActRefused):
        table.answer(BO, question_id)
    assert table.counts() == {2: 4}


def test_a_seat_that_could_not_be_freed_is_freed_by_the_next_yes(table: TableOfActs) -> None:
    table.do(HOST, FreeSeat(2))
    assert table.question is not None
    name = table.question.id
    with refusing(rights_file, "_save", error=FULL), pytest.raises(NotKept):
        table.answer(BO, name)
    table.restart()
    table.answer(BO, name)
    assert 2 not in table.phones.rights.holders


def test_how_often_somebody_asked_in_vain_is_kept(table: TableOfActs) -> None:
    table.do("phone-4", Rename(4, "Dana"))  # one's own name is no question
    assert table.do(CLEO, entry_of_bo(table)).asked
    assert table.question is not None
    table.answer(HOST, table.question.id, Reply.NO)
    table.restart()
    with pytest.raises(ActRefused, match="ask-later"):
        table.do(CLEO, entry_of_bo(table))


def test_a_file_that_is_damaged_costs_the_question_and_nothing_else(table: TableOfActs, question_id: str) -> None:
    table.close()
    files.questions_of(table.path).write_bytes(b'{"at":')
    table.open()
    assert table.question is None
    assert table.do(HOST, FOR_CLEO).asked


def entry_of_bo(table: TableOfActs) -> TakeBack:
    codes = table.live.ask(lambda match: [verdict.code for verdict in match.public])
    return TakeBack(EntryTold(len(codes) - 1 - codes[::-1].index("counted"), "counted"))


AGREED = [FOR_CLEO, End(), Rename(2, "Bob"), FreeSeat(2), LeaveOut(1)]
"""One act for each place where what is agreed to is stored."""


@pytest.mark.parametrize("act", AGREED, ids=lambda act: type(act).__name__)
def test_a_restart_closes_the_question_about_what_was_done_just_before_a_power_cut(
    table: TableOfActs, act: Act, monkeypatch: pytest.MonkeyPatch
) -> None:
    if isinstance(act, LeaveOut):
        table.count()
    question_id = ask(table, act)
    cut_before_it_is_closed(table, question_id, monkeypatch)
    assert table.question is None
