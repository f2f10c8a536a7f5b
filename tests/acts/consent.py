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
from companion.acts.act import ACTS, Act
from companion.acts.decide import decide
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
from companion.acts.question import GRACE, LAPSES, EarlierMatch
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
from companion.acts.table import Moves, Particulars, Play, Situation
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

OFF = dict.fromkeys((BO, CLEO), GOES_ON_WITHOUT)
SHOWN = told_of(counting(), "stop-shown")
ALL: Mapping[str, Act] = {
    "take back Bo's count": TakeBack(told_of(counting(), "counted")),
    "put Ana's stop card right": PutRight(SHOWN, "red-stop-1", "blue-stop-1"),
    "count a card at seat 5": LiesAt("red-3", 5),
    "enter a press of Bo": EnterPress(3),
    "enter a card of Bo": EnterCards("seat-3", ("red-5",)),
    "enter a count for Bo": EnterWord(3, "count", 5),
    "lay a card for Bo": LayCards("seat-3", ("red-5",)),
    "press for Bo": PressBuzzer(3),
    "start another match": StartMatch("kartel", {1: "Ana", 3: "Bo"}),
    "play bots": PlayBots("kartel", 2, "easy"),
    "start the next match": Again(),
    "end the match": End(),
    "take a break": TakeBreak(),
    "go on after a break": GoOnWithMatch(),
    "object to what is announced": ObjectToAnnouncement(7),
    "make a move of Bo's": MakeMove(3, "start"),
    "go on after a count": HaveRead(),
    "hear Bo's cards": HearCards(3),
    "play Bo's cards again": PlayCards(3),
    "leave an earlier match out": LeaveOut(7),
    "count an earlier match again": CountAgain(7),
    "take an earlier match up": TakeUp(7),
    "lift a card": LiftCard("centre"),
    "have a match play itself": StartDemo("stop-it"),
    "end the match that plays itself": StopDemo(),
    "end one that began because nobody was there": LeaveDemo(),
    "hold it": HoldDemo(),
    "go on with it": GoOnWithDemo(),
    "let one act of it happen": StepDemo(),
    "play it faster": PaceDemo(2.0),
    "name a season": NameSeason("Winter", "2026-01-01"),
    "forget a season": DropSeason("Winter"),
    "let sounds be heard": ChooseVoice(VoiceKind.SOUNDS, Loudness.LOUD),
    "hide Bo's page": HideProfile("Bo", True),
    "switch the table off": SwitchOff(),
    "walk around the table": WalkAround(),
    "skip a step of the walk": PassOver(0),
    "end the walk": EndWalk(),
    "put stickers on": BeginStickers("stop-it"),
    "leave a sticker for later": SkipSticker(),
    "undo a sticker": TakeStickerBack(),
    "want another card next": ChooseSticker("red-5"),
    "end the stickers": EndStickers(),
    "cure the table": CureTable("stickers-lost", "anew"),
    "set the table up again": SetUpAnew(),
    "join a network": JoinNetwork("club", "secret"),
    "open its own network": OpenNetwork(),
    "back the table up": BackUp(),
    "look through a backup": LookThroughBackup("key"),
    "bring it back": BringBack("mark"),
    "bring nothing back": DropBackup(),
    "update the table": UpdateTable(),
    "set the clock": SetClock("2026-11-28T20:00"),
    "say which day it is": TellDay("2026-11-28T20:00"),
    "tell a figure": TellFigure("polls", "12"),
    "sit down at seat 2": SitDown(2, "Zed", Face("owl", "pink")),
    "get up from seat 4": GetUp(4),
    "send away who waits at seat 4": SendAway(4),
    "move who waits at seat 4": MoveGuest(4, 2),
    "have Bo sit out": SitOut(3, True),
    "tell Bo no rules": TellRules(3, False),
    "claim seat 2 by its code": ClaimSeat(CODES[2]),
    "hand Bo's seat on": HandOn(3),
    "keep Bo's seat": KeepSeat(3),
    "renew the codes": RenewCodes(),
    "take seat 6 back from a bot": ComeBack(6),
    "have seat 6 waited for": WaitForPhone(6),
    "free seat 3": FreeSeat(3),
    "rename Bo": Rename(3, "Bob"),
    "take over from a bot": TakeOver(6, "Zed"),
    "go on in another browser": GoOnHere(3),
}
ACTORS: Mapping[str, str | None] = {"host": ANA, "Bo": BO, "Cléo": CLEO, "a newcomer": ZED}


