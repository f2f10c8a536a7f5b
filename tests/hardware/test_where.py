"""The sheet of where everything lies: `make pictures` writes it."""

from companion import games
from tests import plans


def test_it_has_every_game_with_its_drawing() -> None:
    sheet = (plans.FOLDER.parent / "where.md").read_text(encoding="utf-8")
    for slug, game in games.known().items():
        assert f"## {game.title}\n" in sheet
        assert (plans.FOLDER / f"lies-{slug}.svg").exists()
