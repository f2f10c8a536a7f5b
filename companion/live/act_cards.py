"""What each of the table's own cards asks for when a player lays it on a pad.

A request that concerns this player alone is carried out at once: undoing their own latest act, a word of their own, a
break. One that undoes what others did, or ends something for everybody, is announced first, so that anybody may object.
"""

from companion import act_cards
from companion.events import Retracted, Said, Seat
from companion.game import Misplay
from companion.judge.attribution import acts_behind, did, disturbs
from companion.judge.match import Match
from companion.judge.views import LATEST
from companion.live.in_play import InPlay
from companion.live.intents import GoOn, Intent
from companion.live.pause import Why

BY_CARD = "act-card"
"""The `by` of a retraction that an act card asked for."""


def intent_of(played: InPlay, card: str, seat: Seat | None) -> Intent | None:
    """Return what a card asks for, laid at `seat` (None: on a shared pad); None if it means nothing at the moment."""
    if played.demo:
        return None
    match card:
        case act_cards.UNDO:
            return _undo(played, seat)
        case act_cards.BREAK:
            return _rest_or_go_on(played)
        case act_cards.END:
            return Intent(Why.ENDED, "announced-end") if played.rests_since is None else None
    match = played.match
    nothing: Said | None = None
    word = match.tried("word_on", lambda: match.game.moves.word_on(match.state, card, seat), nothing)
    if word is None or match.over:
        return None
    return Intent((word,), f"announced-{word.what}" if match.game.moves.is_for_all(word.what) else "")


def _undo(played: InPlay, seat: Seat | None) -> Intent | None:
    """Return the request to undo a seat's latest public act: at once if nothing rests on it, else announced. On a
    shared pad it is the latest public act of all, always announced.
    """
    match = played.match
    entry: int | None = None
    if seat is not None:
        entry = _latest_entry_of(match, seat)
    elif played.done is not None:
        entry = played.done.entry
    if entry is None:
        return None
    verdict = match.public[entry]
    targets = acts_behind(match, verdict)
    # The number and the time are filled in when they are entered, which may be ten seconds later.
    retractions = tuple(Retracted(0, 0.0, seq, by=BY_CARD) for seq in targets)
    if seat is not None and not match.over and not disturbs(match, targets):
        return Intent(retractions)
    return Intent(retractions, "announced-take-back", (verdict.code, verdict.facts))


def _latest_entry_of(match: Match, seat: Seat) -> int | None:
    """Return the newest of the latest entries of the story that tells of an act which is, or may be, this seat's."""
    for entry in reversed(range(len(match.public))[-LATEST:]):
        verdict = match.public[entry]
        if not isinstance(verdict, Misplay) and seat in did(match, [verdict.seq])[verdict.seq]:
            return entry
    return None


def _rest_or_go_on(played: InPlay) -> Intent | None:
    if played.pause.why is Why.BREAK:
        return Intent(GoOn.NOW)
    return Intent(Why.BREAK) if played.rests_since is None else None
