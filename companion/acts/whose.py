"""Which phones may do the acts that need no consent. Pure."""

from companion.access.seat_rights import HOST
from companion.acts import match_acts, seat_acts, table_acts, upkeep_acts
from companion.acts.act import Act
from companion.acts.outcome import Refuse, not_yours
from companion.acts.table import Actor, Situation

FOR_HOST = not_yours("for-host")
FOR_PLAYERS = not_yours("for-players")
NOT_YOUR_SEAT = not_yours("not-your-seat")


def not_theirs(act: Act, actor: Actor, situation: Situation) -> Refuse | None:
    """Return why this phone may not do an act that needs no consent; None: it may, or the act needs consent."""
    who = actor.who
    holders = situation.rights.holders
    # Before the first match no phone is the host's, so any may prepare the table.
    is_first = who.host or HOST not in holders
    match act:
        case (
            match_acts.TakeBreak()
            | match_acts.GoOnWithMatch()
            | match_acts.TakeUp()
            | seat_acts.SendAway()
            | seat_acts.MoveGuest()
            | seat_acts.RenewCodes()
            | table_acts.LiftCard()
            | table_acts.NameSeason()
            | table_acts.DropSeason()
            | table_acts.ChooseVoice()
            | table_acts.AllowCheers()
        ):
            return None if who.host else FOR_HOST
        case (
            upkeep_acts.BackUp()
            | upkeep_acts.LookThroughBackup()
            | upkeep_acts.BringBack()
            | upkeep_acts.DropBackup()
            | upkeep_acts.JoinNetwork()
            | upkeep_acts.OpenNetwork()
            | upkeep_acts.SetUpAnew()
        ):
            return None if who.host else FOR_HOST
        case (
            upkeep_acts.WalkAround()
            | upkeep_acts.PassOver()
            | upkeep_acts.EndWalk()
            | upkeep_acts.CureTable()
            | upkeep_acts.UpdateTable()
        ):
            return None if is_first else FOR_HOST
        case upkeep_acts.SetClock() | upkeep_acts.TellDay() | upkeep_acts.TellFigure():
            return None if is_first else FOR_HOST
        case (
            upkeep_acts.BeginStickers()
            | upkeep_acts.SkipSticker()
            | upkeep_acts.TakeStickerBack()
            | upkeep_acts.ChooseSticker()
            | upkeep_acts.EndStickers()
        ):
            return None if is_first else FOR_HOST
        case table_acts.LeaveDemo() | table_acts.Cheer():
            return None
        case (
            table_acts.StartDemo()
            | table_acts.StopDemo()
            | table_acts.HoldDemo()
            | table_acts.GoOnWithDemo()
            | table_acts.StepDemo()
            | table_acts.PaceDemo()
        ):
            return None if is_first else FOR_HOST
        case seat_acts.WaitForPhone():
            return None if who.parts & situation.seats else FOR_PLAYERS
        case match_acts.HaveRead() | match_acts.ObjectToAnnouncement() | match_acts.LookAgain():
            return None if who.parts else FOR_PLAYERS
        case (
            match_acts.MakeMove(seat=seat)
            | match_acts.HearCards(seat=seat)
            | seat_acts.HandOn(seat=seat)
            | seat_acts.KeepSeat(seat=seat)
        ):
            return None if seat in who.parts else NOT_YOUR_SEAT
        case match_acts.PlayCards(seat=seat):
            return None if seat in who.parts or (who.host and seat not in holders) else NOT_YOUR_SEAT
        case seat_acts.GetUp(seat=seat):
            return None if seat in who.waits else NOT_YOUR_SEAT
        case seat_acts.SitOut(seat=seat) | seat_acts.TellRules(seat=seat):
            return None if who.host or seat in who.parts | who.waits else NOT_YOUR_SEAT
        case seat_acts.ComeBack(seat=seat):
            return None if seat in who.left else NOT_YOUR_SEAT
    return None
