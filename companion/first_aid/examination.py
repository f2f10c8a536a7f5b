"""Examines every file of a table, to find what keeps it from starting. Changes nothing."""

import logging
import os
import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.access import rights_file
from companion.access.rights_file import PhonesFault
from companion.access.seat_rights import Rights
from companion.config import PageSettings, Table, as_without_file, begun
from companion.errors import CompanionError
from companion.network.serving import PageFault, see_that_it_can_be_served, served_anyway
from companion.settings import SettingsCut
from companion.storage import files
from companion.storage.ailments import Ailment, AilmentCode, Remedy
from companion.storage.files import phones_of
from companion.storage.integrity import see_that_it_is_whole
from companion.storage.last_copy import copy_of, is_lost, remedies_for, says_something
from companion.storage.log import Log
from companion.storage.opening import InUse, LogFault, code_of
from companion.storage.salvage import look_through

_journal = logging.getLogger(__name__)
A_FIRST_FILE = 4096
"""Bytes to be free: three times the phones' file of a new table."""
_CURABLE = (AilmentCode.LOG_LOST, AilmentCode.LOG_DAMAGED, AilmentCode.LOG_NEWER, AilmentCode.LOG_STRANGE)


class Patient(Struct, frozen=True):
    """An examined table."""

    settings: Path | None
    """None: it has no settings file."""
    table: Table
    """By its settings; if they can't be used, by their last copy, or by the defaults."""
    ailments: tuple[Ailment, ...]
    """What keeps it from starting; empty if nothing does."""
    rights: Rights | None
    """Its phones' rights, or their last copy; None: neither can be read."""


def examine(settings: Path | None, table: Table | None = None) -> Patient:
    """Examine all that a table needs to start; `table` describes one without a settings file.

    Raises `InUse` if it is running, and `ConfigFault` if its folder does not exist.
    """
    ailments: list[Ailment] = []
    if table is None:
        assert settings is not None
        table, ailment = described(settings)
        ailments += [ailment] if ailment else []
    if fault := _page_fault(table.page):
        ailments.append(_settings_wrong(settings, fault))
        table = replace(table, page=served_anyway(table.page))
    ailments += _seen(_of_log, table.log) or _seen(_of_room, table.log.parent)
    ailments += _seen(_of_phones, phones_of(table.log))
    return Patient(settings, table, tuple(ailments), _rights(phones_of(table.log)))


def look_closely(patient: Patient) -> Patient:
    """Add to a damaged log's ailment which matches can be read, which takes a while. Raises OSError."""
    return replace(patient, ailments=tuple(_measured(ailment, patient.table.log) for ailment in patient.ailments))


def _measured(ailment: Ailment, log: Path) -> Ailment:
    if ailment.code not in _CURABLE:
        return ailment
    salvage = look_through(log)
    lost = ", ".join(map(str, salvage.lost))
    return replace(ailment, facts={"whole": len(salvage.whole), "lost": len(salvage.lost), "matches": lost})


def described(settings: Path) -> tuple[Table, Ailment | None]:
    """Return the table by its settings file or their last copy, and why the file can't be used (None: it can).

    Raises `ConfigFault` if no page could help, because the file never existed.
    """
    if _was_emptied(settings):
        copy = copy_of(settings)
        beside = f" What it said lies beside it, in {copy.name}" if says_something(copy) else ""
        says = f"{settings} is empty or gone, and was not before.{beside}"
        return _as_last(settings), Ailment(AilmentCode.SETTINGS_LOST, says, remedies=remedies_for(settings))
    if _is_no_file(settings) and says_something(copy_of(settings)):
        says = f"{settings} is no ordinary file"
        return _as_last(settings), Ailment(AilmentCode.SETTINGS_WRONG, says, remedies=remedies_for(settings))
    try:
        return begun(settings), None
    except SettingsCut as cut:
        remedies = (Remedy.LAST_COPY, Remedy.AS_IT_IS)
        return _as_last(settings), Ailment(AilmentCode.SETTINGS_CUT, str(cut), remedies=remedies)
    except Exception as wrong:  # deliberately everything: a keeper without a terminal needs the page
        if not settings.is_file():
            raise
        says = _said(wrong)
        return _as_last(settings), Ailment(AilmentCode.SETTINGS_WRONG, says, remedies=remedies_for(settings))


