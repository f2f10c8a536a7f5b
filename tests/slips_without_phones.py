"""Slips at a table without phones: what hands do wrong, and what the big screen then says."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from companion.act_cards import ACT_CARDS, UNDO
from tests.waiting import until
from tests.without_phones import Answer, Family


class Slip(NamedTuple):
    """Something that goes wrong while the screen asks for something, the first time that it does."""

    asked: str
    act: Callable[[Family], None]
    said: str
    """What the screen says then; "": nothing, because it may not."""


def clumsy(people: Family, answer: Answer, slips: Sequence[Slip]) -> tuple[Answer, list[Slip]]:
    """Return hands that slip in all these ways, and the slips that are still to come."""
    to_come = [*slips]

    def slips_or_answers(screen: str) -> None:
        slip = next((slip for slip in to_come if slip.asked in screen), None)
        if slip is None:
            answer(screen)
            return
        to_come.remove(slip)
        slip.act(people)
        until(lambda: slip.said in f"{people.notices()} | {people.screen()}", people.notices)

    return slips_or_answers, to_come


BARE = "04FFFFFFFFFFFE"
"""A sticker that is on no card."""


def _lays(place: str | int, slug: str, card: str) -> Callable[[Family], None]:
    return lambda people: people.lay(place, slug, card)


def _presses(seat: int) -> Callable[[Family], None]:
    return lambda people: people.press(seat)


def _done_with_nothing_laid(people: Family) -> None:
    people.pause(1.1)
    people.press(1)
    until(lambda: "Ana: no red cards? Press again" in people.screen())
    people.lay(1, "stop-it", "red-1")


def _done_too_early(people: Family) -> None:
    people.lay(1, "stop-it", "red-1")
    people.pause(1.1)
    people.press(1)
    until(lambda: people.lit("waiting") == [2, 3])
    people.lay(1, "stop-it", "red-2")
    until(lambda: "Lay UNDO, then count again" in people.notices())
    people.lay(1, ACT_CARDS.slug, UNDO)
    until(lambda: people.lit("waiting") == [1, 2, 3])


SLIPS: Mapping[str, Sequence[Slip]] = {
    "stop-it": (
        Slip("Count your red cards", _lays(1, "stop-it", BARE), "that card is not known here. On a phone: enter it."),
        Slip("Count your red cards", _lays(1, "kartel", "red-1"), "belongs to another game"),
        Slip("Count your red cards", _lays(1, "stop-it", "blue-1"), "another colour"),
        Slip("Count your red cards", _lays(2, "stop-it", "red-1"), ""),
        Slip("Count your red cards", _done_with_nothing_laid, ""),
        Slip("Count your red cards", _done_too_early, ""),
        Slip("Count your red cards", _lays(1, ACT_CARDS.slug, "void"), "VOID says nothing now"),
        Slip("start again", _presses(3), "Cléo: only the caller starts again"),
    ),
    "go": (
        Slip("Hit your buzzer for ¡Go!", _lays(2, "go", "red-1"), "Bo: nobody has called, so no card counts"),
        Slip("tap the open row card", _lays("centre", "kartel", "red-1"), "card of another game"),
        Slip("Tap your twelve cards", lambda people: people.lay(3, "go", people.hands[12]), ""),
        Slip("Tap your twelve cards", _lays(1, "go", BARE), "that card is not known here"),
        Slip(
            "press for the best series",
            lambda people: people.lay(1, "go", people.hands[40]),
            "Lay UNDO, then tap all twelve again",
        ),
    ),
    "stop-me-go": (
        Slip("Lay a card on gangster\u00a01", _lays(1, "stop-me-go", BARE), "that card is not known here"),
        Slip("Lay a card on gangster\u00a01", _lays(1, "go", "red-1"), "belongs to another game"),
        Slip("Lay a card on gangster\u00a02", _lays(2, "stop-me-go", "red-go-2"), "has not your colour"),
        Slip("Lay a card on gangster\u00a02", _lays("centre", "stop-me-go", "gangster-9"), "Not yet"),
        Slip("Lay a card on gangster\u00a03", _presses(1), "Ana: that press does not count"),
        Slip("take a token", _lays(2, "stop-me-go", "token-0-1"), "Bo: only the winner of the round"),
    ),
    "kartel": (
        Slip("Ana, roll and tap", _lays(2, "kartel", "red-1"), "It is Ana’s turn. Put the red 1 back"),
        Slip("Ana, roll and tap", _lays(1, "kartel", BARE), "that card is not known here"),
        Slip("Ana, roll and tap", _lays(1, "stop-it", "red-1"), "belongs to another game"),
        Slip("Cléo, roll and tap", _lays(3, "kartel", "red-boss"), "is in prison already"),
    ),
    "hearts": (
        Slip("Whoever holds the", _lays(1, "playing-cards", "clubs-9"), "leads the round"),
        Slip("Whoever holds the", _lays(1, "playing-cards", BARE), "that card is not known here"),
        Slip("Whoever holds the", _lays(1, "kartel", "red-1"), "belongs to another game"),
    ),
    "crazy-eights": (
        Slip("turn one up", _lays("centre", "playing-cards", "clubs-8"), "An eight can’t be first"),
        Slip("draw and press", _lays(1, "playing-cards", "clubs-9"), "Tap the 9 of clubs on the centre pad"),
        Slip("draw and press", _lays("centre", "playing-cards", BARE), "hat card is not known here"),
        Slip("draw and press", _lays("centre", "kartel", "red-1"), "card of another game"),
    ),
    "speed-snap": (
        Slip("turn a card", _lays(1, "playing-cards", "clubs-9"), "tap it on the centre pad"),
        Slip("turn a card", _lays("centre", "playing-cards", BARE), "hat card is not known here"),
        Slip("turn a card", _lays("centre", "kartel", "red-1"), "card of another game"),
    ),
    "speed-duel": (
        Slip("turn up", _lays(1, "playing-cards", "clubs-9"), "tap it on the centre pad"),
        Slip("turn up", _lays("centre", "playing-cards", BARE), "hat card is not known here"),
        Slip("One higher or lower", _lays("centre", "kartel", "red-1"), "card of another game"),
    ),
}
"""In each game, one of each kind that it can have."""
