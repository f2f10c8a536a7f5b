"""A yes is done once, whatever fails; a no is a no; and a restart finds what was asked."""

import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.access import rights_file
from companion.access.presence import AFTER_A_START
from companion.acts.act import Act
from companion.acts.decide import Reply
from companion.acts.kept_questions import KeptQuestions
from companion.acts.match_acts import EnterWord, TakeBack
from companion.acts.outcome import ActRefused
from companion.acts.question import LAPSES
from companion.acts.seat_acts import FreeSeat, Rename
from companion.acts.table_acts import LayCards, PressBuzzer
from companion.acts.told import EntryTold
from companion.acts.upkeep_acts import SwitchOff
from companion.devices.drivers import virtual as virtual_driver
from companion.devices.listening import Listening
from companion.devices.sensing import Sensing
from companion.errors import NotKept
from companion.events import Tapped
from companion.storage import files
from tests.acts.at_table import TableOfActs, table_of_acts
from tests.live.table import refusing
from tests.waiting import PATIENCE
from tests.web.table import Clock, TestHand

FULL = OSError(28, "No space left on device")
HOST, BO, CLEO = "phone-1", "phone-2", "phone-3"
FOR_CLEO = EnterWord(3, "count", 5)
"""The host enters it for Cléo; Bo agrees."""


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
def asked(table: TableOfActs) -> str:
    """The host has asked; the question's number."""
    return ask(table, FOR_CLEO)


def test_a_restart_finds_the_question_and_the_yes_does_it(table: TableOfActs, asked: str) -> None:
    table.clock.now += LAPSES - 1
    table.restart()
    assert table.question is not None
    assert table.question.id == asked
    assert table.counts() == {2: 4}
    table.answer(BO, asked)
    assert table.counts() == {2: 4, 3: 5}
    assert table.question is None


def test_while_the_table_is_started_again_no_time_passes_for_a_question(table: TableOfActs, asked: str) -> None:
    table.close()
    table.clock.now += LAPSES + AFTER_A_START
    table.open()
    assert table.question is not None
    table.clock.now += LAPSES
    assert table.question is None


def test_what_one_restart_finds_is_found_by_the_next(table: TableOfActs, asked: str) -> None:
    for _ in range(3):
        table.clock.now += LAPSES
        table.restart()
        table.clock.now += LAPSES - 1
        assert table.question is not None
        assert table.question.id == asked


def test_what_lapsed_long_ago_is_not_asked_again_after_a_restart(table: TableOfActs, asked: str) -> None:
    table.clock.now += LAPSES + AFTER_A_START + 1
    table.restart()
    assert table.question is None


def test_after_the_machine_was_started_its_clock_begins_again(table: TableOfActs, asked: str) -> None:
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


def test_a_yes_that_could_not_be_stored_is_given_again_even_after_a_restart(table: TableOfActs, asked: str) -> None:
    with refusing(table.log, "append"), pytest.raises(NotKept):
        table.answer(BO, asked)
    table.restart()
    table.answer(BO, asked)
    assert table.counts() == {2: 4, 3: 5}


def ask(table: TableOfActs, act: Act) -> str:
    """Have the host ask for this; return the question's number."""
    assert table.do(HOST, act).asked
    assert table.question is not None
    return table.question.id


