"""The table of consent: what comes of every act, for every phone, in every state that a question can be in."""

from collections.abc import Callable, Mapping
from functools import cache

from msgspec.structs import replace

from companion.access.presence import GOES_ON_WITHOUT, HAS_A_SAY
from companion.access.seat_rights import Leaver
from companion.acts.act import (
    ACTS,
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
from companion.acts.decide import decide
from companion.acts.question import GRACE, LAPSES, EarlierMatch
from companion.acts.table import Play, Situation
from tests.acts.tables import (
    ANA,
    BO,
    CLEO,
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
    "leave an earlier match out": LeaveOut(7),
    "count an earlier match again": CountAgain(7),
    "take an earlier match up": TakeUp(7),
    "switch the table off": SwitchOff(),
    "free seat 3": FreeSeat(3),
    "rename Bo": Rename(3, "Bob"),
    "take over from a bot": TakeOver(6, "Zed"),
    "go on in another browser": GoOnHere(3),
}
ACTORS: Mapping[str, str | None] = {"host": ANA, "Bo": BO, "Cléo": CLEO, "a newcomer": ZED}


def _around(act: Act) -> Situation:
    """A table at which this act is possible."""
    match = read_twice() if isinstance(act, LiesAt) else counting()
    at = table(match)
    at = replace(at, presence=replace(at.presence, addresses={BO: "192.0.2.7"}))
    match act:
        case LeaveOut() | CountAgain() | TakeUp():
            assert at.play is not None
            earlier = EarlierMatch(7, "stop-it", {1: "Ana", 3: "Bo"}, frozenset({3}))
            return replace(at, earlier=earlier, play=replace(at.play, pause="ended"))
        case TakeOver():
            gone = {6: Leaver("Fay", "fay")}
            return replace(at, simulated=True, dealt=dealt(6), rights=replace(at.rights, gone=gone), play=_with_six(at))
        case PlayBots():
            return replace(at, simulated=True)
    return at


def _with_six(at: Situation) -> Play:
    assert at.play is not None
    return replace(at.play, names={**at.play.names, 6: "Bot"}, called={**at.play.called, 6: "Bot"})


def _declined(at: Situation, act: Act, phone: str) -> Situation:
    at = _asked(at, act, phone, ago=0)
    question = at.questions.latest
    return at if question is None else replace(at, questions=at.questions.declined(question, NOW))


def _asked(at: Situation, act: Act, phone: str, ago: float) -> Situation:
    """The table once this phone has asked for this, where it may ask."""
    outcome = in_short(decide(act, actor(phone, at, "192.0.2.7", None), at))
    return asked(act, phone, at, ago=ago, address="192.0.2.7") if outcome.startswith("asks") else at


def _other(at: Situation, phone: str) -> Situation:
    """The table while this phone asks for something else."""
    return replace(at, questions=asked(TakeBack(SHOWN), phone, table(), ago=1).questions)


STATES: Mapping[str, Callable[[Situation, Act, str], Situation]] = {
    "nothing is asked": lambda at, act, phone: at,
    "the same phone asks the same": lambda at, act, phone: _asked(at, act, phone, 1),
    "and all others have been off": lambda at, act, phone: replace(
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
                at = made(_around(act), act, phone)
                cells.append(in_short(decide(act, actor(phone, at, "192.0.2.7"), at)))
            found[state, named] = tuple(cells)
    return found


def written() -> str:
    """Write the table as a document."""
    lines = [
        "# Who may do what",
        "",
        "Written by `make reference` from [`decide.py`](decide.py), which states the rules. Ana is host and sits at",
        "seat 1, Bo at 3, Cléo at 5; Bo has just counted his cards. A code is that of the sentence that refuses it.",
        "What a route lets only the host do ([`access.py`](../../web/http/access.py)) is refused to others before.",
    ]
    for state in STATES:
        lines += ["", f"## Where {state}", "", f"| | {' | '.join(ACTORS)} |", f"|---|{'---|' * len(ACTORS)}"]
        lines += [f"| {named} | {' | '.join(cells)} |" for (of, named), cells in rows().items() if of == state]
    return "\n".join(lines) + "\n"
