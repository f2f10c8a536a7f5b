"""Acts that may well come next in STOP me GO: demonstrations and random matches choose from them."""

from companion.events import Event, Pressed, Said, Tapped, place_of
from companion.games.stop_me_go.cards import COLOURS, DECK, GANGSTERS, TOKEN, of_colour
from companion.games.stop_me_go.state import Phase, State

TOKENS = tuple(card.id for card in DECK.values() if card.kind == TOKEN)
LIKELY_WORTHS = ((0, 1, 2), (1, 1, 2), (3, 0, 1), (2, 2, 3))


def acts(state: State) -> tuple[Event, ...]:
    """Return the acts that move the match on, as events with `seq` 0 and `at` 0."""
    phase = state.phase
    if phase is Phase.READY:
        return _gangsters(GANGSTERS)
    if phase is Phase.MISDEED:
        return _gangsters(state.round.pile)
    if phase is Phase.INTERVENTION:
        return tuple(Tapped(0, 0.0, place_of(seat), card) for seat in state.waiting for card in hand(state, seat))
    if phase is Phase.ARREST or phase is Phase.ROUND_END:
        return (*(Pressed(0, 0.0, seat) for seat in state.seats), Said(0, 0.0, "host", "flip"))
    if phase is Phase.REWARD:
        return _tokens(state)
    if phase is Phase.VALUES:
        return tuple(Said(0, 0.0, "host", "token-values", _worths(state, likely)) for likely in LIKELY_WORTHS)
    return ()


def hand(state: State, seat: int) -> list[str]:
    """Return the cards a seat may lay; a seat without a colour may take any that is free."""
    mine = [colour for colour, holder in state.holders.items() if holder == seat]
    colours = mine or [colour for colour in COLOURS if colour not in state.holders]
    lying = [out.laid.get(seat) for out in state.round.out]
    return [card for colour in colours for card in of_colour(colour) if card not in lying]


def _gangsters(pile: frozenset[str]) -> tuple[Event, ...]:
    return tuple(Tapped(0, 0.0, "centre", gangster) for gangster in sorted(pile))


def _tokens(state: State) -> tuple[Event, ...]:
    """The winner takes a token: either all of a box's tokens have tags, or none has."""
    assert state.round.won is not None
    winner = state.round.won.seat
    taken = [token for tokens in state.tokens.values() for token in tokens]
    read = tuple(Tapped(0, 0.0, place_of(winner), token) for token in TOKENS if token not in taken)
    said = (Said(0, 0.0, winner, "token"),)
    if not taken:
        return (*read, *said)
    return said if None in taken else read


def _worths(state: State, likely: tuple[int, ...]) -> dict[str, list[int]]:
    """Tell the value of every token: as it was read, or a likely one."""
    return {
        str(seat): [likely[at] if token is None else DECK[token].value or 0 for at, token in enumerate(tokens)]
        for seat, tokens in state.tokens.items()
    }
