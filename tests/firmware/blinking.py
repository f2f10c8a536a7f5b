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


def letters_of_lamp(row, recount=(), begins=123456):
    """Return what lamp 2 shows for ten seconds from now on: a letter every 10 ms. `recount` is done every second."""
    letters = ""
    for step in range(1000):
        if recount and step and step % 100 == 0:
            row.count(*recount)
        row.step((begins + step * 10) * 1000, False)
        letters += "#" if row._seats[1] != (0, 0, 0) else "."
    return letters


def lamps_counting(cards):
    row = lamps.Lamps(0, 6, 1)
    row.count(2, cards)
    return row


signs = [letters_of_lamp(lamps_counting(cards)) for cards in (1, 5, 7)]
signs.append(letters_of_lamp(lamps_counting(7), recount=(2, 7)))
row = lamps_counting(7)
letters_of_lamp(row)
row.count(2, 8)
signs.append(letters_of_lamp(row, begins=999999))
row.show(2, "read")
signs.append(letters_of_lamp(row))
row.show(2, "off")
signs.append(letters_of_lamp(row))

while real.Port().read() is None:
    pass  # nobody has the port open yet
for sign in signs:
    sys.stdout.buffer.write(sign.encode() + b"\n")
sys.stdout.buffer.write(b"end\n")