def around(act: Act) -> Situation:
    """A table at which this act is possible."""
    match = read_twice() if isinstance(act, LiesAt) else counting()
    at = table(match)
    at = replace(at, presence=replace(at.presence, addresses={BO: "192.0.2.7"}))
    match act:
        case LeaveOut() | CountAgain() | TakeUp():
            assert at.play is not None
            earlier = EarlierMatch(
                7, "stop-it", {1: "Ana", 3: "Bo"}, frozenset({3}), left_out=isinstance(act, CountAgain)
            )
            return replace(at, earlier=earlier, play=replace(at.play, pause="ended"))
        case TakeOver():
            return _bot_at_six(at, Leaver("Fay", "fay"))
        case ComeBack():
            return _bot_at_six(at, Leaver("Zed", ZED))
        case WaitForPhone():
            return _bot_at_six(at, Leaver("Fay", "fay", freed=True, off=True))
        case PlayBots():
            return replace(at, simulated=True)
        case ObjectToAnnouncement(announcement=announcement):
            return replace(at, particulars=Particulars(announced=announcement))
        case MakeMove(seat=seat, what=what):
            moves = Moves({seat: (Move(seat, what),)})
            return replace(at, simulated=True, dealt=dealt(), particulars=Particulars(moves=moves))
        case HearCards(seat=seat):
            return _playing(at, may_hear=frozenset({seat}))
        case PlayCards(seat=seat):
            return _playing(at, hearing=frozenset({seat}))
        case GoOnWithMatch():
            return _playing(at, pause="break")
        case KeepSeat(seat=seat):
            return replace(at, rights=replace(at.rights, passing={seat: "HANDEDONNOW"}))
        case DropSeason(name=name):
            known = people.set_term(at.rights.people, Term(name, "2026-01-01", ""))
            return replace(at, rights=replace(at.rights, people=known))
        case StartDemo() | SetUpAnew() | BackUp() | LookThroughBackup():
            return _playing(at, pause="ended")
        case LeaveDemo():
            return replace(at, plays_itself=True, shows_itself=True)
        case HoldDemo() | GoOnWithDemo() | StepDemo() | PaceDemo():
            return replace(at, plays_itself=True)
        case GetUp(seat=seat) | SendAway(seat=seat) | MoveGuest(seat=seat):
            seated = {**at.rights.people.seated, seat: Guest("Zed", phone=ZED)}
            return replace(at, rights=replace(at.rights, people=replace(at.rights.people, seated=seated)))
        case BringBack(mark=mark):
            return replace(_playing(at, pause="ended"), particulars=Particulars(backup=mark))
        case UpdateTable():
            return replace(_playing(at, pause="ended"), particulars=Particulars(offered="2.0"))
        case CureTable(ailment=ailment, remedy=remedy):
            return replace(at, particulars=Particulars(remedies=frozenset({(ailment, remedy)})))
        case HandOn() | RenewCodes():
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
    return f"{phone} anew" if isinstance(act, SitDown | ClaimSeat | ComeBack) else None


def _with_six(at: Situation) -> Play:
    assert at.play is not None
    return replace(at.play, names={**at.play.names, 6: "Bot"}, called={**at.play.called, 6: "Bot"})


def _declined(at: Situation, act: Act, phone: str) -> Situation:
    at = _asked(at, act, phone, ago=0)
    question = at.questions.latest
    return at if question is None else replace(at, questions=at.questions.declined(question, NOW))


def _asked(at: Situation, act: Act, phone: str, ago: float) -> Situation:
    """The table once this phone has asked for this, where it may ask."""
    outcome = in_short(decide(act, actor(phone, at, "192.0.2.7", anew(act, phone)), at))
    return asked(act, phone, at, ago=ago, address="192.0.2.7") if outcome.startswith("asks") else at


def _other(at: Situation, phone: str) -> Situation:
    """The table while this phone asks for something else."""
    return replace(at, questions=asked(TakeBack(SHOWN), phone, table(), ago=1).questions)


STATES: Mapping[str, Callable[[Situation, Act, str], Situation]] = {
    "nothing is asked": lambda at, act, phone: at,
    "the same phone asks the same": lambda at, act, phone: _asked(at, act, phone, 1),
    "the same phone asks the same, and all others have been off": lambda at, act, phone: replace(
        _asked(at, act, phone, GRACE), presence=table(off=OFF).presence
    ),
    "it has lapsed": lambda at, act, phone: _asked(at, act, phone, LAPSES),
    "it was declined": _declined,
    "Cléo asks for something else": lambda at, act, phone: _other(at, CLEO),
    "the host asks for something else": lambda at, act, phone: _other(at, ANA),
    "nobody else is in the room": lambda at, act, phone: replace(
        at, presence=table(off=dict.fromkeys(PHONES, 2 * HAS_A_SAY)).presence
    ),
}
FIRST = next(iter(STATES))


@cache
def rows() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Return, by state and act, what comes of it for each phone."""
    assert {type(act) for act in ALL.values()} == {*ACTS}
    found = {}
    for state, made in STATES.items():
        for named, act in ALL.items():
            cells = []
            for phone in ACTORS.values():
                assert phone is not None
                at = made(around(act), act, phone)
                cells.append(in_short(decide(act, actor(phone, at, "192.0.2.7", anew(act, phone)), at)))
            found[state, named] = tuple(cells)
    return found


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
        lines += ["", f"## Where {state}", "", f"| | {' | '.join(ACTORS)} |", f"|---|{'---|' * len(ACTORS)}"]
        lines += [f"| {', '.join(acts)} | {' | '.join(cells)} |" for cells, acts in _acts_by_outcomes(state).items()]
    return "\n".join(lines) + "\n"


def _acts_by_outcomes(state: str) -> Mapping[tuple[str, ...], list[str]]:
    """Return the acts of which something else comes than in the first state, and in the first all of them."""
    acts_of: dict[tuple[str, ...], list[str]] = {}
    for act in ALL:
        cells = rows()[state, act]
        if state == FIRST or cells != rows()[FIRST, act]:
            acts_of.setdefault(cells, []).append(act)
    return acts_of
