"""The report of a table that can't start: its ailments and its last messages."""

from collections.abc import Iterable
from pathlib import Path

from companion.config import Table
from companion.report.about import about
from companion.report.messages import read_messages
from companion.report.packing import packed, settings_text
from companion.report.secrets import names_are_known, secrets, without
from companion.storage.ailments import Ailment

_NAMES_UNKNOWN = "Left out: the files that tell people's names can't be read, so no name could be taken out.\n"


def pack_stopped(settings: Path | None, table: Table, ailments: Iterable[Ailment]) -> bytes:
    """Return the report of a table that is not running as a zip, without anything private."""
    wrong = [f"wrong   {ailment.code}: {ailment.says}" for ailment in ailments]
    parts = {
        "about.txt": about(table),
        "check.txt": "\n".join(["the table can't start", *wrong, ""]),
        "journal.txt": read_messages(table.log) if names_are_known(table) else _NAMES_UNKNOWN,
    }
    return packed(without({**parts, **settings_text(settings)}, secrets(table)))
