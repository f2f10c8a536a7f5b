"""Restores a table from a backup; the files before it are kept in a folder beside the table.

Everything is unpacked and checked before any file is replaced; then each file is swapped in one step.
"""

import os
import re
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import IO, NamedTuple

import msgspec

from companion.access import rights_file
from companion.access.rights_file import PhonesFault
from companion.access.seat_rights import Rights
from companion.backups.writing import (
    CA,
    CLUB,
    FIGURES,
    LOG,
    MANIFEST,
    PASSWORD,
    PHONES,
    TABLE,
    TAGS,
    VERSION,
    WORLD,
    Manifest,
    PackedFile,
    digest,
    files_of,
)
from companion.club.outbox import OutboxFault, go_ahead
from companion.config import Table, begun, load
from companion.errors import NotNow, WrongInput
from companion.progress import Advance, say_nothing
from companion.settings import ConfigFault
from companion.storage import files
from companion.storage.files import give_to_the_folders_owner
from companion.storage.integrity import unread_in_words
from companion.storage.last_copy import keep_copy
from companion.storage.log import Log
from companion.storage.opening import LogFault, fold, lock
from companion.tags.deck import TagsFault
from companion.tags.deck_file import Decks
from companion.versions.launcher import as_owner_of

_BESIDE = ("", "-wal", "-shm", ".world", ".results")
"""The endings of a log's files, and of those derived from it, which are meaningless for another log."""
_WITH_A_COPY = (TABLE, TAGS, PHONES)
"""Files of which the table keeps a last copy: an old copy would make the restored file look cut short."""
TOLD = 5
"""The most unreadable matches that are named one by one."""
SMALL = 1_000_000
"""Bytes that no file in a backup exceeds, except the log."""
_NAMED = {LOG: r".*\.(sqlite|db)", TAGS: r".*tags.*\.toml", PASSWORD: r".*password", CA: r".*\.(crt|pem)"}
"""Allowed names for files that did not exist before; stops a backup from planting an executable."""
_DAMAGED = (zipfile.BadZipFile, zlib.error, KeyError, msgspec.DecodeError, UnicodeDecodeError, EOFError)
"""Exceptions of a damaged zip: its structure, its contents, a missing name, the manifest, its encoding, its end."""


class Unpacked(NamedTuple):
    """A backup that was unpacked beside the table and checked."""

    made: str
    """When it was made: wall-clock time, ISO 8601."""
    folder: Path
    """The folder of its files, under their names in the backup."""
    targets: Mapping[Path, Path]
    """By the table's file, the unpacked file that replaces it."""


def put_back(
    settings: Path,
    backup: Path,
    *,
    anyway: bool = False,
    host_of: Rights | None = None,
    advance: Advance = say_nothing,
) -> Iterator[str]:
    """Restore a backup to the table that the file `settings` describes, or create it there; yield each step in words.

    `anyway`: even if some matches of its log can't be read, or were altered. `host_of`: the host by these rights stays
    host, with the same code, because they brought the backup, and may not have been host when it was made. `advance` is
    called after each match that was checked; if it raises, nothing has been changed.
    Raises `WrongInput` for a backup that can't be used, `NotNow` and `LogFault` if the table can't be changed now;
    then nothing has been changed.
    """
    home = settings.absolute().parent
    with unpacked(settings, backup) as unpacked_backup:
        if not anyway:
            _see_that_every_match_is_whole(unpacked_backup.folder / LOG, backup, advance)
        if host_of is not None and (unpacked_backup.folder / PHONES).exists():
            rights_file.keep_host(unpacked_backup.folder / PHONES, host_of)
        yield from _put(unpacked_backup.targets, home)
    yield f"restored to {home}: the table as it was on {unpacked_backup.made}"


@contextmanager
def unpacked(settings: Path, backup: Path) -> Iterator[Unpacked]:
    """Unpack a backup beside the table, for as long as the block lasts, and check all that it holds.

    Raises `WrongInput` for a backup that can't be used, and `NotNow` if nothing can be written there.
    """
    home = settings.absolute().parent
    try:
        with (
            _opened(backup) as packed,
            as_owner_of(home),  # root must not follow links that the owner of the folder may have put there
            tempfile.TemporaryDirectory(prefix=".restore-", dir=home) as name,
        ):
            folder = Path(name)
            manifest = _unpack(backup, packed, folder)
            targets = _targets(folder, settings.absolute(), backup)
            _look_through(targets, backup)
            yield Unpacked(manifest.made, folder, targets)
    except OSError as wrong:
        raise NotNow(f"can't write in {home}: {wrong.strerror}. What was there is still there, or beside it") from wrong


def peek(backup: Path, file: IO[bytes]) -> Manifest:
    """Return the manifest of an open backup, and read nothing else of it. Raises `WrongInput`."""
    with _read(backup, file) as (_, manifest):
        return manifest


