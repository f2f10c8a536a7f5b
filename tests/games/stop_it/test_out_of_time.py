"""What has its time."""

from collections.abc import Callable
from typing import Any

from companion.kit.table_for_tests import cases
from tests.games.stop_it.table import (
    Table,
    called,
    collecting,
    counting,
    false_called,
    last_calls,
    match_ended,
    scored,
)

Begin = Callable[[], Table]
WORDS: dict[str, Any] = {"no-stop": None, "count": 3, "fault": {"seat": 2, "fault": "dropped"}, "piles-empty": None}


@cases(
    "begin, words",
    ("before the start", Table, ()),
    ("while the table collects", collecting, ("piles-empty",)),
    ("in the last calls", last_calls, ()),
    ("in a call", called, ("no-stop", "fault")),
    ("in the count", counting, ("count", "fault")),
    ("before the restart", scored, ()),
    ("after a false call", false_called, ()),
)
def test_every_word_has_its_time(begin: Begin, words: tuple[str, ...]) -> None:
    for word, value in WORDS.items():
        table = begin()
        table.say(1, word, value)
        assert (table.verdict == f"not-now-{word}") == (word not in words)


@cases(
    "begin, verdict",
    ("before the start", Table, "not-started card=red-stop-2"),
    ("while nobody called", collecting, "nobody-shouted card=red-stop-2"),
    ("after another one", counting, "stops-do-not-count card=red-stop-2 →1"),
    ("before the restart", scored, "restart-first seat=1"),
    ("in the last calls", last_calls, "nobody-shouted card=red-stop-2"),
    ("after the end", match_ended, "match-over"),
)
def test_no_stop_card_is_shown(begin: Begin, verdict: str) -> None:
    table = begin()
    table.tap(1, "red-stop-2")
    assert table.verdict == verdict
