"""What the rules of most games share: a function per act, wins that are shared."""

from collections.abc import Callable, Mapping
from typing import Any

from companion.events import Elapsed, Event, Pressed, Said, Tapped
from companion.game.rulings import RulingKind
from companion.game.standing import Outcome
from companion.game.verdicts import Judged, Misplay, Ruling, S
from companion.game.ways import Word

Judge = Callable[[S, Any], Judged[S]]
"""(state, an act) → (state, verdicts)."""


def unknown(state: S, event: Said | Elapsed) -> Judged[S]:
    """Refuse a word, or a delay, that this game does not know."""
    return state, (Misplay("unknown-word", event.seq, {"what": event.what}),)


def no_buzzers(state: S, event: Pressed) -> Judged[S]:
    """Refuse a press where buzzers mean nothing."""
    return state, (Misplay("no-buzzers", event.seq, {"seat": event.seat}, to=event.seat),)


def by_act(
    tapped: Judge[S],
    pressed: Judge[S] = no_buzzers,
    words: Mapping[str, Word[S]] | None = None,
    delays: Mapping[str, Judge[S]] | None = None,
) -> Callable[[S, Event], Judged[S]]:
    """Return a game's `judge`, made of a rule for cards, for presses, of its words, and of a rule for each delay; the
    rest is a misplay."""
    elapsed = delays or {}
    judges: dict[type, Judge[S]] = {
        Tapped: tapped,
        Pressed: pressed,
        Said: lambda state, event: _said(words or {}, state, event),
        Elapsed: lambda state, event: elapsed.get(event.what, unknown)(state, event),
    }

    def judge(state: S, event: Event) -> Judged[S]:
        judge_it = judges.get(type(event))
        return judge_it(state, event) if judge_it else (state, ())

    return judge


def _said(words: Mapping[str, Word[S]], state: S, event: Said) -> Judged[S]:
    word = words.get(event.what)
    if word is None:
        return unknown(state, event)
    if word.bears is None and not word.may_bear(event.value):
        return state, (Misplay("unknown-value", event.seq, {"what": event.what}),)
    return word.judge(state, event)


WINS = {"won": RulingKind(), "won-together": RulingKind()}
"""The rulings that `won` returns, for a game's table."""


def won(outcome: Outcome, seq: int) -> Ruling:
    """Return the ruling on who won, alone or together."""
    code = "won" if len(outcome.winners) == 1 else "won-together"
    return Ruling(code, seq, {"seats": outcome.winners, "points": outcome.scores[outcome.winners[0]]})
