"""A lamp at every seat, and one at the centre pad.

The Pi decides what each shows; what that looks like is decided here.
"""

from machine import Pin
from neopixel import NeoPixel

CUES = {
    # cue: (red, green, blue), milliseconds on, milliseconds off
    "off": ((0, 0, 0), 1, 0),
    "waiting": ((0, 0, 40), 800, 800),
    "reading": ((40, 24, 0), 150, 150),
    "read": ((0, 40, 0), 1, 0),
    "refused": ((110, 0, 0), 500, 100),
    "error": ((60, 0, 0), 300, 300),
    "first": ((90, 90, 90), 1, 0),
    "playing": ((0, 0, 10), 1, 0),
    "break": ((20, 12, 0), 2000, 2000),
    "over": ((12, 12, 12), 1, 0),
}
"""Every cue has a rhythm or brightness of its own too, for those who can't tell red from green."""

_ALONE = ((12, 0, 0), 100, 1900)
"""Every lamp while the Pi says nothing: presses are not being recorded."""
_DARK = (0, 0, 0)


class Lamps:
    """Six NeoPixels in a row and one alone, dark until the Pi says otherwise."""

    def __init__(self, pin: int, count: int, pad: int) -> None:
        """Take over the data lines of the seats' lamps and of the pad's."""
        self._seats = NeoPixel(Pin(pin, Pin.OUT), count)
        self._pad = NeoPixel(Pin(pad, Pin.OUT), 1)
        self._cues = [CUES["off"]] * (1 + count)
        self._shown: list[tuple[int, int, int]] = []

    def show(self, button: int, cue: str) -> None:
        """Let the lamp of a button, 0 for the pad's, show a cue from `CUES`."""
        self._cues[button] = CUES[cue]

    def step(self, now: int, alone: bool) -> None:
        """Bring the lamps up to date; `now` in microseconds, `alone` while the Pi is not heard."""
        ms = now // 1000
        colours = []
        for cue in self._cues:
            colour, on, off = _ALONE if alone else cue
            colours.append(colour if ms % (on + off) < on else _DARK)
        if colours == self._shown:
            return  # each writing keeps USB waiting for some 200 µs
        self._shown = colours
        self._pad[0], *seats = colours
        for n, colour in enumerate(seats):
            self._seats[n] = colour
        self._pad.write()
        self._seats.write()
