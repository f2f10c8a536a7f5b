"""Fuzz the files a table reads at its start, and backups: table.toml, tags.toml, the phones' file, a log, a zip.

A damaged one is used as far as it says something, or refused with a sentence; it never ends in a traceback.
"""

import contextlib
import io
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from companion import config
from companion.access.phones import Phones, PhonesFault
from companion.cli import backup, export, main, restore
from companion.config import ConfigFault
from companion.errors import NotNow, WrongInput
from companion.events import Player, Pressed, Started
from companion.history.archive import Archive, NotInLog
from companion.storage import files
from companion.storage.log import Log
from companion.storage.opening import LogFault
from companion.tags.deck import TagsFault
from companion.tags.deck_file import Decks, written
from tests.trust.findings import Finding
from tests.trust.fuzzing import Damage, Terminal, damaged, damages, tried

TABLES = tuple(sorted((Path(__file__).parents[2] / "hardware").glob("**/*.toml")))
PEOPLE = Player(1, "Ana"), Player(3, "Bo")
_VALUES = (
    *("", "nan", "inf", "-inf", "1e999", "-1", "0", "7", "9" * 30, "9" * 5000, "true", "[]", "{}", "[[]]", "[[[1]]]"),
    *("[" * 3000, '""', r'"\u0000"', r'"\ud800"', r'"a\nb"', '"~nobody/x"', '"/"', '"."', '".."', '"../../x"'),
    *('"log.sqlite"', '"table.toml"', "1979-05-27T07:32:00Z", "07:32:00", "1979-05-27", '"seat-1"', '"virtual"'),
    *('"' + "a" * 5000 + '"', "[1, 1]", "[1, 9]", "{a = 1, a = 2}", "0x7fffffffffffffffffff", "'''x", '"""', "[nan]"),
    *('["04A1", 1]', '"04:a1"', '{ colours = ["red", "red"] }', "{ colours = [1] }", "{ colours = 1979-05-27 }"),
    *('"GPIO 4"', r'"\u202e"', r'"\u0660"'),
)
_KEYS = ("log", "tags", "page", "port", "host", "driver", "seats", "place", "window", "box", "x", "stop-it", "red-1")
_HEADS = ("[{}]", "[[{}]]", "[]", "[[", "[{}.x]", "[reader]", "[[page]]")
_WRITTEN = (b'"kind"', b"2026-01", b"pico-", b'"seat"', b"stop-it", b"CREATE")
_COLUMNS = ("match.began", "match.simulated", "event.body", "event.body", "event.digest", "event.origin", "event.seq")
_CELLS = ("x'ff'", "CAST(x'ff41' AS TEXT)", "-1", "1e300", "9223372036854775807", "'{}'", "''", "'[1]'")


