"""Which card fits where, what happens when both are stuck, and when a match is over."""

from companion.game.playing_cards import DECK
from companion.games.speed_duel.cards import CARDS_OF
from companion.games.speed_duel.feats import feats
from companion.kit.table_for_tests import AtTable

RED, BLACK = 1, 3


class Table(AtTable):
    game = "speed-duel"

    def __init__(self, **options: object):
        super().__init__(RED, BLACK, **options)


def racing(red: str = "hearts-6", black: str = "spades-11", **options: object) -> Table:
    """Both have turned up a card."""
    return Table(**options).acts(f"centre: {red}; centre: {black}")


def test_each_plays_the_colour_of_their_cards() -> None:
    table = racing().acts("centre: clubs-7; centre: diamonds-8")
    assert table.points == {RED: 2, BLACK: 2}


def test_a_card_fits_one_higher_or_lower_on_either_pile() -> None:
    table = racing().acts("centre: hearts-5; centre: hearts-12")
    assert table.view["tops"] == ["hearts-5", "hearts-12"]


def test_ace_and_king_are_neighbours() -> None:
    racing("hearts-1", "spades-6").acts("centre: clubs-13; centre: hearts-12")
    racing("hearts-13", "spades-6").acts("centre: clubs-1; centre: hearts-2")


def test_a_card_that_fits_on_both_goes_on_the_lower() -> None:
    assert racing("hearts-8", "spades-6").acts("centre: clubs-7").view["tops"] == ["hearts-8", "clubs-7"]
    assert racing("hearts-6", "spades-8").acts("centre: clubs-7").view["tops"] == ["clubs-7", "spades-8"]
    assert racing("hearts-13", "spades-2").acts("centre: clubs-1").view["tops"] == ["hearts-13", "clubs-1"]
    assert racing("hearts-12", "spades-1").acts("centre: clubs-13").view["tops"] == ["hearts-12", "clubs-13"]


def test_a_card_that_does_not_fit_changes_nothing() -> None:
    table = racing().acts("!centre: hearts-8; !centre: hearts-11; !centre: clubs-6")
    assert table.view["tops"] == ["hearts-6", "spades-11"]
    assert table.points == {RED: 1, BLACK: 1}


def test_a_card_that_came_too_late_does_not_fit_any_more() -> None:
    table = racing().acts("centre: hearts-7; !centre: clubs-7")
    assert table.verdict == "does-not-fit seat=3 card=clubs-7 cards=('hearts-7', 'spades-11')"


def test_a_card_is_laid_once_and_in_the_middle() -> None:
    racing().acts("centre: clubs-7; centre: clubs-7; centre: hearts-8; !centre: clubs-7; !1: hearts-9; !3: clubs-9")


def test_whoever_has_turned_up_a_card_waits_for_the_other() -> None:
    table = Table().acts("centre: hearts-6; !centre: hearts-9")
    assert table.verdict == "turned-already seat=1 other=3"
    assert table.acts("centre: clubs-3").view["phase"] == "race"


def test_only_once_both_are_stuck_each_turns_up_a_card() -> None:
    table = racing().acts("3: press")
    assert (table.view["phase"], table.view["stuck"]) == ("race", [BLACK])
    table.acts("1: press")
    assert (table.view["phase"], table.view["stuck"]) == ("turn", [])
    table.acts("centre: spades-2; centre: diamonds-9")
    assert (table.view["phase"], table.view["tops"]) == ("race", ["diamonds-9", "spades-2"])


def test_whoever_is_stuck_may_still_lay() -> None:
    table = racing().acts("1: press; centre: hearts-7")
    assert table.view["stuck"] == []


def test_a_card_that_is_laid_ends_being_stuck() -> None:
    table = racing().acts("1: press; centre: clubs-7")
    assert table.view["stuck"] == []
    table.acts("3: press")
    assert table.view["phase"] == "race"


def test_whoever_presses_again_says_nothing_new() -> None:
    table = racing().acts("1: press; 1: press")
    assert (table.view["phase"], table.verdict) == ("race", "")


def test_a_press_that_is_felt_twice_is_one() -> None:
    table = racing()
    table.press(RED)
    table.tap("centre", "clubs-7", after=0.1)
    table.press(RED, after=0.1)
    assert table.view["stuck"] == []
    table.press(RED, after=0.2)
    assert table.view["stuck"] == [RED]


def test_a_press_told_late_was_about_cards_that_are_covered() -> None:
    table = racing()
    table.tap("centre", "clubs-7", after=1.0)
    table.press(RED, at=table.now - 0.5)
    assert table.view["stuck"] == []


def test_a_press_while_cards_are_turned_up_changes_nothing() -> None:
    assert Table().acts("1: press; 3: press").view["phase"] == "turn"


def lay_all_but(table: Table, left: int) -> list[str]:
    """Black turns up card after card, red lays none but for turning up; return the cards that are left to black."""
    hands = {seat: [*cards] for seat, cards in zip((RED, BLACK), CARDS_OF, strict=True)}
    while len(hands[BLACK]) > left:
        if table.view["phase"] == "race":
            table.press(RED)
            table.press(BLACK)
        table.tap("centre", hands[BLACK].pop())
        table.tap("centre", hands[RED].pop())
    return hands[BLACK]


def test_who_has_laid_all_cards_first_wins() -> None:
    table = Table(cards=26)
    (last,) = lay_all_but(table, 1)
    table.acts("1: press; 3: press")
    table.tap("centre", last)
    assert (table.over, table.winners, table.points) == (True, [BLACK], {RED: 25, BLACK: 26})
    assert table.verdict == "turned seat=3 card=clubs-1; last-card seat=3 other=1 number=1; won seats=(3,) points=26"


def test_a_shorter_match_ends_with_its_number_of_cards() -> None:
    table = racing(cards=5).acts("centre: hearts-7; centre: hearts-8; centre: hearts-9")
    assert not table.over
    table.acts("centre: hearts-10")
    assert (table.over, table.winners) == (True, [RED])


def test_whoever_has_five_cards_left_is_told_of() -> None:
    table = racing(cards=7).acts("centre: hearts-7")
    assert table.verdict == "laid seat=1 card=hearts-7; few-left seat=1 number=5"


def test_nobody_was_ever_stuck_only_if_nobody_has_said_so() -> None:
    lays = "centre: hearts-7; centre: hearts-8; centre: hearts-9; centre: hearts-10"
    assert feats(racing(cards=5).acts(lays).view)["never-stuck"] == [RED]
    assert feats(racing(cards=5).acts(f"3: press; {lays}").view)["never-stuck"] == []


def test_every_card_is_somebodys() -> None:
    assert {*CARDS_OF[0], *CARDS_OF[1]} == {*DECK}
    assert len(CARDS_OF[0]) == len(CARDS_OF[1]) == 26
