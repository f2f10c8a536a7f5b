"""How an act would be done on this table, and who else must agree. Pure."""

from companion.acts.act import Act
from companion.acts.demonstrating import leave_demo, start_demo, steer_demo, stop_demo
from companion.acts.earlier import leave_out_or_count, take_up
from companion.acts.entering import enter, laid_by_hand, pressed_by_hand
from companion.acts.going_on import go_on, have_read, hear, move, object_to, play_cards, take_break
from companion.acts.holding import claim, come_back, hand_on, keep, renew, wait_for
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
    MatchAct,
    ObjectToAnnouncement,
    PlayBots,
    PlayCards,
    PutRight,
    StartMatch,
    TakeBack,
    TakeBreak,
    TakeUp,
)
from companion.acts.outcome import Consent, Needs, PlannedAct, Refuse, not_now
from companion.acts.putting_right import lies_at, put_right, take_back
from companion.acts.remembering import choose_voice, drop_season, hide_profile, name_season, tell_rules
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
    SeatAct,
    SendAway,
    SitDown,
    SitOut,
    TakeOver,
    TellRules,
    WaitForPhone,
)
from companion.acts.seating import free, go_on_here, rename, take_over
from companion.acts.sentence import Saying
from companion.acts.sitting import get_up, move_guest, send_away, sit, sit_out
from companion.acts.starting import again, play_bots, start
from companion.acts.table import Actor, Situation
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
    TableAct,
)
from companion.acts.upkeep import keep_up
from companion.acts.whose import not_theirs


def planned(act: Act, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    """Return how an act would be done, or why it can't be."""
    refused = not_theirs(act, actor, situation)
    if refused is not None:
        return refused
    if isinstance(act, MatchAct):
        return _about_match(act, actor, situation)
    if isinstance(act, SeatAct):
        return _about_seat(act, actor, situation)
    if isinstance(act, TableAct):
        return _about_table(act, actor, situation)
    return keep_up(act, situation)


def _about_match(act: MatchAct, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    match act:
        case TakeBack():
            return take_back(act, actor, situation)
        case PutRight():
            return put_right(act, actor, situation)
        case LiesAt():
            return lies_at(act, situation)
        case LeaveOut() | CountAgain():
            return leave_out_or_count(act, situation)
        case TakeUp():
            return take_up(act, situation)
        case EnterPress() | EnterCards() | EnterWord():
            return enter(act, actor, situation)
        case StartMatch():
            return start(act, situation)
        case PlayBots():
            return play_bots(act, actor, situation)
        case Again():
            return again(act, actor, situation)
        case End():
            return _end(act, situation)
        case TakeBreak():
            return take_break(act, situation)
        case GoOnWithMatch():
            return go_on(act)
        case ObjectToAnnouncement():
            return object_to(act, situation)
        case MakeMove():
            return move(act, situation)
        case HaveRead():
            return have_read(act)
        case HearCards():
            return hear(act, situation)
        case PlayCards():
            return play_cards(act, situation)


def _about_seat(act: SeatAct, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    match act:
        case SitDown():
            return sit(act, actor, situation)
        case GetUp():
            return get_up(act, situation)
        case SendAway():
            return send_away(act, situation)
        case MoveGuest():
            return move_guest(act, situation)
        case SitOut():
            return sit_out(act, situation)
        case TellRules():
            return tell_rules(act, situation)
        case ClaimSeat():
            return claim(act, actor, situation)
        case HandOn():
            return hand_on(act, situation)
        case KeepSeat():
            return keep(act, situation)
        case RenewCodes():
            return renew(act, situation)
        case ComeBack():
            return come_back(act, actor, situation)
        case WaitForPhone():
            return wait_for(act, situation)
        case FreeSeat():
            return free(act, actor, situation)
        case Rename():
            return rename(act, actor, situation)
        case TakeOver():
            return take_over(act, actor, situation)
        case GoOnHere():
            return go_on_here(act, actor, situation)


def _about_table(act: TableAct, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    match act:
        case LayCards():
            return laid_by_hand(act, actor, situation)
        case PressBuzzer():
            return pressed_by_hand(act, actor, situation)
        case LiftCard():
            return PlannedAct(act)
        case StartDemo():
            return start_demo(act, situation)
        case StopDemo():
            return stop_demo(act)
        case LeaveDemo():
            return leave_demo(act, situation)
        case HoldDemo() | GoOnWithDemo() | StepDemo() | PaceDemo():
            return steer_demo(act, situation)
        case NameSeason():
            return name_season(act, situation)
        case DropSeason():
            return drop_season(act, situation)
        case HideProfile():
            return hide_profile(act, actor, situation)
        case ChooseVoice():
            return choose_voice(act, situation)


def _end(act: End, situation: Situation) -> PlannedAct | Refuse:
    if situation.play is None or not situation.play.is_on:
        return not_now("not-under-way")
    return PlannedAct(act, needs=Needs(Consent.OTHERS, Saying("ask-end")))
