"""Who may do what alone, and whom others must ask: the rules, one by one."""

import pytest
from msgspec.structs import replace

from companion.access.presence import GOES_ON_WITHOUT, HAS_A_SAY
from companion.access.seat_rights import HOST, Leaver
from companion.acts.act import Act
from companion.acts.decide import Reply, decide, decide_agreed, may_answer
from companion.acts.match_acts import End, EnterPress, EnterWord, PlayBots, PutRight, TakeBack
from companion.acts.outcome import AskOthers, Do, Refuse
from companion.acts.putting_right import move_behind
from companion.acts.question import AGAIN, GRACE, LAPSES, NEWCOMER, Questions
from companion.acts.seat_acts import FreeSeat, GoOnHere, Rename, TakeOver
from companion.acts.table import Made, Situation
from companion.events import Retracted
from tests.acts.tables import (
    ANA,
    BO,
    CLEO,
    CODES,
    HOLDERS,
    NOW,
    ZED,
    actor,
    asked,
    counting,
    dealt,
    in_short,
    rights,
    table,
    told_of,
)

COUNT_OF_BO = TakeBack(told_of(counting(), "counted"))
COUNT_FOR_BO = EnterWord(3, "count", 5)
ALL_OFF = {BO: GOES_ON_WITHOUT, CLEO: GOES_ON_WITHOUT}


def outcome(act: Act, phone: str | None, at: Situation, new: str | None = None) -> str:
    return in_short(decide(act, actor(phone, at, "192.0.2.7", new), at))


@pytest.mark.parametrize(
    ("phone", "comes"), [(ANA, "asks who plays"), (BO, "does it"), (CLEO, "asks the host"), (ZED, "for-players")]
)
def test_whose_act_it_is_takes_it_back_and_others_ask(phone: str, comes: str) -> None:
    assert outcome(COUNT_OF_BO, phone, table()) == comes


def test_what_is_done_is_to_retract_the_event_behind_the_entry() -> None:
    done = decide(COUNT_OF_BO, actor(BO, table()), table())
    assert isinstance(done, Do)
    assert done.plan.events == (Retracted(0, NOW, 5, by="phone"),)


def test_who_may_take_back_bos_count_while_cleos_question_is_open_and_bos_phone_is_off() -> None:
    at = table(off={BO: GOES_ON_WITHOUT})
    at = asked(TakeBack(told_of(counting(), "stop-shown")), CLEO, at)
    assert outcome(COUNT_OF_BO, BO, at) == "does it"
    assert outcome(COUNT_OF_BO, ANA, at) == "asks who plays", "the host goes before"
    assert outcome(COUNT_OF_BO, CLEO, at) == "ask-waits-mine"


def test_the_host_alone_suffices_where_nobody_else_can_be_asked() -> None:
    gone = {BO: HAS_A_SAY, CLEO: HAS_A_SAY}
    assert outcome(COUNT_OF_BO, ANA, table(off=gone)) == "does it"
    assert outcome(COUNT_OF_BO, ANA, table(one_hand=True)) == "does it"
    assert outcome(COUNT_OF_BO, ANA, table(rights=rights({HOST: ANA, 1: ANA}))) == "does it"
    assert outcome(COUNT_OF_BO, CLEO, table(off=gone)) == "asks the host"


def test_phones_that_are_off_are_waited_for_and_then_no_more() -> None:
    at = table(off=ALL_OFF)
    assert outcome(COUNT_OF_BO, ANA, at) == "asks who plays"
    assert outcome(COUNT_OF_BO, ANA, asked(COUNT_OF_BO, ANA, at, ago=GRACE - 1)) == "ask-waits-same"
    assert outcome(COUNT_OF_BO, ANA, asked(COUNT_OF_BO, ANA, at, ago=GRACE)) == "does it after all"
    assert outcome(TakeBack(told_of(counting(), "stop-shown")), ANA, asked(COUNT_OF_BO, ANA, at, ago=GRACE)) == (
        "ask-waits-mine"
    )


def test_nobody_is_gone_without_who_is_there() -> None:
    at = asked(COUNT_OF_BO, ANA, table(off={BO: 2 * GOES_ON_WITHOUT}), ago=GRACE)
    assert outcome(COUNT_OF_BO, ANA, at) == "ask-waits-same"


def test_what_was_declined_is_not_done_because_phones_go_off() -> None:
    at = asked(COUNT_OF_BO, ANA, table(), ago=LAPSES)
    question = at.questions.latest
    assert question is not None
    declined = replace(at, questions=at.questions.declined(question, NOW - GRACE), presence=table(off=ALL_OFF).presence)
    assert outcome(COUNT_OF_BO, ANA, declined) == "asks who plays"


def test_a_match_is_ended_by_who_asked_once_in_vain() -> None:
    at = asked(End(), ANA, table(), ago=LAPSES)
    assert outcome(End(), ANA, table()) == "asks who plays"
    assert outcome(End(), ANA, at) == "does it after all"
    assert outcome(End(), ANA, asked(End(), ANA, table())) == "ask-waits-same"


