"""Carries out remedies. Nothing is deleted: files are moved aside."""

from collections.abc import Iterator
from pathlib import Path

from companion.config import PageSettings, Table
from companion.errors import NotKept
from companion.first_aid.examination import Patient
from companion.storage import files, last_copy
from companion.storage.ailments import AilmentCode, Remedy
from companion.storage.files import phones_of
from companion.storage.opening import LogFault
from companion.storage.salvage import go_on

GIVES_AWAY = frozenset(
    (
        (AilmentCode.SETTINGS_LOST, Remedy.ANEW),
        (AilmentCode.SETTINGS_WRONG, Remedy.ANEW),
        (AilmentCode.SETTINGS_CUT, Remedy.AS_IT_IS),
        (AilmentCode.PHONES_DAMAGED, Remedy.ANEW),
    )
)
"""Remedies after which the first phone that comes sets the table up, or becomes the host's."""


def cure(patient: Patient, code: AilmentCode, remedy: Remedy) -> None:
    """Carry out a remedy. Raises `NotKept` if nothing can be written."""
    log = patient.table.log
    phones = phones_of(patient.table.log)
    try:
        match code:
            case AilmentCode.SETTINGS_CUT if patient.settings:
                _cure_file(patient.settings, remedy)
            case AilmentCode.SETTINGS_LOST | AilmentCode.SETTINGS_WRONG if patient.settings:
                _cure_file(patient.settings, remedy)
                if remedy is Remedy.ANEW:
                    _write_where_it_was(patient.settings, patient.table)
            case AilmentCode.PHONES_DAMAGED:
                _cure_file(phones, remedy)
            case AilmentCode.LOG_LOST | AilmentCode.LOG_DAMAGED | AilmentCode.LOG_NEWER | AilmentCode.LOG_STRANGE:
                go_on(log, _numbers_in(patient))
    except OSError as wrong:
        raise NotKept(f"can't write: {wrong.strerror}. Nothing is lost") from wrong
    except LogFault as wrong:
        raise NotKept(str(wrong)) from wrong


def _cure_file(path: Path, remedy: Remedy) -> None:
    match remedy:
        case Remedy.LAST_COPY:
            last_copy.bring_back(path)
        case Remedy.ANEW:
            last_copy.give_up(path)
        case Remedy.AS_IT_IS:
            last_copy.use_as_it_is(path)


def _write_where_it_was(settings: Path, table: Table) -> None:
    """Write settings by which the setup is found where the table was: at its port, in its network. Raises OSError."""
    lines = [f'language = "{table.language}"', ""] if table.language else []
    if (table.page.host, table.page.port) != (PageSettings().host, PageSettings().port):
        lines += ["[page]", f'host = "{table.page.host}"', f"port = {table.page.port}", ""]
    if table.network.wifi:
        lines += ["[network]", "wifi = true", ""]
    if lines:
        files.replace_private(settings, "\n".join(lines).encode())


def _numbers_in(patient: Patient) -> Iterator[int]:
    """Yield the match numbers in the phones' file, so that a new log does not use them again."""
    if patient.rights:
        yield from patient.rights.people.corrected
        yield from patient.rights.people.worn
