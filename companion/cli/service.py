"""`companion service`: installs the table as a systemd service, started at boot and after failures.

The service has a user and a folder of its own. An installed table is copied there: a home folder is closed to other
users, and files that the service writes (log, tags) must be where only it may write.
"""

import grp
import os
import pwd
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO

import click

from companion.cli.output import print_lines
from companion.config import Table, begun
from companion.errors import NotNow, WrongInput
from companion.machine import network_files
from companion.machine.table_unit import NAME, SETTINGS, STATE, is_one_of_many, needs, program, unit
from companion.machine.upkeep_units import BESIDE, UDEV, UNITS
from companion.storage.files import club_of, phones_of, private, replace_private, swap, sync, unused, write
from companion.storage.log import Log
from companion.versions.launcher import as_owner_of

UNIT = UNITS / f"{NAME}.service"
_TOLD_LINES = 12


@click.group(epilog="COMMAND --help says more, including the exit status.")
def service() -> None:
    """The table as a service of this machine, started with it, and again if it fails."""


@service.command(
    name="install",
    short_help="Install the table as a service, or renew it.",
    epilog="Exit status: 0 it runs; 1 it can't be done, for the reason given; 2 a wrong TABLE.",
)
@click.argument("file", metavar="[TABLE.toml]", type=click.Path(path_type=Path, readable=False), required=False)
@click.option("--print", "only_print", is_flag=True, help="Print the unit, and do nothing.")
def install_service(file: Path | None, only_print: bool) -> None:
    """Install the table as a systemd service, or renew it, and start it.

    TABLE.toml, its tags and its log are copied to the service's own folder, /var/lib/table-companion. Without
    TABLE.toml it uses the one that is there, with the devices it names now; if there is none yet, the page sets the
    table up.
    """
    path = file or SETTINGS
    if only_print:
        print_lines(unit_text(_described(path), path).splitlines())
        return
    see_that_it_can_be_installed()
    print_lines(install(_described(path), path))


@service.command(name="uninstall", epilog="Exit status: 0 it is gone; 1 it can't be done, for the reason given.")
def uninstall_service() -> None:
    """Stop the service and remove it. Log, tags and table.toml stay."""
    print_lines(uninstall())


@service.command(name="status", epilog="Exit status: 0 it runs; 1 it does not (its last words are shown).")
def service_status() -> None:
    """Say whether the service runs."""
    print_lines(status())


def _described(settings: Path) -> Table:
    """Read a table's file with the rights of its folder's owner, not root's."""
    if not settings.parent.is_dir():
        return begun(settings)
    with as_owner_of(settings.absolute().parent):
        return begun(settings)


def unit_text(table: Table, settings: Path) -> str:
    """Return the unit as it would be installed."""
    return unit(table, settings if _is_inside(settings) else SETTINGS, _groups())


def units(table: Table, settings: Path) -> dict[Path, str]:
    """Return every file that this machine needs for a table, with its text."""
    network = network_files.texts(table.page.port) if table.network.wifi else {}
    return {
        UNIT: unit_text(table, settings),
        **(BESIDE if is_one_of_many() else {}),
        **{path: text for path, text in network.items() if path.parent.is_dir()},
    }


def read_again(written: Mapping[Path, str]) -> None:
    """Have systemd reload, enable and start units that were written. Raises `NotNow`."""
    _reload(written)
    _systemctl("enable", "--quiet", *(path.name for path, text in written.items() if "[Install]" in text))
    if paths := [path.name for path in written if path.suffix == ".path"]:
        _systemctl("start", *paths)


def see_that_it_can_be_installed() -> None:
    """Check that this user can install and uninstall here. Raises `NotNow`."""
    if os.geteuid() != 0:
        raise NotNow("only root may do that: put sudo before the same command")
    if not Path("/run/systemd/system").is_dir():
        raise NotNow(
            "systemd does not run this machine, so it can't start a service: start the table with "
            "`companion run TABLE.toml`. --print shows the unit"
        )
    for path in program():
        if closed := _closed_to_others(path):
            raise NotNow(
                f"the service's own user may not read {closed}, where this companion is installed. "
                "Install it for the whole machine (sudo make pi), then: sudo companion service install TABLE.toml"
            )


