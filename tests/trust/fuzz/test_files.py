"""The files a table reads at its start, and backups, damaged: used, or refused in words."""

import contextlib
import io
import re
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import cache, reduce
from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from companion import config
from companion.access.rights_file import Phones, PhonesFault
from companion.cli import backup, export, main, restore
from companion.errors import NotNow, WrongInput
from companion.events import Player, Pressed, Started
from companion.history.archive import Archive, NotInLog
from companion.settings import ConfigFault
from companion.storage import files
from companion.storage.log import Log
from companion.storage.opening import LogFault
from companion.tags.deck import TagsFault
from companion.tags.deck_file import Decks, written
from tests.access.codes import hand_on
from tests.storage.altering import past_its_triggers
from tests.trust.fuzz import Terminal, damaged, damages, promised

FIRST = Started(1, 1.0, "stop-it", (Player(1, "Ana"), Player(3, "Bo")), {})
_HEAD = b'log = "log.sqlite"\ntags = "tags.toml"\n[shout]\nwindow = 0.02\n[page]\nport = 8001\n'
_EXAMPLES = [path.read_bytes() for path in sorted((Path(__file__).parents[3] / "hardware").glob("**/*.toml"))]
TABLES = [*_EXAMPLES, _HEAD + _EXAMPLES[0]]
TAGS = b"""# Ours, since Easter
[stop-it]  # red box
box = { colours = ["red", "yellow", "green"] }
red-1 = "040103A1B2C3D4"
yellow-8 = "040806A1B2C3D4"
green-17 = "041105A1B2C3D4"

[kartel]
"red-boss" = "04:a1:b2:c3:d4:e5:f6"  # bent
'red-money' = 'DEADBEEF'
"""
_VALUES = (
    *("", "nan", "inf", "-inf", "1e999", "-1", "0", "7", "9" * 30, "9" * 5000, "true", "[]", "{}", "[[]]", "[[[1]]]"),
    *("[" * 3000, '""', r'"\u0000"', r'"\ud800"', r'"a\nb"', '"~nobody/x"', '"/"', '"."', '".."', '"../../x"'),
    *('"log.sqlite"', '"table.toml"', "1979-05-27T07:32:00Z", "07:32:00", "1979-05-27", '"seat-1"', '"virtual"'),
    *('"' + "a" * 5000 + '"', "[1, 1]", "[1, 9]", "{a = 1, a = 2}", "0x7fffffffffffffffffff", "'''x", '"""', "[nan]"),
    *('["040404A1", 1]', '"04:a1"', '{ colours = ["red", "red"] }', "{ colours = [1] }", "{ colours = 1979-05-27 }"),
    *('"GPIO 4"', r'"\u202e"', r'"\u0660"'),
)
_KEYS = ("log", "tags", "page", "port", "host", "driver", "seats", "place", "window", "box", "x", "stop-it", "red-1")
_HEADS = ("[{}]", "[[{}]]", "[]", "[[", "[{}.x]", "[reader]", "[[page]]")
_WRITTEN = (b'"kind"', b"2026-01", b"pico-", b'"seat"', b"stop-it", b"CREATE")
_COLUMNS = ("match.began", "match.simulated", "event.body", "event.body", "event.digest", "event.origin", "event.seq")
_CELLS = ("x'ff'", "CAST(x'ff41' AS TEXT)", "-1", "1e300", "9223372036854775807", "'{}'", "''", "'[1]'")
_SETTINGS = b'tags = "tags.toml"\n[[buzzers]]\ndriver = "virtual"\nseats = [1, 2]\n'