def _is_no_file(path: Path) -> bool:
    return path.exists() and not path.is_file()


def _said(wrong: Exception) -> str:
    """Describe why something can't be used."""
    if isinstance(wrong, CompanionError):
        return str(wrong)
    _journal.error("a fault of the program", exc_info=wrong)
    return f"a fault of the program: {wrong!r}"


def _page_fault(page: PageSettings) -> str:
    try:
        see_that_it_can_be_served(page)
    except PageFault as wrong:
        return str(wrong)
    return ""


def _settings_wrong(settings: Path | None, says: str) -> Ailment:
    if settings is None:
        return Ailment(AilmentCode.SETTINGS_WRONG, says)
    return Ailment(AilmentCode.SETTINGS_WRONG, f"{settings}: {says}", remedies=remedies_for(settings))


def _was_emptied(settings: Path) -> bool:
    """Return whether the settings are lost; without a copy, whether they are empty beside a log with matches."""
    if is_lost(settings):
        return True
    return settings.is_file() and not says_something(settings) and says_something(as_without_file(settings).log)


def _as_last(settings: Path) -> Table:
    copy = copy_of(settings)
    with suppress(Exception):  # deliberately everything: the defaults describe a table, too
        if copy.is_file():
            return begun(copy)
    return _where_written(settings, as_without_file(settings))


def _where_written(settings: Path, table: Table) -> Table:
    """Return a table at the host and port in invalid settings, if they can be read: people look for it there."""
    try:
        page = tomllib.loads(settings.read_text(encoding="utf-8-sig")).get("page", {})
        named = PageSettings(page.get("host", table.page.host), page.get("port", table.page.port))
        return replace(table, page=msgspec.convert(msgspec.to_builtins(named), PageSettings))
    except (OSError, ValueError, AttributeError, RecursionError):  # ValueError: not UTF-8, not TOML, or no port
        return table


def _seen(look: Callable[[Path], Iterator[Ailment]], path: Path) -> list[Ailment]:
    """Return the ailments of a file or folder; an exception is one, too. Raises `InUse`."""
    try:
        return list(look(path))
    except InUse:
        raise
    except Exception as wrong:  # deliberately everything: a keeper without a terminal needs the page
        return [Ailment(AilmentCode.OTHER, _said(wrong))]


def _of_log(log: Path) -> Iterator[Ailment]:
    try:
        see_that_it_is_whole(log)
        if log.exists():
            Log(log, writes=True).close()
    except InUse:
        raise
    except LogFault as wrong:
        yield Ailment(wrong.code, str(wrong), remedies=(Remedy.ANEW,) if wrong.code in _CURABLE else ())


def _of_room(folder: Path) -> Iterator[Ailment]:
    """Yield why a new table could not write its first file, by writing and removing one of the same size."""
    trial = folder / f".room-{os.getpid()}"
    try:
        files.write_private(trial, bytes(A_FIRST_FILE))
    except OSError as wrong:
        yield Ailment(code_of(wrong), f"can't write in {folder}: {wrong.strerror}")
    finally:
        with suppress(OSError):
            trial.unlink(missing_ok=True)


def _of_phones(phones: Path) -> Iterator[Ailment]:
    if not phones.exists() and not is_lost(phones):
        return
    try:
        rights_file.load(phones)
    except PhonesFault as wrong:
        yield Ailment(AilmentCode.PHONES_DAMAGED, str(wrong), remedies=remedies_for(phones))


def _rights(phones: Path) -> Rights | None:
    for file in (phones, copy_of(phones)):
        try:
            return rights_file.load(file)
        except PhonesFault:
            continue
    return None
