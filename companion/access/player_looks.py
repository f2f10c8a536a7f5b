"""How players look on every page: an animal and a colour, on a chip."""

from collections.abc import Collection, Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from companion.events import SEATS

ANIMALS = ("fox", "bear", "cat", "frog", "hare", "owl", "whale", "octopus")
COLOURS = ("red", "blue", "yellow", "green", "orange", "violet", "lightblue", "pink")
"""In the order of the seats that get them by default; the first six are the colours of STOP me GO's cards."""


class Face(msgspec.Struct, frozen=True):
    """One player's animal and colour. The colour's symbol goes with it, so that no colour stands alone."""

    animal: Annotated[str, Meta(pattern=f"^({'|'.join(ANIMALS)})$")]
    colour: Annotated[str, Meta(pattern=f"^({'|'.join(COLOURS)})$")]


def of_seat(seat: int) -> Face:
    """Return the look of a seat whose player has chosen none.

    >>> of_seat(1)
    Face(animal='fox', colour='red')
    """
    return Face(ANIMALS[seat - 1], COLOURS[seat - 1])


def given(seat: int, worn_faces: Collection[Face]) -> Face:
    """Return a look for somebody who has chosen none: their seat's, without an animal or colour taken, if any is left.

    >>> given(1, [Face("fox", "blue")])
    Face(animal='bear', colour='red')
    """
    return _unlike(of_seat(seat), worn_faces)


def apart(chosen: Mapping[int, Face], worn: Mapping[int, str]) -> dict[int, Face]:
    """Return every seat's look, no two alike: its player's choice, first come first served, else the seat's own, else
    what is left.

    `worn`: by seat, the colour of its player's cards, which takes precedence over what they chose.
    """
    animals = _apart({seat: face.animal for seat, face in chosen.items()}, ANIMALS)
    colours = _apart({seat: face.colour for seat, face in chosen.items()}, COLOURS, worn)
    return {seat: Face(animals[seat], colours[seat]) for seat in SEATS}


def each(wished: Mapping[str, Face]) -> dict[str, Face]:
    """Return the looks of people from any matches, no two alike while looks are left."""
    looks: dict[str, Face] = {}
    for person, wish in wished.items():
        looks[person] = _unlike(wish, looks.values())
    return looks


def _unlike(wished: Face, worn_faces: Collection[Face]) -> Face:
    """Return this look, with another animal or colour in place of one that is taken, as long as any is left.

    After that another animal in another colour, as long as nobody has just this look.

    >>> taken = [of_seat(1), *(Face(animal, colour) for animal, colour in zip(ANIMALS[1:], COLOURS[1:]))]
    >>> _unlike(of_seat(1), taken)
    Face(animal='fox', colour='blue')
    """
    animals = {face.animal for face in worn_faces}
    colours = {face.colour for face in worn_faces}
    face = Face(_free(wished.animal, ANIMALS, animals), _free(wished.colour, COLOURS, colours))
    looks = (Face(animal, colour) for animal in (face.animal, *ANIMALS) for colour in (face.colour, *COLOURS))
    return next((look for look in looks if look not in worn_faces), face)


def _apart(chosen: Mapping[int, str], choices: tuple[str, ...], worn: Mapping[int, str] = {}) -> dict[int, str]:
    given_values = {**worn}
    for seat in (seat for seat in chosen if seat not in worn):
        given_values[seat] = _free(chosen[seat], choices, set(given_values.values()))
    used = set(given_values.values())
    given_values |= {
        seat: choices[seat - 1] for seat in SEATS if seat not in given_values and choices[seat - 1] not in used
    }
    for seat in (seat for seat in SEATS if seat not in given_values):
        given_values[seat] = _free(choices[seat - 1], choices, set(given_values.values()))
    return given_values


def _free(wished: str, choices: tuple[str, ...], used: set[str]) -> str:
    return next((choice for choice in (wished, *choices) if choice not in used), wished)
