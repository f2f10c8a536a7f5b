"""Fuzz the files a table reads at its start, and backups: table.toml, tags.toml, the phones' file, a log, a zip.

A damaged one is used as far as it says something, or refused with a sentence; it never ends in a traceback.
"""

import contextlib
import io
import random
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from companion import config
from companion.access import phones
from companion.access.phones import Phones, PhonesFault
from companion.cli import backup, export, main, restore
from companion.config import ConfigFault
from companion.errors import NotNow, WrongInput
from companion.events import Player, Pressed, Started
from companion.history.archive import Archive, NotInLog
from companion.storage import files
from companion.storage.log import Log, LogFault
from companion.tags.deck import TagsFault
from companion.tags.deck_file import Decks, written
from tests.trust.findings import Finding
from tests.trust.fuzzing import Growth, Terminal, Tried, chance_of, damaged, new_seed, shrunk, within

TABLES = tuple(sorted((Path(__file__).parents[2] / "hardware").glob("**/*.toml")))
HANGS = 20.0
_VALUES = (
    *("", "nan", "inf", "-inf", "1e999", "-1", "0", "7", "9" * 30, "9" * 5000, "true", "[]", "{}", "[[]]", "[[[1]]]"),
    *(
        "[" * 3000,
        '""',
        '"\\u0000"',
        '"\\ud800"',
        '"a\\nb"',
        '"~nobody/x"',
        '"/"',
        '"."',
        '".."',
        '"../../x"',
        '"log.sqlite"',
    ),
    *(
        '"table.toml"',
        "1979-05-27T07:32:00Z",
        "07:32:00",
        "1979-05-27",
        '"seat-1"',
        '"virtual"',
        '"' + "a" * 5000 + '"',
    ),
    *("[1, 1]", "[1, 9]", "{a = 1, a = 2}", "0x7fffffffffffffffffff", "'''x", '"""', "[nan]", '["04A1", 1]', '"04:a1"'),
    *(
        '{ colours = ["red", "red"] }',
        "{ colours = [1] }",
        "{ colours = 1979-05-27 }",
        '"GPIO 4"',
        '"\\u202e"',
        '"\\u0660"',
    ),
)
_KEYS = (
    "log",
    "tags",
    "page",
    "port",
    "host",
    "driver",
    "seats",
    "place",
    "window",
    "reset",
    "box",
    "x",
    "stop-it",
    "red-1",
)


def trial(quick: bool) -> Iterator[Finding]:
    """Damage each kind of file and have it read as the table reads it."""
    seed = new_seed(quick)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        tables = [path.read_bytes() for path in TABLES]
        tables.append(
            b'log = "log.sqlite"\ntags = "tags.toml"\n[shout]\nwindow = 0.02\n[page]\nport = 8001\n' + tables[0]
        )
        yield _read("table.toml", tables, _settings_damaged, _table(folder), 500 if quick else 40_000, seed)
        yield _read("tags.toml", [_tags()], _settings_damaged, _decks(folder), 300 if quick else 20_000, seed)
        yield _read("the phones' file", [_phones(folder)], damaged, _codes(folder), 200 if quick else 20_000, seed)
        yield _read("the log", [_log(folder)], _log_damaged, _matches(folder), 60 if quick else 5_000, seed)
        yield _read("a backup", _backups(folder), _zip_damaged, _restored(folder), 60 if quick else 3_000, seed)
        yield _as_commands(folder, [*tables], 60 if quick else 2_000, seed)


Damage = Callable[[bytes, random.Random], bytes]


def _read(name: str, good: list[bytes], damage: Damage, read: Callable[[bytes], None], many: int, seed: int) -> Finding:
    """Read damaged files; a `read` says by raising nothing that it used or refused one properly."""
    tried, growth = Tried(f"{name}, damaged: used, or refused with a sentence", seed), Growth()

    def wrong(given: bytes) -> str:
        try:
            with within(HANGS):
                read(given)
        except Exception as wrong:
            return f"{type(wrong).__name__}: {wrong}"[:100]
        return ""

    for whole in good:
        assert not wrong(whole), wrong(whole)
    for number in range(many):
        if number == many // 2:
            growth.halfway()
        tried.tried += 1
        chance = chance_of(seed, number)
        given = damage(chance.choice(good), chance)
        if why := wrong(given):
            kind = why.partition(":")[0]
            tried.broke(number, why, shrunk(given, lambda less, kind=kind: wrong(less).startswith(kind)))
    return tried.finding(growth.seen(tried))