def _opened(backup: Path) -> IO[bytes]:
    """Open a backup. Raises `WrongInput`."""
    try:
        return backup.open("rb")
    except FileNotFoundError:
        raise WrongInput(f"there is no {backup}") from None
    except OSError as wrong:
        raise WrongInput(f"can't read {backup}: {wrong.strerror}. Nothing was changed") from wrong


def _unpack(backup: Path, file: IO[bytes], to: Path) -> Manifest:
    """Unpack the files that the manifest names, and no others. Raises `WrongInput`."""
    with _read(backup, file) as (packed, manifest):
        _see_that_there_is_room(packed, manifest, to)
        for name, part in manifest.files.items():
            _unpack_one(packed, name, part, to / name)
    return manifest


@contextmanager
def _read(backup: Path, file: IO[bytes]) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    """Yield a backup's open zip and manifest; errors of reading it within the block become `WrongInput`."""
    try:
        with zipfile.ZipFile(file) as packed:
            with _entered(packed, MANIFEST) as inside:
                manifest = msgspec.json.decode(inside.read(SMALL), type=Manifest)
            if manifest.backup != VERSION:
                raise WrongInput(f"{backup} was made by a newer companion ({manifest.companion}): update this one")
            if not {TABLE} <= manifest.files.keys() <= {TABLE, TAGS, LOG, PHONES, WORLD, CLUB, FIGURES, PASSWORD, CA}:
                raise WrongInput(f"{backup} holds {', '.join(sorted(manifest.files))}, which is not a table")
            yield packed, manifest
    except (*_DAMAGED, _Other) as wrong:
        raise WrongInput(f"{backup} is damaged, or not a backup: {wrong}. Nothing was changed; take another") from wrong
    except (NotImplementedError, RuntimeError, zipfile.LargeZipFile) as wrong:  # unknown compression, or encrypted
        raise WrongInput(f"{backup} was not written by the companion: {wrong}. Nothing was changed") from wrong
    except OSError as wrong:
        raise WrongInput(f"can't read {backup}: {wrong.strerror}. Nothing was changed") from wrong


class _Other(Exception):
    """A file in the backup is not what its manifest says."""


def _see_that_there_is_room(packed: zipfile.ZipFile, manifest: Manifest, to: Path) -> None:
    """Check, before anything is unpacked, that the files fit on the disk. Raises `NotNow`."""
    needed = sum(packed.getinfo(name).file_size for name in manifest.files)
    free = shutil.disk_usage(to).free
    if needed > free:
        raise NotNow(
            f"no room to restore {packed.filename}: it needs {needed / 1e6:.1f} MB, and {free / 1e6:.1f} MB are free. "
            "Make room. Nothing was changed"
        )


def _entered(packed: zipfile.ZipFile, name: str) -> IO[bytes]:
    """Open a file in the backup, after checks against zip bombs. Raises `_Other`.

    All files but the log are small, and only our own compression is accepted: from a tighter one, zipfile would unpack
    more at once than was asked for.
    """
    info = packed.getinfo(name)
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise _Other(f"{name} is packed as we never do")
    if name != LOG and info.file_size > SMALL:
        raise _Other(f"{name} takes {info.file_size / 1e6:.1f} MB, and should take less than {SMALL / 1e6:.0f}")
    return packed.open(info)


def _unpack_one(packed: zipfile.ZipFile, name: str, part: PackedFile, to: Path) -> None:
    if packed.getinfo(name).file_size != part.size:
        raise _Other(f"{name} has changed in size")
    with _entered(packed, name) as inside, files.private(to) as outside:
        shutil.copyfileobj(inside, outside)
        outside.flush()
        os.fsync(outside.fileno())
    if digest(to) != part:
        raise _Other(f"{name} is not what it was")


def _targets(unpacked: Path, settings: Path, backup: Path) -> dict[Path, Path]:
    """Return the unpacked file for each of the table's files.

    Raises `WrongInput` for a path outside the table's folder, or hidden in it (hidden files are read by shells and ssh,
    and are no part of a table), or new and not named for its content. Paths of files that the backup does not hold are
    checked too, because they would count as the table's own at the next restore.
    """
    table = _described(unpacked / TABLE, backup)
    kept_already = _kept_by(settings)
    targets = {settings: unpacked / TABLE}
    for name, inside in files_of(table).items():
        is_packed = (unpacked / name).exists()
        relative = Path(os.path.relpath(inside, unpacked))
        target = Path(os.path.normpath(settings.parent / relative))
        if not is_packed and kept_already & {inside, target}:
            continue
        # Resolved as well, because a link in the folder may lead out of it.
        inward = ".." not in relative.parts and target.resolve().is_relative_to(settings.parent.resolve())
        if not inward or any(part.startswith(".") for part in relative.parts):
            raise WrongInput(
                f"the table.toml in {backup} keeps its {Path(name).stem} at {inside}, "
                f"{'hidden in' if inward else 'outside'} its own folder: "
                "nothing is written there. The backup is a zip: unpack it, and put the files there by hand"
            )
        if name in _NAMED and target not in kept_already and not re.fullmatch(_NAMED[name], target.name):
            raise WrongInput(
                f"the table.toml in {backup} keeps its {Path(name).stem} at {relative}, where none is kept yet. "
                "New files are only made under names that say what they are: log *.sqlite or *.db, tags *tags*.toml, "
                "password *password, certificate *.crt or *.pem. Is it your own backup? It is a zip: put its "
                f"table.toml at {settings}, and restore again. Nothing was changed"
            )
        if is_packed and (name != CLUB or not target.exists()):  # an existing one knows which results were sent since
            targets[target] = unpacked / name
    return targets


