"""What happened at the table: the seven kinds of event, exactly as the record spells them.

Every event has `seq` (1 2 3 …, the order in which the companion learned of it) and `at` (seconds on the table's clock,
microsecond resolution). Before it is recorded, an event has `seq` 0.

>>> Pressed(seq=2, at=7331.000001, seat=3).microseconds
7331000001
>>> place_of(3), seat_at("seat-3"), seat_at("centre")
('seat-3', 3, None)
"""

from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import UNSET, UnsetType

Seat = Annotated[int, msgspec.Meta(ge=1, le=6)]
SEATS = range(1, 7)
"""All the seats that the record knows."""
Place = str
"""A seat's place, or a central pad: `CENTRE`, or one that a game names."""
CENTRE: Place = "centre"
"""The pad that every table may have."""
SEAT_PLACES: tuple[Place, ...] = tuple(f"seat-{seat}" for seat in SEATS)

UNKNOWN = "?"
"""The card of a tag that no deck knows."""
PHONE = "phone"
"""The tag that stands for any phone or bank card: a phone's number changes each time, and a bank card's is nobody's
business."""

_SEAT_OF = dict(zip(SEAT_PLACES, SEATS, strict=True))


def place_of(seat: int) -> Place:
    """Return the place of a seat: the inverse of `seat_at`."""
    return SEAT_PLACES[seat - 1]


def seat_at(place: str) -> int | None:
    """Return the seat whose place this is; None for a central pad."""
    return _SEAT_OF.get(place)


class _Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    seq: int
    """1 2 3 … without gaps: the order in which the companion learned of the events."""
    at: float
    """When it happened, in seconds on the table's clock, to a microsecond. It may be a little before the previous
    event."""

    @property
    def microseconds(self) -> int:
        """`at` as a whole number, so that windows of time are compared exactly."""
        return round(self.at * 1_000_000)


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits where."""

    seat: Seat
    name: str
    """As typed; "" if none was given."""


class Started(_Event, frozen=True, tag="started"):
    """A match begins; always the first event."""

    game: str
    """Its slug."""
    players: tuple[Player, ...]
    """Clockwise."""
    options: dict[str, Any]
    """The options this table plays by, where they differ from the booklet's rules."""

    @property
    def seats(self) -> tuple[int, ...]:
        """The players' seats, in their order."""
        return tuple(player.seat for player in self.players)


class Tapped(_Event, frozen=True, tag="tapped"):
    """A card was put on a reader, or a person entered that by hand (`by`)."""

    place: Place
    card: str
    """A card id of the game; "?" for a tag that no deck of it knows."""
    tag: str | UnsetType = UNSET
    """The tag of an unknown card: `game/card` for one of another game's deck."""
    by: str | UnsetType = UNSET
    """Who entered it, if no reader did; it changes no judgement."""


class Lifted(_Event, frozen=True, tag="lifted"):
    """A card was lifted. No game depends on it."""

    place: Place
    card: str


class Pressed(_Event, frozen=True, tag="pressed"):
    """A buzzer was hit; `at` is by the device's own clock if it has one."""

    seat: Seat
    by: str | UnsetType = UNSET


class Said(_Event, frozen=True, tag="said"):
    """A person told what no sensor can see."""

    seat: Seat | Literal["host"]
    what: str
    """The game's word for it."""
    value: Any = UNSET
    """The value said with it, if the word needs one."""


class Elapsed(_Event, frozen=True, tag="elapsed"):
    """A delay set by the rules or by an option ran out."""

    what: str


class Retracted(_Event, frozen=True, tag="retracted"):
    """The event `target` is taken back: it counts as never having happened."""

    target: int
    """The `seq` of an earlier event, except the first."""
    by: str | UnsetType = UNSET


Event = Started | Tapped | Lifted | Pressed | Said | Elapsed | Retracted
KINDS: tuple[str, ...] = tuple(kind.__struct_config__.tag for kind in get_args(Event))