def _said(wrong: Exception) -> None:
    """See that a refusal is a sentence for people."""
    assert len(str(wrong)) > 10, "refused without a sentence"


@contextlib.contextmanager
def _refused_in_words(*faults: type[Exception]) -> Iterator[None]:
    """Let it be refused so, if it says why."""
    try:
        yield
    except faults as wrong:
        _said(wrong)


# Each file as the table reads it.


def _table(folder: Path) -> Callable[[bytes], None]:
    path = folder / "table.toml"

    def read(given: bytes) -> None:
        path.write_bytes(given)
        with _refused_in_words(ConfigFault):
            config.load(path)

    return read


def _decks(folder: Path) -> Callable[[bytes], None]:
    path = folder / "tags.toml"

    def read(given: bytes) -> None:
        path.write_bytes(given)
        with _refused_in_words(TagsFault):
            decks = Decks(path)
            for slug in decks.by_game:
                assert decks.deck(slug).missing is not None
            again = folder / "again.toml"
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
    at.mkdir()

    def read(given: bytes) -> None:
        for left in at.iterdir():
            left.unlink()
        path = at / "log.sqlite"
        path.write_bytes(given)
        with _refused_in_words(LogFault, NotNow), closing(Log(path, writes=False)) as log:
            [*export.list_matches(log)]
            log.last_at()
            export.read_match(log, None)
        with _refused_in_words(NotInLog):
            Archive(path).results()
        with _refused_in_words(LogFault), closing(Log(path, writes=True)) as log:
            latest = log.latest()
            if latest:
                log.events(latest)
            log.open_match("2026-01-01T20:00:00+00:00", True, Started(1, 1.0, "stop-it", _people(), {}))

    return read


def _restored(folder: Path) -> Callable[[bytes], None]:
    home = folder / "home"

    def read(given: bytes) -> None:
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        (folder / "backup.zip").write_bytes(given)
        (home / "table.toml").write_text('[[buzzers]]\ndriver = "virtual"\nseats = [1]\n', encoding="utf-8")
        before = (home / "table.toml").read_bytes()
        outside = {*folder.iterdir()}
        try:
            [*restore.put_back(home / "table.toml", folder / "backup.zip")]
        except (WrongInput, NotNow, LogFault) as wrong:
            _said(wrong)
            assert (home / "table.toml").read_bytes() == before, "refused, and changed all the same"
        assert {*folder.iterdir()} == outside, "something was put outside of the table's folder"

    return read


def _as_commands(folder: Path, tables: list[bytes], many: int, seed: int) -> Finding:
    tried, terminal = Tried("damaged settings at the commands: status 0, 1 or 2, and no traceback", seed), Terminal()
    path, tags = folder / "given.toml", folder / "tags.toml"
    commands = (
        ["codes", str(path)],
        ["standings", "--table", str(path)],
        ["export", "--list", "--table", str(path)],
        ["backup", str(path), str(folder / "b.zip")],
        ["tags", "list", str(path)],
        ["service", "install", "--print", str(path)],
    )
    for number in range(many):
        chance = chance_of(seed, number)
        path.write_bytes(_settings_damaged(chance.choice(tables), chance))
        tags.write_bytes(_settings_damaged(_tags(), chance))
        command = chance.choice(commands)
        tried.tried += 1
        try:
            status, _, said = terminal.run(main, command)
        except Exception as wrong:
            tried.broke(number, f"{command[0]}: {wrong!r}", (path.read_bytes(), tags.read_bytes()))
        else:
            if status not in (0, 1, 2) or (status and len(said) < 10):
                tried.broke(number, f"{command[0]}: status {status} without a word", path.read_bytes())
        (folder / "b.zip").unlink(missing_ok=True)
    return tried.finding()


# What is good, and how it is damaged.


def _people() -> tuple[Player, ...]:
    return Player(1, "Ana"), Player(3, "Bo")


def _tags() -> bytes:
    lines = ["# Ours, since Easter", "[stop-it]  # red box", 'box = { colours = ["red", "yellow", "green"] }']
    lines += [
        f'{colour}-{n} = "04{n:02X}{len(colour):02X}A1B2C3D4"'
        for colour in ("red", "yellow", "green")
        for n in range(1, 9)
    ]
    lines += ["", "[kartel]", '"red-boss" = "04:a1:b2:c3:d4:e5:f6"  # bent', "'red-money' = 'DEADBEEF'"]
    return "\n".join(lines).encode()


