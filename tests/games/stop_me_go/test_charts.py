"""What is drawn of STOP me GO: who captured whom, and how the tokens were won."""

from companion.games.stop_me_go.charts import charts
from tests.games.stop_me_go.table import Table


def test_captures_and_tokens_are_drawn_round_by_round_once_the_token_is_taken() -> None:
    table = Table()
    table.misdeeds({8: [1], 2: [2], 5: [], 3: []})
    table.flip(4)
    assert [chart.columns for chart in charts(table.view)] == [(), ()]
    table.token(1)
    table.rounds(2)
    captured, tokens = charts(table.view)
    assert (captured.code, captured.rows) == ("captured", {1: (8, None), 2: (2, 8), 3: (None, None)})
    assert (tokens.code, tokens.rows) == ("tokens", {1: (1, 1), 2: (0, 1), 3: (0, 0)})
    assert captured.columns == tokens.columns == ({"number": 1}, {"number": 2})
