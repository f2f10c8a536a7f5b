"""Three cards are passed before a round, and which they are is nobody's business."""

from companion.games.hearts.simulated_world import PHYSICS, World
from tests.games.hearts.table import Table, after_passing, play_round


def test_nobody_plays_before_all_have_passed() -> None:
    table = Table(1, 2, 3, 4).acts("1: press; 3: press; 4: press; !2: clubs-2")
    assert table.verdict == "pass-first seats=(2,)"
    table.acts("2: press; 2: clubs-2")


def test_pressing_twice_passes_once() -> None:
    table = Table(1, 2, 3).acts("1: press; 1: press; 2: press; 3: press")
    assert table.view["passed"] == [1, 2, 3]


def test_the_press_with_which_all_have_passed_may_bounce() -> None:
    after_passing(1, 2, 3).acts("3: press; 1: clubs-2")


def test_a_press_during_the_tricks_is_a_slip() -> None:
    after_passing(1, 2, 3).acts("1: clubs-2; !1: press")


def test_four_pass_left_right_across_and_then_keep_theirs() -> None:
    table = after_passing(limit=200)
    codes_seen = []
    for _ in range(4):
        codes_seen.append(table.view["now"]["code"] if table.view["phase"] == "pass" else "kept")
        play_round(table)
    assert codes_seen[1:] == ["now-pass-right", "now-pass-across", "kept"]


def test_three_and_five_pass_left_and_right_and_then_keep_theirs() -> None:
    for seats in ((1, 2, 3), (1, 2, 3, 4, 5)):
        table = after_passing(*seats, limit=200)
        steps = []
        for _ in range(4):
            play_round(table)
            steps.append(table.view["steps"])
        assert steps == [-1, 0, 1, -1]


def test_where_nobody_passes_the_lowest_club_is_led_at_once() -> None:
    Table(1, 2, 3, 4, passing="none").acts("3: clubs-2")


def test_anybody_deals_the_next_round_at_a_simulated_table() -> None:
    table = Table(1, 2, 3, 4)
    nobody_holds_a_card = World(dict.fromkeys(table.seats, ()), dict.fromkeys(table.seats, ()))
    for seat in table.seats:
        assert [move.what for move in PHYSICS.can(nobody_holds_a_card, table.view, seat)] == ["deal"]
