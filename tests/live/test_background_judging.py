"""Matches are judged in the background, and nothing that is sealed has anything judged."""

from pathlib import Path

from companion.events import Tapped
from companion.history.archive import Archive
from companion.live.background_judging import Recount
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