def install(table: Table, settings: Path) -> Iterator[str]:
    """Create the user, copy the table to its folder, write the unit and start it; yield what is done.

    Raises `NotNow`, and `WrongInput` for a table that can't live in one folder.
    """
    see_that_it_can_be_installed()
    for missing in sorted({access.group for access in needs(table)} - _groups()):
        yield f"this machine has no group {missing}: devices that belong to it can't be opened by the service"
    yield from _user()
    yield from _bring(table, settings)
    files = units(table, settings)
    for path in network_files.PATHS if table.network.wifi else ():
        if path not in files:
            yield f"did not write {path}: there is no {path.parent}"
    for path, text in files.items():
        # Written under another name and then renamed: systemd may read it at any time.
        part = path.with_name(f"{path.name}.new")
        write(part, text.encode())
        part.chmod(0o644)  # whatever root's umask is: other users' programs read some of them
        swap(part, path)
        yield f"wrote {path}"
    read_again(files)
    try:
        _systemctl("restart", NAME)
    except NotNow as wrong:
        raise NotNow(f"it does not start: {wrong}\n{_last_words()}") from wrong
    yield f"the table runs, at port {table.page.port}, and starts with the machine; its files are in {STATE}"


def uninstall() -> Iterator[str]:
    """Stop the service and remove what was written for it; what was recorded stays. Raises `NotNow`."""
    see_that_it_can_be_installed()
    if not UNIT.exists():
        raise NotNow("no service is installed")
    installed = {path: path.read_text("utf-8") for path in (UNIT, *BESIDE, *network_files.PATHS) if path.exists()}
    _systemctl("disable", "--now", "--quiet", *(path.name for path, text in installed.items() if "[Install]" in text))
    for path in installed:
        path.unlink()
    _reload(installed)
    yield f"the service is gone. {STATE} stays: log, tags and table.toml. To delete it for good: sudo rm -r {STATE}"


def status() -> Iterator[str]:
    """Yield the state of the service. Raises `NotNow` if it does not run."""
    if not UNIT.exists():
        raise NotNow("no service is installed: sudo companion service install TABLE.toml")
    active = _asked("is-active")
    if active != "active":
        raise NotNow(f"the service is {active}: sudo systemctl restart {NAME}. Its last words:\n{_last_words()}")
    yield f"the service runs and is {_asked('is-enabled')}; its files are in {STATE}"
    yield f"its journal: journalctl -u {NAME}"


def _bring(table: Table, settings: Path) -> Iterator[str]:
    """Copy a table to the service's folder, and make everything there the service's own. Raises `NotNow`."""
    owner = pwd.getpwnam(NAME)
    STATE.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.chown(STATE, owner.pw_uid, owner.pw_gid)
    if settings.exists() and not _is_inside(settings):
        yield from bring(table, settings, STATE)
    give_all(STATE, owner.pw_uid, owner.pw_gid)


def give_all(folder: Path, uid: int, gid: int) -> None:
    """Give a user all files below a folder in which that user's programs may be running.

    Safe against them: files are addressed by the open folder and not by a path, which may have become a link; and a
    file with a second hard link, perhaps of a system file, is left alone.
    """
    for _, folders, files, held in os.fwalk(folder, follow_symlinks=False):
        for name in (*folders, *files):
            entry = os.stat(name, dir_fd=held, follow_symlinks=False)
            if entry.st_uid != uid and (entry.st_nlink == 1 or stat.S_ISDIR(entry.st_mode)):
                os.chown(name, uid, gid, dir_fd=held, follow_symlinks=False)


