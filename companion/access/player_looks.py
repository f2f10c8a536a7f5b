"""How players look on every page: an animal and a colour, on a chip."""

from collections.abc import Mapping

import msgspec

from companion.events import SEATS


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


def apart(chosen: Mapping[int, Face], worn: Mapping[int, str]) -> dict[int, Face]:
    """Return how every seat looks, no two alike: as its player chose, else as the seat is given.

    `worn`: by seat, the colour of its player's cards, which goes before what they chose.
    """
    looks: dict[int, Face] = {}
    animals, colours = set[str](), set(worn.values())
    for seat in sorted(SEATS, key=lambda seat: seat not in chosen):
        wished = chosen.get(seat, of_seat(seat))
        animal = _free(wished.animal, ANIMALS, animals)
        colour = worn.get(seat) or _free(wished.colour, COLOURS, colours)
        looks[seat] = Face(animal, colour)
        animals.add(animal)
        colours.add(colour)
    return looks


def each(wished: Mapping[str, Face]) -> dict[str, Face]:
    """Return how people look, in whatever matches they sat: no two alike while looks are left."""
    looks: dict[str, Face] = {}
    for who, wish in wished.items():
        animals, colours = {one.animal for one in looks.values()}, {one.colour for one in looks.values()}
        looks[who] = Face(_free(wish.animal, ANIMALS, animals), _free(wish.colour, COLOURS, colours))
    return looks


def _free(wished: str, known: tuple[str, ...], taken: set[str]) -> str:
    return next((one for one in (wished, *known) if one not in taken), wished)
