"""How a demonstration's cards are drawn: a hand by colours, and the stop cards there is a choice of."""

from companion.games.stop_it.cards_laid_out import lay_out_hand, sitting_at, stops_in_play, stops_to_choose

HAND = ["red-1", "red-2", "green-3", "green-stop-1"]


def test_the_front_card_of_each_colour_says_how_many_there_are() -> None:
    drawn = list(lay_out_hand(HAND, ()))
    assert [(card.run, card.is_front) for card in drawn] == [(1, False), (2, True), (1, True), (2, True)]


def test_only_cards_that_come_meanwhile_have_an_order() -> None:
    assert [card.comes for card in lay_out_hand(HAND[:1], HAND[:3])] == [None, 2, 3]


def test_a_stop_card_is_offered_from_the_hand_or_the_top_of_a_pile() -> None:
    hand = {"hand": HAND, "piles": [{"top": "red-stop-2"}, {"top": None}]}
    assert list(stops_to_choose(hand, ["red", "green", "blue"])) == [("red-stop-2", 2), ("green-stop-1", 1)]


def test_with_the_special_card_every_colour_counts() -> None:
    hand = {"hand": [*HAND, "special-stop-1"], "piles": []}
    assert list(stops_to_choose(hand, ["red"])) == [("special-stop-1", 3)]


def test_the_style_sheet_is_told_which_places_around_the_table_are_free() -> None:
    spots = {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6}
    assert list(sitting_at((1, 2, 4, 6), spots)) == ["sits-4", "above-2", "below-2", "in-middle", "no-3", "no-5"]
    assert list(sitting_at((1, 3), spots))[:4] == ["sits-2", "above-2", "below-0", "sides"]


def test_a_colour_offers_the_stop_card_that_is_still_in_play() -> None:
    used = ("red-stop-1", "special-stop-1", "special-stop-2")
    assert [*stops_in_play(("blue", "red"), used)] == [("blue", "blue-stop-1"), ("red", "red-stop-2"), (None, "")]
