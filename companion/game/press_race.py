"""A race of presses: who was first, head starts reckoned, and who was first together."""

import msgspec

from companion.events import Pressed


class Shout(msgspec.Struct, frozen=True, order=True):
    """A press in a race; shouts sort by the time for which they count."""

    at: int
    """Microseconds: when it happened, less the head start of its seat."""
    seq: int
    seat: int
    by_hand: bool = False
    """Whether a person entered it: then nobody knows how late it came."""
    head_start: int = 0
    """Microseconds."""

    @property
    def happened_at(self) -> int:
        """Microseconds: when the buzzer was hit."""
        return self.at + self.head_start


def shout_of(press: Pressed, head_start: int) -> Shout:
    """Return a press as it counts in a race; `head_start` in microseconds."""
    by_hand = press.by is not msgspec.UNSET
    return Shout(press.microseconds - head_start, press.seq, press.seat, by_hand, head_start)


def first_together(shouts: tuple[Shout, ...], window: int) -> tuple[int, ...]:
    """Return the seats of the first of these sorted shouts, and of all within `window` microseconds of it."""
    return tuple(shout.seat for shout in shouts if shout.at <= shouts[0].at + window)
