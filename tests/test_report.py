"""What trials and measurements found is kept as data, and a page shows the newest of each part."""

from pathlib import Path

import msgspec
import pytest

from tests import report
from tests.report import Run


class Found(msgspec.Struct):
    what: str


def test_a_page_shows_what_the_newest_run_of_each_part_found(tmp_path: Path) -> None:
    data = tmp_path / "results.jsonl"
    newer, older = (Run(f"2026-11-{day} 10:00", "a machine", "a command") for day in (28, 27))
    report.keep(data, newer, "tap", [Found("new")])
    report.keep(data, older, "tap", [Found("old"), Found("dropped")])
    report.keep(data, older, "press", [Found("still the latest")])
    latest = report.latest(data, ["press", "tap", "never tried"])
    assert [row["what"] for part in latest for row in part.rows] == ["still the latest", "new"]
    assert report.runs_of(latest).count("a machine") == 2


def test_a_page_keeps_what_people_wrote_above_its_mark(tmp_path: Path) -> None:
    page = tmp_path / "results.md"
    page.write_text(f"# Figures\n\n{report.MARK}\nold", encoding="utf-8")
    report.write_page(page, "new")
    assert page.read_text(encoding="utf-8") == f"# Figures\n\n{report.MARK}\nnew"


def test_a_page_without_a_mark_is_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "results.md"
    page.write_text("# Figures\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="no line that says"):
        report.write_page(page, "new")
    assert page.read_text(encoding="utf-8") == "# Figures\n"
