"""From a call to its score: the row card, the hands, the caller's series, in whatever order the table tells them.

Hands are read at their seats side by side, or on the shared reader, where a press says whose cards come next. What is
wrong with a card is told only to the seat whose hand is read, because hands are sealed; and that a card is in another
hidden hand is told to nobody until the round would be decided: it counts as one of the twelve until then.

So does a card that lies open elsewhere, though its seat is told so at once: an open card can be put right after hands
were read, to any card that somebody names, and whether a hidden hand holds that one must not show.
"""

from typing import Literal

from msgspec.structs import replace

from companion.events import Event, Pressed, Said, Tapped, seat_at
from companion.game import NOBODY, Judged, Misplay, Ruling, Verdict
from companion.games.go import best_division, rounds
from companion.games.go.cards import BIT, COLOUR, DECK, HAND, bits, ids
from companion.games.go.seen import elsewhere
from companion.games.go.state import Call, Doubled, Phase, State, Turn

MOST_COLOURS = 2
"""The most colours in a series."""


def begin(state: State, seat: int, event: Event, turn: Turn | None, why: str = "called") -> Judged[State]:
    """A player calls; the row's colour is that of the row card now open. `why` is the code of the ruling."""
    row = turn.row if turn else None
    series: Literal["best"] | None = "best" if state.options.caller_series == "auto" else None
    call = Call(seat, (event.seq,), row, dict.fromkeys(state.seats, 0), turn, series=series)
    called = replace(state, phase=Phase.CALLED, stretch=state.stretch + 1, turn=None, call=call, last=None)
    return called, (Ruling(why, event.seq, {"seat": seat}),)


def shut(call: Call) -> dict[int, str]:
    """Return the seats whose hand is complete."""
    return {seat: "hand-is-complete" for seat, hand in call.hands.items() if hand.bit_count() == HAND}


def pressed(state: State, call: Call, event: Pressed) -> Judged[State]:
    """The next cards on the shared reader are this player's, until the hand is complete."""
    seat = event.seat
    if seat == call.reading or call.hands[seat].bit_count() == HAND:
        return state, ()
    next_state = replace(state, call=replace(call, reading=seat))
    return next_state, (Ruling("reading", event.seq, {"seat": seat}),)


def series_by_press(state: State, press: Pressed) -> Said | None:
    """The caller's press while their series is awaited: they take the proposal."""
    call = state.call
    if call is None or press.seat != call.caller or call.series is not None:
        return None
    if call.row is None or call.hands[call.caller].bit_count() < HAND:
        return None
    return Said(0, press.at, call.caller, "series", "best")


def tapped(state: State, call: Call, event: Tapped) -> Judged[State]:
    """A card of a hand, or the open row card."""
    seat = seat_at(event.place)
    if seat is not None:
        return _into_hand(state, call, event, seat, call.at_centre)
    if event.place == "row" or (event.place == "centre" and call.row is None):
        return _row(state, call, event)
    bit = BIT[event.card]
    if event.place != "centre":
        is_on_discard_pile = event.place == "discard" and call.turn is not None and call.turn.discarded & bit
        return state, () if is_on_discard_pile else (Misplay("wrong-pad-for-hands", event.seq),)
    if call.at_centre & bit:
        return state, ()
    if call.reading is None:
        lies_open = event.card == call.row or _open_hand(call) & bit
        return state, () if lies_open else (Misplay("whose-card", event.seq),)
    return _into_hand(state, call, event, call.reading, call.at_centre | bit)


def _row(state: State, call: Call, event: Tapped) -> Judged[State]:
    card = event.card
    if call.row is not None:
        return state, () if card == call.row else (Misplay("row-known", event.seq, {"card": call.row}),)
    bit = BIT[card]
    if call.hands[call.caller] & bit and call.hands[call.caller].bit_count() == HAND:
        return state, (Misplay("row-card-in-hand", event.seq, {"card": card, "seat": call.caller}),)
    if call.turn:
        lies = elsewhere(call.turn, event, None, to=None)
        if lies:
            return state, (lies,)
    holders = [seat for seat, hand in call.hands.items() if hand & bit]
    verdicts: tuple[Verdict, ...] = (
        Ruling("row-card", event.seq, {"card": card, "colour": DECK[card].colour}),
        *(Ruling("row-card-in-your-hand", event.seq, {"card": card}, to=seat) for seat in holders),
    )
    doubled = (
        *(doubled_card for doubled_card in call.doubled if doubled_card.card != card),
        *(Doubled(card, seat, None, event.seq) for seat in holders),
    )
    at_centre = call.at_centre | bit if event.place == "centre" else call.at_centre
    next_call = replace(call, row=card, at_centre=at_centre, rests=(*call.rests, event.seq), doubled=doubled)
    return _go_on(state, next_call, event, verdicts)


