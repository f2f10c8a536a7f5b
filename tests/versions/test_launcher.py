"""A new version is on trial until it has run for a while; one that fails goes, and the one before comes back."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.versions import launcher
from companion.versions.launcher import DOWN_S, LOOKS_S, STARTS, STAYS_S, WHOLE, Probation


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for version in ("0.9", "1.0", "2.0"):
        (tmp_path / "versions" / version).mkdir(parents=True)
        (tmp_path / "versions" / version / WHOLE).touch()
    launcher.begin(tmp_path, Probation("2.0", "1.0"))
    return tmp_path


def watched(root: Path, runs: Iterator[bool | None]) -> tuple[float, int]:
    """Watch a service that runs so; give how long it was watched, and how often it was started again."""
    waited = [0.0]
    again = [0]

    def wait(seconds: float) -> None:
        waited[0] += seconds

    def restart() -> None:
        again[0] += 1

    launcher.watch(root, lambda: next(runs), wait, restart)
    return waited[0], again[0]


def test_one_that_runs_for_a_while_is_trusted_and_only_the_one_before_stays(root: Path) -> None:
    assert watched(root, iter(lambda: True, False)) == (STAYS_S, 0)
    assert launcher.trial(root) is None
    assert {path.name for path in (root / "versions").iterdir()} == {"1.0", "2.0"}
    assert launcher.last_outcome(root)["what"] == "runs"


def test_one_that_starts_too_often_goes_back(root: Path) -> None:
    for _ in range(STARTS):
        launcher.start(root)
        assert launcher.current(root) == "2.0"
    launcher.start(root)
    assert (launcher.current(root), launcher.trial(root)) == ("1.0", None)
    assert launcher.last_outcome(root) == {"what": "back", "new": "2.0", "old": "1.0"}
    assert not launcher.is_whole(root, "2.0")  # the same update may be tried again, from its beginning


def test_one_that_stays_down_goes_back_and_the_one_before_is_started(root: Path) -> None:
    assert watched(root, iter(lambda: False, True)) == (DOWN_S, 1)
    assert launcher.current(root) == "1.0"


def test_one_that_takes_long_to_come_up_is_waited_for(root: Path) -> None:
    comes_up = iter([None] * 100 + [True] * 1000)
    assert watched(root, comes_up) == (STAYS_S + 100 * LOOKS_S, 0)


def test_an_update_that_the_power_cut_before_the_switch_is_told_as_not_done(root: Path) -> None:
    launcher.say(root, "trying", new="2.0", old="1.0")
    launcher.point(root, "1.0")
    launcher.start(root)
    assert launcher.trial(root) is None
    assert launcher.last_outcome(root) == {"what": "stays", "new": "2.0", "old": "1.0"}


def test_what_came_of_an_update_may_be_read_by_the_page_though_the_unit_closes_what_it_makes(root: Path) -> None:
    mask_before = os.umask(0o077)
    try:
        launcher.say(root, "runs")
    finally:
        os.umask(mask_before)
    assert (root / "told.json").stat().st_mode & 0o777 == 0o644


def test_a_version_that_is_not_whole_never_runs(root: Path) -> None:
    (root / "versions/2.0" / WHOLE).unlink()
    launcher.start(root)
    assert launcher.current(root) == "1.0"
    (root / "versions/1.0" / WHOLE).unlink()
    launcher.start(root)
    assert launcher.current(root) == "0.9"
