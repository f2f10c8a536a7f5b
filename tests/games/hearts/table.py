"""A table of Hearts, in the language of the rules' tests."""

from companion.games.hearts.cards import rank, suit
from companion.kit.table_for_tests import AtTable


class Table(AtTable):
    game = "hearts"


def after_passing(*seats: int, **options: object) -> Table:
    """Everybody has passed their three cards."""
    table = Table(*(seats or (1, 2, 3, 4)), **options)
    for seat in seats or (1, 2, 3, 4):
        table.press(seat)
    return table


def play_round(table: Table, taker: int | None = None) -> None:
    """Play the round to its end: who has to plays the first card left of the suit, or the taker its highest."""
    number = table.view["round"]
    while not table.over and table.view["round"] == number:
        view = table.view
        if view["phase"] == "pass":
            for seat in table.seats:
                table.press(seat)
            continue
        seat = view["active"]
        if seat is None:
            table.tap(taker or table.seats[0], view["first_card"])
            continue
        led = suit(view["trick"][0]["card"]) if view["trick"] else None
        following = [card for card in view["unplayed"] if suit(card) == led]
        harmless = [card for card in view["unplayed"] if suit(card) != "hearts"]
        in_rank = sorted(following or (not led and harmless) or view["unplayed"], key=rank)
        table.tap(seat, in_rank[-1] if seat == taker else in_rank[0])
