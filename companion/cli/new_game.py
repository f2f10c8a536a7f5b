"""`companion new-game`: writes a small working game, to be turned into another."""

import re
from pathlib import Path

import click

import companion
from companion import games
from companion.cli.output import say
from companion.errors import NotNow

STARTER = Path(companion.__file__).parent / "game_to_copy"
_STARTERS_CLASS = re.compile(r"\bst-")
"""The starter's CSS classes; not inside another word, as in `list-style`."""
_SLUG = re.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*")

PYPROJECT = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "table-companion-{slug}"
version = "0.1.0"
description = "{title}, for the table companion."
requires-python = ">=3.11"
dependencies = ["table-companion"]

[project.optional-dependencies]
test = ["table-companion[kit]", "mypy"]

[project.entry-points."table_companion.games"]
{slug} = "{module}:GAME"

[tool.setuptools]
packages = ["{module}"]

[tool.setuptools.package-data]
{module} = ["locale/*", "*.md", "pages/*"]

[tool.mypy]
packages = ["{module}"]
strict = true
"""
README = """\
# {title}

A game for the table companion. In each round everybody lays a card face down, somebody presses, and the highest card
scores: change it into yours.

    python3 -m venv .venv && . .venv/bin/activate
    pip install PATH/TO/table-companion     # the checkout, or the wheel of a release
    pip install --editable '.[test]'
    pytest
    companion play

`pytest` checks the laws that hold for every game, and your own rules in `tests/test_rules.py`; `mypy` checks the types.
After a change of the rules, `python -m companion.kit.golden {slug}` and `python -m companion.kit.phase_diagram {slug}`
rewrite what the examples show and which phases there are; read the diff. The result expected of an example is yours to
change: the law that fails says what to put into its `.expected.json`. `python -m companion.kit.new_example {slug} NAME`
draws a new one.
"""
CONFTEST = 'pytest_plugins = ["companion.kit.pytest_plugin"]\n'
LAWS = '''\
"""The laws that hold for every game."""

from companion.kit.button_laws import *  # noqa: F403
from companion.kit.laws import *  # noqa: F403
from companion.kit.page_laws import *  # noqa: F403
from companion.kit.world_laws import *  # noqa: F403
'''
FIT = '''\
"""How the pages fit, where Playwright and a Chromium are installed."""

from companion.kit.page_fit import *  # noqa: F403
'''
RULES = '''\
"""The rules, in the language of the kit."""

from companion.kit.table_for_tests import AtTable


class Table(AtTable):
    game = "{slug}"


def test_the_highest_card_scores() -> None:
    table = Table().acts("1: card-3; 2: card-40; 3: card-9")
    table.press(1)
    assert table.points == {{1: 0, 2: 1, 3: 0}}


def test_nobody_turns_up_before_all_have_laid() -> None:
    table = Table().acts("1: card-3; 2: card-40")
    table.press(1)
    assert table.verdict == "not-all-laid seats=(3,)"
'''


@click.command(epilog="Exit status: 0 written; 1 something is there already, or can't be written; 2 wrong usage.")
@click.argument("name")
@click.option("--title", help="What people call it. [default: its name, with capitals]")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="GAMES",
    help="Write no package, but the game into a checkout's companion/games, this folder, its tests into tests/games.",
)
def new_game(name: str, title: str | None, folder: Path | None) -> None:
    """Write a small game that works, to be turned into your own.

    NAME is its name in lower-case letters and dashes. It becomes a package in a folder of that name, here, with the
    tests that every game must pass.
    """
    if not _SLUG.fullmatch(name):
        raise click.UsageError(
            f"{name!r} is not a name for a game: use lower-case letters, digits and single dashes, as in high-card"
        )
    if name in games.known():
        raise NotNow(f"there is a game {name!r} already: choose another name")
    title = title or name.replace("-", " ").title()
    module = name.replace("-", "_")
    place = folder / module if folder else Path(name)
    if place.exists():
        raise NotNow(f"{place} is there already: choose another name")
    try:
        if folder:
            _write_into_tree(place, _tests_beside(folder) / module, name, title)
        else:
            _write_game(place / module, name, title)
            _write_package(place, slug=name, title=title, module=module)
    except OSError as wrong:
        raise NotNow(f"can't write {place}: {wrong.strerror}") from wrong
    say(f"{title} is in {place}/. Try it: {'make play' if folder else f'see {place}/README.md'}")


def _write_game(to: Path, slug: str, title: str) -> None:
    """Copy the starter under the new name, without its translations: their sentences will change."""
    for file in sorted(STARTER.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts and file.suffix != ".po":
            text = file.read_text(encoding="utf-8").replace("Starter", title).replace("starter", slug)
            text = _STARTERS_CLASS.sub(f"{slug}-", text) if file.suffix in (".html", ".css") else text
            target = to / file.relative_to(STARTER)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")


def _tests_beside(games: Path) -> Path:
    """Return the folder of the games' tests in a checkout. Raises `NotNow`."""
    tests = games.resolve().parent.parent / "tests" / "games"
    if not tests.is_dir():
        raise NotNow(f"{games} is not the companion/games of a checkout: there is no {tests}")
    return tests


def _write_into_tree(game: Path, tests: Path, slug: str, title: str) -> None:
    """Write a game into a checkout, where files that only tests need are kept among the tests."""
    _write_game(game, slug, title)
    tests.mkdir()
    for name in ("records", "golden", "secrets.py"):
        (game / name).rename(tests / name)
    secrets = (tests / "secrets.py").read_text(encoding="utf-8")
    module = f"companion.games.{game.name}"
    (tests / "secrets.py").write_text(secrets.replace("from .", f"from {module}."), encoding="utf-8")
    (tests / "test_rules.py").write_text(RULES.format(slug=slug), encoding="utf-8")


def _write_package(to: Path, **named: str) -> None:
    files = {
        "pyproject.toml": PYPROJECT.format(**named),
        "README.md": README.format(**named),
        "conftest.py": CONFTEST,
        "tests/test_laws.py": LAWS,
        "tests/test_fit.py": FIT,
        "tests/test_rules.py": RULES.format(**named),
    }
    for name, text in files.items():
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        (to / name).write_text(text, encoding="utf-8")
