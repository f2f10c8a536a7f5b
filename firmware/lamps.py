"""A lamp at every seat, and one at the centre pad.

The Pi decides which cue each shows; colours and rhythms are defined here.
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
"""Every cue has its own rhythm or brightness too, for people who can't tell red from green."""

_FIVE = (600, 300)
_ONE = (150, 300)
"""Milliseconds on and off of a five and of a one, of which a number is made; its colour is that of `waiting`."""
_PAUSE = 1500
"""Milliseconds before each number."""
_ALONE = ((12, 0, 0), 100, 1900)
"""The cue of every lamp while the Pi is silent, because presses are not being recorded."""
_DARK = (0, 0, 0)


class Lamps:
    """Six NeoPixels in a row and one alone, dark until the Pi says otherwise."""

    def __init__(self, pin: int, count: int, pad: int) -> None:
        """Take over the data lines of the seats' lamps and of the pad's."""
        self._seats = NeoPixel(Pin(pin, Pin.OUT), count)
        self._pad = NeoPixel(Pin(pad, Pin.OUT), 1)
        self._cues = [CUES["off"]] * (1 + count)
        self._numbers = [0] * (1 + count)
        """The number that each blinks instead of its cue; 0: none."""
        self._begun: list[int | None] = [None] * (1 + count)
        """When each number began (milliseconds); None: it begins with the next step."""
        self._shown: list[tuple[int, int, int]] = []

    def show(self, button: int, cue: str) -> None:
        """Show a cue from `CUES` at a button's lamp, or at the pad's for 0."""
        self._cues[button] = CUES[cue]
        self._numbers[button] = 0

    def count(self, button: int, cards: int) -> None:
        """Show at a button's lamp that the table waits, and how many cards have counted, from 1."""
        if self._numbers[button] != cards:
            self._cues[button] = CUES["waiting"]
            self._numbers[button] = cards
            self._begun[button] = None

    def step(self, now: int, alone: bool) -> None:
        """Bring the lamps up to date; `now` in microseconds, `alone` while the Pi is not heard."""
        ms = now // 1000
        colours = []
        for lamp, cue in enumerate(self._cues):
            colour, on, off = _ALONE if alone else cue
            lit = ms % (on + off) < on
            if self._numbers[lamp] and not alone:
                lit = self._blinks(lamp, ms)
            colours.append(colour if lit else _DARK)
        if colours == self._shown:
            return  # each write blocks interrupts, and so USB, for some 200 µs
        self._shown = colours
        self._pad[0], *seats = colours
        for n, colour in enumerate(seats):
            self._seats[n] = colour
        self._pad.write()
        self._seats.write()

    def _blinks(self, lamp: int, ms: int) -> bool:
        """Return whether this lamp is lit at this point of its number."""
        begun = self._begun[lamp]
        if begun is None:
            begun = self._begun[lamp] = ms
        fives, ones = divmod(self._numbers[lamp], 5)
        fives_end = _PAUSE + fives * sum(_FIVE)
        at = (ms - begun) % (fives_end + ones * sum(_ONE))
        if at < _PAUSE:
            return False
        if at < fives_end:
            return (at - _PAUSE) % sum(_FIVE) < _FIVE[0]
        return (at - fives_end) % sum(_ONE) < _ONE[0]
