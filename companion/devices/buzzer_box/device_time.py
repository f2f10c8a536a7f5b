"""Device time of the buzzer box -> the table's clock, with an honest bound.

An exchange says: the box read `box_received` not before the question left, and `box_sent` not after the answer was
here. So the table time of one device moment lies in an interval, about as wide as the round trip; nothing is
assumed about how the delay is shared between the two. Away from that moment the interval widens by the drift bound.
The truth is in every such interval, hence in what they have in common.

The drift is bounded, not estimated: 100 ppm, where two crystals are within 30 ppm each (assumed, from data sheets)
and the rest is left to a table clock that is being slewed. At four exchanges a second that costs at most 25 µs.
"""

from collections import deque

import msgspec

DRIFT = 100e-6
"""Seconds of table time by which a second of device time may be too long or too short."""
CLOSE_US = 2_000_000
"""Presses closer together than this, in device time, are placed by the same offset."""
GOOD_US = 2_000
"""The half-width at which an interval is narrow enough to place a press: two boxes known this well are compared within
what `companion.config` allows between two devices. A first exchange that was held up would be off by more."""
TRIED = 8
"""Exchanges after which a press is placed anyway: a cable that is always slow brings no better ones."""

_EXCHANGES = 64
_PLACED = 128  # the box keeps 64 presses, so a late one finds its neighbours here
_READING_US = 1.01  # device times are rounded down to a microsecond; some room for our own arithmetic
_ROUNDING_US = 0.5  # offsets are rounded to a microsecond


class Instant(msgspec.Struct, frozen=True):
    """A device time on the table's clock."""

    at: float
    """Seconds on the table's clock."""
    uncertainty: float
    """Half-width in seconds: the true moment is within `at` ± this."""


class _Span(msgspec.Struct, frozen=True):
    """At device time `device` (µs) the table's clock (µs) was between `low` and `high`."""

    device: int
    low: float
    high: float

    def at(self, device: int) -> "_Span":
        away = device - self.device
        slack = abs(away) * DRIFT
        return _Span(device, self.low + away - slack, self.high + away + slack)


class _Fix(msgspec.Struct, frozen=True):
    """An offset in use: whole microseconds, so that distances stay exact."""

    device: int
    table: int
    half: float

    def moment(self, device: int) -> Instant:
        away = device - self.device
        half = self.half + abs(away) * DRIFT + _READING_US
        return Instant((self.table + away) / 1e6, half / 1e6)


class BoxClock:
    """The clock of one boot of the box, as seen from the table.

    Two presses within `CLOSE_US` of each other keep their device distance to the microsecond, even when better
    exchanges came between them or the earlier press comes later: a press takes over the offset of the nearest press
    already placed, and only one with no neighbour adopts what has been learnt since.
    """

    def __init__(self) -> None:
        self._spans: deque[_Span] = deque(maxlen=_EXCHANGES)
        self._placed: deque[tuple[int, _Fix]] = deque(maxlen=_PLACED)

    @property
    def begun(self) -> bool:
        """Whether there was an exchange."""
        return bool(self._spans)

    @property
    def ready(self) -> bool:
        """Whether enough is known to place a press."""
        if not self._spans or len(self._spans) >= TRIED:
            return bool(self._spans)
        span = self._span_at(self._spans[-1].device)
        return span.high - span.low <= 2 * GOOD_US

    def exchanged(self, sent: float, box_received: int, box_sent: int, received: float) -> None:
        """Learn from one exchange: table seconds at the Pi, device microseconds at the box."""
        middle = (box_received + box_sent) // 2
        low = _Span(box_received, sent * 1e6 - _READING_US, 0.0).at(middle).low
        high = _Span(box_sent, 0.0, received * 1e6).at(middle).high
        if box_sent < box_received or low > high:
            return  # no clock within the drift bound can have said this
        span = _Span(middle, low, high)
        if self._spans:
            expected = self._span_at(middle)
            if expected.low > high or expected.high < low:
                # A clock was stepped or the machine slept: what was learnt before is void.
                self._spans.clear()
        self._spans.append(span)

    def place(self, device: int) -> Instant:
        """Put a press on the table's clock, and remember its offset for its neighbours.

        Raises ValueError if there was no exchange yet.
        """
        nearest = min(self._placed, key=lambda placed: abs(placed[0] - device), default=None)
        close = nearest is not None and abs(nearest[0] - device) <= CLOSE_US
        fix = nearest[1] if nearest is not None and close else self._fix(device)
        self._placed.append((device, fix))
        return fix.moment(device)

    def look(self, device: int) -> Instant:
        """Return where a device time lies as far as is now known, without remembering its offset.

        Raises ValueError if there was no exchange yet.
        """
        return self._fix(device).moment(device)

    def earliest(self, device: int) -> float:
        """Return the earliest table time (seconds) at which a press from this device time on may still be placed.

        Raises ValueError if there was no exchange yet.
        """
        close = [fix.moment(device).at for at, fix in self._placed if device - at <= CLOSE_US]
        fix = self.look(device)
        return min([fix.at - fix.uncertainty, *close])

    def _span_at(self, device: int) -> _Span:
        spans = [span.at(device) for span in self._spans]
        return _Span(device, max(span.low for span in spans), min(span.high for span in spans))

    def _fix(self, device: int) -> _Fix:
        if not self._spans:
            raise ValueError("no time exchange with the buzzer box yet")
        span = self._span_at(device)
        half = max(0.0, span.high - span.low) / 2 + _ROUNDING_US
        return _Fix(device, round((span.low + span.high) / 2), half)
