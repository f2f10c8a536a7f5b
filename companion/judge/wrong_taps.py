"""Taps that can't count in any game: after the end, at an empty seat, or of a card that is not this game's."""

from collections.abc import Set
from typing import Any

import msgspec

from companion import games
from companion.events import PHONE, UNKNOWN, Place, Tapped, seat_at
from companion.game import NOBODY, AnyGame, Misplay, Verdict


def judge_wrong_tap(game: AnyGame, state: Any, empty_places: Set[Place], tap: Tapped) -> tuple[Misplay, ...]:
    """Return the misplays of a tap that can't count, in this game as it stands; `empty_places`: where nobody plays."""
    if state.over:
        return _after_the_end(game, state, empty_places, tap)
    if tap.place in empty_places:
        return (Misplay("empty-seat", tap.seq, {"number": seat_at(tap.place)}),)
    return (_of_no_use(game, tap),)


def is_unheard(verdict: Verdict) -> bool:
    """Whether it is a misplay that nobody is told of."""
    return isinstance(verdict, Misplay) and verdict.to == NOBODY


def _after_the_end(game: AnyGame, state: Any, empty_places: Set[Place], tap: Tapped) -> tuple[Misplay, ...]:
    """Return no public verdict on a card that has lain there since an earlier act, or if whether it has is sealed."""
    over = Misplay("match-over", tap.seq)
    if tap.place in empty_places or tap.card not in game.deck:
        return (over,)
    state_after, verdicts = game.moves.judge(state, tap)
    if state_after != state or not all(map(is_unheard, verdicts)):
        return (over,)
    return tuple(msgspec.structs.replace(over, to=NOBODY) for _ in verdicts)


def _of_no_use(game: AnyGame, tap: Tapped) -> Misplay:
    """Return the misplay for a card that is not this game's; another game's card comes with its id or, from a real
    reader, as "?" with the tag `game/card`.
    """
    seat = seat_at(tap.place)
    tag = tap.tag if tap.card == UNKNOWN and tap.tag is not msgspec.UNSET else ""
    if tag == PHONE:
        return Misplay("phone-read", tap.seq, {}, to=seat)
    named, *card = tag.split("/", 1)
    owners = (named,) if card and named in games.pieces() else games.whose(tap.card)
    if owners and owners[0] != game.slug:
        return Misplay("other-game", tap.seq, {"game": owners[0]}, to=seat)
    return Misplay("unknown-card", tap.seq, {}, to=seat)
