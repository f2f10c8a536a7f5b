"""Plans of upkeep: refused while they would disturb a match, or if they are not on offer."""

from companion.acts import upkeep_acts
from companion.acts.outcome import Consent, Needs, PlannedAct, Refuse, not_now, wrong
from companion.acts.sentence import NOTHING, Saying
from companion.acts.table import Situation
from companion.measuring.assumptions import BY_NAME, LONGEST_PART, read_figure
from companion.versions.host_wishes import wished_time

LONGEST_NAME = 32
"""Bytes of a network's name (IEEE 802.11)."""
LONGEST_PASSWORD = 63
"""Characters of a WPA passphrase (IEEE 802.11i)."""


def keep_up(act: upkeep_acts.UpkeepAct, situation: Situation) -> PlannedAct | Refuse:
    """Return how an act of upkeep would be done. Only switching off needs consent, while people play."""
    refused = _hindrance(act, situation)
    if refused is not None:
        return refused
    match act:
        case upkeep_acts.SwitchOff():
            needs = Needs(Consent.OTHERS, Saying("ask-off")) if situation.people_play else None
            return PlannedAct(act, Saying("off-now"), needs)
        case upkeep_acts.UpdateTable():
            return PlannedAct(act, Saying("update-begins", {"version": situation.particulars.offered}))
        case upkeep_acts.SetClock():
            return PlannedAct(act, Saying("clock-set"))
        case upkeep_acts.TellDay():
            return PlannedAct(act, Saying("day-told"))
        case upkeep_acts.TellFigure(figure=figure):
            return PlannedAct(act, Saying("figure-told" if figure.strip() else "figure-forgotten"))
        case upkeep_acts.CureTable(remedy=remedy):
            return PlannedAct(act, Saying(f"cured-{remedy}"))
    return PlannedAct(act, NOTHING)


def _hindrance(act: upkeep_acts.UpkeepAct, situation: Situation) -> Refuse | None:
    """Return why it can't be done now; None: it can."""
    particulars = situation.particulars
    match act:
        case upkeep_acts.WalkAround():
            return not_now("walk-while-stickers") if particulars.puts_stickers_on else None
        case upkeep_acts.BeginStickers():
            return not_now("tags-while-walking") if particulars.walks else None
        case upkeep_acts.CureTable(ailment=ailment, remedy=remedy):
            return None if (ailment, remedy) in particulars.remedies else not_now("cured-already")
        case upkeep_acts.SetUpAnew():
            plays = situation.play is not None and situation.play.is_on
            return not_now("setup-while-playing") if plays else None
        case upkeep_acts.JoinNetwork(ssid=ssid, password=password):
            is_name = 0 < len(ssid.encode()) <= LONGEST_NAME and not ssid.startswith("-")
            return None if is_name and len(password) <= LONGEST_PASSWORD else wrong("network-bad-name")
        case upkeep_acts.BackUp():
            return not_now("backup-after-match") if situation.people_play else None
        case upkeep_acts.LookThroughBackup():
            return not_now("restore-after-match") if situation.people_play else None
        case upkeep_acts.BringBack(mark=mark):
            if situation.people_play:
                return not_now("restore-after-match")
            return None if mark == particulars.backup else not_now("restore-gone")
        case upkeep_acts.UpdateTable():
            if situation.people_play:
                return not_now("update-after-match")
            return None if particulars.offered else not_now("update-none")
        case upkeep_acts.TellFigure(assumption=assumption, figure=figure, part=part):
            if assumption not in BY_NAME or len(part) > LONGEST_PART:
                return wrong("figure-unknown")
            return wrong("figure-no-number") if figure.strip() and read_figure(figure) is None else None
        case upkeep_acts.SetClock(at=at) | upkeep_acts.TellDay(at=at):
            return not_now("clock-not-set") if particulars.knows_the_time or wished_time(at) is None else None
    return None
