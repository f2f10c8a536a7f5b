"""Races of presses: the first seat, or the first ones in a dead heat, with head starts taken into account."""

import msgspec

from companion.events import Pressed


class Shout(msgspec.Struct, frozen=True, order=True):
    """A press in a race; shouts sort by the time that counts."""

    at: int
    """The time that counts, in microseconds: when it happened, less its seat's head start."""
    seq: int
    seat: int
    by_hand: bool = False
    """Whether a person entered it, so that its real time is unknown."""
    head_start: int = 0
    """Microseconds."""

    @property
    def happened_at(self) -> int:
        """The time of the press itself, in microseconds."""
        return self.at + self.head_start


def shout_of(press: Pressed, head_start: int) -> Shout:
    """Make a shout of a press; `head_start` is in microseconds."""
    by_hand = press.by is not msgspec.UNSET
    return Shout(press.microseconds - head_start, press.seq, press.seat, by_hand, head_start)


def first_together(shouts: tuple[Shout, ...], window: int) -> tuple[int, ...]:
    """Return the seats of the first of these sorted shouts and of all within `window` microseconds of it."""
    return tuple(shout.seat for shout in shouts if shout.at <= shouts[0].at + window)
