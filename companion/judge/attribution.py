"""Whose an act is, and whether retracting it would change the acts of others, or undo a look at something sealed.

The answers rest on public knowledge alone, so that a refusal reveals nothing that is sealed.
"""

from collections.abc import Collection, Sequence
from itertools import takewhile

from msgspec.structs import replace

from companion.events import Event, Pressed, Retracted, Said, Tapped, seat_at
from companion.game import Misplay, Verdict
from companion.judge.changed_by_correction import counted
from companion.judge.contested_cards import counting_again
from companion.judge.match import Match, judge
from companion.judge.rejudging import rejudged

HOST = "host"
Doer = int | str
"""A seat, or "host"."""


def doers(match: Match, event: Event) -> frozenset[Doer]:
    """Return all who may enter this event now; empty if it is not a person's act."""
    match event:
        case Pressed(seat=seat) | Said(seat=seat):
            return frozenset({seat})
        case Tapped(place=place):
            owner = seat_at(place)
            return _doers_at_shared_pad(match, event) if owner is None else frozenset({owner})
    return frozenset()


def _doers_at_shared_pad(match: Match, tap: Tapped) -> frozenset[Doer]:
    nobody = frozenset[Doer]()  # if the game's code raises: only the host may enter it, and nobody may undo it alone
    ask_game = match.game.moves.taps.whose
    if ask_game is None:
        return match.tried("now", lambda: frozenset(match.game.now(match.state).seats or match.seats), nobody)
    return match.tried("whose", lambda: frozenset(ask_game(match.state, tap)), nobody)


def doers_of_each(match: Match, events: Sequence[Event]) -> list[frozenset[Doer]]:
    """Return who may enter each of these events in turn: at a shared pad one of them may end a player's turn."""
    # Who may act at a seat depends on no state, so the match is copied and played on only for a shared pad.
    if len(events) == 1 or not any(map(_is_shared, events)):
        return [doers(match, event) for event in events]
    doers_in_turn = list[frozenset[Doer]]()
    played = match.as_of(len(match.events))
    for seq, event in enumerate(events, len(match.events) + 1):
        doers_in_turn.append(doers(played, event))
        played.add(replace(event, seq=seq))
    return doers_in_turn


def did(match: Match, seqs: Collection[int]) -> dict[int, frozenset[Doer]]:
    """Return who may have done each of these events at its time, judging the match again once for all of them."""
    shared = sorted(seq for seq in seqs if _is_shared(match.events[seq - 1]))
    doers_by_seq = {seq: doers(match, match.events[seq - 1]) for seq in seqs}
    if shared:
        replayed = match.as_of(shared[0] - 1)
        for event in match.events[shared[0] - 1 : shared[-1]]:
            if event.seq in shared:
                doers_by_seq[event.seq] = doers(replayed, event)
            replayed.add(event)
    return doers_by_seq


def disturbs(match: Match, targets: Collection[int]) -> bool:
    """Return whether without these events a public ruling on another act would no longer stand, or whether one of them
    showed something sealed.

    Sealed acts that their doers have made since are withdrawn with them: whether there are any must not show.
    """
    withdrawn = {*targets, *unheard_with(match, targets)}
    if shows(match, withdrawn):
        return True
    settled = match.settled(withdrawn)
    rulings_on_others = (verdict for verdict in _rulings(match, settled) if verdict.seq not in withdrawn)
    # Judged again on a copy: only the rulings that everybody heard are compared, so the answer reveals nothing.
    remaining = match.as_of(len(match.events))
    remaining.add_all([Retracted(0, 0.0, seq) for seq in withdrawn])
    return bool(counted(rulings_on_others) - counted(_rulings(remaining, settled)))


def shows(match: Match, seqs: Collection[int]) -> bool:
    """Return whether one of these acts showed its doer something that had been sealed from them."""
    since = match.public[match.settled(seqs) :]
    return any(verdict.seq in seqs and match.game.kind_of(verdict.code).shows for verdict in since)