def _into_hand(state: State, call: Call, event: Tapped, seat: int, at_centre: int) -> Judged[State]:
    hand = call.hands[seat]
    bit = BIT[event.card]
    if hand & bit:
        open_all_along = any(
            (doubled_card.seat, doubled_card.card, doubled_card.other) == (seat, event.card, None)
            for doubled_card in call.doubled
        )
        lies = _lies_elsewhere(call, event, seat) if open_all_along else None
        return state, (replace(lies, to=NOBODY),) if lies else ()
    if hand.bit_count() == HAND:
        return _one_too_many(state, call, event, seat)
    lies = _lies_elsewhere(call, event, seat)
    first = _first_with(call, event.card)
    misplay = lies or (
        Misplay("read-elsewhere", event.seq, {"card": event.card}, to=seat) if first is not None else None
    )
    if misplay and call.told & bit:
        return state, (misplay,)
    verdicts: tuple[Verdict, ...] = ()
    next_call = replace(call, hands={**call.hands, seat: hand | bit}, at_centre=at_centre)
    if misplay:
        to_their_seat = (Ruling(lies.code, event.seq, lies.facts, to=seat),) if lies else ()
        verdicts = (replace(misplay, to=NOBODY, counts=True), *to_their_seat)
        doubled = Doubled(event.card, seat, None if lies else first, event.seq)
        next_call = replace(next_call, doubled=(*call.doubled, doubled))
    if next_call.hands[seat].bit_count() < HAND:
        return replace(state, call=next_call), verdicts
    next_call = replace(next_call, reading=None if call.reading == seat else call.reading)
    return _go_on(state, next_call, event, (*verdicts, Ruling("hand-complete", event.seq, {"seat": seat})))


def _one_too_many(state: State, call: Call, event: Tapped, seat: int) -> Judged[State]:
    """A thirteenth card; but if one of the twelve is in another hand too, it will take that one's place."""
    code = "hand-is-complete"
    facts = {"card": event.card}
    spare = call.spare.get(seat, 0)
    bit = BIT[event.card]
    lies = _lies_elsewhere(call, event, seat) is not None or _first_with(call, event.card) is not None
    replaceable = sum(doubled.seat == seat for doubled in call.doubled)
    if lies or not (spare & bit or spare.bit_count() < replaceable):
        return state, (Misplay(code, event.seq, facts, to=seat),)
    next_call = replace(call, spare={**call.spare, seat: spare | bit})
    return replace(state, call=next_call), (Ruling(code, event.seq, facts, to=seat, as_refusal=True),)


def _lies_elsewhere(call: Call, event: Tapped, seat: int) -> Misplay | None:
    """Return where everybody knows this card to be, if not in this hand."""
    if event.card == call.row:
        return Misplay("is-row-card", event.seq, {"card": event.card}, to=seat)
    if seat != call.caller and _open_hand(call) & BIT[event.card]:
        return Misplay("in-callers-hand", event.seq, {"card": event.card, "caller": call.caller}, to=seat)
    return elsewhere(call.turn, event, seat, to=seat) if call.turn else None


def _open_hand(call: Call) -> int:
    """Return the caller's twelve cards, which everybody sees; none before the twelfth is read."""
    callers_hand = call.hands[call.caller]
    return callers_hand if callers_hand.bit_count() == HAND else 0


def _first_with(call: Call, card: str) -> int | None:
    """Return the seat in whose hand this card was read first, or None."""
    later_holders = {doubled.seat for doubled in call.doubled if doubled.card == card}
    return next((seat for seat, hand in call.hands.items() if hand & BIT[card] and seat not in later_holders), None)


def _go_on(state: State, call: Call, event: Event, verdicts: tuple[Verdict, ...]) -> Judged[State]:
    """Score when the series is told and every hand is complete."""
    opened = call.row is not None and call.hands[call.caller].bit_count() == HAND
    lying_open = tuple(doubled for doubled in call.doubled if doubled.seat == call.caller and doubled.other is None)
    if lying_open and call.hands[call.caller].bit_count() == HAND:
        return _unseal(state, call, event, lying_open, verdicts)
    if call.division is None and opened and call.series is not None:
        return _lock(state, call, event, call.series, verdicts)
    if call.division is None or any(hand.bit_count() < HAND for hand in call.hands.values()):
        return replace(state, call=call), verdicts
    if call.doubled:
        return _unseal(state, call, event, call.doubled, verdicts)
    return rounds.scored(state, call, event, verdicts)


