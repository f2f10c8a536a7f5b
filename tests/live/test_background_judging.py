"""Matches are judged in the background, and nothing that is sealed has anything judged."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.events import Tapped
from companion.history.archive import Archive
from companion.live import background_judging
from companion.live.background_judging import Recount
from tests.waiting import until
from tests.web.table import PEOPLE, Clock, living, to_count


def test_only_what_everybody_sees_has_matches_judged(tmp_path: Path) -> None:
    with living(tmp_path, Clock()) as live:
        archive = Archive(live.kept_in)
        recount = Recount(live, archive)
        live.begin("stop-it", PEOPLE, {})
        assert recount._news.is_set()
        recount.judge_all()
        assert list(archive._known) == [1]
        recount._news.clear()
        to_count(live)
        live.enter(Tapped(0, 0.0, "seat-3", "red-4"))
        assert not recount._news.is_set()


class FailingOnce(Archive):
    """A past whose first look fails."""

    looks = 0

    def catch_up(self) -> Iterator[None]:
        self.looks += 1
        if self.looks == 1:
            raise RuntimeError("a fault of the program")
        yield


def test_after_a_fault_of_the_program_judging_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(background_judging, "AFTER_A_START", 0.0)
    with living(tmp_path, Clock()) as live:
        archive = FailingOnce(live.kept_in)
        recount = Recount(live, archive)
        recount.start()
        until(lambda: archive.looks == 2)
        recount.stop()
    assert caplog.text.count("RuntimeError: a fault of the program") == 1