@cache
def good() -> Mapping[str, bytes]:
    """Return a log, what a table keeps of its phones, and a backup."""
    with tempfile.TemporaryDirectory() as made:
        home = Path(made)
        (home / "table.toml").write_bytes(_SETTINGS)
        (home / "tags.toml").write_bytes(TAGS)
        with closing(Log(home / "played.sqlite", writes=True)) as log:
            for _ in range(3):
                match = log.open_match("2026-01-31T20:00:00+00:00", False, FIRST)
                log.append(match, [(Pressed(seq, float(seq), 1), f"pico-{match}-{seq}") for seq in range(2, 12)])
            log.copy(home / "log.sqlite")
        hand_on(Phones(files.phones_of(home / "log.sqlite")), 2)
        backup.write_backup(config.load(home / "table.toml"), home / "table.toml", home / "backup.zip")
        return {path.name: path.read_bytes() for path in home.iterdir()}


# How they are damaged.


@st.composite
def lines_damaged(draw: st.DrawFn, good: Sequence[bytes]) -> bytes:
    """Damage lines of a file of settings, so that what is around them is still understood."""
    lines = draw(st.sampled_from(good)).decode().splitlines()
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        key = lines[at].partition("=")[0].strip() if "=" in lines[at] else draw(st.sampled_from(_KEYS))
        match draw(st.sampled_from(("double", "leave out", "add", "head", "value"))):
            case "double":
                lines.insert(at, draw(st.sampled_from(lines)))
            case "leave out" if len(lines) > 1:
                del lines[at]
            case "add":
                lines.insert(at, f"{draw(st.sampled_from(_KEYS))} = {draw(st.sampled_from(_VALUES))}")
            case "head":
                lines.insert(at, draw(st.sampled_from(_HEADS)).format(key))
            case _:
                lines[at] = f"{key} = {draw(st.sampled_from(_VALUES))}"
    return "\n".join(lines).encode("utf-8", "surrogatepass")


@st.composite
def letters_damaged(draw: st.DrawFn, data: bytes) -> bytes:
    """Damage letters of what is written in a database, so that SQLite still reads it."""
    spoilt = bytearray(data)
    places = [found.start() for word in _WRITTEN for found in re.finditer(re.escape(word), data)]
    for at in draw(st.lists(st.sampled_from(places), min_size=1, max_size=4)):
        spoilt[min(at + draw(st.integers(0, 29)), len(data) - 1)] = draw(st.sampled_from(b'0"}{\xff\x00\n-'))
    return bytes(spoilt)


@st.composite
def rows_damaged(draw: st.DrawFn, data: bytes) -> bytes:
    """Put into the rows of a log what no companion writes there."""
    table, _, name = draw(st.sampled_from(_COLUMNS)).partition(".")
    where = draw(st.sampled_from(("1", "seq % 4 = 0"))) if table == "event" else "1"
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.deserialize(data)
        with past_its_triggers(db), contextlib.suppress(sqlite3.IntegrityError):
            db.execute(f"UPDATE {table} SET {name} = {draw(st.sampled_from(_CELLS))} WHERE {where}")
        return db.serialize()


