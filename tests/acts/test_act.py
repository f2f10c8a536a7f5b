"""Every act has one text form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.access.lobby import Ticked
from companion.access.player_looks import Face
from companion.access.table_voice import Loudness, VoiceKind
from companion.acts.act import ACTS, Act, read, text
from companion.acts.match_acts import (
    Again,
    CountAgain,
    End,
    EnterCards,
    EnterPress,
    EnterWord,
    GoOnWithMatch,
    HaveRead,
    HearCards,
    LeaveOut,
    LiesAt,
    MakeMove,
    ObjectToAnnouncement,
    PlayBots,
    PlayCards,
    PutRight,
    StartMatch,
    TakeBack,
    TakeBreak,
    TakeUp,
)
from companion.acts.seat_acts import (
    ClaimSeat,
    ComeBack,
    FreeSeat,
    GetUp,
    GoOnHere,
    HandOn,
    KeepSeat,
    MoveGuest,
    Rename,
    RenewCodes,
    SendAway,
    SitDown,
    SitOut,
    TakeOver,
    TellRules,
    WaitForPhone,
)
from companion.acts.table_acts import (
    ChooseVoice,
    DropSeason,
    GoOnWithDemo,
    HideProfile,
    HoldDemo,
    LayCards,
    LeaveDemo,
    LiftCard,
    NameSeason,
    PaceDemo,
    PressBuzzer,
    StartDemo,
    StepDemo,
    StopDemo,
)
from companion.acts.told import EntryTold
from companion.acts.upkeep_acts import (
    BackUp,
    BeginStickers,
    BringBack,
    ChooseSticker,
    CureTable,
    DropBackup,
    EndStickers,
    EndWalk,
    JoinNetwork,
    LookThroughBackup,
    OpenNetwork,
    PassOver,
    SetClock,
    SetUpAnew,
    SkipSticker,
    SwitchOff,
    TakeStickerBack,
    TellDay,
    TellFigure,
    UpdateTable,
    WalkAround,
)
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
    lambda one: st.lists(one) | st.dictionaries(TEXT, one),
    max_leaves=4,
)
BOX = st.dictionaries(TEXT, VALUE, max_size=2)
TICKED = st.builds(Ticked, st.booleans(), NAMES, NAMES, NAMES)
ANY = {
    TakeBack: st.builds(
        TakeBack, st.none() | TOLD, st.none() | SEAT, CARDS, st.none() | st.integers(1, 99), st.none() | MATCH
    ),
    PutRight: st.builds(PutRight, TOLD, TEXT, TEXT, st.none() | MATCH),
    LiesAt: st.builds(LiesAt, TEXT, SEAT),
    EnterPress: st.builds(EnterPress, SEAT, UNIT),
    EnterCards: st.builds(EnterCards, st.sampled_from(["seat-1", "centre"]), CARDS, UNIT),
    EnterWord: st.builds(EnterWord, SEAT | st.just("host"), TEXT, VALUE, UNIT) | st.builds(EnterWord, SEAT, TEXT),
    LayCards: st.builds(LayCards, TEXT, CARDS, UNIT),
    PressBuzzer: st.builds(PressBuzzer, SEAT, UNIT),
    StartMatch: st.builds(
        StartMatch, TEXT, st.none() | NAMES, st.dictionaries(TEXT, VALUE, max_size=2), st.booleans(), TICKED
    ),
    PlayBots: st.builds(
        PlayBots, TEXT, st.integers(0, 5), st.sampled_from(["easy", "strong"]), TEXT, TICKED, st.booleans()
    ),
    Again: st.just(Again()),
    TakeBreak: st.just(TakeBreak()),
    GoOnWithMatch: st.just(GoOnWithMatch()),
    ObjectToAnnouncement: st.builds(ObjectToAnnouncement, st.integers(0, 99)),
    MakeMove: st.builds(MakeMove, SEAT, TEXT, TEXT, TEXT),
    HaveRead: st.just(HaveRead()),
    HearCards: st.builds(HearCards, SEAT),
    PlayCards: st.builds(PlayCards, SEAT),
    SitDown: st.builds(SitDown, SEAT, TEXT, st.just(Face("owl", "blue")), st.booleans()),
    GetUp: st.builds(GetUp, SEAT),
    SendAway: st.builds(SendAway, SEAT),
    MoveGuest: st.builds(MoveGuest, SEAT, SEAT),
    SitOut: st.builds(SitOut, SEAT, st.booleans()),
    TellRules: st.builds(TellRules, SEAT, st.booleans()),
    ClaimSeat: st.builds(ClaimSeat, TEXT),
    HandOn: st.builds(HandOn, PART),
    KeepSeat: st.builds(KeepSeat, PART),
    RenewCodes: st.just(RenewCodes()),
    ComeBack: st.builds(ComeBack, SEAT),
    WaitForPhone: st.builds(WaitForPhone, SEAT),
    LiftCard: st.builds(LiftCard, TEXT),
    StartDemo: st.builds(StartDemo, TEXT),
    StopDemo: st.just(StopDemo()),
    LeaveDemo: st.just(LeaveDemo()),
    HoldDemo: st.just(HoldDemo()),
    GoOnWithDemo: st.just(GoOnWithDemo()),
    StepDemo: st.just(StepDemo()),
    PaceDemo: st.builds(PaceDemo, st.floats(0, 9)),
    NameSeason: st.builds(NameSeason, TEXT, TEXT, TEXT, TEXT),
    DropSeason: st.builds(DropSeason, TEXT),
    ChooseVoice: st.builds(ChooseVoice, st.sampled_from(VoiceKind), st.sampled_from(Loudness)),
    WalkAround: st.just(WalkAround()),
    PassOver: st.builds(PassOver, st.integers(0, 999)),
    EndWalk: st.just(EndWalk()),
    BeginStickers: st.builds(
        BeginStickers, TEXT, st.none() | st.dictionaries(TEXT, VALUE, max_size=2), st.none() | TEXT
    ),
    SkipSticker: st.just(SkipSticker()),
    TakeStickerBack: st.just(TakeStickerBack()),
    ChooseSticker: st.builds(ChooseSticker, TEXT),
    EndStickers: st.just(EndStickers()),
    CureTable: st.builds(CureTable, TEXT, TEXT),
    SetUpAnew: st.just(SetUpAnew()),
    JoinNetwork: st.builds(JoinNetwork, TEXT, TEXT),
    OpenNetwork: st.just(OpenNetwork()),
    BackUp: st.builds(BackUp, st.none() | TEXT),
    LookThroughBackup: st.builds(LookThroughBackup, st.none() | TEXT),
    BringBack: st.builds(BringBack, TEXT),
    DropBackup: st.just(DropBackup()),
    UpdateTable: st.just(UpdateTable()),
    SetClock: st.builds(SetClock, TEXT),
    TellDay: st.builds(TellDay, TEXT),
    TellFigure: st.builds(TellFigure, TEXT, TEXT, TEXT),
    HideProfile: st.builds(HideProfile, TEXT, st.booleans()),
    End: st.just(End()),
    LeaveOut: st.builds(LeaveOut, MATCH),
    CountAgain: st.builds(CountAgain, MATCH),
    TakeUp: st.builds(TakeUp, MATCH),
    SwitchOff: st.just(SwitchOff()),
    FreeSeat: st.builds(FreeSeat, SEAT, st.none() | TEXT),
    Rename: st.builds(Rename, SEAT, TEXT),
    TakeOver: st.builds(TakeOver, SEAT, TEXT, st.none() | st.just(Face("owl", "blue")), TEXT),
    GoOnHere: st.builds(GoOnHere, SEAT, st.none() | TEXT),
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
