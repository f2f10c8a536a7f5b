"""The table of consent: what comes of every act, for every phone, in every state that a question can be in."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from msgspec.structs import replace

from companion.access import people
from companion.access.people import Guest, Term
from companion.access.player_looks import Face
from companion.access.presence import GOES_ON_WITHOUT, HAS_A_SAY
from companion.access.seat_rights import PARTS, Leaver
from companion.access.table_voice import Loudness, VoiceKind
from companion.acts import match_acts, seat_acts, table_acts, upkeep_acts
from companion.acts.act import ACTS, Act
from companion.acts.decide import decide
from companion.acts.question import GRACE, LAPSES, NEWCOMER, EarlierMatch, Question, Questions
from companion.acts.table import Moves, Particulars, Play, Situation
from companion.game.simulated_world import Move
from tests.acts.tables import (
    ANA,
    BO,
    CLEO,
    CODES,
    NOW,
    PHONES,
    ZED,
    actor,
    asked,
    counting,
    dealt,
    in_short,
    read_twice,
    table,
    told_of,
)

STRANGER = "stranger"
OFF = dict.fromkeys((BO, CLEO), GOES_ON_WITHOUT)
SHOWN = told_of(counting(), "stop-shown")
ALL: Mapping[str, Act] = {
    "take back Bo's count": match_acts.TakeBack(told_of(counting(), "counted")),
    "put Ana's stop card right": match_acts.PutRight(SHOWN, "red-stop-1", "blue-stop-1"),
    "count a card at seat 5": match_acts.LiesAt("red-3", 5),
    "enter a press of Bo": match_acts.EnterPress(3),
    "enter a card of Bo": match_acts.EnterCards("seat-3", ("red-5",)),
    "enter a count for Bo": match_acts.EnterWord(3, "count", 5),
    "lay a card for Bo": table_acts.LayCards("seat-3", ("red-5",)),
    "press for Bo": table_acts.PressBuzzer(3),
    "start another match": match_acts.StartMatch("kartel", {1: "Ana", 3: "Bo"}),
    "play bots": match_acts.PlayBots("kartel", 2, "easy"),
    "start the next match": match_acts.Again(),
    "end the match": match_acts.End(),
    "take a break": match_acts.TakeBreak(),
    "go on after a break": match_acts.GoOnWithMatch(),
    "object to what is announced": match_acts.ObjectToAnnouncement(7),
    "make a move of Bo's": match_acts.MakeMove(3, "start"),
    "go on after a count": match_acts.HaveRead(),
    "hear Bo's cards": match_acts.HearCards(3),
    "play Bo's cards again": match_acts.PlayCards(3),
    "leave an earlier match out": match_acts.LeaveOut(7),
    "count an earlier match again": match_acts.CountAgain(7),
    "take an earlier match up": match_acts.TakeUp(7),
    "lift a card": table_acts.LiftCard("centre"),
    "have a match play itself": table_acts.StartDemo("stop-it"),
    "end the match that plays itself": table_acts.StopDemo(),
    "end one that began because nobody was there": table_acts.LeaveDemo(),
    "hold it": table_acts.HoldDemo(),
    "go on with it": table_acts.GoOnWithDemo(),
    "let one act of it happen": table_acts.StepDemo(),
    "play it faster": table_acts.PaceDemo(2.0),
    "name a season": table_acts.NameSeason("Winter", "2026-01-01"),
    "forget a season": table_acts.DropSeason("Winter"),
    "let sounds be heard": table_acts.ChooseVoice(VoiceKind.SOUNDS, Loudness.LOUD),
    "cheer": table_acts.Cheer(),
    "let nobody cheer": table_acts.AllowCheers(False),
    "see the last act again": match_acts.LookAgain(told_of(counting(), "counted")),
    "hide Bo's page": table_acts.HideProfile("Bo", True),
    "switch the table off": upkeep_acts.SwitchOff(),
    "walk around the table": upkeep_acts.WalkAround(),
    "skip a step of the walk": upkeep_acts.PassOver(0),
    "end the walk": upkeep_acts.EndWalk(),
    "put stickers on": upkeep_acts.BeginStickers("stop-it"),
    "leave a sticker for later": upkeep_acts.SkipSticker(),
    "undo a sticker": upkeep_acts.TakeStickerBack(),
    "want another card next": upkeep_acts.ChooseSticker("red-5"),
    "end the stickers": upkeep_acts.EndStickers(),
    "cure the table": upkeep_acts.CureTable("stickers-lost", "anew"),
    "set the table up again": upkeep_acts.SetUpAnew(),
    "join a network": upkeep_acts.JoinNetwork("club", "secret"),
    "open its own network": upkeep_acts.OpenNetwork(),
    "back the table up": upkeep_acts.BackUp(),
    "look through a backup": upkeep_acts.LookThroughBackup("key"),
    "bring it back": upkeep_acts.BringBack("mark"),
    "bring nothing back": upkeep_acts.DropBackup(),
    "update the table": upkeep_acts.UpdateTable(),
    "set the clock": upkeep_acts.SetClock("2026-11-28T20:00"),
    "say which day it is": upkeep_acts.TellDay("2026-11-28T20:00"),
    "tell a figure": upkeep_acts.TellFigure("polls", "12"),
    "sit down at seat 2": seat_acts.SitDown(2, "Zed", Face("owl", "pink")),
    "get up from seat 4": seat_acts.GetUp(4),
    "send away who waits at seat 4": seat_acts.SendAway(4),
    "move who waits at seat 4": seat_acts.MoveGuest(4, 2),
    "have Bo sit out": seat_acts.SitOut(3, True),
    "tell Bo no rules": seat_acts.TellRules(3, False),
    "claim seat 2 by its code": seat_acts.ClaimSeat(CODES[2]),
    "hand Bo's seat on": seat_acts.HandOn(3),
    "keep Bo's seat": seat_acts.KeepSeat(3),
    "renew the codes": seat_acts.RenewCodes(),
    "take seat 6 back from a bot": seat_acts.ComeBack(6),
    "have seat 6 waited for": seat_acts.WaitForPhone(6),
    "free seat 3": seat_acts.FreeSeat(3),
    "rename Bo": seat_acts.Rename(3, "Bob"),
    "take over from a bot": seat_acts.TakeOver(6, "Zed"),
    "go on in another browser": seat_acts.GoOnHere(3),
}
ACTORS: Mapping[str, str | None] = {"host": ANA, "Bo": BO, "Cléo": CLEO, "a newcomer": ZED}


def around(act: Act) -> Situation:
    """A table at which this act is possible."""
    match = read_twice() if isinstance(act, match_acts.LiesAt) else counting()
    at = table(match)
    at = replace(at, presence=replace(at.presence, addresses={BO: "192.0.2.7"}))
    match act:
        case match_acts.LeaveOut() | match_acts.CountAgain() | match_acts.TakeUp():
            assert at.play is not None
            earlier = EarlierMatch(
                7, "stop-it", {1: "Ana", 3: "Bo"}, frozenset({3}), left_out=isinstance(act, match_acts.CountAgain)
            )
            return replace(at, earlier=earlier, play=replace(at.play, pause="ended"))
        case seat_acts.TakeOver():
            return _bot_at_six(at, Leaver("Fay", "fay"))
        case seat_acts.ComeBack():
            return _bot_at_six(at, Leaver("Zed", ZED))
        case seat_acts.WaitForPhone():
            return _bot_at_six(at, Leaver("Fay", "fay", freed=True, off=True))
        case match_acts.PlayBots():
            return replace(at, simulated=True)
        case match_acts.ObjectToAnnouncement(announcement=announcement):
            return replace(at, particulars=Particulars(announced=announcement))
        case match_acts.MakeMove(seat=seat, what=what):
            moves = Moves({seat: (Move(seat, what),)})
            return replace(at, simulated=True, dealt=dealt(), particulars=Particulars(moves=moves))
        case match_acts.HearCards(seat=seat):
            return _playing(at, may_hear=frozenset({seat}))
        case match_acts.PlayCards(seat=seat):
            return _playing(at, hearing=frozenset({seat}))
        case match_acts.GoOnWithMatch():
            return _playing(at, pause="break")
        case seat_acts.KeepSeat(seat=seat):
            return replace(at, rights=replace(at.rights, passing={seat: "HANDEDONNOW"}))
        case table_acts.DropSeason(name=name):
            people_at_table = people.set_term(at.rights.people, Term(name, "2026-01-01", ""))
            return replace(at, rights=replace(at.rights, people=people_at_table))
        case table_acts.StartDemo() | upkeep_acts.SetUpAnew() | upkeep_acts.BackUp() | upkeep_acts.LookThroughBackup():
            return _playing(at, pause="ended")
        case table_acts.LeaveDemo():
            return replace(at, plays_itself=True, shows_itself=True)
        case table_acts.HoldDemo() | table_acts.GoOnWithDemo() | table_acts.StepDemo() | table_acts.PaceDemo():
            return replace(at, plays_itself=True)
        case seat_acts.GetUp(seat=seat) | seat_acts.SendAway(seat=seat) | seat_acts.MoveGuest(seat=seat):
            seated = {**at.rights.people.seated, seat: Guest("Zed", phone=ZED)}
            return replace(at, rights=replace(at.rights, people=replace(at.rights.people, seated=seated)))
        case upkeep_acts.BringBack(mark=mark):
            return replace(_playing(at, pause="ended"), particulars=Particulars(backup=mark))
        case upkeep_acts.UpdateTable():
            return replace(_playing(at, pause="ended"), particulars=Particulars(offered="2.0"))
        case upkeep_acts.CureTable(ailment=ailment, remedy=remedy):
            return replace(at, particulars=Particulars(remedies=frozenset({(ailment, remedy)})))
        case seat_acts.HandOn() | seat_acts.RenewCodes():
            return replace(at, particulars=Particulars(codes=tuple(f"NEW{part}" for part in PARTS)))
    return at


def _playing(at: Situation, **more: Any) -> Situation:
    assert at.play is not None
    return replace(at, play=replace(at.play, **more))


def _bot_at_six(at: Situation, leaver: Leaver) -> Situation:
    rights = replace(at.rights, gone={6: leaver})
    return replace(at, simulated=True, dealt=dealt(6), rights=rights, play=_with_six(at))


def anew(act: Act, phone: str) -> str | None:
    """What a phone is known by from now on that gets a seat at once."""
    return f"{phone} anew" if isinstance(act, seat_acts.SitDown | seat_acts.ClaimSeat | seat_acts.ComeBack) else None


def _with_six(at: Situation) -> Play:
    assert at.play is not None
    return replace(at.play, names={**at.play.names, 6: "Bot"}, called={**at.play.called, 6: "Bot"})


def _answered(step: Callable[[Questions, Question], Questions]) -> Callable[[Situation, Act, str], Situation]:
    """The table once this phone has asked for this, where it may ask, and that was answered so."""

    def answered(at: Situation, act: Act, phone: str) -> Situation:
        at = with_question(at, act, phone, ago=0)
        question = at.questions.latest
        return at if question is None else replace(at, questions=step(at.questions, question))

    return answered


def _asked_from(at: Situation, asker: int) -> Situation:
    """The table after somebody who holds no seat, or none any more, has asked for something else."""
    question = with_other_question(at, CLEO).questions.latest
    assert question is not None
    other = replace(question, phone=STRANGER, asker=asker, address="192.0.2.9")
    return replace(at, questions=Questions().asked(other, NOW - 1))


def with_question(at: Situation, act: Act, phone: str, ago: float) -> Situation:
    """The table once this phone has asked for this, where it may ask."""
    outcome = in_short(decide(act, actor(phone, at, "192.0.2.7", anew(act, phone)), at))
    return asked(act, phone, at, ago=ago, address="192.0.2.7") if outcome.startswith("asks") else at


def with_other_question(at: Situation, phone: str) -> Situation:
    """The table while this phone asks for something else."""
    return replace(at, questions=asked(match_acts.TakeBack(SHOWN), phone, table(), ago=1).questions)


STATES: Mapping[str, Callable[[Situation, Act, str], Situation]] = {
    "nothing is asked": lambda at, act, phone: at,
    "the same phone asks the same": lambda at, act, phone: with_question(at, act, phone, 1),
    "the same phone asks the same, and all others have been off": lambda at, act, phone: replace(
        with_question(at, act, phone, GRACE), presence=table(off=OFF).presence
    ),
    "it has lapsed": lambda at, act, phone: with_question(at, act, phone, LAPSES),
    "it was declined": _answered(lambda questions, question: questions.declined(question, NOW)),
    "people played on instead": _answered(lambda questions, question: questions.declined(question, NOW, "played-on")),
    "it was withdrawn": _answered(lambda questions, question: questions.withdrawn()),
    "it was agreed to": _answered(lambda questions, question: questions.agreed(question)),
    "it was settled by something else": _answered(lambda questions, question: questions.settled(question.code)),
    "the host lets no newcomer ask": lambda at, act, phone: replace(
        at, questions=at.questions.without_newcomers(at.number)
    ),
    "Cléo asks for something else": lambda at, act, phone: with_other_question(at, CLEO),
    "the host asks for something else": lambda at, act, phone: with_other_question(at, ANA),
    "somebody asks who does not play": lambda at, act, phone: _asked_from(at, NEWCOMER),
    "somebody asked for something else, and got up": lambda at, act, phone: _asked_from(at, 2),
    "nobody else is in the room": lambda at, act, phone: replace(
        at, presence=table(off=dict.fromkeys(PHONES, 2 * HAS_A_SAY)).presence
    ),
}
FIRST = next(iter(STATES))


@cache
def rows() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Return, by state and act, what comes of it for each phone."""
    assert {type(act) for act in ALL.values()} == {*ACTS}
    cells_by_row = {}
    for state, reach in STATES.items():
        for named, act in ALL.items():
            cells = []
            for phone in ACTORS.values():
                assert phone is not None
                at = reach(around(act), act, phone)
                cells.append(in_short(decide(act, actor(phone, at, "192.0.2.7", anew(act, phone)), at)))
            cells_by_row[state, named] = tuple(cells)
    return cells_by_row


