"""Games and drivers from installed packages: found by their entry points; a broken one is left out by its name."""

import os
import re
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion import games
from companion.config import load
from companion.devices import drivers
from companion.devices.listening import Listening
from companion.devices.sensing import CONTRACT as DRIVERS_CONTRACT
from companion.devices.sensing import Buzzed, Failed, Sensing, Working
from companion.errors import NotKept
from companion.events import Player, Started
from companion.game import CONTRACT
from companion.history.archive import Archive
from companion.judge import record_file
from companion.judge.match import judge
from companion.settings import ConfigFault
from companion.storage.integrity import unread_in_words
from companion.storage.log import Log
from companion.storage.opening import GameMissing
from tests.storage.altering import past_its_triggers
from tests.waiting import until
from tests.web.evenings import NIGHT, store_match
from tests.web.table import app_of, living

ROOT = Path(__file__).parents[1]

Install = Callable[..., None]
HERE = [*games.known()]
PEOPLE = (Player(1, "Ana"), Player(3, "Bo"))


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install a package of one module, for this test: its name, its code, and what it brings to which group."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def forget() -> None:
        for cached in (games._found, drivers._found, games.whose, games.places):
            cached.cache_clear()

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
    games.places.cache_clear()


@pytest.fixture
def log_of_one_that_is_gone(install: Install, tmp_path: Path) -> Path:
    """Return a log with a match of a game that was installed then."""
    install("cartel_game", another("cartel"), games.GROUP, "cartel = cartel_game:GAME")
    path = tmp_path / "log.sqlite"
    with closing(Log(path, writes=True)) as log:
        store_match(log, NIGHT, [Started(1, 100.0, "cartel", PEOPLE, {})])
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


MARKET = b"""\
{"kind":"started","seq":1,"at":1.0,"game":"kartel","players":[{"seat":1,"name":"Ana"},{"seat":2,"name":"Bo"}],"options":{}}
{"kind":"tapped","seq":2,"at":2.0,"place":"market","card":"red-boss"}
"""


def test_a_pad_that_a_packages_game_names_is_a_place_of_records_and_tables(install: Install, tmp_path: Path) -> None:
    with pytest.raises(record_file.Damaged, match=r"unknown place 'market'; known: seat-1, .*, discard, row, prison"):
        record_file.decode(MARKET)
    taps = 'replace(OTHER.moves.taps, at=("seat", "centre", "market"))'
    code = another("cartel", f"contract={CONTRACT}, moves=replace(OTHER.moves, taps={taps})")
    install("cartel_game", code, games.GROUP, "cartel = cartel_game:GAME")
    assert games.of_pad("market") == "cartel"
    assert [verdict.code for verdict in judge(record_file.decode(MARKET)).verdicts] == ["wrong-pad"]
    table = tmp_path / "table.toml"
    table.write_text('[[reader]]\nplace = "market"\ndriver = "virtual"\n')
    assert [reader.place for reader in load(table).readers] == ["market"]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("raise RuntimeError('no luck')", "RuntimeError: no luck"),
        ("GAME = 3", "not a companion.game.Game but int"),
        ("", "AttributeError"),
        (another("kartel"), "there is a 'kartel' already"),
        (another("cartel", f"contract={CONTRACT + 1}"), f"written for contract {CONTRACT + 1}, this is {CONTRACT}"),
        (another("Cartel"), "its slug 'Cartel'"),
        (another("cartel", f"contract={CONTRACT}, folder=Path('/')"), "there is no locale/words.pot in /"),
    ],
)
def test_a_package_that_is_broken_is_left_out_by_name(install: Install, code: str, why: str) -> None:
    install("cartel_game", code, games.GROUP, "cartel = cartel_game:GAME")
    assert [*games.known()] == HERE
    (out,) = games.left_out()
    assert str(out).startswith("cartel of the package cartel_game 1.0 is left out: ")
    assert why in str(out)


def test_a_package_whose_words_are_older_than_po_files_is_left_out_with_what_to_do(
    install: Install, tmp_path: Path
) -> None:
    (tmp_path / "words.toml").write_text('[taken]\nen = "taken"\n')
    code = another("cartel", f"contract={CONTRACT}, folder=Path({str(tmp_path)!r})")
    install("cartel_game", code, games.GROUP, "cartel = cartel_game:GAME")
    (out,) = games.left_out()
    assert out.why == (
        f"its words are in {tmp_path}/words.toml, as for an earlier companion: install its newest version; if you write"
        " it, move each sentence to locale/words.pot, as CONTRIBUTING.md says under “Words and languages”"
    )


