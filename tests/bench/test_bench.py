"""The bench still measures. How large its figures are is no test's business: that is for the machine it runs on."""

import itertools
from pathlib import Path

import pytest

from companion import games
from companion.events import Retracted
from companion.judge.match import Match, judge
from tests.bench import engines, judging, phones, readers, speeding, way
from tests.bench.__main__ import PAGE, RESULTS, main, page
from tests.bench.playouts import again


def test_figures_come_out(capsys: pytest.CaptureFixture[str]) -> None:
    results_before = RESULTS.read_bytes()
    main(["--quick", "--only", "judging", "--only", "replay", "--only", "particulars"])
    printed = capsys.readouterr().out
    for label in (*(f"judged, {slug}" for slug in games.known()), "companion replay", "best division"):
        assert f"\n| {label}" in printed
    assert RESULTS.read_bytes() == results_before


def test_the_page_shows_the_latest_that_is_kept() -> None:
    assert PAGE.read_text(encoding="utf-8").endswith(page())


def test_only_what_stands_counts_as_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    game = next(iter(games.known().values()))
    events = next(events for events in judging.played(game, 1000) if any(isinstance(e, Retracted) for e in events))
    calls = itertools.count(2)  # the first event begins the match
    monkeypatch.setattr(Match, "_judge", lambda match, event: next(calls))
    judge(events)
    assert next(calls) - 1 == judging.count(events)


@pytest.mark.parametrize("kind", readers.KINDS, ids=lambda kind: kind.name)
def test_no_turn_is_shorter_than_bus_and_radio_need(kind: readers.Kind) -> None:
    took: list[float] = []
    while not took:  # a machine may stand still for that long
        with kind.opened(2, readers.CARD) as buses:
            took += readers.polled(buses, readers.CARD, 0.1)
    assert min(took) >= kind.needs(True)


def test_rates_are_moves_by_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(again.time, "process_time", itertools.count(step=2).__next__)
    moves_made: list[str] = []
    assert again.rates(moves_made.extend, ["abc", "d"], 3) == [2.0, 2.0, 2.0]
    assert moves_made == [*"abcd"] * 3


def test_an_engine_that_is_not_there_is_told_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    program = tmp_path / "engine.py"
    program.write_text("""print('{"version": "1.0", "rates": {"this": [1.0], "that": [2.0]}}')""")
    engines_listed = {"gone": (tmp_path / "none", program), "broken": ("false", program), "there": ("python3", program)}
    monkeypatch.setattr(engines, "ENGINES", engines_listed)
    main(["--quick", "--only", "engines"])
    printed = capsys.readouterr()
    assert printed.out.count("| not measured |") == 2
    assert "| there 1.0: that | 1/s | 2.00 |" in printed.out
    assert "gone can't be measured" in printed.err
    assert "our games over there 1.0: that |" in printed.out.partition("| ours over what people would use instead |")[2]


def test_a_phones_lag_ends_with_the_first_page_that_shows_the_act_or_what_came_after_it() -> None:
    began = [10.0, 11.0, 12.0, 13.0]
    acts_by_page = {7: [0], 8: [1, 3], 9: [2]}
    updates = [phones.Update(10.5, 5), phones.Update(11.25, 8), phones.Update(13.5, 8)]
    assert list(speeding.lags(began, acts_by_page, updates)) == [1.25, 0.25, 1.5, 0.5]


def test_each_leg_of_a_way_begins_where_the_one_before_ended() -> None:
    notes = "woken 9.9\nread 10.5\nkept 10.75\njudged 10.7\ntaken 10.6\njudged 10.8\nwoken 11\nrendered 11.5\n"
    legs = dict(way._legs(10.0, notes, (12_000.0, 12_250.0)))
    assert list(legs) == list(way.LEGS)
    assert legs["judged"] == pytest.approx(0.05)
    assert sum(legs.values()) == pytest.approx(2.25)
