"""`companion report`: one file for whoever helps from afar, without anything private.

The secrets are known, so they can be taken out: every code, every name that anybody has had here, every card by its id
(a fault's words may contain a sealed one), every sticker's number.
"""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path

import click

from companion import __version__, games
from companion.access import rights_file
from companion.access.rights_file import PhonesFault
from companion.cli import options
from companion.cli.output import say
from companion.config import Table, begun
from companion.errors import NotNow
from companion.events import Started
from companion.machine.table_unit import NAME
from companion.storage import disk_speed
from companion.storage.files import phones_of
from companion.storage.log import Log
from companion.storage.opening import LogFault
from companion.versions import launcher

CHECK_S = 60
LINES = 3000
_UID = re.compile(r"\b(?:[0-9A-Fa-f]{2}[: -]?){4,10}\b")
_CODE = re.compile(r"(?i)(\bcode is |\bCLUB-)\S+")
_SECRET = re.compile(r"(?im)^(\s*\w*(?:password|secret|token|key|code)\w*\s*=\s*).*$")


@click.command(epilog="Exit status: 0 written; 1 it can't be written; 2 a wrong TABLE.")
@options.TABLE
@click.argument("to", metavar="FILE", type=click.Path(path_type=Path))
def report(file: Path, to: Path) -> None:
    """Write one file for whoever helps: what the check says, the journal, the settings; no secrets.

    Codes, people's names, cards and the numbers of stickers are taken out of it. FILE is a new file: a zip of texts, to
    be looked through before it is sent.
    """
    table = begun(file)
    settings = {"table.toml": file.read_text(encoding="utf-8-sig")} if file.exists() else {}
    parts = {"about.txt": about(table), **settings, **told_by(file)}
    try:
        with zipfile.ZipFile(to, "x", zipfile.ZIP_DEFLATED) as packed:
            for name, text in without(parts, secrets(table)).items():
                packed.writestr(name, text)
    except FileExistsError:
        raise NotNow(f"{to} exists already: choose another name. Nothing is overwritten") from None
    except OSError as wrong:
        raise NotNow(f"can't write {to}: {wrong.strerror}. Choose another place") from wrong
    say(f"wrote {to}")


def about(table: Table) -> str:
    """Describe the machine: its versions, its disk, how the last update went."""
    lines = [f"companion {__version__}, Python {platform.python_version()}, {platform.platform()}"]
    with suppress(OSError):
        lines.append(f"system: {platform.freedesktop_os_release().get('PRETTY_NAME', '')}")
    folder = table.log.parent
    with suppress(OSError):
        lines.append(f"free: {shutil.disk_usage(folder).free / 1e6:.0f} MB")
        lines.append(f"read-only: {bool(os.statvfs(folder).f_flag & os.ST_RDONLY)}")
        syncs = disk_speed.measure(table.log)
        lines.append(f"keeping a page: {syncs.median * 1000:.1f} ms as a rule, {syncs.worst * 1000:.1f} ms at worst")
    lines.append(f"last update: {json.dumps(launcher.told(launcher.ROOT))}")
    return "\n".join([*lines, ""])


def told_by(file: Path) -> dict[str, str]:
    """Return what the check and the journal say, or why they can't be asked."""
    journal = ["journalctl", "--unit", f"{NAME}*", "--no-pager", "--output", "short-iso", "--lines", str(LINES)]
    return {
        "check.txt": _said([sys.executable, "-m", "companion", "check", str(file)]),
        "journal.txt": _said(journal),
    }


def secrets(table: Table) -> Mapping[str, str]:
    """Return every secret word, and what replaces it."""
    found = {card: "[card]" for game in games.known().values() for card in game.deck}
    found |= dict.fromkeys(_names(table), "[name]")
    with suppress(PhonesFault):
        now = rights_file.load(phones_of(table.log))
        found |= dict.fromkeys((*now.codes.values(), *now.passing.values()), "[code]")
        found |= dict.fromkeys(now.holders.values(), "[phone]")
    return found


def without(parts: Mapping[str, str], secret: Mapping[str, str]) -> dict[str, str]:
    """Return texts without the secrets."""
    words = sorted(filter(None, secret), key=len, reverse=True)
    any_of = re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in words) or r"(?!)", re.IGNORECASE)
    lower = {word.lower(): put for word, put in secret.items()}
    return {name: _clean(any_of.sub(lambda at: lower[at[0].lower()], text)) for name, text in parts.items()}


def _clean(text: str) -> str:
    return _UID.sub("[number]", _SECRET.sub(r"\1[secret]", _CODE.sub(r"\1[code]", text)))


def _names(table: Table) -> Iterator[str]:
    if table.club:
        yield table.club.name
    with suppress(PhonesFault):
        people = rights_file.load(phones_of(table.log)).people
        yield from (guest.name for guest in people.seated.values())
        yield from (person.name for person in people.known)
        yield from (name for names in people.corrected.values() for name in names.values())
    if not table.log.exists():
        return
    with closing(Log(table.log, writes=False)) as log:
        for match in log.numbers():
            with suppress(LogFault):
                first, *_ = log.events(match)
                assert isinstance(first, Started)
                yield from (player.name for player in first.players)


def _said(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=CHECK_S, check=False, errors="replace")
        return f"{done.stdout}\n{done.stderr}"
    except (OSError, subprocess.TimeoutExpired) as wrong:
        return f"{command[0]}: {wrong}\n"
