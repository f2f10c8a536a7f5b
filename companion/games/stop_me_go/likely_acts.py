"""Acts that may well come next in STOP me GO: demonstrations and random matches choose from them."""

from collections.abc import Iterator
from typing import Literal

from msgspec import UNSET, UnsetType

from companion.events import Place, place_of
from companion.games.stop_me_go.cards import COLOURS, DECK, GANGSTERS, TOKEN, of_colour
from companion.games.stop_me_go.state import Phase, State

TOKENS = tuple(card.id for card in DECK.values() if card.kind == TOKEN)
LIKELY_WORTHS = ((0, 1, 2), (1, 1, 2), (3, 0, 1), (2, 2, 3))


def taps(state: State) -> Iterator[tuple[Place, str]]:
    """Yield gangsters that may be turned up, cards that may be laid, or tokens that the winner may take."""
    match state.phase:
        case Phase.READY:
            yield from (("centre", gangster) for gangster in sorted(GANGSTERS))
        case Phase.MISDEED:
            yield from (("centre", gangster) for gangster in sorted(state.round.pile))
        case Phase.INTERVENTION:
            for seat in state.waiting:
                yield from ((place_of(seat), card) for card in hand(state, seat))
        case Phase.REWARD if None not in _won_tokens(state):
            won_tokens = _won_tokens(state)
            yield from ((place_of(_winner(state)), token) for token in TOKENS if token not in won_tokens)


def presses(state: State) -> tuple[int, ...]:
    """Return who may turn up cards: anybody."""
    return state.seats if _may_flip(state) else ()


def flips(state: State) -> Iterator[tuple[Literal["host"], UnsetType]]:
    """Yield the host while cards may be turned up."""
    if _may_flip(state):
        yield "host", UNSET


def tokens(state: State) -> Iterator[tuple[int, UnsetType]]:
    """Yield the winner, unless the tokens of this box have tags."""
    if state.phase is Phase.REWARD and all(token is None for token in _won_tokens(state)):
        yield _winner(state), UNSET


def token_values(state: State) -> Iterator[tuple[Literal["host"], dict[str, list[int]]]]:
    """Yield likely values, once all tokens are won."""
    if state.phase is Phase.VALUES:
        for likely in LIKELY_WORTHS:
            yield "host", _worths(state, likely)


def hand(state: State, seat: int) -> list[str]:
    """Return the cards a seat may lay; a seat without a colour may take any that is free."""
    own_colours = [colour for colour, holder in state.holders.items() if holder == seat]
    colours = own_colours or [colour for colour in COLOURS if colour not in state.holders]
    lying = [out.laid.get(seat) for out in state.round.out]
    return [card for colour in colours for card in of_colour(colour) if card not in lying]


def _may_flip(state: State) -> bool:
    return state.phase is Phase.ARREST or state.phase is Phase.ROUND_END


def _winner(state: State) -> int:
    assert state.round.won is not None
    return state.round.won.seat


def _won_tokens(state: State) -> list[str | None]:
    """Return the tokens won so far: either all of a box's tokens have tags, or none has."""
    return [token for tokens in state.tokens.values() for token in tokens]


def _worths(state: State, likely: tuple[int, ...]) -> dict[str, list[int]]:
    """Tell the value of every token: as it was read, or a likely one."""
    return {
        str(seat): [likely[at] if token is None else DECK[token].value or 0 for at, token in enumerate(tokens)]
        for seat, tokens in state.tokens.items()
    }
