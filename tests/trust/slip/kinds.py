"""The kinds of slips: each says how an act is done wrongly, or None where it can't be."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from companion import games
from companion.events import CENTRE, UNKNOWN, Event, Pressed, Tapped, place_of, seat_at
from companion.game import AnyGame
from companion.game.simulated_world import Move
from tests.trust.slip.people import Done, Slip
from tests.trust.slip.table import UNKNOWN_STICKER
from tests.trust.worlds.truth import Truth


@dataclass(frozen=True, slots=True)
class Act:
    """What somebody is about to do."""

    game: AnyGame
    truth: Truth
    move: Move
    meant: Sequence[Event]
    """What a table senses of it if it is done rightly."""
    done: Done
    """What all did before."""
    chance: random.Random

    @property
    def tap(self) -> Tapped | None:
        """One of its taps, drawn by lot."""
        taps = [event for event in self.meant if isinstance(event, Tapped)]
        return self.chance.choice(taps) if taps else None

    @property
    def seats(self) -> tuple[int, ...]:
        """Those that play."""
        return tuple(self.truth.scores)

    @property
    def doer(self) -> frozenset[int]:
        return frozenset({self.move.seat}) & {*self.seats}


def wrong_pad(act: Act) -> Slip | None:
    """A card goes over another pad first, then over the right one."""
    return _astray(act, "over a wrong pad first", lambda tap, astray: (astray, tap), 0)


def swept(act: Act) -> Slip | None:
    """A card that was laid is swept over another pad."""
    return _astray(act, "swept over another pad", lambda tap, astray: (tap, astray), 1)


def only_there(act: Act) -> Slip | None:
    """A card goes over another pad, and its owner believes that it was the right one."""
    return _astray(act, "at a wrong pad only", lambda tap, astray: (astray,), 0)


def missed(act: Act) -> Slip | None:
    """A card is not read."""
    tap = act.tap
    if tap is None or act.move.what == "change":  # that it was changed is sealed, so nobody can be told that it was not
        return None
    left = tuple(event for event in act.meant if event is not tap)
    return Slip("missed", left, frozenset(), act.doer | _at(tap))


def too_many(act: Act) -> Slip | None:
    """A card that nobody meant is read along with the others."""
    others = [card for card in act.game.deck if card not in _cards(act.meant)]
    return _besides(act, "one too many", act.chance.choice(others)) if others else None


def read_again(act: Act) -> Slip | None:
    """A card that was laid before goes over its pad once more."""
    earlier = [event for acts in act.done.values() for events in acts.values() for event in events]
    taps = [event for event in earlier if isinstance(event, Tapped) and event.card not in _cards(act.meant)]
    if not taps:
        return None
    again = act.chance.choice(taps)
    place = act.chance.randint(0, len(act.meant))
    events = (*act.meant[:place], again, *act.meant[place:])
    return Slip("read again", events, frozenset({place}), act.doer | _at(again) | _owners(act.truth, again.card))


def another_game(act: Act) -> Slip | None:
    """A card of another game is read along with the others."""
    bearer = games.bearer_of(act.game.slug)
    other = act.chance.choice([game for game in games.known().values() if games.bearer_of(game.slug) != bearer])
    return _besides(
        act, "of another game", UNKNOWN, f"{games.bearer_of(other.slug)}/{act.chance.choice([*other.deck])}"
    )


def unknown_sticker(act: Act) -> Slip | None:
    """A sticker that is on no card is read along with the others."""
    return _besides(act, "an unknown sticker", UNKNOWN, UNKNOWN_STICKER)


def too_early(act: Act) -> Slip | None:
    """Somebody says that they are done before they have laid their last card."""
    last = len(act.meant) - 1
    if last < 1 or isinstance(act.meant[last], Tapped) or not isinstance(act.meant[last - 1], Tapped):
        return None
    events = (*act.meant[: last - 1], act.meant[last], act.meant[last - 1])
    return Slip("done too early", events, frozenset(), act.doer)


def out_of_turn(act: Act) -> Slip | None:
    """Somebody else presses, or lays a card, when it is not their turn."""
    seat = act.chance.choice(act.seats)
    card = act.chance.choice([*act.game.deck])
    press = act.chance.random() < 0.5
    early: Event = Pressed(0, 0.0, seat) if press else Tapped(0, 0.0, place_of(seat), card)  # type: ignore[arg-type]
    kind = "a press out of turn" if press else "a card out of turn"
    owners = frozenset[int]() if press else _owners(act.truth, card)
    return Slip(kind, (early, *act.meant), frozenset({0}), act.doer | owners | {seat})


KINDS: Sequence[Callable[[Act], Slip | None]] = (
    wrong_pad,
    swept,
    only_there,
    missed,
    too_many,
    read_again,
    another_game,
    unknown_sticker,
    too_early,
    out_of_turn,
)


def drawn(act: Act) -> Slip | None:
    """Return a slip of a kind drawn by lot; None: this act can't be done wrongly."""
    slips = (kind(act) for kind in act.chance.sample(KINDS, len(KINDS)))
    return next((slip for slip in slips if slip is not None and not _is_sealed(act, slip)), None)


def _is_sealed(act: Act, slip: Slip) -> bool:
    """Whether a player's own second card is read where they lay face down: it takes the place of the first, and which
    card lies there is sealed, so that nobody can be told before it is turned over.
    """
    if act.game.slug != "stop-me-go":
        return False
    holders = {colour: seat for seat, colour in act.truth.world.colours.items()}
    wrong = [slip.events[number] for number in slip.wrong]
    taps = [event for event in wrong if isinstance(event, Tapped) and event.card not in _cards(act.meant)]
    return any(
        (holder := holders.get(tap.card.partition("-")[0])) is not None and seat_at(tap.place) in (holder, None)
        for tap in taps
    )


def _besides(act: Act, kind: str, card: str, tag: str = "") -> Slip | None:
    tap = act.tap
    if tap is None:
        return None
    place = act.chance.randint(0, len(act.meant))
    besides = replace(tap, card=card, **({"tag": tag} if tag else {}))
    events = (*act.meant[:place], besides, *act.meant[place:])
    return Slip(kind, events, frozenset({place}), act.doer | _at(tap) | _owners(act.truth, card))


def _astray(act: Act, kind: str, order: Callable[[Tapped, Tapped], tuple[Event, ...]], wrong: int) -> Slip | None:
    tap = act.tap
    if tap is None:
        return None
    places = [*map(place_of, act.seats), CENTRE, *act.game.moves.taps.own_pads]
    astray = replace(tap, place=act.chance.choice([place for place in places if place != tap.place]))
    number = act.meant.index(tap)
    events = (*act.meant[:number], *order(tap, astray), *act.meant[number + 1 :])
    lays_again = wrong == 0 and tap in events
    return Slip(
        kind,
        events,
        frozenset({number + wrong}),
        act.doer | _at(tap) | _at(astray) | _owners(act.truth, tap.card),
        lays_again=lays_again,
        between_seats=lays_again and {seat_at(tap.place), seat_at(astray.place)}.isdisjoint({None}),
        instead_of=None if tap in events else tap,
    )


def _at(tap: Tapped) -> frozenset[int]:
    seat = seat_at(tap.place)
    return frozenset() if seat is None else frozenset({seat})


def _owners(truth: Truth, card: str) -> frozenset[int]:
    hands = getattr(truth.world, "hands", {})
    return frozenset(seat for seat, hand in hands.items() if card in hand)


def _cards(events: Sequence[Event]) -> frozenset[str]:
    return frozenset(event.card for event in events if isinstance(event, Tapped))
