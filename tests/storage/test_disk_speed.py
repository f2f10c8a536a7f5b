"""How long the disk takes to keep an act."""

import itertools
from pathlib import Path

import pytest

from companion.report.device_lines import disk_line
from companion.storage.disk_speed import TRIES, Syncs, measure


def test_every_try_is_timed_and_nothing_is_left_behind(tmp_path: Path) -> None:
    durations = [0.001] * (TRIES - 1) + [0.5]
    moments = itertools.accumulate(part for took in durations for part in (took, 10.0))
    times = itertools.chain([0.0], moments)
    assert measure(tmp_path / "log.sqlite", lambda: next(times)) == Syncs(pytest.approx(0.001), pytest.approx(0.5))
    assert [*tmp_path.iterdir()] == []


def test_where_nothing_can_be_written_nothing_is_measured(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        measure(tmp_path / "nowhere" / "log.sqlite")


@pytest.mark.parametrize(
    ("syncs", "beginning"),
    [
        (Syncs(0.0007, 0.0031), "ok      disk: keeps an act in 0.7 ms, at most 3 ms"),
        (Syncs(0.0007, 0.0499), "ok      disk: keeps an act in 0.7 ms, at most 50 ms"),
        (Syncs(0.01, 0.012), "slow    disk: keeps an act in 10.0 ms, at most 12 ms, and every act waits"),
        (Syncs(0.0007, 0.21), "slow    disk: keeps an act in 0.7 ms, at most 210 ms, and every act waits"),
        (None, "--      disk: not measured"),
    ],
)
def test_check_says_how_quick_it_is_and_what_to_buy(syncs: Syncs | None, beginning: str) -> None:
    assert disk_line(syncs).startswith(beginning)
    assert ("class A2" in disk_line(syncs)) == bool(syncs and syncs.slow)