def test_a_seats_own_phone_is_asked_first_and_then_the_others() -> None:
    free = FreeSeat(3)
    assert outcome(free, ANA, table()) == "asks seat 3"
    assert outcome(free, CLEO, table()) == "not-your-seat"
    assert outcome(free, BO, table()) == "does it"
    at = asked(free, ANA, table(), ago=1)
    assert outcome(free, ANA, at) == "ask-not-silent"
    silent = replace(asked(free, ANA, table(), ago=GRACE), presence=table(off={BO: GOES_ON_WITHOUT}).presence)
    assert outcome(free, ANA, silent) == "asks who plays"
    assert outcome(free, ANA, replace(silent, presence=table(off=ALL_OFF).presence)) == "does it after all"


def test_a_name_is_corrected_with_who_bears_it() -> None:
    assert outcome(Rename(3, "Bob"), BO, table()) == "does it"
    assert outcome(Rename(3, "Bob"), ANA, table()) == "asks seat 3"
    assert outcome(Rename(3, "Ana"), ANA, table()) == "name-taken"
    assert outcome(Rename(3, "Bob"), CLEO, table()) == "not-your-seat"


def test_the_host_enters_for_who_has_no_phone_and_asks_where_there_is_one() -> None:
    assert outcome(COUNT_FOR_BO, BO, table()) == "does it"
    assert outcome(COUNT_FOR_BO, ANA, table()) == "asks who plays"
    assert outcome(COUNT_FOR_BO, CLEO, table()) == "not-your-seat"
    assert outcome(COUNT_FOR_BO, ANA, table(rights=rights({HOST: ANA, 1: ANA, 5: CLEO}))) == "does it"


@pytest.mark.parametrize(("pause", "code"), [("break", "paused-no-act"), ("ended", "ended-no-act")])
def test_nothing_is_entered_while_the_match_stands_still(pause: str, code: str) -> None:
    at = table()
    assert at.play is not None
    assert outcome(EnterPress(3), BO, replace(at, play=replace(at.play, pause=pause))) == code


def test_at_a_simulated_table_only_moves_are_taken_back_and_what_was_dealt_stays_dealt() -> None:
    at = table(simulated=True, dealt=dealt())
    assert outcome(TakeBack(seat=3), BO, at) == "simulated-only-moves"
    assert outcome(COUNT_OF_BO, BO, at) == "does it"
    assert outcome(COUNT_OF_BO, ANA, at) == "asks who plays"
    assert outcome(COUNT_OF_BO, BO, replace(at, dealt=replace(dealt(), stays=9))) == "simulated-deal-stays"
    assert outcome(COUNT_OF_BO, BO, replace(at, dealt=replace(dealt(), moves=dealt().moves[:1]))) == "moved-on"


def test_a_newcomer_is_let_in_by_who_plays() -> None:
    at = table(simulated=True, dealt=dealt(5), rights=rights({HOST: ANA, 1: ANA, 3: BO}))
    sit = TakeOver(5, "Zed")
    assert outcome(sit, None, at, new=ZED) == "asks who plays"
    assert decide_of(sit, at).asker == NEWCOMER
    assert outcome(sit, BO, at, new=ZED) == "plays-already"
    assert outcome(TakeOver(3, "Zed"), None, at, new=ZED) == "no-bot-there"
    assert outcome(replace(sit, code=CODES[5]), None, at, new=ZED) == "does it"
    assert outcome(replace(sit, code=CODES[1]), None, at, new=ZED) == "asks who plays"
    assert (
        outcome(sit, None, replace(at, presence=table(off={ANA: HAS_A_SAY, BO: HAS_A_SAY}).presence), ZED) == "does it"
    )
    closed = replace(at, questions=Questions(closed_to_newcomers=1))
    assert outcome(sit, None, closed, new=ZED) == "newcomers-ask-no-more"


def decide_of(act: Act, at: Situation) -> AskOthers:
    ask = decide(act, actor(None, at, "192.0.2.7", ZED), at)
    assert isinstance(ask, AskOthers)
    return ask


def test_a_seat_that_somebody_may_come_back_to_is_given_to_nobody_while_no_player_is_there() -> None:
    gone = {5: Leaver("Cléo", CLEO)}
    at = table(simulated=True, dealt=dealt(5), rights=rights({HOST: ANA, 1: ANA}, gone=gone), off={ANA: HAS_A_SAY})
    assert outcome(TakeOver(5, "Zed"), None, at, new=ZED) == "may-come-back"


