"""What people do once the table has told them of a misplay: for each code of each game, what its own sentence asks.

People who slip do nothing else (`people.py`). Whoever adds a misplay to a game says here what its words have people do;
`tests/trust/test_slips.py` fails for a code that is missing, and for one that no game has any more.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from enum import Enum

from companion.game import AnyGame
from companion.words import catalogue


class Doing(Enum):
    """What a sentence has people do."""

    GO_ON = "leave that, and do what the table waits for"
    AGAIN = "do what was meant: the right card, at the right place, in its turn"
    LAY_AGAIN = "lay that card once more where it belongs"
    COUNT_AGAIN = "undo one's own count, and count from nothing"
    READ_AGAIN = "undo one's own hand, and read it from nothing"
    TAKE_BACK = "undo what was told of that thing before; then again"
    READ_BESIDE = "of each that it names, lay the one before it, then it; behind the very first goes the commissioner"


GO_ON, AGAIN, LAY_AGAIN, COUNT_AGAIN, READ_AGAIN, TAKE_BACK, READ_BESIDE = Doing

EVERY_GAME: Mapping[str, Doing] = {
    "empty-seat": AGAIN,
    "unknown-card": AGAIN,
    "other-game": GO_ON,
    "phone-read": GO_ON,
    "match-over": GO_ON,
    "no-buzzers": GO_ON,
    "unknown-word": AGAIN,
    "unknown-value": AGAIN,
}

BY_GAME: Mapping[str, Mapping[str, Doing]] = {
    "stop-it": {
        "not-started": GO_ON,
        "nobody-shouted": GO_ON,
        "restart-first": GO_ON,
        "only-caller-restarts": GO_ON,
        "wrong-pad": AGAIN,
        "not-in-this-box": GO_ON,
        "not-a-stop": AGAIN,
        "stop-used": AGAIN,
        "only-caller-shows": AGAIN,
        "only-caller-says-no-stop": GO_ON,
        "stop-shown-already": GO_ON,
        "stops-do-not-count": GO_ON,
        "negative-is-counted": GO_ON,
        "other-colour": GO_ON,
        "count-at-your-seat": AGAIN,
        "in-another-hand": LAY_AGAIN,
        "counted-already": COUNT_AGAIN,
        "count-is-a-number": AGAIN,
        "count-impossible": AGAIN,
        "counts-impossible": COUNT_AGAIN,
        "only-players-count": GO_ON,
        "fault-known": GO_ON,
        "not-now-no-stop": GO_ON,
        "not-now-count": GO_ON,
        "not-now-fault": GO_ON,
        "not-now-piles-empty": GO_ON,
        "not-now-last-calls": GO_ON,
    },
    "stop-me-go": {
        "wrong-pad": AGAIN,
        "gangster-at-centre": AGAIN,
        "gangster-out": AGAIN,
        "gangster-discarded": AGAIN,
        "colour-not-played": GO_ON,
        "colour-of-nobody-yet": AGAIN,
        "not-your-colour": AGAIN,
        "laid-already": GO_ON,
        "lies-already": AGAIN,
        "card-before-gangster": AGAIN,
        "card-before-flip": GO_ON,
        "card-before-token": GO_ON,
        "card-before-values": GO_ON,
        "gangster-before-lays": AGAIN,
        "gangster-before-flip": AGAIN,
        "gangster-before-token": AGAIN,
        "gangster-before-values": GO_ON,
        "flip-before-gangster": GO_ON,
        "flip-before-lays": GO_ON,
        "flip-before-token": GO_ON,
        "flip-before-values": GO_ON,
        "token-before-gangster": GO_ON,
        "token-before-lays": GO_ON,
        "token-before-flip": GO_ON,
        "token-before-values": GO_ON,
        "not-the-winner": AGAIN,
        "token-won-already": AGAIN,
        "values-not-yet": GO_ON,
        "only-host-tells-values": GO_ON,
        "values-number": AGAIN,
        "values-disagree": AGAIN,
    },
    "go": {
        "nobody-called": GO_ON,
        "wrong-pad-for-turns": AGAIN,
        "wrong-pad-for-hands": AGAIN,
        "not-your-turn": GO_ON,
        "taken-already": GO_ON,
        "take-first": TAKE_BACK,
        "on-the-discard": TAKE_BACK,
        "not-the-top": AGAIN,
        "taken-by-other": TAKE_BACK,
        "lies-on-the-row": AGAIN,
        "row-known": TAKE_BACK,
        "row-card-in-hand": AGAIN,
        "not-your-call": GO_ON,
        "take-before-call": GO_ON,
        "discard-before-call": GO_ON,
        "whose-card": AGAIN,
        "hand-is-complete": READ_AGAIN,
        "is-row-card": TAKE_BACK,
        "read-elsewhere": AGAIN,
        "in-callers-hand": TAKE_BACK,
        "only-caller-tells-series": GO_ON,
        "series-is-told": GO_ON,
        "series-before-hand": GO_ON,
        "series-before-row": GO_ON,
        "series-is-cards": AGAIN,
        "series-card-twice": AGAIN,
        "series-not-in-hand": AGAIN,
        "series-row-colour": AGAIN,
        "series-value-twice": AGAIN,
        "series-colours": AGAIN,
        "not-now-series": GO_ON,
        "not-now-last-row": GO_ON,
        "not-now-last-pile": GO_ON,
        "only-taker-says": AGAIN,
        "only-host-voids": GO_ON,
    },
    "kartel": {
        "read-at-centre": AGAIN,
        "ring-done-first": AGAIN,
        "ring-incomplete": READ_BESIDE,
        "ring-far-from-done": AGAIN,
        "ring-done-already": GO_ON,
        "no-ring": GO_ON,
        "read-ring-first": GO_ON,
        "without-money": GO_ON,
        "not-your-turn": AGAIN,
        "wrong-pad": AGAIN,
        "only-bosses-to-prison": AGAIN,
        "won-already": GO_ON,
        "in-prison-already": GO_ON,
        "roll-first": AGAIN,
        "out-of-reach": AGAIN,
        "not-your-roll": GO_ON,
        "not-on-the-die": AGAIN,
        "rolled-already": TAKE_BACK,
    },
    "hearts": {
        "nothing-to-press": GO_ON,
        "pass-first": GO_ON,
        "not-in-play": GO_ON,
        "played-already": AGAIN,
        "lowest-club-leads": GO_ON,
        "not-your-turn": GO_ON,
        "wrong-pad": AGAIN,
    },
    "crazy-eights": {
        "onto-the-stack": AGAIN,
        "no-eight-first": AGAIN,
        "does-not-fit": AGAIN,
        "laid-already": AGAIN,
        "shown-already": AGAIN,
        "nothing-to-press": GO_ON,
        "not-your-turn": GO_ON,
        "no-eight-to-name": GO_ON,
        "not-your-eight": GO_ON,
    },
    "speed-snap": {
        "turn-in-the-middle": AGAIN,
        "turned-already": AGAIN,
        "not-now-last-pair": GO_ON,
        "not-now-nothing-read": GO_ON,
    },
    "speed-duel": {
        "lay-in-the-middle": AGAIN,
        "laid-already": AGAIN,
        "does-not-fit": AGAIN,
        "turned-already": AGAIN,
    },
}
"""Codes that are in `EVERY_GAME` too are the same there."""


def doing(game: AnyGame, code: str) -> Doing:
    """Return what people do when they are told this. Raises `KeyError` for what nobody has written here."""
    return BY_GAME[game.slug].get(code) or EVERY_GAME[code]


def codes(game: AnyGame) -> set[str]:
    """Return the codes of the misplays that a game's own rules name, literally or by a pattern."""
    of_misplays = {code for code, entry in catalogue(game.slug).items() if not entry.rule}
    return {code for named in _named(game) for code in of_misplays if re.fullmatch(named, code)}


def _named(game: AnyGame) -> Iterator[str]:
    for path in game.folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Misplay"):
                continue
            match node.args[0]:
                case ast.Constant(value=code):
                    yield re.escape(str(code))
                case ast.JoinedStr(values=parts):
                    yield "".join(re.escape(part.value) if isinstance(part, ast.Constant) else ".+" for part in parts)
