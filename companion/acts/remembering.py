"""Plans about what a table remembers: seasons, hidden pages, hints for players, the loudspeaker's voice."""

from datetime import date

from msgspec.structs import replace

from companion import player_names
from companion.access import people
from companion.access.people import Term
from companion.access.seat_rights import Rights
from companion.access.table_voice import TableVoice
from companion.acts.outcome import PlannedAct, Refuse, not_now, not_yours, wrong
from companion.acts.seat_acts import TellRules
from companion.acts.seating import name_at
from companion.acts.sentence import Saying
from companion.acts.table import Actor, Situation
from companion.acts.table_acts import ChooseVoice, DropSeason, HideProfile, NameSeason

LONGEST = 40
"""The most letters in a season's name."""


def name_season(act: NameSeason, situation: Situation) -> PlannedAct | Refuse:
    """Name a season, and say when it begins and ends."""
    term = _term(act)
    if term is None or not 0 < len(act.name) <= LONGEST:
        return wrong("bad-season")
    those_known = situation.rights.people
    named = people.set_term(people.drop_term(those_known, act.before), term)
    return PlannedAct(act, Saying("season-kept", {"name": act.name}), rights=replace(situation.rights, people=named))


def drop_season(act: DropSeason, situation: Situation) -> PlannedAct:
    """Forget a season."""
    dropped = people.drop_term(situation.rights.people, act.name)
    answer = Saying("season-dropped", {"name": act.name})
    return PlannedAct(act, answer, rights=replace(situation.rights, people=dropped))


def hide_profile(act: HideProfile, actor: Actor, situation: Situation) -> PlannedAct | Refuse:
    """Hide a player's page, or show it again: the player does, or the host."""
    if not is_theirs(actor, act.name, situation.rights):
        return not_yours("people-not-yours", name=act.name)
    hidden = people.hide(situation.rights.people, act.name, act.hidden)
    answer = Saying("people-now-hidden" if act.hidden else "people-now-shown")
    return PlannedAct(act, answer, rights=replace(situation.rights, people=hidden))


def tell_rules(act: TellRules, situation: Situation) -> PlannedAct | Refuse:
    """Turn a player's hints on or off; a bot gets none."""
    name = name_at(situation, act.seat)
    if not name or player_names.is_bots(name):
        return not_now("nobody-sits", number=act.seat)
    told_people = people.tell_rules(situation.rights.people, name, act.told)
    answer = Saying("hints-on" if act.told else "hints-off", {"name": name})
    return PlannedAct(act, answer, rights=replace(situation.rights, people=told_people))


def choose_voice(act: ChooseVoice, situation: Situation) -> PlannedAct:
    """Choose what the table's loudspeaker plays; each choice is answered by a sample."""
    rights = situation.rights
    voice = TableVoice(act.kind, act.loudness, rights.voice.chosen + 1)
    return PlannedAct(act, Saying(f"voice-is-{act.kind}"), rights=replace(rights, voice=voice))


def is_theirs(actor: Actor, name: str, rights: Rights) -> bool:
    """Whether a phone is the host's, or the first that somebody of that name played with."""
    person = people.find_person(rights.people, name)
    return actor.who.host or (person is not None and person.phone is not None and person.phone == actor.who.phone)


def _term(act: NameSeason) -> Term | None:
    """Return the season; None if a day is not a date, or the last comes before the first."""
    try:
        begins = date.fromisoformat(act.begins).isoformat()
        ends = date.fromisoformat(act.ends).isoformat() if act.ends else ""
    except ValueError:
        return None
    return None if ends and ends < begins else Term(act.name, begins, ends)