def bring(table: Table, settings: Path, to: Path) -> Iterator[str]:
    """Copy a table to a folder; tags, log and codes only if there are none yet. Yield what is done.

    The settings come last: if they are there after a power cut, everything is. Raises `WrongInput`.
    """
    home = settings.absolute().parent
    to.mkdir(mode=0o700, parents=True, exist_ok=True)
    for key, path in (("log", table.log), ("tags", table.tags), *_club_files(table).items()):
        if path is not None and not path.absolute().is_relative_to(home):
            raise WrongInput(f'{settings}: {key} must lie beside it for the service, as in {key} = "{path.name}"')
    beside = (table.tags, phones_of(table.log), club_of(table.log), *_club_files(table).values())
    for path in (table.log, *beside):
        if path is None or not path.exists():
            continue
        target = to / path.absolute().relative_to(home)
        with _to_be_copied(path, table) as source, as_owner_of(to):
            if target.exists():
                yield f"kept {target}; {path} was not copied"
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            _copy(source, target)
        yield f"brought {path}"
    written = settings.read_bytes()
    with as_owner_of(to):
        yield from _replace_settings(to / SETTINGS.name, written)
    yield f"brought {settings}"


def _replace_settings(target: Path, written: bytes) -> Iterator[str]:
    if target.exists() and target.read_bytes() != written:
        earlier = unused(target.with_name(f"table.toml.before-{datetime.now():%Y-%m-%d-%H%M%S}"))
        with target.open("rb") as source:
            _copy(source, earlier)
        yield f"kept the table.toml that was there as {earlier}"
    replace_private(target, written)


@contextmanager
def _to_be_copied(path: Path, table: Table) -> Iterator[IO[bytes]]:
    """Open a file of the table with the present user's rights; of the log, a consistent copy."""
    if path != table.log:
        with path.open("rb") as source:
            yield source
        return
    with tempfile.TemporaryDirectory(prefix="table-companion-") as folder:
        copy = Path(folder) / "log.sqlite"
        _copy_log(path, copy)
        with copy.open("rb") as source:
            yield source


def _copy(source: IO[bytes], to: Path) -> None:
    part = to.with_name(f"{to.name}.new")
    part.unlink(missing_ok=True)  # left by a power cut during an earlier copy
    with private(part) as file:
        shutil.copyfileobj(source, file)
    sync(part)
    swap(part, to)


def _club_files(table: Table) -> dict[str, Path]:
    """Return the files of the club's credentials, by the settings that name them."""
    named = {"password_file": table.club.password_file, "ca": table.club.ca} if table.club else {}
    return {key: Path(file) for key, file in named.items() if file}


def _copy_log(log: Path, to: Path) -> None:
    with closing(Log(log, writes=True)) as held:  # locks it: an event recorded meanwhile would be missing in the copy
        held.copy(to)


def _is_inside(settings: Path) -> bool:
    """Return whether a file lies in the service's own folder."""
    return settings.resolve().is_relative_to(STATE)


def _groups() -> frozenset[str]:
    return frozenset(group.gr_name for group in grp.getgrall())


def _user() -> Iterator[str]:
    try:
        pwd.getpwnam(NAME)
    except KeyError:
        # After a power cut during useradd, the group may exist without the user.
        group = ["--gid", NAME] if NAME in _groups() else ["--user-group"]
        _done("useradd", "--system", *group, "--home-dir", str(STATE), "--shell", "/usr/sbin/nologin", NAME)
        yield f"made the user {NAME}"


def _closed_to_others(path: Path) -> Path | None:
    """Return the first folder or file on a path that other users may not enter or read; None if all may be."""
    for step in (*reversed(path.parents), path):
        bit = stat.S_IXOTH if step.is_dir() else stat.S_IROTH
        if not step.stat().st_mode & bit:
            return step
    return None


def _reload(changed: Iterable[Path]) -> None:
    _systemctl("daemon-reload")
    if any(path.parent == UDEV for path in changed):
        _done("udevadm", "control", "--reload")


def _systemctl(*words: str) -> None:
    _done("systemctl", *words)


def _asked(question: str) -> str:
    return subprocess.run(["systemctl", question, NAME], capture_output=True, text=True, check=False).stdout.strip()


def _last_words() -> str:
    words = ["journalctl", "--unit", NAME, "--no-pager", "--output", "cat", "--lines", str(_TOLD_LINES)]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()


def _done(*command: str) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise NotNow(f"{command[0]} is needed and is not installed") from None
    if done.returncode:
        raise NotNow(f"{' '.join(command)}: {done.stderr.strip() or f'ended with {done.returncode}'}")
