"""What the pages of STOP me GO draw of the gangsters around the pile, and whether turning cards changes anything."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from companion.games.stop_me_go.cards import DECK, SLOTS


class PlaceByPile(Struct, frozen=True):
    """A place around the pile."""

    gangster: str | None
    """None: nobody is there any more, or not yet."""
    flip: Mapping[str, Any] | None
    """What its cards turned out to be."""
    laid: Sequence[int]
    """Who laid on it."""
    is_free: bool
    """Whether nothing lies there."""
    is_latest: bool
    """Whether it came last, and its cards are not turned up yet."""
    is_newest: bool
    """Whether cards are laid on it now."""
    is_due: bool
    """Whether its cards must be turned up now."""
    is_won: bool
    """Whether this capture won the round."""
    label: Literal["", "turn-up-now", "captured", "got-away", "is-oldest"]
    """What stands below a gangster that is not the newest."""


class PlacesByPile(Struct, frozen=True):
    """The places around the pile."""

    taken: int
    """How many gangsters have come out."""
    is_turning: bool
    spots: tuple[PlaceByPile, ...]


def lay_out_table(table: Mapping[str, Any], seats: Sequence[int], is_over: bool, revealed: int | None) -> PlacesByPile:
    """Lay out the places. `revealed`: the place of the gangster whose cards the stage is about to turn up, from 0: they
    still lie face down, and nothing else tells how they end. None: nothing is about to be turned up.
    """
    slots = table["slots"]
    is_turning = revealed is not None or (table["phase"] in ("arrest", "round-end") and not is_over)
    return PlacesByPile(
        taken=SLOTS if table["flips"] else sum(1 for slot in slots if slot),
        is_turning=is_turning,
        spots=tuple(
            _revealed(table, slot, seats)
            if place == revealed
            else _spot(table, slot, reveals=revealed is not None, is_turning=is_turning)
            for place, slot in enumerate(slots)
        ),
    )


def revealed_place(table: Mapping[str, Any]) -> int:
    """Return where the gangster lies whose cards were turned up last, from 0."""
    gangster = table["flips"][-1]["gangster"]
    places = [
        place
        for place, slot in enumerate(table["slots"])
        if slot is None or (slot["flip"] and slot["flip"]["gangster"] == gangster)
    ]
    return places[-1] if places else 0


def _revealed(table: Mapping[str, Any], slot: Mapping[str, Any] | None, seats: Sequence[int]) -> PlaceByPile:
    return PlaceByPile(
        gangster=table["flips"][-1]["gangster"],
        flip=None,
        laid=seats,
        is_free=not slot,
        is_latest=False,
        is_newest=_is_newest(table, slot),
        is_due=True,
        is_won=False,
        label="turn-up-now",
    )


def _spot(table: Mapping[str, Any], slot: Mapping[str, Any] | None, *, reveals: bool, is_turning: bool) -> PlaceByPile:
    fled = table["flips"][-1] if not slot and table["phase"] == "misdeed" and table["fled"] else None
    flip = slot["flip"] if slot else fled
    is_oldest = bool(slot and slot["oldest"] and not reveals)
    is_due = is_oldest and is_turning
    label: Literal["", "turn-up-now", "captured", "got-away", "is-oldest"] = ""
    if is_due:
        label = "turn-up-now"
    elif flip:
        label = "captured" if flip["captor"] else "got-away"
    elif is_oldest:
        label = "is-oldest"
    winner = table["won"]["seat"] if table["won"] and not reveals else None
    flip_or_slot = flip or slot
    return PlaceByPile(
        gangster=flip_or_slot["gangster"] if flip_or_slot else None,
        flip=flip,
        laid=slot["laid"] if slot else (),
        is_free=not slot and not flip,
        is_latest=bool(slot and slot["newest"] and not reveals and table["phase"] != "round-end"),
        is_newest=_is_newest(table, slot),
        is_due=is_due,
        is_won=bool(flip and flip["captor"] and flip["captor"] == winner),
        label=label,
    )


def _is_newest(table: Mapping[str, Any], slot: Mapping[str, Any] | None) -> bool:
    return bool(slot and slot["newest"] and table["phase"] == "intervention")


def changes_nothing(table: Mapping[str, Any], gangster: str) -> bool:
    """Return whether it makes no difference who captures this gangster: a higher one is captured already, and it is not
    the 1 while the 10 is about.
    """
    value = DECK[gangster].value or 0
    captured = [card for card in table["owned"].values() if card and card != gangster]
    about = [*captured, *(slot["gangster"] for slot in table["slots"] if slot and not slot["flip"])]
    return any((DECK[card].value or 0) > value for card in captured) and not (value == 1 and "gangster-10" in about)
