"""The sheet of where everything lies."""

from companion import games
from tests import plans


def test_it_says_what_the_pages_say_and_has_a_drawing_of_every_game() -> None:
    assert (plans.FOLDER.parent / "where.md").read_text(encoding="utf-8") == plans.sheet()
    assert all((plans.FOLDER / f"lies-{slug}.svg").exists() for slug in games.known())