@st.composite
def packed_anew(draw: st.DrawFn, data: bytes) -> bytes:
    """Damage what is inside a zip, so that its own checksums hold."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            done = draw(st.just([]) | st.lists(damages, max_size=4))
            called = draw(st.sampled_from((*[name] * 16, "../x", "a\x00b", name.upper(), "", "")))
            if called and called.partition("\x00")[0] not in new.namelist():
                new.writestr(called, reduce(lambda content, damage: damage(content), done, old.read(name)))
    return packed.getvalue()


def settings_damaged(good: Sequence[bytes]) -> SearchStrategy[bytes]:
    return st.one_of(damaged(good), lines_damaged(good), lines_damaged(good))


def log_damaged() -> SearchStrategy[bytes]:
    log = good()["log.sqlite"]
    return st.one_of(damaged([log], most=8), letters_damaged(log), rows_damaged(log))


def zip_damaged() -> SearchStrategy[bytes]:
    return damaged([good()["backup.zip"]]) | packed_anew(good()["backup.zip"])


# Each as the table reads it: what raises nothing was used, or refused properly.


@contextlib.contextmanager
def refused_in_words(*faults: type[Exception]) -> Iterator[None]:
    """Let it be refused so, if it says why in a sentence."""
    why = "nothing was refused"
    try:
        yield
    except faults as wrong:
        why = str(wrong)
    assert len(why) > 10, "refused without a sentence"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzzed")


@promised(settings_damaged(TABLES), 150)
def test_a_damaged_table_is_read_or_refused(folder: Path, given: bytes) -> None:
    (folder / "table.toml").write_bytes(given)
    with refused_in_words(ConfigFault):
        config.load(folder / "table.toml")


@promised(settings_damaged([TAGS]), 100)
def test_damaged_decks_are_read_or_refused(folder: Path, given: bytes) -> None:
    path = folder / "tags.toml"
    again = folder / "again.toml"
    path.write_bytes(given)
    with refused_in_words(TagsFault):
        decks = Decks(path)
        for slug in decks.by_game:
            assert decks.deck(slug).missing is not None
        again.write_text(written(decks.by_game.values(), given.decode("utf-8-sig")), encoding="utf-8")
        assert Decks(again).by_game == decks.by_game, "written anew they are other decks"


@promised(st.deferred(lambda: damaged([good()["log.sqlite.phones"]])), 100)
def test_phones_damaged_are_read_or_refused(folder: Path, given: bytes) -> None:
    (folder / "codes.phones").write_bytes(given)
    with refused_in_words(PhonesFault):
        hand_on(Phones(folder / "codes.phones"), 1)


@promised(st.deferred(log_damaged), 50)
def test_a_damaged_log_is_read_or_refused(folder: Path, given: bytes) -> None:
    at = folder / "logs"
    path = folder / "logs" / "log.sqlite"
    shutil.rmtree(at, ignore_errors=True)
    at.mkdir()
    path.write_bytes(given)
    with refused_in_words(LogFault, NotNow), closing(Log(path, writes=False)) as log:
        [*export.list_matches(log)]
        log.last_at()
        export.what_is_wrong(log, log.latest() or 1)
        log.chained(log.latest() or 1)
    with refused_in_words(NotInLog):
        Archive(path).results()
    with refused_in_words(LogFault), closing(Log(path, writes=True)) as log:
        if latest := log.latest():
            log.events(latest)
        log.open_match("2026-01-01T20:00:00+00:00", True, FIRST)


@promised(st.deferred(zip_damaged), 40)
def test_a_damaged_backup_is_put_back_or_changes_nothing(folder: Path, given: bytes) -> None:
    home = folder / "home"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    (folder / "backup.zip").write_bytes(given)
    (home / "table.toml").write_bytes(_SETTINGS)
    outside = {*folder.iterdir()}
    with refused_in_words(WrongInput, NotNow, LogFault):
        try:
            [*restore.put_back(home / "table.toml", folder / "backup.zip")]
        except Exception:
            assert (home / "table.toml").read_bytes() == _SETTINGS, "refused, and changed all the same"
            raise
    assert {*folder.iterdir()} == outside, "something was put outside of the table's folder"


COMMANDS = (
    *("codes {0}", "standings --table {0}", "export --list --table {0}"),
    *("backup {0} {1}", "tags list {0}", "service install --print {0}"),
)


@promised(st.tuples(st.sampled_from(COMMANDS), settings_damaged(TABLES), settings_damaged([TAGS])), 40)
def test_commands_say_what_is_wrong_with_damaged_settings(folder: Path, given: tuple[str, bytes, bytes]) -> None:
    command, table, tags = given
    (folder / "given.toml").write_bytes(table)
    (folder / "tags.toml").write_bytes(tags)
    (folder / "b.zip").unlink(missing_ok=True)
    status, _, said = Terminal().run(main, command.format(folder / "given.toml", folder / "b.zip").split())
    assert status in (0, 1, 2), status
    assert not status or len(said) > 10, f"status {status} without a word"
