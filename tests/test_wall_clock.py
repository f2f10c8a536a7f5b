"""Whether a wall clock can be believed: by when the program was released, who has set it, what the machine saves."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion import RELEASED, __version__, wall_clock
from companion.wall_clock import Trust
from tests.wall_clock import seconds

LATER = "2027-01-01"
ROOT = Path(__file__).parents[1]


class Machine:
    """A machine of which nothing is known."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.synchronised = folder / "synchronised"
        self.rtc = folder / "rtc0"
        self.saved = folder / "fake-hwclock.data"
        self._patch = monkeypatch
        monkeypatch.setattr(wall_clock, "_SYNCHRONISED", self.synchronised)
        monkeypatch.setattr(wall_clock, "_RTC", self.rtc)
        monkeypatch.setattr(wall_clock, "_SAVED", (self.saved,))
        self.kernel_says(0x40)

    def kernel_says(self, status: int) -> None:
        self._patch.setattr(wall_clock, "_kernel_status", lambda: status)

    def trust(self, when: str) -> Trust:
        self._patch.setattr("time.time", lambda: seconds(when))
        return wall_clock.read().trust


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


def test_a_time_before_the_release_is_no_time_whoever_has_set_it(machine: Machine) -> None:
    machine.synchronised.touch()
    assert [machine.trust(when) for when in ("1970-01-01", "2026-11-21T23:59:59")] == [Trust.UNKNOWN] * 2


def test_an_ordinary_machine_is_believed(machine: Machine) -> None:
    assert machine.trust(LATER) is Trust.LIKELY
    machine.rtc.touch()
    machine.saved.touch()
    assert machine.trust(LATER) is Trust.LIKELY


def test_a_machine_that_only_saves_the_time_is_not_until_a_network_tells_it(machine: Machine) -> None:
    machine.saved.touch()
    assert machine.trust(LATER) is Trust.UNKNOWN
    machine.synchronised.touch()
    assert machine.trust(LATER) is Trust.CERTAIN


def test_any_time_service_is_known_by_the_kernel(machine: Machine) -> None:
    machine.kernel_says(0)
    assert machine.trust(LATER) is Trust.CERTAIN


def test_the_kernel_is_asked_without_changing_anything() -> None:
    assert isinstance(wall_clock._kernel_status(), int)
    assert wall_clock.read().boot == wall_clock.read().boot


def test_this_version_was_released_when_its_changes_say() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    latest = re.search(r"^## \[(\d\S*)\] - (\S+)$", changes, re.MULTILINE)
    assert latest
    assert __version__ == latest[1] or ".dev" in __version__, "what is under way has a number of its own"
    assert datetime.fromisoformat(latest[2]).replace(tzinfo=UTC) == RELEASED
