"""Every act has one text form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.access.lobby import Ticked
from companion.access.player_looks import Face
from companion.access.table_voice import Loudness, VoiceKind
from companion.acts import match_acts, seat_acts, table_acts, upkeep_acts
from companion.acts.act import ACTS, Act, read, text
from companion.acts.told import EntryTold
from companion.errors import WrongInput

TEXT = st.text(max_size=20)
SEAT = st.integers(1, 6)
PART = st.integers(0, 6)
MATCH = st.integers(1, 9999)
UNIT = st.none() | TEXT
CARDS = st.lists(TEXT, max_size=3).map(tuple)
NAMES = st.dictionaries(SEAT, TEXT, max_size=3)
TOLD = st.builds(EntryTold, st.integers(0, 999), st.none() | TEXT, st.none() | TEXT, st.none() | st.integers(1, 999))
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**50), 2**50) | TEXT,
    lambda values: st.lists(values) | st.dictionaries(TEXT, values),
    max_leaves=4,
)
BOX = st.dictionaries(TEXT, VALUE, max_size=2)
TICKED = st.builds(Ticked, st.booleans(), NAMES, NAMES, NAMES)
ANY = {
    match_acts.TakeBack: st.builds(
        match_acts.TakeBack,
        st.none() | TOLD,
        st.none() | SEAT,
        CARDS,
        st.none() | st.integers(1, 99),
        st.none() | MATCH,
    ),
    match_acts.PutRight: st.builds(match_acts.PutRight, TOLD, TEXT, TEXT, st.none() | MATCH),
    match_acts.LiesAt: st.builds(match_acts.LiesAt, TEXT, SEAT),
    match_acts.EnterPress: st.builds(match_acts.EnterPress, SEAT, UNIT),
    match_acts.EnterCards: st.builds(match_acts.EnterCards, st.sampled_from(["seat-1", "centre"]), CARDS, UNIT),
    match_acts.EnterWord: st.builds(match_acts.EnterWord, SEAT | st.just("host"), TEXT, VALUE, UNIT)
    | st.builds(match_acts.EnterWord, SEAT, TEXT),
    table_acts.LayCards: st.builds(table_acts.LayCards, TEXT, CARDS, UNIT),
    table_acts.PressBuzzer: st.builds(table_acts.PressBuzzer, SEAT, UNIT),
    match_acts.StartMatch: st.builds(
        match_acts.StartMatch, TEXT, st.none() | NAMES, st.dictionaries(TEXT, VALUE, max_size=2), st.booleans(), TICKED
    ),
    match_acts.PlayBots: st.builds(
        match_acts.PlayBots, TEXT, st.integers(0, 5), st.sampled_from(["easy", "strong"]), TEXT, TICKED, st.booleans()
    ),
    match_acts.Again: st.just(match_acts.Again()),
    match_acts.TakeBreak: st.just(match_acts.TakeBreak()),
    match_acts.GoOnWithMatch: st.just(match_acts.GoOnWithMatch()),
    match_acts.ObjectToAnnouncement: st.builds(match_acts.ObjectToAnnouncement, st.integers(0, 99)),
    match_acts.MakeMove: st.builds(match_acts.MakeMove, SEAT, TEXT, TEXT, TEXT),
    match_acts.HaveRead: st.just(match_acts.HaveRead()),
    match_acts.HearCards: st.builds(match_acts.HearCards, SEAT),
    match_acts.PlayCards: st.builds(match_acts.PlayCards, SEAT),
    seat_acts.SitDown: st.builds(seat_acts.SitDown, SEAT, TEXT, st.just(Face("owl", "blue")), st.booleans()),
    seat_acts.GetUp: st.builds(seat_acts.GetUp, SEAT),
    seat_acts.SendAway: st.builds(seat_acts.SendAway, SEAT),
    seat_acts.MoveGuest: st.builds(seat_acts.MoveGuest, SEAT, SEAT),
    seat_acts.SitOut: st.builds(seat_acts.SitOut, SEAT, st.booleans()),
    seat_acts.TellRules: st.builds(seat_acts.TellRules, SEAT, st.booleans()),
    seat_acts.ClaimSeat: st.builds(seat_acts.ClaimSeat, TEXT),
    seat_acts.HandOn: st.builds(seat_acts.HandOn, PART),
    seat_acts.KeepSeat: st.builds(seat_acts.KeepSeat, PART),
    seat_acts.RenewCodes: st.just(seat_acts.RenewCodes()),
    seat_acts.ComeBack: st.builds(seat_acts.ComeBack, SEAT),
    seat_acts.WaitForPhone: st.builds(seat_acts.WaitForPhone, SEAT),
    table_acts.LiftCard: st.builds(table_acts.LiftCard, TEXT),
    table_acts.StartDemo: st.builds(table_acts.StartDemo, TEXT),
    table_acts.StopDemo: st.just(table_acts.StopDemo()),
    table_acts.LeaveDemo: st.just(table_acts.LeaveDemo()),
    table_acts.HoldDemo: st.just(table_acts.HoldDemo()),
    table_acts.GoOnWithDemo: st.just(table_acts.GoOnWithDemo()),
    table_acts.StepDemo: st.just(table_acts.StepDemo()),
    table_acts.PaceDemo: st.builds(table_acts.PaceDemo, st.floats(0, 9)),
    table_acts.NameSeason: st.builds(table_acts.NameSeason, TEXT, TEXT, TEXT, TEXT),
    table_acts.DropSeason: st.builds(table_acts.DropSeason, TEXT),
    table_acts.ChooseVoice: st.builds(table_acts.ChooseVoice, st.sampled_from(VoiceKind), st.sampled_from(Loudness)),
    table_acts.Cheer: st.just(table_acts.Cheer()),
    table_acts.AllowCheers: st.builds(table_acts.AllowCheers, st.booleans()),
    match_acts.LookAgain: st.builds(match_acts.LookAgain, TOLD),
    upkeep_acts.WalkAround: st.just(upkeep_acts.WalkAround()),
    upkeep_acts.PassOver: st.builds(upkeep_acts.PassOver, st.integers(0, 999)),
    upkeep_acts.EndWalk: st.just(upkeep_acts.EndWalk()),
    upkeep_acts.BeginStickers: st.builds(
        upkeep_acts.BeginStickers, TEXT, st.none() | st.dictionaries(TEXT, VALUE, max_size=2), st.none() | TEXT
    ),
    upkeep_acts.SkipSticker: st.just(upkeep_acts.SkipSticker()),
    upkeep_acts.TakeStickerBack: st.just(upkeep_acts.TakeStickerBack()),
    upkeep_acts.ChooseSticker: st.builds(upkeep_acts.ChooseSticker, TEXT),
    upkeep_acts.EndStickers: st.just(upkeep_acts.EndStickers()),
    upkeep_acts.CureTable: st.builds(upkeep_acts.CureTable, TEXT, TEXT),
    upkeep_acts.SetUpAnew: st.just(upkeep_acts.SetUpAnew()),
    upkeep_acts.JoinNetwork: st.builds(upkeep_acts.JoinNetwork, TEXT, TEXT),
    upkeep_acts.OpenNetwork: st.just(upkeep_acts.OpenNetwork()),
    upkeep_acts.BackUp: st.builds(upkeep_acts.BackUp, st.none() | TEXT),
    upkeep_acts.LookThroughBackup: st.builds(upkeep_acts.LookThroughBackup, st.none() | TEXT),
    upkeep_acts.BringBack: st.builds(upkeep_acts.BringBack, TEXT),
    upkeep_acts.DropBackup: st.just(upkeep_acts.DropBackup()),
    upkeep_acts.UpdateTable: st.just(upkeep_acts.UpdateTable()),
    upkeep_acts.SetClock: st.builds(upkeep_acts.SetClock, TEXT),
    upkeep_acts.TellDay: st.builds(upkeep_acts.TellDay, TEXT),
    upkeep_acts.TellFigure: st.builds(upkeep_acts.TellFigure, TEXT, TEXT, TEXT),
    table_acts.HideProfile: st.builds(table_acts.HideProfile, TEXT, st.booleans()),
    match_acts.End: st.just(match_acts.End()),
    match_acts.LeaveOut: st.builds(match_acts.LeaveOut, MATCH),
    match_acts.CountAgain: st.builds(match_acts.CountAgain, MATCH),
    match_acts.TakeUp: st.builds(match_acts.TakeUp, MATCH),
    upkeep_acts.SwitchOff: st.just(upkeep_acts.SwitchOff()),
    seat_acts.FreeSeat: st.builds(seat_acts.FreeSeat, SEAT, st.none() | TEXT),
    seat_acts.Rename: st.builds(seat_acts.Rename, SEAT, TEXT),
    seat_acts.TakeOver: st.builds(seat_acts.TakeOver, SEAT, TEXT, st.none() | st.just(Face("owl", "blue")), TEXT),
    seat_acts.GoOnHere: st.builds(seat_acts.GoOnHere, SEAT, st.none() | TEXT),
}


def test_every_kind_of_act_is_tried() -> None:
    assert {*ANY} == {*ACTS}


@given(st.one_of(*ANY.values()))
def test_an_act_is_read_back_from_its_text_as_it_was(act: Act) -> None:
    assert read(text(act)) == act


@given(st.one_of(*ANY.values()))
def test_an_act_has_one_text(act: Act) -> None:
    assert text(read(text(act))) == text(act)


@pytest.mark.parametrize(
    "written", ["", "null", "[]", '{"act":"fly"}', '{"act":"free"}', '{"act":"free","seat":7}', "[" * 9999]
)
def test_what_is_no_act_is_refused_with_what_stands_there(written: str) -> None:
    with pytest.raises(WrongInput, match="is no act"):
        read(written)


def test_an_act_with_more_than_it_knows_is_refused() -> None:
    with pytest.raises(WrongInput):
        read('{"act":"end","seat":1}')
