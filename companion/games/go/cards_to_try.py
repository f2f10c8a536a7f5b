"""Cards to try the virtual table with, where people say by hand what lies there; nothing follows from sealed cards."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from companion.games.go.cards import COLOURS, HAND, HIGHEST, IDS


class ToTry(Struct, frozen=True):
    """What is offered to be laid."""

    mixed: tuple[str, ...]
    """The whole box, well mixed: another round, another start."""
    hands: Mapping[int, tuple[str, ...]]
    """By seat, a hand for each whose is still to be read: cards of two colours that fit together, most of them the
    caller's, and others as they come."""


def cards_to_try(table: Mapping[str, Any], seats: Sequence[int], match: int | None) -> ToTry:
    """Return what is offered now."""
    call = table["call"]
    turn = table["turn"]
    number = len(table["rounds"]) * 31 + (match or 0) * 17
    start = number * 3 + (IDS.index(turn["discard"]) * 7 if turn and turn["discard"] else 0)
    mixed = tuple(IDS[(place * 37 + start) % len(IDS)] for place in range(len(IDS)))
    return ToTry(mixed, _hands(call, seats, mixed, number) if call and call["row"] else {})


def _hands(
    call: Mapping[str, Any], seats: Sequence[int], mixed: tuple[str, ...], number: int
) -> dict[int, tuple[str, ...]]:
    next_colour = COLOURS.index(call["colour"]) + 1
    colours = COLOURS[next_colour:] + COLOURS[: next_colour - 1]
    colours = colours[number % 9 :] + colours[: number % 9]
    used = {call["row"], *call["seen"], *(call["hand"] or ())}
    hands = {}
    for player, seat in enumerate([call["caller"], *(seat for seat in seats if seat != call["caller"])]):
        if player == 0 and call["hand"]:
            continue
        fitting = (
            f"{colours[player * 2 + card % 2]}-{(card * 7 + number + player * 3) % HIGHEST + 1}"
            for card in range(8 if player else 9)
        )
        free = (card for card in (*fitting, *mixed[player * 27 :], *mixed) if card not in used)
        hands[seat] = tuple(dict.fromkeys(free))[:HAND]
        used.update(hands[seat])
    return hands