def test_the_same_persons_other_browser_says_yes() -> None:
    at = table()
    close_by = replace(at, presence=replace(at.presence, addresses={BO: "192.0.2.7"}))
    assert outcome(GoOnHere(3), None, close_by, new=ZED) == "asks seat 3"
    assert outcome(GoOnHere(3), None, at, new=ZED) == "not-this-phones"
    again = asked(GoOnHere(3), ZED, replace(close_by, rights=rights()), address="192.0.2.7")
    assert outcome(GoOnHere(3), ZED, again) == "has asked"


@pytest.mark.parametrize(
    ("first", "second", "comes"),
    [
        (CLEO, ANA, "asks who plays"),
        (CLEO, BO, "ask-waits"),
        (ANA, CLEO, "ask-waits-for-me"),
        (CLEO, CLEO, "ask-waits-mine"),
        (ANA, ANA, "ask-waits-mine"),
    ],
)
def test_one_question_at_a_time_and_the_hosts_goes_before(first: str, second: str, comes: str) -> None:
    at = asked(COUNT_OF_BO, first, table())
    assert outcome(TakeBack(told_of(counting(), "stop-shown")), second, at) == comes


def test_whoever_asked_in_vain_waits_twice_as_long_each_time_but_the_host() -> None:
    at = table()
    for times in (1, 2, 4):
        at = asked(COUNT_OF_BO, CLEO, replace(at, asked_at=NOW))
        question = at.questions.latest
        assert question is not None
        at = replace(at, questions=at.questions.declined(question, NOW).later(1 - times * AGAIN))
        assert outcome(COUNT_OF_BO, CLEO, at) == "ask-later"
        at = replace(at, questions=at.questions.later(-1))
    assert outcome(COUNT_OF_BO, ANA, at) == "asks who plays"


@pytest.mark.parametrize(
    ("phone", "answer", "may"),
    [
        (ANA, Reply.YES, False),
        (ANA, Reply.NO, True),
        (BO, Reply.YES, True),
        (CLEO, Reply.NO, True),
        (ZED, Reply.YES, False),
        (ZED, Reply.NO, False),
        (None, Reply.YES, False),
    ],
)
def test_whoever_is_asked_answers_and_who_asks_withdraws(phone: str | None, answer: Reply, may: bool) -> None:
    at = asked(COUNT_OF_BO, ANA, table())
    assert at.question is not None
    assert may_answer(at.question, answer, actor(phone, at), at) is may


def test_a_yes_is_decided_on_the_table_as_it_is_by_then() -> None:
    at = asked(COUNT_OF_BO, ANA, table())
    assert at.question is not None
    assert in_short(decide_agreed(at.question, at)) == "does it"
    gone = replace(at, match=counting(Retracted(6, 6.0, 5)))
    assert in_short(decide_agreed(at.question, gone)) == "moved-on"


def test_what_was_agreed_to_is_found_though_entries_before_it_go() -> None:
    match = counting()
    at = asked(COUNT_OF_BO, ANA, table(match))
    assert at.question is not None
    earlier = next(verdict.seq for verdict in match.public if verdict.code != "counted")
    assert earlier < 5
    done = decide_agreed(at.question, at)
    assert isinstance(done, Do)
    assert done.plan.events[0].target == 5  # type: ignore[union-attr]


@pytest.mark.parametrize("holder", [CLEO, None])
def test_a_seat_that_changed_hands_is_not_taken_from_somebody_else(holder: str | None) -> None:
    at = asked(FreeSeat(3), ANA, table())
    assert at.question is not None
    holders = {part: phone for part, phone in {**HOLDERS, 3: holder}.items() if phone}
    assert in_short(decide_agreed(at.question, replace(at, rights=rights(holders)))) == "ask-lapsed"


def test_what_is_entered_for_another_lapses_with_the_unit_it_was_meant_for() -> None:
    at = asked(COUNT_FOR_BO, ANA, table())
    assert at.question is not None
    over = counting(Retracted(6, 6.0, 4))
    assert in_short(decide_agreed(at.question, replace(at, match=over))) == "moved-on"


def test_to_take_back_nothing_is_refused() -> None:
    assert outcome(TakeBack(), BO, table()) == "bad-entry"


def test_bots_fill_a_table_to_its_last_seat() -> None:
    decided = decide(PlayBots("stop-it", 5, "easy"), actor(ANA, table()), table())
    assert isinstance(decided, AskOthers)
    assert decided.plan.starting is not None
    assert [player.seat for player in decided.plan.starting.players] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("act", [PutRight(told_of(counting(), "stop-shown"), "red-stop-1", "no-card")])
def test_what_there_is_not_is_refused_before_anybody_is_asked(act: Act) -> None:
    refused = decide(act, actor(ANA, table()), table())
    assert isinstance(refused, Refuse)
    assert refused.code == "bad-card"


def test_the_last_event_before_a_move_is_of_the_move_before() -> None:
    moves = (Made(1, 1), Made(1, 2), Made(3, 4))
    assert [move_behind(moves, seq) for seq in (2, 3, 4, 5)] == [0, 1, 1, 2]
