"""What is drawn of the gangsters around the pile, while cards are turned up and after."""

from typing import Any

from companion.games.stop_me_go.table_laid_out import changes_nothing, lay_out_table, revealed_place

FLIP = {"gangster": "gangster-4", "captor": 3}


def slot(number: int, **how: Any) -> dict[str, Any]:
    return {"gangster": f"gangster-{number}", "laid": [1, 3], "oldest": False, "newest": False, "flip": None, **how}


def table(**how: Any) -> dict[str, Any]:
    slots = [slot(4, flip=FLIP), slot(7, oldest=True), slot(2, newest=True), None]
    return {"slots": slots, "flips": [FLIP], "phase": "arrest", "fled": False, "won": None, "owned": {}, **how}


def test_the_oldest_gangster_out_is_due_in_an_arrest() -> None:
    spots = lay_out_table(table(), (1, 3), is_over=False, revealed=None).spots
    assert [spot.label for spot in spots] == ["captured", "turn-up-now", "", ""]
    assert [spot.is_free for spot in spots] == [False, False, False, True]


def test_while_cards_are_turned_up_nothing_tells_what_came_of_them() -> None:
    won = table(won={"seat": 3})
    place = revealed_place(won | {"slots": [slot(4, flip=FLIP), slot(7)]})
    revealed = lay_out_table(won, (1, 3), is_over=False, revealed=place).spots[place]
    assert revealed.gangster == "gangster-4"
    assert (revealed.flip, revealed.is_won, revealed.label) == (None, False, "turn-up-now")


def test_a_capture_that_won_the_round_stands_out_once_it_was_seen() -> None:
    assert lay_out_table(table(won={"seat": 3}), (1, 3), is_over=False, revealed=None).spots[0].is_won


def test_a_gangster_below_a_captured_one_changes_nothing_but_the_1_with_the_10_about() -> None:
    assert changes_nothing(table(owned={"1": "gangster-8"}), "gangster-4")
    assert not changes_nothing(table(owned={"1": "gangster-3"}), "gangster-4")
    assert not changes_nothing(table(owned={"1": "gangster-10"}), "gangster-1")
