"""`companion update`: installs a new version beside the running one, checks it on a copy of the log, and starts it.

The running version is not touched until the new one has read a copy of the table's log and rendered its pages. From
then on it is on trial: `companion.versions.launcher` watches it, and reverts if it fails. Power may fail at any moment.
"""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

import click
import msgspec

from companion.backups.restoring import put_back
from companion.backups.writing import write_backup
from companion.cli.output import print_lines
from companion.cli.service import read_again
from companion.config import Table, begun
from companion.errors import CompanionError, NotNow, WrongInput
from companion.judge.match import judge
from companion.machine.table_unit import NAME, SETTINGS
from companion.storage.files import phones_of, sync, world_of
from companion.storage.log import Log
from companion.versions import launcher, packed
from companion.versions.installing import install
from companion.versions.launcher import ROOT, Probation, as_owner_of

CHECK_S = 900
"""Seconds for the new version to judge every match of the log."""

Service = Callable[[str], None]
"""Carries out `stop` or `start` on the table's service."""


@click.command(
    epilog="Exit status: 0 the new version runs, on trial; 1 it can't be done now; 2 a wrong or damaged FILE."
)
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--anyway", is_flag=True, help="Update even if a match is unfinished: it goes on afterwards.")
@click.option("--signers", type=click.Path(path_type=Path), help="Accept what these have signed. [default: the makers]")
def update(file: Path | None, anyway: bool, signers: Path | None) -> None:
    """Update the companion of this machine from a signed file.

    FILE is an update, or a folder: then the newest in it. The new version is installed beside the running one, looks at
    a copy of the log, and takes over; should it fail within its first minutes, the previous one comes back by itself.
    """
    if file is None:
        raise WrongInput("name the FILE of an update, or its folder: none has been published yet to be fetched")
    if os.geteuid() != 0:
        raise NotNow("only root may do that: put sudo before the same command")
    os.umask(0o022)  # the table's own user runs what root installs
    print_lines(updated(newest(file), SETTINGS, ROOT, _service, signers or packed.SIGNERS, anyway=anyway))


def newest(file: Path) -> Path:
    """Return the given file, or the newest update in the given folder. Raises `WrongInput` if there is none."""
    if not file.is_dir():
        if not file.exists():
            raise WrongInput(f"there is no {file}")
        return file
    updates = [path for path in file.glob(f"*{packed.ENDING}") if packed.peek(path)]
    if not updates:
        raise WrongInput(f"there is no update in {file}")
    return max(updates, key=lambda path: packed.order(packed.peek(path)))


def updated(
    file: Path, settings: Path, root: Path, service: Service, signers: Path, *, anyway: bool = False
) -> Iterator[str]:
    """Install the version in a file and put it on trial; yield each step done.

    Raises `NotNow` and `WrongInput`; the previous version then runs on, and the host's page says why.
    """
    old = launcher.current(root)
    if not old:
        raise NotNow(
            f"versions do not lie side by side here: there is no {root}/current. Update as you installed: "
            "in the folder of the new version's program, sudo make pi && sudo companion service install"
        )
    if launcher.trial(root):
        raise NotNow("the last update is still on trial: wait a few minutes")
    launcher.say(root, "trying", new=packed.peek(file), old=old)
    try:
        yield from _updated(file, settings, root, service, signers, anyway)
    except (CompanionError, OSError) as wrong:
        launcher.say(root, "refused", new=packed.peek(file), old=old, why=str(wrong))
        if isinstance(wrong, CompanionError):
            raise
        raise NotNow(f"{wrong}. The previous version runs on") from wrong
    except KeyboardInterrupt:
        launcher.say(root, "stays", new=packed.peek(file), old=old)
        raise


def _updated(file: Path, settings: Path, root: Path, service: Service, signers: Path, anyway: bool) -> Iterator[str]:
    old = launcher.current(root)
    home = settings.parent
    with as_owner_of(home):
        table = begun(settings)
        played = _on_table(table)
        if not anyway:
            _see_that_no_match_is_on(table)
    with tempfile.TemporaryDirectory(prefix=".staged-", dir=root) as staged:
        version = packed.unpack(file, Path(staged), signers)
        if packed.order(version) <= packed.order(old):
            raise WrongInput(f"{file} brings {version}, and {old} runs: it is not newer")
        yield f"{version} is signed and intact"
        install(Path(staged), root)
    yield f"{version} is installed beside {old}"
    python = root / "versions" / version / "bin/python"
    try:
        _self_check(python, table, settings)
    except (CompanionError, KeyboardInterrupt):
        launcher.discard(root, version)
        raise
    yield f"{version} reads a copy of the log, and shows its pages"
    units = _units(python, settings)
    # From here to "start" the table is down, so all slow work was done before.
    service("stop")
    try:
        with as_owner_of(home):
            if _on_table(table) != played:
                raise NotNow("a match has begun in the meantime: update after it")
            copies = _keep(table, version)
            layout = launcher.layout(table.log) if table.log.exists() else 0
            log = str(table.log) if table.log.exists() else ""
        changed = launcher.change_units(root, version, units)
        if changed:
            read_again({Path(path): text for path, text in changed.items()})
        launcher.begin(root, Probation(version, old, log=log, layout=layout, kept=str(copies)))
    finally:
        service("start")
    yield f"{version} runs, and is watched for a few minutes; should it fail, {old} comes back by itself"


