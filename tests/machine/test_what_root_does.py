"""What runs as root never does for the table's user what they may not: whatever they leave in their folder, links above
all, leads no further than they themselves may go. Here "nobody" stands for that user.
"""

import os
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.backups import finding
from companion.backups.restoring import put_back
from companion.backups.writing import write_backup
from companion.cli import clock_setting, service, update, usb_stick
from companion.config import begun
from companion.errors import CompanionError
from companion.machine.upkeep_units import BESIDE
from companion.storage.log import Log
from companion.versions import launcher, packed
from companion.versions.launcher import Probation, as_owner_of
from tests.owned import NOBODY, owned_folder, reachable_folder

SECRET = "only root may read this"
OURS = "root's own text"

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root has more rights than the table's user")


class Yard:
    """The table's folder, which is nobody's, and beside it what is root's."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.secret = folder / "secret"
        self.secret.write_text(SECRET)
        self.secret.chmod(0o600)
        self.ours = folder / "ours"
        self.ours.write_text(OURS)
        self.open = owned_folder(folder / "theirs-elsewhere")
        self.home = owned_folder(folder / "home")
        self.settings = self.home / "table.toml"
        self.log = self.home / "log.sqlite"
        self.roots = folder / "opt"
        (self.roots / "versions/1.0").mkdir(parents=True)
        (self.roots / "versions/1.1").mkdir()
        with as_owner_of(self.home):
            self.settings.write_text('log = "log.sqlite"\n')
            Log(self.log, writes=True).close()
            (self.home / "before-1.1").mkdir()
            for name in ("log.sqlite", "log.sqlite.phones", "log.sqlite.world"):
                (self.home / "before-1.1" / name).write_text("as it was before")

    def link(self, name: str, to: Path) -> None:
        """Put a link there, as the table's user may, in the place of what has that name."""
        with as_owner_of(self.home):
            (self.home / name).unlink(missing_ok=True)
            (self.home / name).parent.mkdir(exist_ok=True)
            (self.home / name).symlink_to(to)

    def is_untouched(self) -> bool:
        """Return whether root's files are as they were, and nobody has got the secret."""
        as_they_were = self.secret.read_text() == SECRET and self.ours.read_text() == OURS
        roots = all(path.stat().st_uid == 0 for path in (self.secret, self.ours))
        return as_they_were and roots and not any(map(self._tells, self.folder.rglob("*")))

    def _tells(self, path: Path) -> bool:
        if path == self.secret or path.is_symlink() or not path.is_file():
            return False
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as packed:
                return any(SECRET.encode() in packed.read(name) for name in packed.namelist())
        status = path.stat()
        readable = status.st_uid == NOBODY or status.st_mode & 0o044
        return bool(readable) and SECRET.encode() in path.read_bytes()


@pytest.fixture
def yard() -> Iterator[Yard]:
    with reachable_folder() as folder:
        yield Yard(folder)


def go_back(yard: Yard) -> None:
    launcher.go_back(
        yard.roots, Probation("1.1", "1.0", log=str(yard.log), layout=99, kept=str(yard.home / "before-1.1"))
    )


def stick(yard: Yard) -> None:
    (yard.folder / "stick/table-companion").mkdir(parents=True)
    list(usb_stick.use(yard.folder / "stick", yard.settings, yard.roots))


def restored(yard: Yard) -> None:
    backup = yard.folder / "backup.zip"
    with reachable_folder() as other:
        (other / "table.toml").write_text('log = "log.sqlite"\n')
        Log(other / "log.sqlite", writes=True).close()
        write_backup(begun(other / "table.toml"), other / "table.toml", backup)
    list(put_back(yard.settings, backup))


def brought(yard: Yard) -> None:
    source = yard.folder / "admins"
    source.mkdir()
    (source / "table.toml").write_text('log = "log.sqlite"\n')
    Log(source / "log.sqlite", writes=True).close()
    list(service.bring(begun(source / "table.toml"), source / "table.toml", yard.home))


def kept(yard: Yard) -> None:
    with as_owner_of(yard.home):
        update._keep(begun(yard.settings), "1.1")


ROOTS_WORK: dict[str, Callable[[Yard], object]] = {
    "a version that goes back": go_back,
    "a backup onto a stick": stick,
    "a backup by hand": lambda yard: write_backup(begun(yard.settings), yard.settings, yard.folder / "by-hand.zip"),
    "a backup that is brought back": restored,
    "a table that is brought": brought,
    "everything given to its user": lambda yard: service.give_all(yard.home, NOBODY, NOBODY),
    "what is kept before an update": kept,
    "the clock": lambda yard: clock_setting.to_set(yard.home / "clock", False),
    "the units of a new version": lambda yard: service._described(yard.settings),
}
NAMES = (
    *(
        "table.toml",
        "table.toml.new",
        "tags.toml",
        "clock",
        "log.sqlite.part",
        "log.sqlite.world.part",
        "log.sqlite.new",
        "log.sqlite.lock",
    ),
    *(f"log.sqlite{end}" for end in ("-wal", "-shm", ".phones", ".phones.part", ".world", ".club", ".of-1.1")),
    *("before-1.1", "before-1.1/log.sqlite", "before-1.1/log.sqlite.phones", "before-1.1/x"),
)