def _kept_by(settings: Path) -> set[Path]:
    """Return the paths of the existing table's files; none if its settings can't be read."""
    try:
        files_kept = files_of(begun(settings)).values() if settings.exists() else ()
    except ConfigFault:
        return set()
    return {Path(os.path.normpath(file)) for file in files_kept}


def _described(settings: Path, backup: Path) -> Table:
    try:
        return begun(settings)
    except ConfigFault as wrong:
        raise WrongInput(f"the table.toml in {backup} is of no use to this companion: {wrong}") from wrong


def _look_through(targets: dict[Path, Path], backup: Path) -> None:
    """Check that tags, log and codes can be used. Raises `WrongInput`."""
    try:
        for part in targets.values():
            if part.name == TAGS:
                Decks(part)
            if part.name == LOG:
                with closing(Log(part, writes=False)) as log:
                    log.check()
            if part.name == PHONES:
                rights_file.load(part)
            if part.name == CLUB:
                go_ahead(part)
    except (TagsFault, LogFault, PhonesFault, OutboxFault) as wrong:
        raise WrongInput(f"{backup} can't be used: {wrong}. Nothing was changed") from wrong


def _see_that_every_match_is_whole(log: Path, backup: Path, advance: Advance) -> None:
    """Verify every event's digest. Raises `WrongInput` with what is wrong."""
    lost = list(islice(unread_in_words(log, advance), TOLD + 1)) if log.exists() else []
    if lost:
        faults = "; ".join(fault.replace(str(log), LOG) for fault in lost[:TOLD]) + (
            "; and more" if lost[TOLD:] else ""
        )
        raise WrongInput(
            f"{backup} holds a log that is not as it was written: {faults}. "
            "If you have no better one, bring it back with --anyway. Nothing was changed"
        )


def _put(targets: Mapping[Path, Path], home: Path) -> Iterator[str]:
    """Copy the existing files aside, then swap. Raises `LogFault` while a companion runs, `NotNow` and OSError."""
    with ExitStack() as held:
        for path in _logs(targets):
            held.enter_context(lock(path))
        safe_place = home / f"before-restore-{datetime.now():%Y-%m-%d-%H%M%S-%f}"
        present = [path for target, part in targets.items() for path in _with_beside(target, part) if path.exists()]
        if present:
            safe_place.mkdir(mode=0o700)
            give_to_the_folders_owner(safe_place)
            for path in present:
                copy = safe_place / path.relative_to(home)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, copy)
                give_to_the_folders_owner(copy)
                files.sync(copy)
            # The folders too: until they are synchronised, a power cut may lose the names of the copies.
            for folder in {safe_place, *(path for path in safe_place.rglob("*") if path.is_dir()), home}:
                files.sync(folder)
            yield f"kept what was there in {safe_place}"
        for target, part in targets.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            if part.name == LOG:
                _leave_nothing_beside(target, part)
            files.swap(part, target)
            give_to_the_folders_owner(target)
            if part.name in _WITH_A_COPY:
                keep_copy(target)
            yield f"restored {target}"


def _leave_nothing_beside(target: Path, part: Path) -> None:
    """Remove files of the old log that would be taken for the new one's, after folding its write-ahead log into it."""
    fold(target)
    for beside in _with_beside(target, part)[1:]:
        beside.unlink(missing_ok=True)
    files.sync(target.parent)


def _logs(targets: Mapping[Path, Path]) -> set[Path]:
    """Return the logs to lock: the one that is restored, and that of the existing table."""
    logs = {target for target, part in targets.items() if part.name == LOG}
    for target, part in targets.items():
        if part.name == TABLE and target.exists():
            try:
                logs.add(load(target).log)
            except ConfigFault:
                continue  # with such settings no companion can be running
    return logs


def _with_beside(target: Path, part: Path) -> list[Path]:
    return [target.with_name(target.name + ending) for ending in (_BESIDE if part.name == LOG else ("",))]
