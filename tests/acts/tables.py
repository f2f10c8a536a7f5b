"""Tables for the tests of decisions: values, without a page, a clock, a file or a thread."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec.structs import replace

from companion.access.people import Guest, People
from companion.access.presence import PhonesSeen
from companion.access.seat_rights import HOST, PARTS, Rights, who
from companion.acts.act import Act
from companion.acts.decide import decide
from companion.acts.outcome import AskOthers, Do, Refuse, Waits
from companion.acts.question import Question, Questions
from companion.acts.table import Actor, DealtThings, Made, Play, Situation
from companion.acts.told import EntryTold, named
from companion.events import Event, Player, Pressed, Said, Started, Tapped
from companion.judge.match import Match, judge

ANA = "ana"
BO = "bo"
CLEO = "cleo"
ZED = "zed"
PHONES = (ANA, BO, CLEO)
PEOPLE = (Player(1, "Ana"), Player(3, "Bo"), Player(5, "Cléo"))
NOW = 10_000.0
"""Seconds, on every clock."""
HOLDERS: Mapping[int, str] = {HOST: ANA, 1: ANA, 3: BO, 5: CLEO}
CODES = {part: f"CODEOFPART{part}" for part in PARTS}


@cache
def _counting() -> tuple[Event, ...]:
    """Ana has shouted and shown a stop card, and Bo has counted four cards."""
    return (
        Started(1, 0.0, "stop-it", PEOPLE, {}),
        Pressed(2, 1.0, 1),
        Pressed(3, 3.0, 1),
        Tapped(4, 4.0, "centre", "red-stop-1"),
        Said(5, 5.0, 3, "count", 4),
    )


def counting(*more: Event) -> Match:
    return judge([*_counting(), *more])


def read_twice() -> Match:
    """A card was read at Bo's seat and then at Cléo's, and all have counted."""
    laid = (("seat-3", "red-3"), ("seat-5", "red-3"), ("seat-5", "red-4"), ("seat-3", "red-5"), ("seat-1", "red-6"))
    taps = [Tapped(seq, float(seq), place, card) for seq, (place, card) in enumerate(laid, 5)]  # type: ignore[arg-type]
    presses = [Pressed(seq, float(seq), seat) for seq, seat in enumerate((1, 3, 5), 5 + len(laid))]
    return judge([*_counting()[:-1], *taps, *presses])


def told_of(match: Match, code: str) -> EntryTold:
    """The latest entry of this code, as a page names it."""
    entry = max(at for at, verdict in enumerate(match.public) if verdict.code == code)
    return replace(named(match, entry), seq=None)


def rights(holders: Mapping[int, str] = HOLDERS, **more: Any) -> Rights:
    seated = {seat: Guest(name) for seat, name in ((1, "Ana"), (3, "Bo"), (5, "Cléo"))}
    return Rights(CODES, holders, people=People(seated=seated), **more)


def table(
    match: Match | None = None,
    *,
    off: Mapping[str, float] | None = None,
    questions: Questions | None = None,
    **more: Any,
) -> Situation:
    """A real table at which three play; `off`: phones by the seconds since they were seen last."""
    match = counting() if match is None else match
    silent = {**dict.fromkeys((*PHONES, ZED), 0.0), **(off or {})}
    presence = PhonesSeen(NOW, 0.0, {phone: NOW - seconds for phone, seconds in silent.items()})
    names = dict(match.names)
    play = Play(1, match.game.slug, names, names, len(match.public), over=match.over)
    fields: dict[str, Any] = {"rights": rights(), "play": play, "match": match, **more}
    return Situation(presence=presence, questions=questions or Questions(), asked_at=NOW, at=NOW, **fields)


def dealt(*bots: int) -> DealtThings:
    """Things that are simulated: everything was laid out, then moved."""
    moves = (Made(1, 1), Made(1, 1), Made(1, 2), Made(1, 3), Made(3, 4))
    return DealtThings("stop-it", frozenset(bots), "easy", moves, 0, frozenset({1, 3, 5} - {*bots}))


def actor(phone: str | None, at: Situation, address: str = "", new: str | None = None) -> Actor:
    return Actor(who(at.rights, phone), address, new)


def asked(
    act: Act, phone: str, at: Situation, *, ago: float = 0.0, new: str | None = None, address: str = ""
) -> Situation:
    """The table once this phone has asked, so many seconds ago."""
    outcome = decide(act, actor(phone, at, address, new), at)
    assert isinstance(outcome, AskOthers), outcome
    question = Question(
        "q",
        outcome.plan.act,
        outcome.needs.sentence,
        outcome.needs.quotes,
        new or phone,
        outcome.asker,
        at.number,
        address=address,
        of=outcome.of,
        earlier=outcome.earlier,
    )
    return replace(at, questions=at.questions.asked(question, NOW - ago))


def in_short(outcome: Do | AskOthers | Waits | Refuse) -> str:
    """An outcome in a few words, as the table of consent has it."""
    match outcome:
        case Do(settles=None):
            return "does it"
        case Do():
            return "does it after all"
        case AskOthers(of=None, asker=asker):
            return "asks the host" if asker > 0 else "asks who plays"
        case AskOthers(of=of):
            return f"asks seat {of}"
        case Waits():
            return "has asked"
        case Refuse(code=code):
            return code