def trial(quick: bool) -> Iterator[Finding]:
    """Damage each kind of file and have it read as the table reads it."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        tables = [path.read_bytes() for path in TABLES]
        head = b'log = "log.sqlite"\ntags = "tags.toml"\n[shout]\nwindow = 0.02\n[page]\nport = 8001\n'
        tables.append(head + tables[0])
        log, phones = _log(folder), _phones(folder)
        zipped = _backup(folder, log)
        for name, good, bad, read, short, long in (
            ("table.toml", tables, settings_damaged(tables), _table(folder), 150, 40_000),
            ("tags.toml", [_tags()], settings_damaged([_tags()]), _decks(folder), 100, 20_000),
            ("the phones' file", [phones], damaged([phones]), _codes(folder), 100, 20_000),
            ("the log", [log], log_damaged(log), _matches(folder), 50, 5_000),
            ("a backup", [zipped], zip_damaged(zipped), _restored(folder), 40, 3_000),
        ):
            for whole in good:
                read(whole)
            many = short if quick else long
            yield tried(f"{name}, damaged: used, or refused with a sentence", bad, read, many, quick=quick)
        what = "damaged settings at the commands: status 0, 1 or 2, and no traceback"
        asked = st.tuples(commands, settings_damaged(tables), settings_damaged([_tags()]))
        yield tried(what, asked, _commanded(folder), 40 if quick else 2_000, quick=quick)


# What is good.


def _tags() -> bytes:
    colours = ("red", "yellow", "green")
    cards = [f'{colour}-{n} = "04{n:02X}{len(colour):02X}A1B2C3D4"' for colour in colours for n in range(1, 9)]
    own = ["# Ours, since Easter", "[stop-it]  # red box", 'box = { colours = ["red", "yellow", "green"] }', *cards]
    other = ["", "[kartel]", '"red-boss" = "04:a1:b2:c3:d4:e5:f6"  # bent', "'red-money' = 'DEADBEEF'"]
    return "\n".join([*own, *other]).encode()


def _phones(folder: Path) -> bytes:
    path = folder / "first.phones"
    Phones(path).hand_on(2)
    return path.read_bytes()


def _log(folder: Path) -> bytes:
    with closing(Log(folder / "good.sqlite", writes=True)) as log:
        for _ in range(3):
            match = log.open_match("2026-01-31T20:00:00+00:00", False, Started(1, 1.0, "stop-it", PEOPLE, {}))
            log.append(match, [(Pressed(seq, float(seq), 1), f"pico-{match}-{seq}") for seq in range(2, 12)])
        log.copy(folder / "copied.sqlite")
    return (folder / "copied.sqlite").read_bytes()


def _backup(folder: Path, log: bytes) -> bytes:
    home = folder / "good"
    home.mkdir()
    settings = home / "table.toml"
    settings.write_text('tags = "tags.toml"\n[[buzzers]]\ndriver = "virtual"\nseats = [1, 2]\n', encoding="utf-8")
    (home / "tags.toml").write_bytes(_tags())
    (home / "log.sqlite").write_bytes(log)
    Phones(files.phones_of(home / "log.sqlite"))
    return backup.write_backup(config.load(settings), settings, folder / "good.zip").read_bytes()


# How it is damaged.


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


def settings_damaged(good: Sequence[bytes]) -> SearchStrategy[bytes]:
    return st.one_of(damaged(good), lines_damaged(good), lines_damaged(good))


def log_damaged(data: bytes) -> SearchStrategy[bytes]:
    """Damage a database: its bytes, its rows, or letters of what is written in it, so that SQLite still reads it."""
    places = [at for word in _WRITTEN for at in _found(data, word)]
    letters = st.lists(
        st.tuples(st.sampled_from(places), st.integers(0, 29), st.sampled_from(b'0"}{\xff\x00\n-')),
        min_size=1,
        max_size=4,
    )
    rows = st.tuples(st.sampled_from(_COLUMNS), st.sampled_from(_CELLS), st.sampled_from(("1", "seq % 4 = 0")))
    return st.one_of(
        damaged([data], most=8),
        letters.map(lambda changes: _lettered(data, changes)),
        rows.map(lambda row: _rows_damaged(data, *row)),
    )


def _found(data: bytes, word: bytes) -> Iterator[int]:
    at = data.find(word)
    while at >= 0:
        yield at
        at = data.find(word, at + 1)


def _lettered(data: bytes, changes: list[tuple[int, int, int]]) -> bytes:
    spoilt = bytearray(data)
    for at, more, letter in changes:
        spoilt[min(at + more, len(data) - 1)] = letter
    return bytes(spoilt)


def _rows_damaged(data: bytes, column: str, value: str, where: str) -> bytes:
    """Put into the rows of a log what no companion writes there."""
    table, _, name = column.partition(".")
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.deserialize(data)
        for (trigger,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {trigger}")
        with contextlib.suppress(sqlite3.IntegrityError):
            db.execute(f"UPDATE {table} SET {name} = {value} WHERE {where if table == 'event' else '1'}")
        return db.serialize()


@st.composite
def packed_anew(draw: st.DrawFn, data: bytes) -> bytes:
    """Damage what is inside a zip, so that its own checksums hold."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            done: list[Damage] = draw(st.one_of(st.just([]), st.lists(damages, max_size=4)))
            content = old.read(name)
            for damage in done:
                content = damage(content)
            called = draw(st.sampled_from((*[name] * 16, "../x", "a\x00b", name.upper(), "", "")))
            if called and called.partition("\x00")[0] not in new.namelist():
                new.writestr(called, content)
    return packed.getvalue()


