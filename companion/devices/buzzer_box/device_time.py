"""Converts device time of the buzzer box to the table's clock, with a guaranteed bound.

An exchange proves that the box read `box_received` not before the question left, and `box_sent` not after the answer
arrived. So the table time of one device moment lies in an interval about as wide as the round trip, whichever way the
delay is split. Away from that moment the interval widens by the drift bound. The true time lies in every such interval,
hence in their intersection.

The drift is bounded, not estimated: 100 ppm, of which two crystals take up to 30 ppm each (assumed, from data sheets),
and the rest is reserve for a table clock that is being slewed. At four exchanges a second that costs at most 25 µs.
"""

from collections import deque

import msgspec

DRIFT = 100e-6
"""Seconds by which a second of device time may be too long or too short."""
CLOSE_US = 2_000_000
"""Presses closer together than this, in device time, are converted with the same offset."""
GOOD_US = 2_000
"""Half-width of an interval that is narrow enough to convert a press: with it two boxes agree within what
`companion.config` allows between two devices. A first exchange that was delayed would be off by more."""
TRIED = 8
"""Exchanges after which a press is converted anyway: on a cable that is always slow no better ones come."""

_EXCHANGES = 64
_PLACED = 128  # the box keeps 64 presses, so a late one still finds its neighbours here
_READING_US = 1.01  # device times are rounded down to a microsecond; the rest is for floating-point errors
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

    Two presses within `CLOSE_US` of each other keep their device distance to the microsecond, even if better exchanges
    came between them, or the earlier press arrives later: a press takes the offset of the nearest press converted
    before, and only one without a neighbour gets a new offset.
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
        """Whether the offset is known well enough to convert a press."""
        if not self._spans or len(self._spans) >= TRIED:
            return bool(self._spans)
        span = self._span_at(self._spans[-1].device)
        return span.high - span.low <= 2 * GOOD_US

    def exchanged(self, sent: float, box_received: int, box_sent: int, received: float) -> None:
        """Add an exchange: `sent` and `received` in table seconds, the box's times in device microseconds."""
        middle = (box_received + box_sent) // 2
        low = _Span(box_received, sent * 1e6 - _READING_US, 0.0).at(middle).low
        high = _Span(box_sent, 0.0, received * 1e6).at(middle).high
        if box_sent < box_received or low > high:
            return  # impossible for a clock within the drift bound
        span = _Span(middle, low, high)
        if self._spans:
            expected = self._span_at(middle)
            if expected.low > high or expected.high < low:
                # A clock was stepped or the machine was suspended: the earlier exchanges are void.
                self._spans.clear()
        self._spans.append(span)

    def place(self, device: int) -> Instant:
        """Convert the time of a press, and remember the offset for its neighbours.

        Raises ValueError if there was no exchange yet.
        """
        nearest = min(self._placed, key=lambda placed: abs(placed[0] - device), default=None)
        close = nearest is not None and abs(nearest[0] - device) <= CLOSE_US
        fix = nearest[1] if nearest is not None and close else self._fix(device)
        self._placed.append((device, fix))
        return fix.moment(device)

    def look(self, device: int) -> Instant:
        """Convert a device time by the current exchanges, without remembering the offset.

        Raises ValueError if there was no exchange yet.
        """
        return self._fix(device).moment(device)

    def earliest(self, device: int) -> float:
        """Return the earliest table time (seconds) that a press at or after this device time may still get.

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
