"""What the pages of ¡Go! draw of one hand."""

import pytest

from companion.games.go.hands_laid_out import (
    Hand,
    PlaceInSeries,
    bar_length,
    by_colour,
    examples,
    lay_out_series,
    saved_since,
    split_by_colour,
    thrown_out,
    written_sum,
)


def hand(*cards: str, penalty: int | None = 0, drawn: str | None = None) -> Hand:
    held = {"series": ["red-2"], "left": ["blue-9"], "penalty": penalty}
    return {"hand": list(cards), "held": held, "drawn": drawn}


def test_what_several_add_to_one_place_of_a_series_lies_there_in_the_order_of_their_hands() -> None:
    additions = [(3, {"additions": ["green-5"]}), (2, {"additions": ["pink-5", "pink-2"]})]
    places = [*lay_out_series({"series": ["red-2"]}, additions)]
    assert places[:2] == [PlaceInSeries(1, (), ()), PlaceInSeries(2, ("red-2",), ((2, "pink-2"),))]
    assert places[4] == PlaceInSeries(5, (), ((3, "green-5"), (2, "pink-5")))
    assert len(places) == 11


def test_what_is_counted_is_explained_by_cards_that_lie_there_or_by_others_but_never_of_the_colour_that_counts() -> (
    None
):
    assert examples("red", ["blue-1", "grey-3", "pink-4"], ["grey-7"]).series == ["blue-1", "grey-3"]
    assert examples(None, [], []).gone == ()
    example = examples("violet", [], [])
    assert example.gone == ("violet-4",)
    assert not any(card.startswith("violet") for card in (*example.series, *example.left))


def test_a_hand_is_parted_into_what_the_rows_colour_throws_out_and_the_rest() -> None:
    assert split_by_colour(["red-2", "blue-9", "red-5"], "red") == (["blue-9"], ["red-2", "red-5"])
    assert thrown_out(hand("red-2", "grey-4", "blue-9", "grey-6", drawn="grey-6")) == ["grey-4"]
    assert [*by_colour(["red-2", "blue-9", "red-5", "grey-1"], "grey")] == [
        ("blue", ["blue-9"]),
        ("red", ["red-2", "red-5"]),
    ]


@pytest.mark.parametrize(
    ("earlier", "saved"),
    [
        (None, 0),
        (hand("red-2", "blue-9", "grey-4", penalty=None), 0),
        (hand("red-2", "blue-9", "grey-4", penalty=12), 9),
        (hand("pink-1", "pink-3", "pink-4", penalty=12), 0),
    ],
)
def test_only_the_same_hand_as_before_has_saved_anything(earlier: Hand | None, saved: int) -> None:
    assert saved_since(hand("red-2", "blue-9", "grey-4", penalty=3), earlier) == saved


def test_a_sum_is_written_in_full_and_a_bar_is_as_long_as_its_penalty() -> None:
    assert [written_sum(cards) for cards in ([], ["red-3"], ["red-3", "blue-5"])] == ["", "3", "3 + 5 = 8"]
    assert [bar_length(20, 0), bar_length(20, 80)] == [13.0, 6.5]