def written() -> str:
    """Write the table as a document, in which nothing stands twice."""
    lines = [
        "# Who may do what",
        "",
        "Written by `make reference` from [`decide.py`](decide.py), which states the rules. Ana is host and sits at",
        "seat 1, Bo at 3, Cléo at 5; Bo has just counted his cards. A code is that of the sentence that refuses it.",
        "What a route lets only the host do ([`access.py`](../../web/http/access.py)) is refused to others before.",
        "Acts in one row have the same outcomes. The first table names every act; each of the others names only those",
        "whose outcomes differ from the first.",
    ]
    for state in STATES:
        lines += ["", f"## Where {state}", ""]
        acts_of = _acts_by_outcomes(state)
        if not acts_of:
            lines += ["As where nothing is asked."]
            continue
        lines += [f"| | {' | '.join(ACTORS)} |", f"|---|{'---|' * len(ACTORS)}"]
        lines += [f"| {', '.join(acts)} | {' | '.join(cells)} |" for cells, acts in acts_of.items()]
    return "\n".join(lines) + "\n"


def _acts_by_outcomes(state: str) -> Mapping[tuple[str, ...], list[str]]:
    """Return the acts of which something else comes than in the first state, and in the first all of them."""
    acts_of: dict[tuple[str, ...], list[str]] = {}
    for act in ALL:
        cells = rows()[state, act]
        if state == FIRST or cells != rows()[FIRST, act]:
            acts_of.setdefault(cells, []).append(act)
    return acts_of
