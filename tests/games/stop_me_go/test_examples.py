"""The worked examples, told at the table: Anna sits at seat 1, Bruno at 2, Clara at 3, Dédé at 4."""

from tests.games.stop_me_go.table import Table, card, colours, laying

ANNA, BRUNO, CLARA, DEDE = 1, 2, 3, 4


def test_the_captor_is_not_the_winner() -> None:
    table = Table(ANNA, BRUNO, CLARA)
    table.misdeeds({8: [ANNA], 2: [], 5: [], 9: [BRUNO]})
    table.flip()
    assert not table.awaited
    table.flip(3)
    assert table.takers == [BRUNO]
    wrong = table.token(ANNA)
    table.token(BRUNO)
    for _ in range(2):
        table.misdeeds({8: [ANNA], 2: [], 5: [], 9: [BRUNO]})
        table.flip(4)
        table.token(BRUNO)
    assert table.over
    assert table.winners == [BRUNO]
    assert table.sealed
    assert table.misplays == [wrong]


def test_several_stops_and_no_stop_let_a_gangster_flee() -> None:
    table = Table(ANNA, BRUNO, CLARA, DEDE)
    for times in range(3):
        table.misdeeds({9: [ANNA, BRUNO, DEDE], 3: [], 6: [CLARA], 2: []})
        table.flip()
        table.misdeed(5, ANNA)
        table.flip()
        table.misdeed(8, BRUNO, DEDE)
        table.flip(4)
        assert table.takers == [CLARA]
        if times == 0:
            wrong = table.token(ANNA)
        table.token(CLARA)
    assert table.winners == [CLARA]
    assert table.sealed
    assert table.misplays == [wrong]


def test_the_1_beats_the_10_of_another_agent() -> None:
    table = Table(ANNA, BRUNO, CLARA)
    wrong = []
    for _ in range(3):
        table.misdeeds({1: [ANNA], 10: [BRUNO], 7: [CLARA], 4: []})
        table.flip(4)
        assert table.takers == [ANNA]
        wrong.append(table.token(BRUNO))
        table.token(ANNA)
    assert table.winners == [ANNA]
    assert table.misplays == wrong


def six_flights(**options: str) -> Table:
    """Gangsters 1 to 9 have come, 1 to 6 have fled."""
    table = Table(ANNA, BRUNO, **options)
    table.misdeeds({1: [], 2: [], 3: [], 4: []})
    for number in (5, 6, 7, 8, 9):
        table.flip()
        table.misdeed(number)
    table.flip()
    return table


def test_the_pile_is_empty_and_all_that_fled_are_shuffled() -> None:
    table = six_flights()
    assert table.awaited == [10]
    wrong = [table.tap("centre", "gangster-3")]
    table.misdeed(10)
    table.flip()
    assert table.awaited == [1, 2, 3, 4, 5, 6, 7]
    table.misdeed(7, ANNA)
    table.flip()
    assert table.awaited == [1, 2, 3, 4, 5, 6]
    table.misdeed(1)
    table.flip()
    table.misdeed(2)
    table.flip()
    table.misdeed(3, BRUNO)
    table.flip(4)
    assert table.takers == [ANNA]
    wrong.append(table.token(BRUNO))
    table.token(ANNA)
    assert table.misplays == wrong
    assert not table.over
    assert table.sealed


def test_eager_the_pile_is_made_anew_as_soon_as_it_is_empty() -> None:
    table = six_flights(reshuffle="eager")
    wrong = [table.tap("centre", "gangster-3")]
    table.misdeed(10)
    table.flip()
    assert table.awaited == [1, 2, 3, 4, 5, 6]
    wrong.append(table.tap("centre", "gangster-7"))
    table.misdeed(5, ANNA)
    table.flip()
    assert table.awaited == [1, 2, 3, 4, 6]
    assert table.misplays == wrong


def test_the_third_token_wins_at_once_also_when_it_is_the_last_whatever_the_values() -> None:
    table = Table(ANNA, BRUNO, CLARA, DEDE)
    table.rounds((ANNA, 0), (BRUNO, 3), (ANNA, 0), (BRUNO, 3), (DEDE, 1))
    assert not table.over
    table.rounds((ANNA, 2))
    assert table.over
    assert table.winners == [ANNA]
    assert table.sealed
    assert table.misplays == []


def test_fewer_tokens_win() -> None:
    table = Table(ANNA, BRUNO, CLARA)
    table.rounds(ANNA, BRUNO, ANNA, BRUNO, CLARA)
    assert not table.over
    table.say("host", "token-values", {"1": [0, 1], "2": [1, 1], "3": [3]})
    assert table.over
    assert table.points == {ANNA: 1, BRUNO: 2, CLARA: 3}
    assert table.winners == [CLARA]
    assert table.misplays == []


def two_cards_of_bruno(**options: bool) -> tuple[Table, int]:
    """Anna and Bruno lay STOP on the 8; then Bruno taps a GO; Clara lays GO. Bruno's second card gives its seq."""
    table = laying(2, 3, 6, **options)
    table.lay(2, "stop")
    table.lay(3, "stop")
    second = table.tap(3, card(3, 1))
    table.lay(6, 1)
    return table, second


def test_the_second_card_in_one_intervention_replaces_the_first() -> None:
    table, _ = two_cards_of_bruno()
    table.lying[0][3] = card(3, 1)
    table.misdeeds({2: [], 5: [], 4: [6]})
    table.flip()
    assert table.flippable
    table.flip(3)
    wrong = table.token(6, 3)
    table.token(2, 3)
    assert table.misplays == [wrong]


def test_where_no_change_is_allowed_the_second_card_is_a_misplay() -> None:
    table, wrong = two_cards_of_bruno(allow_change=False)
    table.misdeeds({2: [], 5: [], 4: [6]})
    table.flip()
    assert 9 in table.awaited
    table.misdeed(9, 3)
    assert table.flippable
    table.flip()
    assert table.misplays == [wrong]


def test_somebody_elses_card_is_a_misplay_for_both() -> None:
    table = Table(ANNA, BRUNO, CLARA, colours=colours(1, 2, 3))
    table.misdeed(8, BRUNO)
    table.gangster(2)
    wrong = table.tap(ANNA, card(BRUNO, 2))
    assert table.unlaid == [ANNA, BRUNO, CLARA]
    table.lay(ANNA, 2)
    table.lay(BRUNO, 1)
    table.lay(CLARA, 2)
    table.misdeeds({5: [], 9: [ANNA]})
    table.flip(4)
    table.token(ANNA, 2)
    assert table.misplays == [wrong]


def test_somebody_elses_reader_sees_a_token() -> None:
    table = Table(ANNA, BRUNO, CLARA)
    table.misdeeds({8: [BRUNO], 2: [], 5: [], 3: [ANNA]})
    table.flip(4)
    wrong = table.tap(ANNA, "token-0-1")
    table.tap(BRUNO, "token-0-1", "token-0-1")
    table.misdeeds({8: [], 10: [ANNA], 5: [CLARA], 3: []})
    table.flip()
    table.misdeed(1)
    table.flip(4)
    assert table.takers == [ANNA]
    table.tap(ANNA, "token-2-1")
    assert table.misplays == [wrong]