def _unseal(
    state: State, call: Call, event: Event, doubled: tuple[Doubled, ...], verdicts: tuple[Verdict, ...]
) -> Judged[State]:
    """Tell of cards that are in two hands, or lie open too; each stays in the hand that had it first, or where it lies.

    The other hand takes a card read beyond its twelve, or is a card short. If it is the caller's, a series with that
    card is told again; any other stands.
    """
    hands = dict(call.hands)
    told_cards = call.told
    for doubled_card in doubled:
        hands[doubled_card.seat] &= ~BIT[doubled_card.card]
        told_cards |= BIT[doubled_card.card]
        facts = {"card": doubled_card.card, "seat": doubled_card.seat}
        if doubled_card.other is None:
            verdicts += (Ruling("lies-open", event.seq, facts, (doubled_card.seq,), in_two_places=True),)
        else:
            facts["other"] = doubled_card.other
            verdicts += (Ruling("read-in-two-hands", event.seq, facts, (doubled_card.seq,), in_two_places=True),)
    for seat in {doubled_card.seat for doubled_card in doubled}:
        for card in ids(call.spare.get(seat, 0)):
            if not any(hand & BIT[card] for hand in hands.values()):
                hands[seat] |= BIT[card]
    still_doubled = tuple(doubled_card for doubled_card in call.doubled if doubled_card not in doubled)
    spare = {
        seat: cards
        for seat, cards in call.spare.items()
        if any(doubled_card.seat == seat for doubled_card in still_doubled)
    }
    next_call = replace(call, hands=hands, told=told_cards, doubled=still_doubled, spare=spare)
    if hands[call.caller] != call.hands[call.caller]:
        next_call = _to_divide_anew(next_call)
    return _go_on(state, next_call, event, verdicts)


def _to_divide_anew(call: Call) -> Call:
    """Return the call with the caller's changed hand to be divided again, without a series that has lost a card."""
    stands = call.series is None or call.series == "best" or not call.series & ~call.hands[call.caller]
    if stands:
        return replace(call, division=None)
    return replace(call, division=None, series=None, rests=call.rests[:-1])


def series_told(state: State, call: Call, event: Said) -> Judged[State]:
    """The caller chooses a series before anybody else's hand is known; it may be empty, or worse than the best."""
    code = _too_early(call, event)
    if code:
        return state, (Misplay(code, event.seq, {"caller": call.caller}),)
    if event.value == "best":
        return _lock(state, call, event, "best")
    assert call.row is not None
    wrong = _wrong(event, call.hands[call.caller], DECK[call.row].colour)
    if wrong:
        return state, (wrong,)
    return _lock(state, call, event, bits(event.value))


def _too_early(call: Call, event: Said) -> str | None:
    """Return why nobody, or not this seat, may tell a series now."""
    if event.seat != call.caller:
        return "only-caller-tells-series"
    if call.division is not None:
        return "series-is-told"
    if call.hands[call.caller].bit_count() < HAND:
        return "series-before-hand"
    return "series-before-row" if call.row is None else None


def _wrong(event: Said, hand: int, row_colour: str | None) -> Misplay | None:
    """A series has at most two colours, not the row's, and at most one card of a value, all from the caller's hand."""
    cards = event.value
    if type(cards) is not list or not all(type(card) is str and card in DECK for card in cards):
        return Misplay("series-is-cards", event.seq)
    values: dict[int | None, str] = {}
    for card in cards:
        face = DECK[card]
        if cards.count(card) > 1:
            return Misplay("series-card-twice", event.seq, {"card": card})
        if not hand & BIT[card]:
            return Misplay("series-not-in-hand", event.seq, {"card": card})
        if face.colour == row_colour:
            return Misplay("series-row-colour", event.seq, {"card": card, "colour": row_colour})
        if face.value in values:
            return Misplay("series-value-twice", event.seq, {"cards": (values[face.value], card)})
        values[face.value] = card
    colours = tuple(dict.fromkeys(DECK[card].colour for card in cards))
    if len(colours) > MOST_COLOURS:
        return Misplay("series-colours", event.seq, {"colours": colours})
    return None


def _lock(
    state: State, call: Call, event: Event, series: int | Literal["best"], verdicts: tuple[Verdict, ...] = ()
) -> Judged[State]:
    """From now on the series stands; without penalty it is a perfect ¡Go!."""
    assert call.row is not None
    hand = call.hands[call.caller]
    row = COLOUR[call.row]
    cards = best_division.proposal(hand, row) if series == "best" else series
    division = best_division.of_caller(hand, row, cards)
    # In one event a series may be told, and then divide the hand again from which a card has gone.
    rests = call.rests if event.seq in call.rests else (*call.rests, event.seq)
    locked = replace(call, series=series, division=division, rests=rests)
    ruling = Ruling(_locked_by(state, series), event.seq, {"seat": call.caller, "penalty": division.penalty}, rests)
    in_two_hands = tuple(doubled for doubled in call.doubled if doubled.seat == call.caller)
    if division.penalty == 0 and in_two_hands:
        return _unseal(state, locked, event, in_two_hands, (*verdicts, ruling))
    if division.penalty == 0:
        return rounds.perfect(state, locked, event, (*verdicts, ruling))
    return _go_on(state, locked, event, (*verdicts, ruling))


def _locked_by(state: State, series: int | Literal["best"]) -> str:
    if series != "best":
        return "series-told"
    return "series-auto" if state.options.caller_series == "auto" else "series-best"
