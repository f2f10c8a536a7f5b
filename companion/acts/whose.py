"""Acts that ask nobody: whose they are. Pure."""

from companion.access.seat_rights import HOST
from companion.acts.act import Act
from companion.acts.match_acts import (
    GoOnWithMatch,
    HaveRead,
    HearCards,
    MakeMove,
    ObjectToAnnouncement,
    PlayCards,
    TakeBreak,
    TakeUp,
)
from companion.acts.outcome import Refuse, not_yours
from companion.acts.seat_acts import (
    ComeBack,
    GetUp,
    HandOn,
    KeepSeat,
    MoveGuest,
    RenewCodes,
    SendAway,
    SitOut,
    TellRules,
    WaitForPhone,
)
from companion.acts.table import Actor, Situation
from companion.acts.table_acts import (
    ChooseVoice,
    DropSeason,
    GoOnWithDemo,
    HoldDemo,
    LeaveDemo,
    LiftCard,
    NameSeason,
    PaceDemo,
    StartDemo,
    StepDemo,
    StopDemo,
)
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
    TakeStickerBack,
    TellDay,
    TellFigure,
    UpdateTable,
    WalkAround,
)

FOR_HOST = not_yours("for-host")
FOR_PLAYERS = not_yours("for-players")
NOT_YOUR_SEAT = not_yours("not-your-seat")


def not_theirs(act: Act, actor: Actor, situation: Situation) -> Refuse | None:
    """Return why an act that asks nobody is not this phone's; None: it may be, or others are asked."""
    who = actor.who
    holders = situation.rights.holders
    is_first = who.host or HOST not in holders
    match act:
        case (
            TakeBreak()
            | GoOnWithMatch()
            | TakeUp()
            | SendAway()
            | MoveGuest()
            | RenewCodes()
            | LiftCard()
            | NameSeason()
            | DropSeason()
            | ChooseVoice()
        ):
            return None if who.host else FOR_HOST
        case BackUp() | LookThroughBackup() | BringBack() | DropBackup() | JoinNetwork() | OpenNetwork() | SetUpAnew():
            return None if who.host else FOR_HOST
        case WalkAround() | PassOver() | EndWalk() | CureTable() | UpdateTable():
            return None if is_first else FOR_HOST
        case SetClock() | TellDay() | TellFigure():
            return None if is_first else FOR_HOST
        case BeginStickers() | SkipSticker() | TakeStickerBack() | ChooseSticker() | EndStickers():
            return None if is_first else FOR_HOST
        case LeaveDemo():
            return None
        case StartDemo() | StopDemo() | HoldDemo() | GoOnWithDemo() | StepDemo() | PaceDemo():
            return None if is_first else FOR_HOST
        case WaitForPhone():
            return None if who.parts & situation.seats else FOR_PLAYERS
        case HaveRead() | ObjectToAnnouncement():
            return None if who.parts else FOR_PLAYERS
        case MakeMove(seat=seat) | HearCards(seat=seat) | HandOn(seat=seat) | KeepSeat(seat=seat):
            return None if seat in who.parts else NOT_YOUR_SEAT
        case PlayCards(seat=seat):
            return None if seat in who.parts or (who.host and seat not in holders) else NOT_YOUR_SEAT
        case GetUp(seat=seat):
            return None if seat in who.waits else NOT_YOUR_SEAT
        case SitOut(seat=seat) | TellRules(seat=seat):
            return None if who.host or seat in who.parts | who.waits else NOT_YOUR_SEAT
        case ComeBack(seat=seat):
            return None if seat in who.left else NOT_YOUR_SEAT
    return None