def zip_damaged(data: bytes) -> SearchStrategy[bytes]:
    return st.one_of(damaged([data]), packed_anew(data))


# Each file as the table reads it: what raises nothing was used, or refused properly.


@contextlib.contextmanager
def _refused_in_words(*faults: type[Exception]) -> Iterator[None]:
    """Let it be refused so, if it says why in a sentence."""
    try:
        yield
    except faults as wrong:
        _in_words(wrong)


def _in_words(wrong: Exception) -> None:
    assert len(str(wrong)) > 10, "refused without a sentence"


def _table(folder: Path) -> Callable[[bytes], None]:
    path = folder / "table.toml"

    def read(given: bytes) -> None:
        path.write_bytes(given)
        with _refused_in_words(ConfigFault):
            config.load(path)

    return read


def _decks(folder: Path) -> Callable[[bytes], None]:
    path, again = folder / "tags.toml", folder / "again.toml"

    def read(given: bytes) -> None:
        path.write_bytes(given)
        with _refused_in_words(TagsFault):
            decks = Decks(path)
            for slug in decks.by_game:
                assert decks.deck(slug).missing is not None
            again.write_text(written(decks.by_game.values(), given.decode("utf-8-sig")), encoding="utf-8")
            assert Decks(again).by_game == decks.by_game, "written anew they are other decks"

    return read


def _codes(folder: Path) -> Callable[[bytes], None]:
    path = folder / "codes.phones"

    def read(given: bytes) -> None:
        path.write_bytes(given)
        with _refused_in_words(PhonesFault):
            Phones(path).hand_on(1)

    return read


def _matches(folder: Path) -> Callable[[bytes], None]:
    at = folder / "logs"

    def read(given: bytes) -> None:
        shutil.rmtree(at, ignore_errors=True)
        at.mkdir()
        path = at / "log.sqlite"
        path.write_bytes(given)
        with _refused_in_words(LogFault, NotNow), closing(Log(path, writes=False)) as log:
            [*export.list_matches(log)]
            log.last_at()
            export.what_is_wrong(log, log.latest() or 1)
            log.chained(log.latest() or 1)
        with _refused_in_words(NotInLog):
            Archive(path).results()
        with _refused_in_words(LogFault), closing(Log(path, writes=True)) as log:
            if latest := log.latest():
                log.events(latest)
            log.open_match("2026-01-01T20:00:00+00:00", True, Started(1, 1.0, "stop-it", PEOPLE, {}))

    return read


def _restored(folder: Path) -> Callable[[bytes], None]:
    home, before = folder / "home", b'[[buzzers]]\ndriver = "virtual"\nseats = [1]\n'

    def read(given: bytes) -> None:
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        (folder / "backup.zip").write_bytes(given)
        (home / "table.toml").write_bytes(before)
        outside = {*folder.iterdir()}
        try:
            [*restore.put_back(home / "table.toml", folder / "backup.zip")]
        except (WrongInput, NotNow, LogFault) as wrong:
            _in_words(wrong)
            assert (home / "table.toml").read_bytes() == before, "refused, and changed all the same"
        assert {*folder.iterdir()} == outside, "something was put outside of the table's folder"

    return read


commands = st.sampled_from(
    (
        "codes TABLE",
        "standings --table TABLE",
        "export --list --table TABLE",
        "backup TABLE ZIP",
        "tags list TABLE",
        "service install --print TABLE",
    )
)


def _commanded(folder: Path) -> Callable[[tuple[str, bytes, bytes]], None]:
    terminal, stands_for = Terminal(), {"TABLE": str(folder / "given.toml"), "ZIP": str(folder / "b.zip")}

    def commanded(asked: tuple[str, bytes, bytes]) -> None:
        command, table, tags = asked
        (folder / "given.toml").write_bytes(table)
        (folder / "tags.toml").write_bytes(tags)
        (folder / "b.zip").unlink(missing_ok=True)
        status, _, said = terminal.run(main, [stands_for.get(word, word) for word in command.split()])
        assert status in (0, 1, 2), status
        assert not status or len(said) > 10, f"status {status} without a word"

    return commanded