def cut_before_it_is_closed(table: TableOfActs, asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def cut(*_: object) -> None:
        raise PowerCut

    monkeypatch.setattr(KeptQuestions, "close", cut)
    with suppress(PowerCut):
        table.answer(BO, asked)
    monkeypatch.undo()
    table.restart()


@pytest.fixture
def done_before_a_cut(table: TableOfActs, asked: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the question to which a yes was done just before the power was cut, so that it is open again."""

    cut_before_it_is_closed(table, asked, monkeypatch)
    return asked


def test_what_was_done_just_before_a_power_cut_is_not_done_again(table: TableOfActs, done_before_a_cut: str) -> None:
    assert table.question is not None, "it is done, but that it is closed was not written"
    table.answer(CLEO, done_before_a_cut)
    assert table.entered_under(done_before_a_cut) == 1
    assert table.question is None


@pytest.mark.parametrize("act", [LayCards("seat-2", ("red-5", "red-6")), PressBuzzer(2)])
def test_what_the_virtual_hand_did_just_before_a_power_cut_is_not_done_again(
    virtual: TableOfActs, act: Act, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ask(virtual, act)
    cut_before_it_is_closed(virtual, asked, monkeypatch)
    events = virtual.live.ask(lambda match: len(match.events))
    assert virtual.answer(BO, asked).said.code == "ask-done"
    assert virtual.entered_under(asked) == 1
    assert virtual.live.ask(lambda match: len(match.events)) == events
    assert virtual.question is None


@pytest.mark.parametrize("act", [LayCards("seat-2", ("red-5", "red-6")), PressBuzzer(2)])
def test_what_a_real_virtual_hand_did_is_on_disk_before_its_question_is_closed(
    table: TableOfActs, act: Act, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = [sensor.open(table.clock) for sensor in (virtual_driver.Reader("seat-2"), virtual_driver.Buzzers((2,)))]
    waited_for = threading.Event()

    class Hand(virtual_driver.VirtualHand):
        def wait_until_told(self, seconds: float) -> bool:
            waited_for.set()
            return super().wait_until_told(PATIENCE)

    def tell(*sensings: Sensing) -> None:
        waited_for.wait(PATIENCE)
        table.live.tell(*sensings)

    table.hand_of = lambda _: Hand(sources)
    table.restart()
    asked = ask(table, act)
    entered: list[int] = []
    close = KeptQuestions.close
    monkeypatch.setattr(
        KeptQuestions, "close", lambda *step: (entered.append(table.entered_under(asked)), close(*step))
    )
    listening = Listening(sources, tell)
    try:
        table.answer(BO, asked)
    finally:
        waited_for.set()
        listening.stop()
    assert entered == [1]


def test_what_the_virtual_hand_did_and_no_disk_has_stored_stays_asked(virtual: TableOfActs) -> None:
    asked = ask(virtual, PressBuzzer(2))
    with pytest.MonkeyPatch.context() as slow:
        slow.setattr(TestHand, "wait_until_told", lambda *_: False)
        with pytest.raises(NotKept):
            virtual.answer(BO, asked)
    assert virtual.question is not None
    virtual.answer(BO, asked)
    assert virtual.entered_under(asked) == 1
    assert virtual.question is None


@pytest.mark.parametrize("laid", [0, 1])
def test_of_cards_laid_before_a_power_cut_only_the_others_are_laid_then(
    virtual: TableOfActs, laid: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ask(virtual, LayCards("seat-2", ("red-5", "red-6")))
    lay = TestHand.lay

    def laid_until_the_cut(hand: TestHand, place: str, slug: str, card: str, origin: str = "") -> None:
        if card == ("red-5", "red-6")[laid]:
            raise PowerCut
        lay(hand, place, slug, card, origin)

    monkeypatch.setattr(TestHand, "lay", laid_until_the_cut)
    with suppress(PowerCut):
        virtual.answer(BO, asked)
    monkeypatch.undo()
    virtual.restart()
    virtual.answer(BO, asked)
    cards = virtual.live.ask(lambda match: [event.card for event in match.events if isinstance(event, Tapped)])
    assert cards[1:] == ["red-5", "red-6"]


def test_a_table_that_was_switched_off_does_not_ask_about_that_again(table: TableOfActs) -> None:
    ask(table, SwitchOff())
    table.restart()
    assert table.question is None


def test_whoever_declines_what_was_done_just_before_a_power_cut_hears_that_it_is_done(
    table: TableOfActs, done_before_a_cut: str
) -> None:
    assert table.answer(CLEO, done_before_a_cut, Reply.NO).said.code == "ask-done-already"


def test_whoever_declines_while_the_disk_is_full_is_heard_for_good(table: TableOfActs, asked: str) -> None:
    with refusing(files, "replace_private", error=FULL):
        table.answer(BO, asked, Reply.NO)
    table.restart()
    with pytest.raises(ActRefused):
        table.answer(CLEO, asked)
    assert table.counts() == {2: 4}


def test_what_is_withdrawn_or_has_lapsed_is_not_done_after_a_restart(table: TableOfActs, asked: str) -> None:
    table.answer(HOST, asked, Reply.NO)
    table.restart()
    with pytest.raises(ActRefused):
        table.answer(BO, asked)
    assert table.counts() == {2: 4}


def test_a_question_does_not_outlive_its_match_by_a_restart(table: TableOfActs, asked: str) -> None:
    table.count()
    table.restart()
    with pytest.raises(ActRefused):
        table.answer(BO, asked)
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


def test_a_file_that_is_damaged_costs_the_question_and_nothing_else(table: TableOfActs, asked: str) -> None:
    table.close()
    files.questions_of(table.path).write_bytes(b'{"at":')
    table.open()
    assert table.question is None
    assert table.do(HOST, FOR_CLEO).asked


def entry_of_bo(table: TableOfActs) -> TakeBack:
    codes = table.live.ask(lambda match: [verdict.code for verdict in match.public])
    return TakeBack(EntryTold(len(codes) - 1 - codes[::-1].index("counted"), "counted"))
