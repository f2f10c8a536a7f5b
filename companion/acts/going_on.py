"""Plans about a match under way: a break and its end, a move of simulated things, cards heard before they count."""

from companion.acts.match_acts import (
    GoOnWithMatch,
    HaveRead,
    HearCards,
    MakeMove,
    ObjectToAnnouncement,
    PlayCards,
    TakeBreak,
)
from companion.acts.outcome import PlannedAct, Refuse, not_now
from companion.acts.sentence import NOTHING, Saying
from companion.acts.table import Situation
from companion.game.simulated_world import Move

ANNOUNCED_NO_LONGER = not_now("announced-no-longer")


def take_break(act: TakeBreak, situation: Situation) -> PlannedAct | Refuse:
    """Take a break in the match that is being played."""
    if situation.play is None or not situation.play.is_on:
        return not_now("not-under-way")
    return PlannedAct(act, Saying("match-paused"))


def go_on(act: GoOnWithMatch) -> PlannedAct:
    """Go on; nothing changes if the match is not paused."""
    return PlannedAct(act, Saying("match-goes-on"))


def object_to(act: ObjectToAnnouncement, situation: Situation) -> PlannedAct | Refuse:
    """Object to an announcement, if it still stands."""
    if act.announcement != situation.particulars.announced:
        return ANNOUNCED_NO_LONGER
    return PlannedAct(act, Saying("announcement-withdrawn"))


def move(act: MakeMove, situation: Situation) -> PlannedAct | Refuse:
    """Make a move that its seat can make. A move that was just made counts as done, not as refused: it was tapped
    twice, or anybody could make it and somebody else was quicker. Who was too late for one is told who was faster.
    """
    moves = situation.particulars.moves
    possible = next((move for move in moves.possible.get(act.seat, ()) if _is_named(move, act)), None)
    if possible is not None:
        return PlannedAct(act, NOTHING, move=possible)
    done = (moves.latest.get(act.seat), moves.anybodys)
    if any(move is not None and _is_named(move, act) for move in done):
        return PlannedAct(act, NOTHING)
    overtaking = (by for move, by in moves.overtaken.items() if move.seat == act.seat and _is_named(move, act))
    faster = next(overtaking, None)
    if faster is not None:
        return not_now("faster", seat=faster.seat, what=faster.what, card=faster.card)
    return not_now("no-such-move")


def have_read(act: HaveRead) -> PlannedAct:
    """Have the bots go on after a count."""
    return PlannedAct(act, NOTHING)


def hear(act: HearCards, situation: Situation) -> PlannedAct | Refuse:
    """Hear one's cards, if the seat has a reader to lay them on."""
    if situation.play is None or act.seat not in situation.play.may_hear:
        return not_now("no-hearing")
    return PlannedAct(act, Saying("hearing-begun"))


def play_cards(act: PlayCards, situation: Situation) -> PlannedAct | Refuse:
    """Have one's cards count as lays again."""
    if situation.play is None or act.seat not in situation.play.hearing:
        return not_now("hearing-ended")
    return PlannedAct(act, Saying("hearing-ended"))


def _is_named(move: Move, act: MakeMove) -> bool:
    return (move.what, move.card, str(move.number)) == (act.what, act.card, act.number)
