"""What is drawn of stop it!: leads and reaction times, as the buzzers' own clock tells them."""

import pytest

from companion.game import Chart
from companion.games.stop_it.charts import charts
from companion.history.charts import charts as worth_drawing
from companion.languages import LANGUAGES
from companion.web.render.words import PageWords
from tests.games.stop_it.table import Table


def chart(table: Table, code: str) -> Chart:
    return next(each for each in charts(table.view) if each.code == code)


def called(*shouts: tuple[int, float], table: Table | None = None, card: str = "red-stop-1", **options: float) -> Table:
    """Start, and have these seats shout so many seconds later; the first one's call is scored."""
    table = table or Table(**options)
    table.press(1)
    began = table.now
    for seat, delay in shouts:
        table.press(seat, at=round(began + delay, 6))
    table.tap(shouts[0][0], card)
    table.counts(1, 2, 3)
    return table


def test_the_lead_is_the_callers_alone() -> None:
    table = called((2, 3.0), (3, 3.0182))
    assert chart(table, "margins").rows == {1: (None,), 2: (18_200,), 3: (None,)}


def test_reaction_times_are_everybodys_who_shouted_from_the_start_on() -> None:
    table = called((2, 3.0), (3, 3.5))
    assert chart(table, "reactions").rows == {1: (None,), 2: (3_000_000,), 3: (3_500_000,)}


def test_after_a_restart_they_begin_anew() -> None:
    table = called((1, 3.0), (3, 3.5))
    called((2, 7.0), table=table, card="blue-stop-1")
    assert chart(table, "reactions").rows[2] == (None, 7_000_000)
    assert chart(table, "reactions").rows[1] == (3_000_000, None)


def test_a_dead_heat_is_the_closest_of_calls_and_one_alone_has_no_lead() -> None:
    assert chart(called((2, 3.0), (3, 3.0001)), "margins").rows[2] == (100,)
    assert chart(called((2, 3.0)), "margins").rows[2] == (None,)


def test_what_was_entered_by_hand_is_left_out() -> None:
    table = called((2, 3.0), (3, 3.5))
    table.press(2)
    table.press(1, by="phone")
    table.tap(1, "green-stop-1")
    table.counts(1, 2, 3)
    assert [column["number"] for column in chart(table, "reactions").columns] == [1]
    assert len(table.match.state.history) == 2


def test_a_chart_of_one_dot_is_left_out() -> None:
    def shown(*shouts: tuple[int, float]) -> list[str]:
        return [each.code for each in worth_drawing(called(*shouts).match) if each.kind == "dots"]

    assert shown((2, 3.0)) == []
    assert shown((2, 3.0), (3, 3.5)) == ["reactions"]
    assert shown((2, 3.0), (3, 3.0001)) == ["margins", "reactions"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_chart_of_penalty_cards_is_not_headed_points(language: str) -> None:
    words = PageWords("stop-it", language)
    for code in ("chart-points", "chart-points-why"):
        assert words.say(code) != PageWords(None, language).say(code)
