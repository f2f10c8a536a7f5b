"""The rules of STOP me GO or let me GO (Sawada) as one step: (state, event) → (state, verdicts).

READY ─gangster→ INTERVENTION ─all have laid→ MISDEED ─gangster→ INTERVENTION …, with the fourth → ARREST
ARREST ─flip, it flees→ MISDEED; ─flip, captured→ ROUND_END ─three flips→ REWARD ─token→ READY …
until somebody has three tokens, or all are won (VALUES, if some have no tags).
"""

from collections.abc import Callable

from msgspec.structs import replace

from companion.events import SEATS, Said, Started, Tapped, place_of
from companion.game import Card, GameMoves, HowSaid, Judged, KnownCards, Misplay, Observer, Presses, Ruling, Taps, Word
from companion.games.stop_me_go import arrest, laying, likely_acts, reward
from companion.games.stop_me_go.awaited import too_early
from companion.games.stop_me_go.cards import DECK, GANGSTER, GO, SLOTS, STOP, TOKEN
from companion.games.stop_me_go.state import Options, Out, Phase, Round, State


def begin(started: Started, options: Options) -> State:
    """Sit down: five cards of a colour each, no token yet."""
    seats = started.seats
    holders: dict[str, int] = {colour: int(seat) for seat, colour in options.colours.items() if int(seat) in seats}
    return State(seats, options, holders, tokens=dict.fromkeys(seats, ()))


def unit(state: State) -> tuple[int, int]:
    """A card read twice is one act until the next gangster comes, or cards are turned up."""
    return state.lays, len(state.round.flips)


def _whose(state: State, tap: Tapped) -> tuple[int, ...]:
    """Anybody turns up a gangster; an Action card at the centre belongs to the agent of its colour, a token to the
    winner."""
    card = DECK.get(tap.card)
    if card is None:
        return ()
    if card.kind == GANGSTER:
        return state.seats
    if card.kind == TOKEN:
        return (state.round.won.seat,) if state.round.won else ()
    holder = state.holders.get(card.colour or "")
    return () if holder is None else (holder,)


def knows(state: State, observer: Observer) -> KnownCards:
    """One's own Action card, or a gangster; never another player's card, nor a token's value.

    Nobody looks again at what they laid on a gangster that is out, nor at a gangster of the pile.
    """
    if observer is None:
        return KnownCards()  # rulings name all that lies open
    playing = Round() if state.phase is Phase.READY else state.round
    face_down = {*playing.pile, *state.laying.values(), *(card for out in playing.out for card in out.laid.values())}
    of_others = {
        card.id for card in DECK.values() if card.kind != GANGSTER and state.holders.get(card.colour or "") != observer
    }
    return KnownCards(hears=face_down, nothing=of_others)


def _tapped(state: State, event: Tapped) -> Judged[State]:
    if event.place not in _SEATS:
        return state, (Misplay("wrong-pad", event.seq),)
    card = DECK[event.card]
    return _TAPPED[card.kind](state, event, card, _SEATS[event.place])


def _gangster(state: State, event: Tapped, card: Card, seat: int | None) -> Judged[State]:
    """A gangster is turned up; the next free place is always the next one clockwise around the pile."""
    playing = state.round
    phase = state.phase
    facts = {"card": card.id}
    if seat is not None:
        if playing.owned.get(seat) == card.id:
            return state, ()  # its captor puts it down in front of them
        return state, (Misplay("gangster-at-centre", event.seq, facts),)
    if playing.out and playing.out[-1].gangster == card.id:
        return state, ()
    if phase is Phase.READY:
        playing = Round()
    elif phase is not Phase.MISDEED:
        return too_early(state, "gangster", event.seq)
    if card.id not in playing.pile:
        code = "gangster-discarded" if card.id in playing.discard else "gangster-out"
        return state, (Misplay(code, event.seq, facts),)
    return _turned_up(state, playing, card.id, event.seq)


def _turned_up(state: State, playing: Round, gangster: str, seq: int) -> Judged[State]:
    slot = playing.arrived % SLOTS
    assert not playing.out or slot == (playing.out[0].slot + len(playing.out)) % SLOTS, (
        "clockwise, and the oldest left this place"
    )
    pile = playing.pile - {gangster}
    discard = playing.discard
    rulings = [Ruling("turned-up", seq, {"card": gangster})]
    if not playing.arrived:
        rulings = [Ruling("round-begins", seq, {"card": gangster, "number": len(state.history) + 1})]
    if not pile and state.options.reshuffle == "eager":
        pile = frozenset(discard)
        discard = ()
        rulings.append(Ruling("reshuffled-at-once", seq))
    out = (*playing.out, Out(gangster, slot))
    playing = replace(playing, pile=pile, discard=discard, arrived=playing.arrived + 1, out=out)
    arrest.check(playing)
    return replace(state, phase=Phase.INTERVENTION, lays=state.lays + 1, round=playing), tuple(rulings)


def _flip(state: State, event: Said) -> Judged[State]:
    return arrest.turn_up(state, event.seq, state.presses)


MOVES = GameMoves(
    taps=Taps(_tapped, at=("seat", "centre"), likely=likely_acts.taps, whose=_whose, meant=laying.meant),
    presses=Presses(arrest.pressed, likely=likely_acts.presses, finishes=reward.finishes),
    words={
        "flip": Word(_flip, (HowSaid.PRESS,), likely=likely_acts.flips),
        "token": Word(
            reward.said,
            (HowSaid.LAID, HowSaid.PRESS),
            likely=likely_acts.tokens,
            in_press=reward.token_by_press,
        ),
        "token-values": Word(
            reward.told_values,
            (HowSaid.PHONE,),
            likely=likely_acts.token_values,
            bears=lambda value: isinstance(value, dict) and value != {},
        ),
    },
)

_SEATS: dict[str, int | None] = {"centre": None, **{place_of(seat): seat for seat in SEATS}}
"""The places that this game uses, and whose they are."""

_TAPPED: dict[str, Callable[[State, Tapped, Card, int | None], Judged[State]]] = {
    GO: laying.tapped,
    STOP: laying.tapped,
    GANGSTER: _gangster,
    TOKEN: reward.tapped,
}
