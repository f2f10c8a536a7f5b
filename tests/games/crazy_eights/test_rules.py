"""What may be laid, what an eight asks for, when a round is over, and what it brings."""

from companion.events import Pressed
from companion.game.simulated_hands import InHands
from companion.games.crazy_eights.cards import is_eight
from companion.games.crazy_eights.rules import MOVES
from companion.games.crazy_eights.simulated_world import can
from companion.kit.table_for_tests import AtTable
from companion.words import Words


class Table(AtTable):
    game = "crazy-eights"


def dealt(*seats: int, **options: object) -> Table:
    """The 5 of hearts is turned up; seat 1 has dealt, and seat 2 begins."""
    return Table(*(seats or (1, 2, 3)), **options).acts("centre: hearts-5")


def show_hands(table: Table) -> None:
    """Everybody taps the lowest cards that nobody has seen, eights aside."""
    while not table.over and table.view["phase"] == "count":
        table.tap("centre", next(card for card in table.view["unseen"] if not is_eight(card)))


def test_a_card_of_the_suit_or_of_the_rank_fits() -> None:
    table = dealt().acts("centre: hearts-9; centre: clubs-9; !centre: hearts-2")
    assert table.view["top"] == "clubs-9"


def test_an_eight_is_never_turned_up_first() -> None:
    Table().acts("!centre: clubs-8; centre: hearts-5")


def test_an_eight_fits_on_anything_and_asks_for_its_own_suit() -> None:
    table = dealt().acts("centre: clubs-8; !centre: hearts-2; centre: clubs-3")
    assert table.view["suit"] == "clubs"


def test_its_player_names_another_suit() -> None:
    table = dealt().acts("centre: clubs-8")
    table.say(2, "suit", "spades")
    table.acts("!centre: clubs-3; centre: spades-3")


def test_or_they_name_its_own() -> None:
    table = dealt().acts("centre: clubs-8")
    table.say(2, "suit", "clubs")
    assert table.verdict == "named seat=2 colour=clubs"
    assert table.view["has_named"]


def test_at_a_simulated_table_nobody_lays_until_the_suit_is_named() -> None:
    table = dealt().acts("centre: clubs-8")
    world = InHands({1: ("clubs-2",), 2: ("clubs-3",), 3: ("clubs-4",)}, ("hearts-2",), ("clubs-8",))
    assert [move.what for seat in (1, 2, 3) for move in can(world, table.view, seat)] == ["suit"] * 4
    table.say(2, "suit", "clubs")
    assert [(move.seat, move.card) for seat in (1, 2, 3) for move in can(world, table.view, seat)] == [(3, "clubs-4")]


def test_nobody_else_names_it() -> None:
    table = dealt().acts("centre: clubs-8")
    table.say(1, "suit", "spades")
    assert table.verdict == "not-your-eight seat=2"


def test_without_a_phone_its_player_presses_once_for_each_suit_further() -> None:
    table = dealt().acts("centre: clubs-8")
    for expected in ("diamonds", "hearts", "spades", "clubs"):
        word = MOVES.word_in(table.match.state, Pressed(0, 0.0, 2))
        assert word is not None
        assert word.value == expected
        table.say(2, word.what, word.value)
        assert table.view["suit"] == expected
    assert MOVES.word_in(table.match.state, Pressed(0, 0.0, 3)) is None


def test_a_press_that_is_felt_twice_draws_one_card() -> None:
    table = dealt()
    table.press(2)
    table.press(2, after=0.06)
    assert table.view["held"]["2"] == 6
    assert table.view["active"] == 2


def test_once_the_next_card_is_laid_no_suit_is_named_any_more() -> None:
    table = dealt().acts("centre: clubs-8; centre: clubs-3")
    table.say(2, "suit", "spades")
    assert table.verdict == "no-eight-to-name"


def test_on_an_eight_only_another_eight_has_its_rank() -> None:
    dealt().acts("centre: clubs-8; centre: hearts-8; centre: hearts-2")


def test_whoever_draws_may_lay_a_card_or_pass() -> None:
    table = dealt().acts("2: press; centre: hearts-9; 3: press; 3: press; 1: press")
    assert table.view["active"] == 1
    assert table.view["held"] == {"1": 6, "2": 5, "3": 6}


