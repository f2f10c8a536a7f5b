"""Mistakes that authors make, planted one by one into the starter: each is found by a law that says where and what."""

import importlib
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterator
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from companion import games
from companion.catalogue import entries_of
from companion.cli.new_game import STARTER
from companion.game import AnyGame
from companion.kit import button_laws, laws, page_laws, random_matches
from companion.web.render.words import _entries
from companion.words import catalogue


class Mistake(NamedTuple):
    """What is wrong, where it is planted, and what finds it with which words."""

    what: str
    file: str
    old: str
    new: str
    law: str
    says: str


LISTED = tomllib.loads(Path(__file__).with_name("mistakes.toml").read_text(encoding="utf-8"))["mistake"]
MISTAKES = [Mistake(**entry) for entry in LISTED]
LAWS: dict[str, Callable[..., None]] = {**vars(laws), **vars(page_laws), **vars(button_laws)}


@pytest.fixture
def plant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Mistake], AnyGame]]:
    """Copy the starter with a mistake, and make it a game that is known."""
    monkeypatch.syspath_prepend(str(tmp_path))
    known_games = games.known()

    def forget() -> None:
        for cached in (entries_of, catalogue, _entries, page_laws.stages, random_matches._foreign_cards):
            cached.cache_clear()
        for name in [name for name in sys.modules if name.partition(".")[0] == "planted"]:
            del sys.modules[name]

    def planted(mistake: Mistake) -> AnyGame:
        folder = tmp_path / "planted"
        shutil.copytree(STARTER, folder, ignore=shutil.ignore_patterns("__pycache__"))
        file = folder / mistake.file
        text = file.read_text(encoding="utf-8")
        assert mistake.old in text, "plant it anew"
        file.write_text(text.replace(mistake.old, mistake.new), encoding="utf-8")
        init = folder / "__init__.py"
        init.write_text(init.read_text().replace("import CONTRACT, Game", "import CONTRACT, Chart, Game, Outcome"))
        game: AnyGame = importlib.import_module("planted").GAME
        monkeypatch.setattr(games, "known", lambda: {**known_games, "starter": game})
        return game

    forget()
    yield planted
    monkeypatch.undo()
    forget()


def tried(name: str, game: AnyGame, folder: Path, seeds: int) -> None:
    """Try a law on a game, with so many seeds, until one shows it. (That the starter keeps it: `test_new_game.py`.)"""
    law: Any = LAWS[name]
    if hasattr(law, "hypothesis"):
        for seed in range(seeds):
            law.hypothesis.inner_test(game, seed)
    else:
        law(game, folder) if "tmp_path" in signature(law).parameters else law(game)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.what)
def test_a_mistake_is_found_and_told_with_its_place(
    mistake: Mistake, plant: Callable[[Mistake], AnyGame], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(laws, "LONGEST", 400)  # the starter's matches are short
    game = plant(mistake)
    with pytest.raises((AssertionError, TypeError)) as failure:
        tried(mistake.law, game, tmp_path, 40)
    assert mistake.says in str(failure.value)
