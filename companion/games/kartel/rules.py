"""The rules of Kartel (Knizia) as one step: (state, event) → (state, verdicts).

RING ─every token, then ring-done→ PLAY ─(roll,) one token a turn→ PLAY … until the fifth boss is in prison: OVER.
Without the option `ring` a match begins with PLAY, and nobody needs to tell the die.
"""

from msgspec.structs import replace

from companion.act_cards import DIE as ON_DIE
from companion.events import Pressed, Said, Seat, Started, Tapped, seat_at
from companion.game import Card, GameMoves, HowSaid, Judged, Misplay, Ruling, Taps, Word, with_gains
from companion.games.kartel import counting, likely_acts
from companion.games.kartel.cards import BOSS, CELLS, DECK, DIE, MONEY
from companion.games.kartel.state import NAMED, Departure, Options, Phase, State


def begin(started: Started, options: Options) -> State:
    """Sit down: the first player begins."""
    phase = Phase.RING if options.ring else Phase.PLAY
    return State(started.seats, options, phase, dict.fromkeys(started.seats, 0))


def unit(state: State) -> tuple[Phase, int, int | None]:
    """A token read twice within one turn is one act; what was refused before the roll is judged again after it."""
    return state.phase, len(state.moves), state.roll


def _tapped(state: State, event: Tapped) -> Judged[State]:
    token = event.card
    card = DECK[token]
    if (token == state.latest or token in state.moves) and _lies_there(state, card, event.place):
        return state, ()
    if card.kind == MONEY and not state.options.money:
        return state, (Misplay("without-money", event.seq, {"card": token}),)
    if state.phase is Phase.PLAY:
        return _moved(state, event, card)
    if state.phase is Phase.RING:
        return _read(state, event)
    return state, (Misplay("match-over", event.seq),)


def _lies_there(state: State, card: Card, place: str) -> bool:
    """Whether this tap repeats a reading, so that it is nobody's act.

    Until the mover's next turn a won token may be read again where it lies, and a boss in the prison; the one moved
    last of all also at the centre and at the mover's seat, on its way. The last token of the ring lies at the centre
    until the die is rolled.
    """
    move = state.moves.get(card.id)
    if move is None:
        return place == "centre" and state.roll is None
    if len(state.moves) >= move.turn + len(state.seats) - 1:
        return False
    if place == "prison":
        return card.kind == BOSS
    if place == "centre":
        return card.id == state.latest
    return seat_at(place) == move.seat and (card.kind != BOSS or card.id == state.latest)


def _read(state: State, event: Tapped) -> Judged[State]:
    """Before the match: every token once, clockwise from the commissioner.

    Read again, it stays where it is; but that is told, because the first reading may have been the wrong one. Once few
    are left, it is the neighbour of one that was missed: the next goes in after it.
    """
    token = event.card
    circle = state.circle
    if event.place != "centre":
        code = "read-at-centre" if len(circle) < len(state.tokens) else "ring-done-first"
        return state, (Misplay(code, event.seq, {"card": token}),)
    mends = 0 < len(state.unread) <= NAMED
    if token in circle:
        code = "in-ring-beside" if mends else "in-ring-already"
        ruling = Ruling(code, event.seq, {"card": token, "number": circle.index(token) + 1})
        return replace(state, latest=token), (ruling,)
    at = circle.index(state.latest) + 1 if mends and state.latest else len(circle)
    ruling = Ruling("in-ring", event.seq, {"card": token, "number": at + 1})
    return replace(state, circle=(*circle[:at], token, *circle[at:]), latest=token), (ruling,)


def _moved(state: State, event: Tapped, card: Card) -> Judged[State]:
    """One token is one turn: the active player's, from within the commissioner's reach."""
    token = event.card
    earlier = state.moves.get(token)
    if earlier is not None:
        if card.kind == BOSS:
            return state, (Misplay("in-prison-already", event.seq, {"card": token}),)
        return state, (Misplay("won-already", event.seq, {"card": token, "other": earlier.seat}),)
    active = state.active
    place = event.place
    seat = seat_at(place)
    if seat is not None:
        if seat != active:
            return state, (Misplay("not-your-turn", event.seq, {"card": token, "seat": active}),)
    elif place != "centre" and (place != "prison" or card.kind != BOSS):
        code = "only-bosses-to-prison" if place == "prison" else "wrong-pad"
        return state, (Misplay(code, event.seq, {"card": token, "seat": active}),)
    if not state.options.ring:
        return _turn(state, event, card, active)
    if state.roll is None:
        return state, (Misplay("roll-first", event.seq, {"card": token, "seat": active}),)
    if token not in state.reach:
        facts = {"card": token, "number": state.roll, "cards": state.reach}
        return state, (Misplay("out-of-reach", event.seq, facts),)
    return _turn(state, event, card, active)


