"""How players look on every page: an animal and a colour, on a chip."""

import msgspec


class Face(msgspec.Struct, frozen=True):
    """One player's animal and colour. The colour's symbol goes with it, so that no colour stands alone."""

    animal: str
    colour: str


ANIMALS = ("fox", "bear", "cat", "frog", "hare", "owl", "whale", "octopus")
COLOURS = ("red", "blue", "yellow", "green", "orange", "violet", "lightblue", "pink")
"""In this order seats are given them, where nobody has chosen: the first six are those of the cards of STOP me GO."""


def of_seat(seat: int) -> Face:
    """Return how a seat looks whose player has chosen nothing.

    >>> of_seat(1)
    Face(animal='fox', colour='red')
    """
    return Face(ANIMALS[seat - 1], COLOURS[seat - 1])
