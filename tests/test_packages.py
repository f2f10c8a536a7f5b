"""Games and drivers from installed packages: found by their entry points; a broken one is left out by its name."""

import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion import games
from companion.devices import drivers
from companion.devices.sensing import CONTRACT as DRIVERS_CONTRACT
from companion.events import Player, Started
from companion.game import CONTRACT
from companion.history.archive import Archive
from companion.storage.integrity import unread
from companion.storage.log import Log
from companion.storage.opening import GameMissing
from tests.storage.altering import past_its_triggers
from tests.web.evenings import NIGHT, kept
from tests.web.table import app_of, living

Install = Callable[..., None]
HERE = [*games.known()]
PEOPLE = (Player(1, "Ana"), Player(3, "Bo"))


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install a package of one module, for this test: its name, its code, and what it brings to which group."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def forget() -> None:
        for found in (games._found, drivers._found, games.whose):
            found.cache_clear()

    def put(name: str, code: str, group: str, point: str) -> None:
        about = tmp_path / f"{name}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(f"[{group}]\n{point}\n")
        (tmp_path / f"{name}.py").write_text(code)
        monkeypatch.setitem(sys.modules, name, None)  # so that it is gone afterwards
        del sys.modules[name]
        forget()

    yield put
    monkeypatch.undo()
    forget()


def uninstall(folder: Path, name: str) -> None:
    shutil.rmtree(folder / f"{name}-1.0.dist-info")
    games._found.cache_clear()


@pytest.fixture
def log_of_one_that_is_gone(install: Install, tmp_path: Path) -> Path:
    """Return a log with a match of a game that was installed then."""
    install("cartel_game", another("cartel"), games.GROUP, "cartel = cartel_game:GAME")
    path = tmp_path / "log.sqlite"
    with closing(Log(path, writes=True)) as log:
        kept(log, NIGHT, [Started(1, 100.0, "cartel", PEOPLE, {})])
    uninstall(tmp_path, "cartel_game")
    return path


def another(slug: str, more: str = f"contract={CONTRACT}") -> str:
    """Write a game that is Kartel by another name."""
    return (
        "from pathlib import Path\nfrom msgspec.structs import replace\n"
        "from companion.games.kartel import GAME as OTHER\n"
        f"GAME = replace(OTHER, slug={slug!r}, title={slug!r}, {more})\n"
    )


def test_nothing_in_this_tree_is_left_out() -> None:
    assert games.left_out() == drivers.left_out() == ()


def test_a_packages_game_is_one_of_all(install: Install) -> None:
    install("cartel_game", another("cartel"), games.GROUP, "cartel = cartel_game:GAME")
    assert [*games.known()] == sorted([*HERE, "cartel"])
    assert "cartel" in games.whose("red-boss")
    assert games.left_out() == ()


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("raise RuntimeError('no luck')", "RuntimeError: no luck"),
        ("GAME = 3", "not a companion.game.Game but int"),
        ("", "AttributeError"),
        (another("kartel"), "there is a 'kartel' already"),
        (another("cartel", f"contract={CONTRACT + 1}"), f"written for contract {CONTRACT + 1}, this is {CONTRACT}"),
        (another("Cartel"), "its slug 'Cartel'"),
        (another("cartel", f"contract={CONTRACT}, folder=Path('/')"), "there is no words.toml in /"),
    ],
)
def test_a_package_that_is_broken_is_left_out_by_name(install: Install, code: str, why: str) -> None:
    install("cartel_game", code, games.GROUP, "cartel = cartel_game:GAME")
    assert [*games.known()] == HERE
    (out,) = games.left_out()
    assert str(out).startswith("cartel of the package cartel_game 1.0 is left out: ")
    assert why in str(out)


def test_a_packages_driver_can_be_named(install: Install) -> None:
    code = f"from companion.devices.drivers.virtual import Reader\nCONTRACT = {DRIVERS_CONTRACT}\n"
    install("other_reader", code, drivers.GROUP, "other-reader = other_reader")
    assert "other-reader" in drivers.known("reader")
    assert "other-reader" not in drivers.known("buzzers")


def test_a_driver_of_another_contract_is_left_out(install: Install) -> None:
    install("other_reader", "CONTRACT = 0", drivers.GROUP, "other-reader = other_reader")
    assert "virtual" in drivers.known("reader")
    assert "contract 0" in str(drivers.left_out()[0])


def test_the_matches_of_a_game_that_is_gone_are_kept_and_told(log_of_one_that_is_gone: Path) -> None:
    path = log_of_one_that_is_gone
    with closing(Log(path, writes=False)) as log, pytest.raises(GameMissing, match=r"kept.*'cartel'"):
        log.events(1)
    assert list(unread(path)) == [], "nothing is lost"
    (result,) = Archive(path).results()
    assert (result.game, result.players) == ("cartel", ())
    with living(path.parent, simulated=True) as live:
        assert "This game is not installed here. The match is kept." in app_of(live).test_client().get("/results").text
        assert live.snapshot.trouble is None
        assert live.begin("kartel", PEOPLE, {}) == 2


def test_an_altered_match_of_a_game_that_is_gone_is_told(log_of_one_that_is_gone: Path) -> None:
    with closing(sqlite3.connect(log_of_one_that_is_gone)) as db, past_its_triggers(db):
        db.execute("UPDATE event SET body = replace(body, 'Ana', 'Eva')")
    (told,) = unread(log_of_one_that_is_gone)
    assert "this event was altered" in told
