"""The wiring of the Pico's pins, by GP number."""

BUTTONS = (2, 3, 4, 5, 6, 7)
"""Button 1 first. Each connects its pin to GND; the pull-ups are the Pico's own."""

LAMPS = 8
"""The data line of six NeoPixels in a row, one for each button."""

PAD = 9
"""The data line of one NeoPixel, at the centre pad."""

START = 25
"""The Pico's own LED (on a Pico W the select line of its radio, which stays off); it is on no header pin.

Its rising edge starts all stamps in the same cycle.
"""
