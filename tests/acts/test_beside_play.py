"""What the big screen shows beside play: who may cheer and object, how often, and when."""

from typing import Any

import pytest
from msgspec.structs import replace

from companion.acts.act import Act
from companion.acts.beside_play import CHEER_S, LOOK_S, MOST, MOST_OF_ADDRESS, BesidePlay, Evidence
from companion.acts.decide import decide
from companion.acts.match_acts import LookAgain, TakeBack
from companion.acts.outcome import Do
from companion.acts.table import Particulars, Situation
from companion.acts.table_acts import AllowCheers, Cheer
from companion.acts.told import EntryTold
from companion.events import Tapped
from companion.judge.match import judge
from tests.acts.tables import ANA, BO, CLEO, NOW, ZED, actor, asked, counting, in_short, rights, table, told_of

COUNT = told_of(counting(), "counted")
STOP = told_of(counting(), "stop-shown")


def outcome(act: Act, phone: str | None, at: Situation, address: str = "192.0.2.7") -> str:
    return in_short(decide(act, actor(phone, at, address), at))


def cheered(at: Situation, phone: str | None = None, address: str = "192.0.2.7") -> Situation:
    """The table after a cheer."""
    return replace(at, beside=beside(Cheer(), phone, at, address))


def beside(act: Act, phone: str | None, at: Situation, address: str = "192.0.2.7") -> BesidePlay:
    done = decide(act, actor(phone, at, address), at)
    assert isinstance(done, Do), done
    assert done.plan.beside is not None
    return done.plan.beside


@pytest.mark.parametrize("phone", [ANA, BO, ZED, None])
def test_anybody_may_cheer(phone: str | None) -> None:
    assert outcome(Cheer(), phone, table()) == "does it"


def test_a_cheer_shows_whose_it_is() -> None:
    at = cheered(cheered(table(), BO), None)
    assert [cheer.seat for cheer in at.beside.cheers] == [3, None]


def test_a_phone_cheers_once_in_a_few_seconds() -> None:
    at = cheered(table(), BO)
    assert outcome(Cheer(), BO, at) == "cheer-later"
    later = replace(at, beside=at.beside.at(NOW + CHEER_S))
    assert outcome(Cheer(), BO, later) == "does it"


def test_no_address_has_all_the_cheers() -> None:
    at = table()
    for _ in range(MOST_OF_ADDRESS):
        at = cheered(at, None, "192.0.2.66")
    assert outcome(Cheer(), None, at, "192.0.2.66") == "cheer-later"
    assert outcome(Cheer(), None, at, "192.0.2.7") == "does it"


def test_a_network_of_ipv6_is_one_address() -> None:
    at = table()
    for number in range(MOST_OF_ADDRESS):
        at = cheered(at, None, f"2001:db8::{number + 1}")
    assert outcome(Cheer(), None, at, "2001:db8::ffff") == "cheer-later"


def test_all_together_cheer_no_oftener_than_a_screen_shows() -> None:
    at = table()
    for number in range(MOST):
        at = cheered(at, None, f"192.0.2.{number}")
    assert outcome(Cheer(), None, at, "192.0.2.99") == "cheer-later"


def _racing(at: Situation) -> Situation:
    assert at.play is not None
    return replace(at, play=replace(at.play, races=True))


def _asking(at: Situation) -> Situation:
    return asked(TakeBack(STOP), CLEO, at)


def _announcing(at: Situation) -> Situation:
    return replace(at, particulars=Particulars(announced=7))


@pytest.mark.parametrize("during", [_racing, _asking, _announcing])
@pytest.mark.parametrize(("act", "refused"), [(Cheer(), "cheer-not-now"), (LookAgain(COUNT), "look-again-not-now")])
def test_nothing_is_shown_beside_a_race_or_a_question(during: Any, act: Act, refused: str) -> None:
    assert outcome(act, BO, during(table())) == refused


def test_where_there_is_no_match_nobody_cheers() -> None:
    assert outcome(Cheer(), BO, replace(table(), play=None, match=None)) == "cheer-not-now"


def test_the_host_alone_switches_cheers_off_and_on() -> None:
    assert [outcome(AllowCheers(allowed=False), phone, table()) for phone in (ANA, BO, ZED)] == [
        "does it",
        "for-host",
        "for-host",
    ]
    off = replace(table(), rights=rights(cheers=False))
    assert outcome(Cheer(), BO, off) == "cheers-off"
    done = decide(AllowCheers(allowed=True), actor(ANA, off), off)
    assert isinstance(done, Do)
    assert done.plan.rights == rights()


@pytest.mark.parametrize(
    ("phone", "comes"), [(ANA, "does it"), (BO, "does it"), (ZED, "for-players"), (None, "for-players")]
)
def test_whoever_plays_may_object(phone: str | None, comes: str) -> None:
    assert outcome(LookAgain(COUNT), phone, table()) == comes


def test_only_the_last_act_is_shown_again() -> None:
    assert outcome(LookAgain(STOP), BO, table()) == "moved-on"
    assert outcome(LookAgain(EntryTold(999, mark="x")), BO, table()) == "moved-on"


def test_it_shows_who_wants_it_and_how_the_table_knows() -> None:
    looked = beside(LookAgain(COUNT), CLEO, table()).looked
    assert looked is not None
    assert (looked.part, looked.evidence) == (5, Evidence("said", "seat-3"))


@pytest.mark.parametrize(
    ("event", "evidence"),
    [
        (Tapped(4, 4.0, "centre", "red-stop-1"), Evidence("reader", "centre")),
        (Tapped(4, 4.0, "centre", "red-stop-1", by="phone"), Evidence("entered", "centre")),
    ],
)
def test_the_evidence_is_what_was_sensed_or_entered(event: Tapped, evidence: Evidence) -> None:
    match = judge([*counting().events[:3], event])
    looked = beside(LookAgain(told_of(match, "stop-shown")), BO, table(match)).looked
    assert looked is not None
    assert looked.evidence == evidence


def test_the_evidence_of_a_press_is_its_button() -> None:
    match = judge(counting().events[:3])
    looked = beside(LookAgain(told_of(match, "shouted")), BO, table(match)).looked
    assert looked is not None
    assert looked.evidence == Evidence("button", "seat-1")


def test_a_virtual_table_claims_no_evidence() -> None:
    looked = beside(LookAgain(COUNT), BO, replace(table(), simulated=True)).looked
    assert looked is not None
    assert looked.evidence == Evidence("virtual", "")


def test_an_act_that_is_shown_again_is_not_begun_anew() -> None:
    at = replace(table(), beside=beside(LookAgain(COUNT), CLEO, table()))
    done = decide(LookAgain(COUNT), actor(BO, at), at)
    assert isinstance(done, Do)
    assert done.plan.beside is None


def test_it_is_gone_by_itself() -> None:
    shown_beside = beside(LookAgain(COUNT), CLEO, table())
    assert shown_beside.at(NOW + LOOK_S - 1).looked is not None
    assert shown_beside.at(NOW + LOOK_S).looked is None


def test_nobody_objects_in_a_break() -> None:
    at = table()
    assert at.play is not None
    assert outcome(LookAgain(COUNT), BO, replace(at, play=replace(at.play, pause="break"))) == "look-again-not-now"