def test_or_they_draw_until_one_fits_where_that_is_agreed() -> None:
    table = dealt(drawing="until").acts("2: press; 2: press; 2: press")
    assert table.view["active"] == 2
    assert table.view["held"]["2"] == 8


def test_only_whoever_has_the_turn_presses() -> None:
    dealt().acts("!3: press; 2: press")


def test_an_empty_hand_wins_the_round_and_gets_what_the_others_hold() -> None:
    table = dealt(1, 2, limit=500)
    table.acts("centre: hearts-2; centre: hearts-3; centre: hearts-4; centre: hearts-6; centre: hearts-7")
    table.acts("centre: hearts-9; centre: hearts-10; centre: hearts-11; centre: hearts-12")
    assert table.view["phase"] == "count"
    table.tap("centre", "spades-8")
    assert table.points == {1: 0, 2: 50}


def test_court_cards_cost_ten_and_aces_one() -> None:
    table = dealt(1, 2, limit=500)
    table.acts("centre: hearts-2; 1: press; 1: press; centre: hearts-3; 1: press; 1: press; centre: hearts-4")
    table.acts("1: press; 1: press; centre: hearts-6; 1: press; 1: press; centre: hearts-7")
    for card in ("clubs-1", "clubs-13", "clubs-12", "clubs-11", "spades-1", "spades-2", "spades-3", "spades-4"):
        table.tap("centre", card)
    table.tap("centre", "spades-5")
    assert table.points == {1: 0, 2: 1 + 30 + 1 + 2 + 3 + 4 + 5}


def test_which_cards_made_the_points_is_said_with_them() -> None:
    table = dealt(1, 2, limit=500)
    table.acts("centre: hearts-2; 1: press; 1: press; centre: hearts-3; 1: press; 1: press; centre: hearts-4")
    table.acts("1: press; 1: press; centre: hearts-6; 1: press; 1: press; centre: hearts-7")
    for card in ("clubs-1", "clubs-13", "spades-2", "spades-3", "spades-4", "spades-5", "spades-6", "spades-7"):
        table.tap("centre", card)
    table.tap("centre", "spades-8")
    scored = next(verdict for verdict in reversed(table.match.verdicts) if verdict.code == "scored")
    sentence = Words("crazy-eights", "en", {1: "Ana", 2: "Bo"}).say("news-scored-more", scored.facts)
    assert sentence == "Left in hands: Ana A♣ K♣ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠."


def blocked() -> Table:
    """All cards are drawn, and nobody lays any."""
    table = dealt(1, 2, limit=500)
    while table.view["phase"] == "play":
        table.press(table.view["active"])
    return table


def test_where_nobody_can_lay_or_draw_the_round_is_over() -> None:
    assert "blocked" in blocked().verdict


def test_then_whoever_holds_the_fewest_gets_what_the_others_hold_more() -> None:
    table = blocked()
    held = {"1": 0, "2": 0}
    while table.view["phase"] == "count":
        card = table.view["unseen"][0]
        number = min(int(card.partition("-")[2]), 10)
        held[str(table.view["active"])] += 50 if is_eight(card) else number
        table.tap("centre", card)
    fewest = min(held, key=held.__getitem__)
    assert table.points[int(fewest)] == abs(held["1"] - held["2"])


def test_after_the_round_in_which_somebody_reaches_the_limit_the_most_points_win() -> None:
    table = dealt(1, 2, limit=20)
    table.acts("centre: hearts-2; 1: press; 1: press; centre: hearts-3; 1: press; 1: press; centre: hearts-4")
    table.acts("1: press; 1: press; centre: hearts-6; 1: press; 1: press; centre: hearts-7")
    show_hands(table)
    assert table.over
    assert table.winners == [2]


def test_the_last_card_of_a_count_read_once_more_does_not_begin_the_next_round() -> None:
    table = dealt(1, 2, limit=500)
    table.acts("centre: hearts-2; centre: hearts-3; centre: hearts-4; centre: hearts-6; centre: hearts-7")
    table.acts("centre: hearts-9; centre: hearts-10; centre: hearts-11; centre: hearts-12; centre: spades-1")
    table.tap("centre", "spades-1", after=0.5)
    assert table.view["phase"] == "deal"
    table.tap("centre", "spades-1", after=30.0)
    assert table.view["phase"] == "play"