@pytest.mark.parametrize("work", ROOTS_WORK)
def test_a_link_that_the_tables_user_leaves_leads_root_nowhere(work: str) -> None:
    for name in NAMES:
        for target in ("secret", "ours", "opt"):
            with reachable_folder() as folder:
                yard = Yard(folder)
                with suppress(OSError):
                    yard.link(name, folder / target)
                with suppress(CompanionError, OSError):
                    ROOTS_WORK[work](yard)
                assert yard.is_untouched(), f"{name} was a link to {target}"


def test_a_password_that_is_roots_is_in_no_backup(yard: Yard) -> None:
    club = '[club]\nbroker = "mqtt://x"\nclub = "w"\nname = "n"\nuser = "u"\npassword_file = "{}"\n'
    yard.settings.write_text(f'log = "log.sqlite"\n{club.format(yard.secret)}')
    with pytest.raises(CompanionError, match="secret"):
        write_backup(begun(yard.settings), yard.settings, yard.folder / "backup.zip")
    assert not (yard.folder / "backup.zip").exists()


def test_a_log_elsewhere_is_reached_with_no_more_rights(yard: Yard) -> None:
    """The folder of the log may be a link to one of root's: whose rights count is not the link's to say."""
    closed = yard.folder / "closed"
    closed.mkdir(mode=0o700)
    yard.link("logs", closed)
    with as_owner_of(yard.home), pytest.raises(PermissionError):
        (yard.home / "logs/log.sqlite").write_text("x")
    assert os.geteuid() == 0


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda path: path.symlink_to("/dev/zero"), "symbolic links"),
        (lambda path: path.symlink_to("/etc/passwd"), "symbolic links"),
        (lambda path: os.mkfifo(path), "no file"),
        (lambda path: path.mkdir(), "no file"),
        (lambda path: (path.touch(), os.truncate(path, finding.LARGEST + 1)), "larger than any of ours"),
    ],
)
def test_of_a_stick_only_plain_files_of_an_updates_size_are_read(
    yard: Yard, make: Callable[[Path], object], why: str
) -> None:
    folder = yard.folder / "stick/table-companion"
    folder.mkdir(parents=True)
    make(folder / f"x{packed.ENDING}")
    lines = list(usb_stick.use(folder.parent, yard.settings, yard.roots))
    assert why in lines[0]
    assert lines[1].startswith("wrote table-")


def test_a_folder_on_a_stick_that_is_a_link_is_left_alone(yard: Yard) -> None:
    (yard.folder / "stick").mkdir()
    (yard.folder / "stick/table-companion").symlink_to(yard.roots)
    assert "left alone" in next(iter(usb_stick.use(yard.folder / "stick", yard.settings, yard.roots)))


def test_a_stick_is_mounted_so_that_the_kernel_follows_no_link() -> None:
    assert {"nosymfollow", "nosuid", "nodev", "noexec"} <= {*usb_stick.OPTIONS.split(",")}


def test_whatever_root_does_for_the_table_ends_in_time_and_is_tried_here() -> None:
    """A new line that runs as root has to be looked at: by name, and with a limit unless it only watches."""
    as_root = {
        line
        for path, text in BESIDE.items()
        if path.suffix == ".service"
        for line in re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)
    }
    programs = {re.sub(r".*/current/bin/(python -I -m )?|.*/launcher.py ", "", line).split("/")[0] for line in as_root}
    assert programs == {
        "watch",
        "companion update --anyway ",
        "",  # systemctl poweroff
        "companion.cli.clock_setting ",
        "companion.cli.usb_stick ",
    }
    for path, text in BESIDE.items():
        if "Type=oneshot" in text:
            assert "TimeoutStartSec=" in text, path


def test_rights_come_back_whatever_happens(yard: Yard) -> None:
    groups = os.getgroups()
    with suppress(ZeroDivisionError), as_owner_of(yard.home):
        assert (os.geteuid(), os.getegid(), os.getgroups()) == (NOBODY, NOBODY, [])
        1 / 0  # noqa: B018
    assert (os.geteuid(), os.getegid(), os.getgroups()) == (0, 0, groups)