def _turn(state: State, event: Tapped, card: Card, seat: int) -> Judged[State]:
    """The token leaves the ring; the next player's turn begins."""
    colour = card.colour
    assert colour is not None
    moves = {**state.moves, card.id: Departure(len(state.moves) + 1, seat, state.roll)}
    if card.kind == BOSS:
        next_state = replace(state, moves=moves, roll=None, latest=card.id, jailed=(*state.jailed, colour))
        return _jailed(next_state, event, seat, colour)
    code = "won-closed" if colour in state.jailed else "won"
    gain = counting.worth(state, card)
    facts = {"seat": seat, "card": card.id, "gain": gain}
    if code == "won":
        facts["if_jailed"] = counting.if_jailed(card)
    points = {**state.points, seat: state.points[seat] + gain}
    return replace(state, moves=moves, roll=None, latest=card.id, points=points), (Ruling(code, event.seq, facts),)


def _jailed(state: State, event: Tapped, seat: int, colour: str) -> Judged[State]:
    """Everybody turns their tokens of the gang face down, also the fifth boss's, who ends the match at once."""
    full = len(state.jailed) == CELLS
    tally = counting.tally(state, colour)
    gains = counting.gains(state, colour)
    next_state = replace(state, points=with_gains(state.points, dict(gains)), phase=Phase.OVER if full else state.phase)
    facts = {"seat": seat, "colour": colour, "number": len(next_state.jailed), "tally": tally, "gains": gains}
    facts |= counting.lead(next_state, gains)
    ruling = Ruling("boss-jailed" if tally else "boss-jailed-alone", event.seq, facts)
    return next_state, (ruling, _end(next_state, event.seq)) if full else (ruling,)


def _end(state: State, seq: int) -> Ruling:
    """The most points, then the fewest tokens; if still tied, several win."""
    outcome = counting.outcome(state)
    first = outcome.winners[0]
    points = outcome.scores[first]
    facts = {"seats": outcome.winners, "points": points, "number": len(counting.won(state)[first])}
    if len(outcome.winners) > 1:
        code = "match-shared"
    elif list(outcome.scores.values()).count(points) > 1:
        code = "match-won-by-fewer"
    else:
        code = "match-won"
    return Ruling(code, seq, facts)


def _ring_done(state: State, event: Said) -> Judged[State]:
    if not state.options.ring:
        return state, (Misplay("no-ring", event.seq),)
    if state.phase is not Phase.RING:
        return state, (Misplay("ring-done-already", event.seq, {"seat": state.active}),)
    unread = state.unread
    if unread:
        code = "ring-incomplete" if len(unread) <= NAMED else "ring-far-from-done"
        return state, (Misplay(code, event.seq, {"number": len(unread), "cards": unread}),)
    return replace(state, phase=Phase.PLAY), (Ruling("ring-done", event.seq, {"seat": state.active}),)


def _ring_done_by_press(state: State, press: Pressed) -> Said | None:
    """Once all the ring is read, anybody's press says so."""
    if state.phase is not Phase.RING or state.unread:
        return None
    return Said(0, press.at, press.seat, "ring-done")


def _roll_on_card(state: State, card: str, seat: Seat | None) -> Said | None:
    """The die is told for whose turn it is, wherever it is laid."""
    return Said(0, 0.0, state.active, "roll", ON_DIE[card]) if card in ON_DIE else None


def _rolled(state: State, event: Said) -> Judged[State]:
    """The die moves the commissioner only if the ring is read; otherwise it means nothing here."""
    if type(event.value) is not int or event.value not in DIE:
        return state, (Misplay("not-on-the-die", event.seq),)
    if state.phase is Phase.RING:
        return state, (Misplay("read-ring-first", event.seq, {"number": len(state.unread)}),)
    if event.seat != state.active and event.seat != "host":
        return state, (Misplay("not-your-roll", event.seq, {"seat": state.active}),)
    if not state.options.ring:
        return state, ()
    if state.roll is not None:
        return state, (Misplay("rolled-already", event.seq, {"seat": state.active, "number": state.roll}),)
    facts = {"seat": state.active, "number": event.value}
    return replace(state, roll=event.value), (Ruling("rolled", event.seq, facts),)


MOVES = GameMoves(
    taps=Taps(_tapped, at=("centre", "seat", "prison"), likely=likely_acts.taps),
    words={
        "ring-done": Word(_ring_done, (HowSaid.PRESS,), likely=likely_acts.ring_done, in_press=_ring_done_by_press),
        "roll": Word(
            _rolled,
            (HowSaid.CARD,),
            likely=likely_acts.rolls,
            bears=lambda value: type(value) is int and value in DIE,
            on_card=_roll_on_card,
        ),
    },
)
