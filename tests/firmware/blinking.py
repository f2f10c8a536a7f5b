"""A main.py for the emulated Pico: what the firmware's lamps show of a number, every 10 ms of a time of its own."""

import sys

import lamps
import port as real


class Row:
    def __init__(self, pin, count):
        self.colours = [(0, 0, 0)] * count

    def __setitem__(self, at, colour):
        self.colours[at] = colour

    def __getitem__(self, at):
        return self.colours[at]

    def write(self):
        pass


lamps.NeoPixel = Row


def seen(row, after=(), begins=123456):
    """Return what lamp 2 shows for ten seconds from now on: a letter every 10 ms. `after` is done every second."""
    shown = ""
    for step in range(1000):
        if after and step and step % 100 == 0:
            row.count(*after)
        row.step((begins + step * 10) * 1000, False)
        shown += "#" if row._seats[1] != (0, 0, 0) else "."
    return shown


def begun(cards):
    row = lamps.Lamps(0, 6, 1)
    row.count(2, cards)
    return row


said = [seen(begun(cards)) for cards in (1, 5, 7)]
said.append(seen(begun(7), after=(2, 7)))
row = begun(7)
seen(row)
row.count(2, 8)
said.append(seen(row, begins=999999))
row.show(2, "read")
said.append(seen(row))
row.show(2, "off")
said.append(seen(row))

while real.Port().read() is None:
    pass  # nobody has the port open yet
for shown in said:
    sys.stdout.buffer.write(shown.encode() + b"\n")
sys.stdout.buffer.write(b"end\n")
