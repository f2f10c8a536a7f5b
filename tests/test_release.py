"""What `make release` looks at before anything is handed out."""

from pathlib import Path

import pytest

from tests import release

EMPTY = "# Changelog\n\n## [Unreleased]\n\n## [0.3.0] - 2026-11-29\n\n### Added\n\n- Speed.\n"
"""What is unreleased stands under the version's own heading, as RELEASING.md asks."""


@pytest.fixture(autouse=True)
def _tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(release, "__version__", "0.3.0")


def write(tmp_path: Path, text: str) -> None:
    (tmp_path / "CHANGELOG.md").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("text", [EMPTY, EMPTY.replace("## [Unreleased]\n\n", "")])
def test_nothing_unreleased_is_left_whether_or_not_its_heading_is(tmp_path: Path, text: str) -> None:
    write(tmp_path, text)
    assert release.changelog() == "2026-11-29"


def test_what_is_still_unreleased_is_told(tmp_path: Path) -> None:
    write(tmp_path, EMPTY.replace("[Unreleased]\n", "[Unreleased]\n\n### Added\n\n- Chess.\n"))
    with pytest.raises(release.Amiss, match="unreleased"):
        release.changelog()


def test_a_version_without_its_day_is_told(tmp_path: Path) -> None:
    write(tmp_path, EMPTY.replace(" - 2026-11-29", ""))
    with pytest.raises(release.Amiss, match="year-month-day"):
        release.changelog()


@pytest.mark.parametrize("file", ["hub.containerfile", "table-companion-hub.service"])
def test_the_programs_archive_holds_what_a_hub_is_set_up_with(file: str) -> None:
    """The keeper's guide names it as `hardware/…` in the folder where `make pi` is."""
    project = Path(release.__file__).parents[1]
    assert (project / "hardware" / file).is_file()
    assert f"hardware/{file}" in (project / "MANIFEST.in").read_text(encoding="utf-8").split()
