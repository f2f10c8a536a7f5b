import host


class NeoPixel:
    def __init__(self, pin, count):
        self._pin = pin.number
        self._colours = [(0, 0, 0)] * count

    def __setitem__(self, n, colour):
        self._colours[n] = colour

    def write(self):
        host.lamps(self._pin, " ".join([f"{red:02x}{green:02x}{blue:02x}" for red, green, blue in self._colours]))
