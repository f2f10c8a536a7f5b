"""How an act would be done on this table, and who else must agree. Pure."""

from companion.acts.act import (
    Act,
    Again,
    CountAgain,
    End,
    EnterCards,
    EnterPress,
    EnterWord,
    FreeSeat,
    GoOnHere,
    LayCards,
    LeaveOut,
    LiesAt,
    PlayBots,
    PressBuzzer,
    PutRight,
    Rename,
    StartMatch,
    SwitchOff,
    TakeBack,
    TakeOver,
    TakeUp,
)
from companion.acts.earlier import leave_out_or_count, take_up
from companion.acts.entering import enter, laid_by_hand, pressed_by_hand
from companion.acts.outcome import Consent, Deed, Needs, Refuse, not_now
from companion.acts.putting_right import lies_at, put_right, take_back
from companion.acts.seating import free, go_on_here, rename, take_over
from companion.acts.sentence import Saying
from companion.acts.starting import again, play_bots, start
from companion.acts.table import Actor, Situation


def planned(act: Act, actor: Actor, situation: Situation) -> Deed | Refuse:
    """Return how an act would be done, or why it can't be."""
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
        case LayCards():
            return laid_by_hand(act, actor, situation)
        case PressBuzzer():
            return pressed_by_hand(act, actor, situation)
        case StartMatch():
            return start(act, situation)
        case PlayBots():
            return play_bots(act, actor, situation)
        case Again():
            return again(act, actor, situation)
        case End():
            return _end(act, situation)
        case SwitchOff():
            needs = Needs(Consent.OTHERS, Saying("ask-off")) if situation.people_play else None
            return Deed(act, Saying("off-now"), needs)
        case FreeSeat():
            return free(act, actor, situation)
        case Rename():
            return rename(act, actor, situation)
        case TakeOver():
            return take_over(act, actor, situation)
        case GoOnHere():
            return go_on_here(act, actor, situation)


def _end(act: End, situation: Situation) -> Deed | Refuse:
    if situation.play is None or not situation.play.is_on:
        return not_now("not-under-way")
    return Deed(act, needs=Needs(Consent.OTHERS, Saying("ask-end")))
