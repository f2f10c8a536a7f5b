"""A log with damaged pages, cut off or emptied: told at the start, and nothing that can be read is lost by that."""

import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

from companion.access.rights_file import Phones
from companion.devices.monotonic_clock import TableClock
from companion.devices.sensing import Buzzed
from companion.events import Player
from companion.live.table import Live
from companion.storage.files import phones_of
from companion.storage.integrity import see_that_it_is_whole, unread_in_words
from companion.storage.log import Log
from companion.storage.opening import LogFault
from companion.tags.deck_file import Decks
from tests.trust.cut.disk import put
from tests.trust.findings import Finding

LOG = "log.sqlite"
PLAYERS = tuple(Player(seat, name) for seat, name in enumerate(("Ana", "Bo", "Cléo"), 1))
MATCHES = 3
PRESSES = 60
TOGETHER = 4
"""Events stored at once, at most. Of the last ones of a write-ahead log nobody can say whether they were ever whole."""
PAGE = 4096

Damage = Callable[[bytes, random.Random], bytes]


def _torn(whole: bytes, chance: random.Random) -> bytes:
    """Write garbage, or nothing at all, over part of a page."""
    at = chance.randrange(0, len(whole), 512)
    bad = chance.choice((b"\x00", b"\xff", b"\x5a")) * chance.choice((16, 512, PAGE))
    return whole[:at] + bad[: len(whole) - at] + whole[at + len(bad) :]


def _shorter(whole: bytes, chance: random.Random) -> bytes:
    return whole[: chance.choice((chance.randrange(len(whole)), chance.randrange(0, len(whole), PAGE)))]


def _empty(whole: bytes, chance: random.Random) -> bytes:
    return b""


def _gone(whole: bytes, chance: random.Random) -> None:
    """No file at all."""


DAMAGES: tuple[tuple[str, Callable[[bytes, random.Random], bytes | None]], ...] = (
    ("torn", _torn),
    ("cut off", _shorter),
    ("emptied", _empty),
    ("deleted", _gone),
)


class Table:
    """A live table on the files of a folder, with nothing plugged in."""

    def __init__(self, folder: Path) -> None:
        """Go on with the last match. Raises `LogFault`."""
        see_that_it_is_whole(folder / LOG)
        self.log = Log(folder / LOG, writes=True)
        Phones(phones_of(self.log.path))
        self.live = Live(self.log, TableClock(self.log.last_at()), Decks(folder / "tags.toml"))
        self.live.start()
        self.lost = [*unread_in_words(self.log.path)]

    def play(self, chance: random.Random) -> None:
        """Play a match, in which several press at once."""
        self.live.begin("stop-it", PLAYERS, {})
        left = PRESSES
        while left:
            together = min(left, chance.randint(1, TOGETHER))
            self.live.tell(*(Buzzed(chance.randint(1, 3), self.live.clock(), 0.0, "") for _ in range(together)))
            left -= together

    def close(self) -> None:
        self.live.stop()
        self.log.close()


def damages(count: int, seed: int) -> Iterator[Finding]:
    """Damage the log, its write-ahead log, or SQLite's memory of that, so many times each."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as scratch:
        killed, ended, before = _played(Path(scratch), chance)
    for file, whole in ((LOG, ended), (LOG, killed), (f"{LOG}-wal", killed), (f"{LOG}-shm", killed)):
        for what, damage in DAMAGES:
            if whole is ended and damage is _gone:
                continue  # that is how a new log is begun
            many = 1 if what in ("emptied", "deleted") else count
            seen: Counter[str] = Counter()
            wrong: list[str] = []
            for number in range(many):
                bad = damage(whole[Path(file)], chance)
                left = {path: content for path, content in whole.items() if path != Path(file)}
                left |= {Path(file): bad} if bad is not None else {}
                outcome, broken = _opened(left, before, f"{file} {what}")
                seen[outcome] += 1
                wrong += [f"seed {seed}, {number}: {broken}"] if broken else []
            besides = "; ".join([*(f"{outcome}: {times:,}" for outcome, times in seen.most_common()), *wrong[:5]])
            where = f"{file}{' after a good end' if whole is ended else ''} {what}"
            yield Finding(f"{where}: told at the start and left as it is, or all is there", many, len(wrong), besides)


def _played(folder: Path, chance: random.Random) -> tuple[dict[Path, bytes], dict[Path, bytes], dict[int, bytes]]:
    """Play some matches; give the files as a kill leaves them, as a good end does, and the matches as records."""
    table = Table(folder)
    for match in range(MATCHES):
        table.play(chance)
        if match == 0:
            table.close()
            table = Table(folder)
    killed = _files(folder)
    records = {match: table.log.lines(match) for match in range(1, MATCHES + 1)}
    table.close()
    return killed, _files(folder), records


def _files(folder: Path) -> dict[Path, bytes]:
    return {path.relative_to(folder): path.read_bytes() for path in folder.iterdir() if path.suffix != ".lock"}


def _opened(left: Mapping[Path, bytes], before: Mapping[int, bytes], file: str) -> tuple[str, str]:
    """Start the table on what is left; give what came of it, and what is wrong with that, "" where nothing is."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        put(left, folder)
        try:
            table = Table(folder)
        except LogFault as told:
            now = {path: (folder / path).read_bytes() for path in left if path.suffix != "" and path.name == LOG}
            changed = [path for path, content in now.items() if content != left[path]]
            words = "damaged" in str(told) or "empty" in str(told) or "no log" in str(told)
            return "told", f"changed {changed}" if changed else "" if words else f"told in no words of it: {told}"
        except Exception as wrong:
            return "crashed", f"{type(wrong).__name__}: {wrong}"
        said = bool(table.lost or table.live.snapshot.trouble)
        table.close()
        try:
            with closing(Log(folder / LOG, writes=False)) as log:
                log.check()
        except LogFault as wrong:
            if not said:
                return "written on", f"started on a damaged log without a word: {wrong}"
        return _compared(folder, before, said, file)


def _compared(folder: Path, before: Mapping[int, bytes], said: bool, file: str) -> tuple[str, str]:
    lost = other = missing = 0
    with closing(Log(folder / LOG, writes=False)) as log:
        for match, record in before.items():
            try:
                now = log.lines(match)
            except LogFault:
                now = b""
            lost += now != record and record.startswith(now)
            missing += record.count(b"\n") - now.count(b"\n")
            other += now != record and not record.startswith(now)
    if lost == other == 0:
        return "all there", ""
    if said:
        return "started, and said which match can't be read", ""
    if file.startswith(f"{LOG}-wal") and not other and (missing <= TOGETHER or "torn" not in file):
        return "without the newest events, like a cut before them", ""
    return "not noticed", f"{lost} matches lack events, {other} are others, and nothing says so"