def took_back_a_look(match: Match) -> bool:
    """Return whether an act was taken back that had shown its doer something sealed from them."""
    for number, event in enumerate(match.events):
        if isinstance(event, Retracted) and not isinstance(match.events[number - 1], Retracted):
            together = takewhile(lambda later: isinstance(later, Retracted), match.events[number:])
            targets = [later.target for later in together if isinstance(later, Retracted)]
            if shows(judge(match.events[:number]), targets):
                return True
    return False


def acts_behind(match: Match, verdict: Verdict, asked_at: int | None = None) -> list[int]:
    """Return the events to retract so that the act behind this verdict is taken back.

    `asked_at` is the number of events when that was asked for; None: it is done at once.

    A misplay changed nothing, so nothing rests on it. A lay is retracted with its later changes: if one of them took
    its place, everybody would see that there had been one. A count, or a hand, is retracted with the cards that it was
    made of, or they would be counted again; but not with those laid again since `asked_at`.
    """
    seqs = [verdict.seq]
    if not isinstance(verdict, Misplay):
        seqs += unheard_with(match, seqs, asked_at)
    return [*seqs, *counting_again(match, seqs)]


def unheard_with(match: Match, targets: Collection[int], asked_at: int | None = None) -> list[int]:
    """Return the unannounced acts in the same unit of the seat that did these, if a single seat did.

    After a publicly told card, they are changes of it. Without one, they are what a later act is made of, as a count is
    of its cards, up to `asked_at` events. A word is neither.
    """
    targets = [seq for seq in targets if not isinstance(match.events[seq - 1], Said)]
    if not targets:
        return []
    of_unit = _unit_of(match, min(targets))
    told_seqs = {verdict.seq for verdict in match.public[match.settled(of_unit[:1]) :]}
    doers_by_seq = did(match, [*targets, *of_unit])
    doers_of_targets = frozenset().union(*(doers_by_seq[seq] for seq in targets))
    if len(doers_of_targets) != 1:
        return []
    same_doers = [seq for seq in of_unit if doers_by_seq[seq] == doers_of_targets]
    cards_told = [seq for seq in same_doers if seq in told_seqs and isinstance(match.events[seq - 1], Tapped)]
    earlier = [seq for seq in cards_told if seq < min(targets)]
    # Acts after a card that was laid by itself are changes of it; acts before a told card are what it was made of. So
    # are cards of a hand that was complete before: one was found to lie elsewhere, and another took its place.
    is_change = bool(earlier) and _is_lay(match, earlier[0], same_doers)
    since = min(targets) if is_change else 0
    until = len(match.events) if asked_at is None or is_change or _is_lay(match, min(targets), same_doers) else asked_at
    stays = told_seqs.union(targets) if is_change else told_seqs.difference(earlier).union(targets)
    return [seq for seq in same_doers if seq not in stays and since < seq <= until]


def _is_lay(match: Match, seq: int, theirs: Collection[int]) -> bool:
    """Return whether this is a card that was laid by itself, rather than the last one of a hand."""
    changed = {act.event.seq for act in rejudged(match, min(theirs)) if act.changed}
    return isinstance(match.events[seq - 1], Tapped) and not any(
        earlier in changed for earlier in theirs if earlier < seq
    )


def _unit_of(match: Match, seq: int) -> list[int]:
    """Return the standing events of the unit in which this one was judged."""
    replayed = match.before(seq)
    unit = replayed.unit
    began = replayed.unit_began
    seqs = [event.seq for event in replayed.standing(max(began, 2))]
    for event in match.standing(seq):
        seqs.append(event.seq)
        replayed.add(event)
        if replayed.unit != unit:
            break
    return seqs


def _rulings(match: Match, since: int) -> list[Verdict]:
    return [verdict for verdict in match.public[since:] if not isinstance(verdict, Misplay)]


def _is_shared(event: Event) -> bool:
    return isinstance(event, Tapped) and seat_at(event.place) is None