def _on_table(table: Table) -> int | None:
    if not table.log.exists():
        return None
    with closing(Log(table.log, writes=False)) as log:
        return log.on_table()


def _see_that_no_match_is_on(table: Table) -> None:
    number = _on_table(table)
    if number is None:
        return
    with closing(Log(table.log, writes=False)) as log:
        if not judge(log.events(number)).over:
            raise NotNow(f"match {number} is not over: play it to its end, or use --anyway and resume it afterwards")


def _self_check(python: Path, table: Table, settings: Path) -> None:
    """Run the new version's self-check on a copy of the table, as the table's user. Raises `NotNow`."""
    with tempfile.TemporaryDirectory(prefix="table-companion-", dir="/var/tmp") as folder:
        copy = Path(folder) / "table"
        copy.mkdir(mode=0o700)
        backup = write_backup(table, settings, Path(folder) / "backup.zip")
        with as_owner_of(settings.parent):
            written = settings.read_bytes()
        (copy / "table.toml").write_bytes(written)  # it names the table's other files, which may have any names
        list(put_back(copy / "table.toml", backup, anyway=True))
        words: list[str | Path] = [python, "-I", "-m", "companion.cli.self_check", copy]
        user = _user()
        if user:
            for path in (Path(folder), copy, *copy.rglob("*")):
                os.chown(path, user.pw_uid, user.pw_gid)
            words = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups", *words]
        try:
            # Its standard output stays the terminal, for its progress line.
            done = subprocess.run(words, cwd="/", stderr=subprocess.PIPE, text=True, timeout=CHECK_S, check=False)
        except subprocess.TimeoutExpired:
            raise NotNow(f"the new version did not finish with a copy of the log within {CHECK_S} s") from None
        if done.returncode:
            complaint = _last_word(done.stderr)
            raise NotNow(f"the new version fails with a copy of this table: {complaint}. The previous version runs on")


def _units(python: Path, settings: Path) -> Mapping[str, str]:
    """Return the units' texts by path, as the new version wants them. Raises `NotNow`."""
    words: list[str | Path] = [python, "-I", "-m", "companion.cli.renewed_units", settings]
    done = subprocess.run(words, cwd="/", capture_output=True, text=True, check=False)
    try:
        return msgspec.json.decode(done.stdout, type=dict[str, str])
    except msgspec.DecodeError:
        complaint = _last_word(done.stderr)
        raise NotNow(f"the new version does not name its units: {complaint}. The previous version runs on") from None


def _last_word(output: str) -> str:
    return (output.strip() or "no word").splitlines()[-1]


def _user() -> pwd.struct_passwd | None:
    """Return the table's user, if this process is root and there is one."""
    try:
        return pwd.getpwnam(NAME) if os.geteuid() == 0 else None
    except KeyError:
        return None


def _keep(table: Table, version: str) -> Path:
    """Copy, durably, the files that the new version may convert to a newer layout; return the copies' folder."""
    copies = table.log.parent / f"before-{version}"
    shutil.rmtree(copies, ignore_errors=True)
    copies.mkdir(mode=0o700)
    if table.log.exists():
        with closing(Log(table.log, writes=False)) as log:
            log.copy(copies / table.log.name)
        for beside in (phones_of(table.log), world_of(table.log)):
            if beside.exists():
                shutil.copyfile(beside, copies / beside.name)
    for path in copies.iterdir():
        path.chmod(0o600)
        sync(path)
    sync(copies)
    sync(copies.parent)
    return copies


def _service(do: str) -> None:
    """Stop the table's service and wait for it; or start it with its watcher."""
    words = ["start", "--no-block", NAME, f"{NAME}-watch"] if do == "start" else [do, NAME]
    done = subprocess.run(["systemctl", *words], check=False)
    if done.returncode:
        raise NotNow(f"systemctl {do} {NAME} ended with {done.returncode}: sudo companion service status")
