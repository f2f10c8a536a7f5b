"""How an act would be done on this table, and who else must agree. Pure."""

from companion.acts import match_acts, seat_acts, table_acts
from companion.acts.act import Act
from companion.acts.demonstrating import leave_demo, start_demo, steer_demo, stop_demo
from companion.acts.earlier import leave_out_or_count, take_up
from companion.acts.entering import enter, laid_by_hand, pressed_by_hand
from companion.acts.going_on import go_on, have_read, hear, move, object_to, play_cards, take_break
from companion.acts.holding import claim, come_back, hand_on, keep, renew, wait_for_phone
from companion.acts.outcome import Consent, Needs, PlannedAct, Refuse, not_now
from companion.acts.putting_right import lies_at, put_right, take_back
from companion.acts.remembering import choose_voice, drop_season, hide_profile, name_season, tell_rules
from companion.acts.seating import free, go_on_here, rename, take_over
from companion.acts.sentence import Saying
from companion.acts.showing import allow_cheers, cheer, look_again
from companion.acts.sitting import get_up, move_guest, send_away, sit, sit_out
from companion.acts.starting import again, play_bots, start
from companion.acts.table import Actor, Situation
from companion.acts.upkeep import keep_up
from companion.acts.whose import not_theirs


def planned(act: Act, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    """Return how an act would be done, or why it can't be."""
    refused = not_theirs(act, actor, situation)
    if refused is not None:
        return refused
    if isinstance(act, match_acts.MatchAct):
        return _about_match(act, actor, situation)
    if isinstance(act, seat_acts.SeatAct):
        return _about_seat(act, actor, situation)
    if isinstance(act, table_acts.TableAct):
        return _about_table(act, actor, situation)
    return keep_up(act, situation)


def _about_match(act: match_acts.MatchAct, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    match act:
        case match_acts.TakeBack():
            return take_back(act, actor, situation)
        case match_acts.PutRight():
            return put_right(act, actor, situation)
        case match_acts.LiesAt():
            return lies_at(act, situation)
        case match_acts.LeaveOut() | match_acts.CountAgain():
            return leave_out_or_count(act, situation)
        case match_acts.TakeUp():
            return take_up(act, situation)
        case match_acts.EnterPress() | match_acts.EnterCards() | match_acts.EnterWord():
            return enter(act, actor, situation)
        case match_acts.StartMatch():
            return start(act, situation)
        case match_acts.PlayBots():
            return play_bots(act, actor, situation)
        case match_acts.Again():
            return again(act, actor, situation)
        case match_acts.End():
            return _end(act, situation)
        case match_acts.TakeBreak():
            return take_break(act, situation)
        case match_acts.GoOnWithMatch():
            return go_on(act)
        case match_acts.ObjectToAnnouncement():
            return object_to(act, situation)
        case match_acts.MakeMove():
            return move(act, situation)
        case match_acts.HaveRead():
            return have_read(act)
        case match_acts.HearCards():
            return hear(act, situation)
        case match_acts.PlayCards():
            return play_cards(act, situation)
        case match_acts.LookAgain():
            return look_again(act, actor, situation)


def _about_seat(act: seat_acts.SeatAct, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    match act:
        case seat_acts.SitDown():
            return sit(act, actor, situation)
        case seat_acts.GetUp():
            return get_up(act, situation)
        case seat_acts.SendAway():
            return send_away(act, situation)
        case seat_acts.MoveGuest():
            return move_guest(act, situation)
        case seat_acts.SitOut():
            return sit_out(act, situation)
        case seat_acts.TellRules():
            return tell_rules(act, situation)
        case seat_acts.ClaimSeat():
            return claim(act, actor, situation)
        case seat_acts.HandOn():
            return hand_on(act, situation)
        case seat_acts.KeepSeat():
            return keep(act, situation)
        case seat_acts.RenewCodes():
            return renew(act, situation)
        case seat_acts.ComeBack():
            return come_back(act, actor, situation)
        case seat_acts.WaitForPhone():
            return wait_for_phone(act, situation)
        case seat_acts.FreeSeat():
            return free(act, actor, situation)
        case seat_acts.Rename():
            return rename(act, actor, situation)
        case seat_acts.TakeOver():
            return take_over(act, actor, situation)
        case seat_acts.GoOnHere():
            return go_on_here(act, actor, situation)


def _about_table(act: table_acts.TableAct, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    match act:
        case table_acts.LayCards():
            return laid_by_hand(act, actor, situation)
        case table_acts.PressBuzzer():
            return pressed_by_hand(act, actor, situation)
        case table_acts.LiftCard():
            return PlannedAct(act)
        case table_acts.StartDemo():
            return start_demo(act, situation)
        case table_acts.StopDemo():
            return stop_demo(act)
        case table_acts.LeaveDemo():
            return leave_demo(act, situation)
        case table_acts.HoldDemo() | table_acts.GoOnWithDemo() | table_acts.StepDemo() | table_acts.PaceDemo():
            return steer_demo(act, situation)
        case table_acts.NameSeason():
            return name_season(act, situation)
        case table_acts.DropSeason():
            return drop_season(act, situation)
        case table_acts.HideProfile():
            return hide_profile(act, actor, situation)
        case table_acts.ChooseVoice():
            return choose_voice(act, situation)
        case table_acts.Cheer():
            return cheer(act, actor, situation)
        case table_acts.AllowCheers():
            return allow_cheers(act, situation)


def _end(act: match_acts.End, situation: Situation) -> PlannedAct | Refuse:
    if situation.play is None or not situation.play.is_on:
        return not_now("not-under-way")
    return PlannedAct(act, needs=Needs(Consent.OTHERS, Saying("ask-end")))
