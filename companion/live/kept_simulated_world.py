"""A simulated world as stored: its seed and its moves, from which it is rebuilt and checked against the log."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from companion import games
from companion.acts.putting_right import move_behind
from companion.acts.table import DealtThings, Made
from companion.errors import NotNow
from companion.events import Event, Pressed, Said, Tapped
from companion.game.simulated_world import AnyPhysics, Move, Strength
from companion.judge.taken_back import standing


class WorldFault(NotNow):
    """The stored world can't be used: it is damaged, or does not fit the log."""


class Done(msgspec.Struct, frozen=True, tag=True):
    """A move that was made."""

    move: Move
    before: int
    """How many events the match had before it."""


class StoredWorld(msgspec.Struct, frozen=True):
    """A stored world."""

    match: int
    """Its number in the log."""
    game: str
    seats: tuple[int, ...]
    seed: str
    bots: Mapping[int, Strength]
    """The seats that bots play, with their strengths."""
    chosen: Mapping[int, str] = {}
    """By seat, the colour that its player had chosen."""
    done: tuple[Done, ...] = ()
    strength: Strength = "easy"
    """The strength chosen for this match's bots; kept even once people play all seats."""

    @property
    def physics(self) -> AnyPhysics:
        """How its things behave."""
        physics = games.known()[self.game].physics
        assert physics is not None
        return physics

    @property
    def moves(self) -> tuple[Made, ...]:
        """By whom each move was made, and when."""
        return tuple(Made(done.move.seat, done.before) for done in self.done)

    def mover(self, seq: int) -> int | None:
        """Return whose move caused an event; None if it was dealt."""
        number = move_behind(self.moves, seq)
        return self.done[number].move.seat if number else None

    def things(self, stays: int) -> DealtThings:
        """Return the world as far as it decides who may take back what; see `DealtThings.stays`."""
        persons = frozenset(self.seats).difference(self.bots)
        return DealtThings(self.game, frozenset(self.bots), self.strength, self.moves, stays, persons)

    def chance(self, move: int) -> random.Random:
        """Return the random generator of a move, by its number; -1 is the first shuffle."""
        # One a move: what a move draws does not depend on how often earlier ones drew.
        return random.Random(f"{self.seed} {move}")

    def dealt(self) -> Any:
        """Return the world as it was before anybody moved."""
        return self.physics.suit(self.physics.begin(self.seats, self.chance(-1)), self.chosen)


def made_again(
    stored_world: StoredWorld, game: str, seats: tuple[int, ...], events: Sequence[Event]
) -> tuple[StoredWorld, Any]:
    """Rebuild the world of a match from the moves that its events confirm.

    A move that was stored but never told, or was taken back in the log, is dropped with all after it: the log may come
    from a backup that is some moves older. Raises `WorldFault` if the events belong to another world.
    """
    if (stored_world.game, stored_world.seats) != (game, seats) or not stored_world.bots.keys() <= set(seats):
        raise WorldFault("what lies where belongs to another match")
    try:
        return _made_again(stored_world, standing(events))
    except WorldFault:
        raise
    except Exception as wrong:
        raise WorldFault(f"what lies where can't be rebuilt: {wrong!r}") from wrong


def is_of(stored_world: StoredWorld, game: str, seats: tuple[int, ...], events: Sequence[Event]) -> bool:
    """Whether a stored world may belong to the match on the table. A world prepared for a match that never began does
    not: the match that got its number has acts, though nothing was laid out in this world.
    """
    return bool(stored_world.done) or ((stored_world.game, stored_world.seats) == (game, seats) and not acts(events))


def untold(stored_world: StoredWorld, events: Sequence[Event]) -> Sequence[Event]:
    """Return the events of the latest move that the log lacks: a move is told in parts, and may have been cut off."""
    *_, (_, move_events) = _made(stored_world)
    move_acts = [event for event in move_events if _act(event)]
    acts_in_log = acts(_between(events, stored_world.done[-1].before))
    return move_acts[len(acts_in_log) :] if acts_in_log == acts(move_acts[: len(acts_in_log)]) else ()


def played(stored_world: StoredWorld) -> Any:
    """Return the world after all its moves."""
    *_, (world, _) = _made(stored_world)
    return world


def acts(events: Iterable[Event]) -> list[tuple[object, ...]]:
    """Return the acts in order; lifting a card again, or time running out, is not one."""
    return [act for event in events if (act := _act(event))]


def _made(stored_world: StoredWorld) -> Iterator[tuple[Any, Sequence[Event]]]:
    """Yield the world as it was dealt, and then after each move, with the events of that move."""
    world = stored_world.dealt()
    yield world, ()
    for number, done in enumerate(stored_world.done):
        world, events = stored_world.physics.do(world, done.move, stored_world.chance(number))
        yield world, events


def _made_again(stored_world: StoredWorld, events: Sequence[Event]) -> tuple[StoredWorld, Any]:
    worlds = _made(stored_world)
    world, _ = next(worlds)
    if acts(_between(events, 0, stored_world.done[0].before if stored_world.done else None)):
        raise WorldFault("the log tells of more than was done with what lies there")
    for (number, done), (world_after, move_events) in zip(enumerate(stored_world.done), worlds, strict=True):
        until = stored_world.done[number + 1].before if number + 1 < len(stored_world.done) else None
        acts_in_log = acts(_between(events, done.before, until))
        if move_events and not acts(_between(events, done.before)):
            return replace(stored_world, done=stored_world.done[:number]), world
        acts_told = iter(acts(move_events))
        # Each act is looked for after the one before it: the log may lack some, but not have them in another order.
        if (move_events and not acts_in_log) or not all(act in acts_told for act in acts_in_log):
            raise WorldFault(f"what lies where is not what the log tells of after event {done.before}")
        world = world_after
    return stored_world, world


def _between(events: Sequence[Event], start: int, until: int | None = None) -> list[Event]:
    """Return those that came after the match had `start` events, until it had `until`."""
    return [event for event in events if start < event.seq and (until is None or event.seq <= until)]


def _act(event: Event) -> tuple[object, ...]:
    match event:
        case Tapped(place=place, card=card):
            return place, card
        case Pressed(seat=seat):
            return (seat,)
        case Said(seat=seat, what=what, value=value):
            return seat, what, value
    return ()
