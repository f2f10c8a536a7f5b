"""A tutorial followed to the letter ends in the package that lies beside it, and that passes every law."""

from pathlib import Path

import pytest

from tests.packages.following import TUTORIALS, excerpts, files, follow, linked


@pytest.mark.long
@pytest.mark.parametrize("name", TUTORIALS)
def test_a_tutorial_ends_in_a_game_that_passes_every_law(name: str, tmp_path: Path) -> None:
    done = follow(TUTORIALS[name], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert files(tmp_path / name) == files(TUTORIALS[name].parent), "python -m tests.packages.following"


@pytest.mark.parametrize("name", TUTORIALS)
def test_what_a_tutorial_shows_stands_in_a_file_it_links_to(name: str) -> None:
    page = TUTORIALS[name]
    sources = [(page.parent / file).read_text(encoding="utf-8") for file in linked(page)]
    for excerpt in excerpts(page):
        assert any(excerpt in source for source in sources), f"{page} shows what its package does not hold:\n{excerpt}"