def _phones(folder: Path) -> bytes:
    path = folder / "first.phones"
    Phones(path).hand_on(2)
    return path.read_bytes()


def _log(folder: Path) -> bytes:
    path = folder / "good.sqlite"
    with closing(Log(path, writes=True)) as log:
        for _ in range(3):
            match = log.open_match("2026-01-31T20:00:00+00:00", False, Started(1, 1.0, "stop-it", _people(), {}))
            log.append(match, [(Pressed(seq, float(seq), 1), f"pico-{match}-{seq}") for seq in range(2, 12)])
        log.copy(folder / "copied.sqlite")
    return (folder / "copied.sqlite").read_bytes()


def _backups(folder: Path) -> list[bytes]:
    home = folder / "good"
    home.mkdir()
    settings = home / "table.toml"
    settings.write_text('tags = "tags.toml"\n[[buzzers]]\ndriver = "virtual"\nseats = [1, 2]\n', encoding="utf-8")
    (home / "tags.toml").write_bytes(_tags())
    (home / "log.sqlite").write_bytes((folder / "copied.sqlite").read_bytes())
    phones.Phones(files.phones_of(home / "log.sqlite"))
    return [backup.write_backup(config.load(settings), settings, folder / "good.zip").read_bytes()]


def _settings_damaged(data: bytes, chance: random.Random) -> bytes:
    """Damage a file of settings: mostly one of its lines, so that what is around it is still understood."""
    if chance.random() < 0.3:
        return damaged(data, chance)
    lines = data.decode().splitlines()
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(lines))
        key = lines[at].partition("=")[0].strip() if "=" in lines[at] else chance.choice(_KEYS)
        match chance.randrange(5):
            case 0:
                lines.insert(at, lines[chance.randrange(len(lines))])
            case 1 if len(lines) > 1:
                del lines[at]
            case 2:
                lines.insert(at, f"{chance.choice(_KEYS)} = {chance.choice(_VALUES)}")
            case 3:
                lines.insert(
                    at, chance.choice((f"[{key}]", f"[[{key}]]", "[]", "[[", f"[{key}.x]", "[reader]", "[[page]]"))
                )
            case _:
                lines[at] = f"{key} = {chance.choice(_VALUES)}"
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _log_damaged(data: bytes, chance: random.Random) -> bytes:
    """Damage a database: its bytes, or, so that SQLite still reads it, only letters of what is written in it."""
    match chance.randrange(4):
        case 0:
            return damaged(data, chance, most=8)
        case 1:
            return _rows_damaged(data, chance)
    spoilt = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = data.find(
            chance.choice((b'"kind"', b"2026-01", b"pico-", b'"seat"', b"stop-it", b"CREATE")),
            chance.randrange(len(data)),
        )
        if at >= 0:
            at += chance.randrange(30)
            spoilt[min(at, len(data) - 1)] = chance.choice((*b'0"}{\xff\x00\n-', chance.randrange(256)))
    return bytes(spoilt)


def _rows_damaged(data: bytes, chance: random.Random) -> bytes:
    """Put into the rows of a log what no companion writes there."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.deserialize(data)
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {name}")
    column = chance.choice(("match.began", "match.simulated", "event.body", "event.body", "event.origin", "event.seq"))
    value = chance.choice(
        ("x'ff'", "CAST(x'ff41' AS TEXT)", "-1", "1e300", "9223372036854775807", "'{}'", "''", "'[1]'")
    )
    table, _, name = column.partition(".")
    with contextlib.suppress(sqlite3.IntegrityError):
        db.execute(f"UPDATE {table} SET {name} = {value} WHERE abs(random()) % 4 = 0 OR {chance.randrange(2)}")
    with contextlib.closing(db):
        return db.serialize()


def _zip_damaged(data: bytes, chance: random.Random) -> bytes:
    """Damage a zip: its bytes, or pack it anew with damage inside, so that its own checksums hold."""
    if chance.random() < 0.5:
        return damaged(data, chance)
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = old.read(name)
            if chance.random() < 0.3:
                content = damaged(content, chance)
            if chance.random() < 0.9:
                new.writestr(
                    name if chance.random() < 0.95 else chance.choice(("../x", "a\x00b", name.upper())), content
                )
    return packed.getvalue()