def test_a_package_whose_words_cannot_be_read_is_left_out_with_the_line(install: Install, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(games.known()["kartel"].folder / "pages", folder / "pages")
    (folder / "locale").mkdir()
    (folder / "locale/words.pot").write_text('[taken]\nen = "taken"\n')
    code = another("cartel", f"contract={CONTRACT}, folder=Path({str(folder)!r})")
    install("cartel_game", code, games.GROUP, "cartel = cartel_game:GAME")
    (out,) = games.left_out()
    assert f"{folder}/locale/words.pot can't be read" in str(out)
    assert "misformatted keyword on 0" in str(out)


def test_a_packages_driver_can_be_named(install: Install) -> None:
    code = f"from companion.devices.drivers.virtual import Reader\nCONTRACT = {DRIVERS_CONTRACT}\n"
    install("other_reader", code, drivers.GROUP, "other-reader = other_reader")
    assert "other-reader" in drivers.find("reader")
    assert "other-reader" not in drivers.find("buzzers")


STRUCT = """\
import msgspec
class {}(msgspec.Struct, frozen=True, forbid_unknown_fields={}):
    open = None
    {}
CONTRACT = 1
"""


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("CONTRACT = 0", "contract 0"),
        ("import no_such_module", "No module named 'no_such_module'"),
        ("CONTRACT = 1", "neither Reader nor Buzzers"),
        ("class Reader: ...\nCONTRACT = 1", "its Reader is not a msgspec.Struct with frozen=True"),
        (STRUCT.format("Reader", False, "place: str"), "forbid_unknown_fields=True"),
        (STRUCT.format("Buzzers", True, "seats: tuple[int, ...]"), "its Buzzers has no apart"),
        (STRUCT.format("Reader", True, "port: str"), "its Reader has no place"),
    ],
)
def test_a_driver_that_is_broken_is_left_out_and_why_is_told_where_it_is_named(
    install: Install, tmp_path: Path, code: str, why: str
) -> None:
    install("other_one", code, drivers.GROUP, "other-one = other_one")
    assert "virtual" in drivers.find("reader")
    (tmp_path / "table.toml").write_text('[[reader]]\ndriver = "other-one"\nplace = "centre"\n')
    with pytest.raises(ConfigFault, match="unknown driver 'other-one'") as fault:
        load(tmp_path / "table.toml")
    assert "other-one of the package other_one 1.0 is left out" in str(fault.value)
    assert why in str(fault.value)


def test_the_driver_that_the_guide_shows_hears_presses_and_tells_when_its_board_is_gone(
    install: Install, tmp_path: Path
) -> None:
    (code,) = re.findall("```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)
    install("digits", code, drivers.GROUP, "digits = digits")
    line, port = os.openpty()
    section = f'[[buzzers]]\ndriver = "digits"\nport = "{os.ttyname(port)}"\nseats = [{{}}]\n'
    file = tmp_path / "table.toml"
    file.write_text(section.format("1, 2") + section.format(3))
    with pytest.raises(ConfigFault, match="used twice"):
        load(file)
    file.write_text(section.format("1, 2"))
    (source,) = [sensor.open(lambda: 7.0) for sensor in load(file).sensors]
    sensings_told: list[Sensing] = []
    tried: list[int] = []

    def tell(*sensings: Sensing) -> None:
        tried.append(len(sensings))
        if len(tried) == 1:
            raise NotKept("the disk is full")
        sensings_told.extend(sensings)

    listening = Listening([source], tell)
    try:
        until(lambda: sensings_told)
        os.write(line, b"2")
        until(lambda: Buzzed(2, 7.0, 0.01, "") in sensings_told)
        os.close(port)
        os.close(line)
        until(lambda: len(sensings_told) > 2)
    finally:
        listening.stop()
    # Then another program on this machine may get a terminal by the same name, and the source opens that.
    assert [type(sensing) for sensing in sensings_told[:3]] == [Working, Buzzed, Failed]


def test_the_matches_of_a_game_that_is_gone_are_kept_and_told(log_of_one_that_is_gone: Path) -> None:
    path = log_of_one_that_is_gone
    with closing(Log(path, writes=False)) as log, pytest.raises(GameMissing, match=r"kept.*'cartel'"):
        log.events(1)
    assert list(unread_in_words(path)) == [], "nothing is lost"
    (result,) = Archive(path).results()
    assert (result.game, result.players) == ("cartel", ())
    with living(path.parent, simulated=True) as live:
        assert "This game is not installed here. The match is kept." in app_of(live).test_client().get("/results").text
        assert live.snapshot.trouble is None
        assert live.begin("kartel", PEOPLE, {}) == 2


def test_an_altered_match_of_a_game_that_is_gone_is_told(log_of_one_that_is_gone: Path) -> None:
    with closing(sqlite3.connect(log_of_one_that_is_gone)) as db, past_its_triggers(db):
        db.execute("UPDATE event SET body = replace(body, 'Ana', 'Eva')")
    (message,) = unread_in_words(log_of_one_that_is_gone)
    assert "this event was altered" in message
