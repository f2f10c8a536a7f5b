"""An update changes nothing until the new version has shown that it can do with this table; then it is on trial."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.cli import self_check
from companion.cli import update as command
from companion.config import load
from companion.errors import NotNow, WrongInput
from companion.storage.log import Log
from companion.storage.log_layout import VERSION
from companion.versions import launcher
from companion.versions.launcher import WHOLE, Probation
from tests.cli.kept import TABLE, Kept


class Machine:
    """A table with versions beside each other; what is not tried here, signature and pip, is left out."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.root = folder / "opt"
        self.kept = Kept(folder)
        self.brings = "2.0"
        self.did: list[str] = []
        self.install(self.root, "1.0")
        launcher.point(self.root, "1.0")
        patch.setattr(command.packed, "unpack", lambda *_: self.brings)
        patch.setattr(command, "install", lambda _, root: self.install(root, self.brings))
        self.looked = command._self_check
        patch.setattr(command, "_self_check", lambda *_: self.did.append("check"))
        self.units: dict[str, str] = {}
        patch.setattr(command, "_units", lambda *_: self.units)
        patch.setattr(command, "read_again", lambda units: self.did.append(f"read {len(units)}"))

    def install(self, root: Path, version: str) -> None:
        (root / "versions" / version).mkdir(parents=True, exist_ok=True)
        (root / "versions" / version / WHOLE).touch()

    def update(self, *, anyway: bool = True) -> list[str]:
        return [*self.steps(anyway=anyway)]

    def steps(self, *, anyway: bool = True) -> Iterator[str]:
        file = self.kept.folder / "new.update"
        return command.updated(file, self.kept.settings, self.root, self.did.append, file, anyway=anyway)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


def test_a_table_whose_files_have_names_of_their_own_is_looked_at_too(machine: Machine) -> None:
    backed_up = machine.kept
    backed_up.settings.write_text(TABLE.replace("log.sqlite", "evenings"))
    backed_up.log.rename(backed_up.folder / "evenings")
    machine.looked(Path("/bin/true"), load(backed_up.settings), backed_up.settings)


def test_it_is_looked_at_before_the_table_stops_and_then_runs_on_trial(machine: Machine) -> None:
    machine.update()
    assert machine.did == ["check", "stop", "start"]
    assert launcher.current(machine.root) == "2.0"
    on = launcher.trial(machine.root)
    assert on
    assert (on.new, on.old, on.layout) == ("2.0", "1.0", VERSION)
    assert machine.kept.events(Path(on.kept) / "log.sqlite") == machine.kept.events()


def test_it_brings_its_units_and_going_back_brings_back_those_before(machine: Machine, tmp_path: Path) -> None:
    same, other, new = (tmp_path / name for name in ("same", "other", "new"))
    for unit in (same, other):
        unit.write_text("before")
    machine.units = {str(same): "before", str(other): "wanted", str(new): "wanted"}
    machine.update()
    assert machine.did == ["check", "stop", "read 2", "start"]
    assert [unit.read_text() for unit in (same, other, new)] == ["before", "wanted", "wanted"]
    on = launcher.trial(machine.root)
    assert on
    launcher.go_back(machine.root, on)
    assert [unit.read_text() for unit in (same, other)] == ["before", "before"]
    assert not new.exists()


def test_units_left_without_a_trial_by_a_power_cut_go_back_at_the_next_start(machine: Machine, tmp_path: Path) -> None:
    launcher.change_units(machine.root, "2.0", {str(tmp_path / "unit"): "wanted"})
    launcher.start(machine.root)
    assert not (tmp_path / "unit").exists()


def test_units_of_a_version_that_is_trusted_stay(machine: Machine, tmp_path: Path) -> None:
    machine.units = {str(tmp_path / "unit"): "wanted"}
    machine.update()
    on = launcher.trial(machine.root)
    assert on
    launcher.trust(machine.root, on)
    launcher.start(machine.root)
    assert (tmp_path / "unit").read_text() == "wanted"


def test_never_while_a_match_is_on(machine: Machine) -> None:
    with pytest.raises(NotNow, match="match 1 is not over"):
        machine.update(anyway=False)
    assert (machine.did, launcher.current(machine.root)) == ([], "1.0")


def test_a_match_begun_meanwhile_puts_it_off(machine: Machine) -> None:
    steps = machine.steps()
    for _ in range(3):
        next(steps)
    with closing(Log(machine.kept.log, writes=True)) as log:
        log.open_match("now", False, log.events(1)[0])
    with pytest.raises(NotNow, match="a match has begun in the meantime"):
        next(steps)
    assert machine.did == ["check", "stop", "start"]
    assert (launcher.current(machine.root), launcher.last_outcome(machine.root)["what"]) == ("1.0", "refused")


@pytest.mark.parametrize("version", ["1.0", "0.9.9"])
def test_only_what_is_newer_is_taken(machine: Machine, version: str) -> None:
    machine.brings = version
    with pytest.raises(WrongInput, match="it is not newer"):
        machine.update()
    assert machine.did == []


def test_a_log_taken_over_by_the_new_version_opens_again_after_going_back(machine: Machine) -> None:
    machine.update()
    on = launcher.trial(machine.root)
    assert isinstance(on, Probation)
    with closing(Log(machine.kept.log, writes=True)) as log:
        log._db.execute(f"PRAGMA user_version = {VERSION + 1}")
    launcher.go_back(machine.root, on)
    assert machine.kept.events() == 2
    assert launcher.layout(machine.kept.folder / "log.sqlite.of-2.0") == VERSION + 1  # what the new one wrote is kept


def test_what_was_played_on_trial_stays_where_the_log_did_not_change(machine: Machine) -> None:
    machine.update()
    machine.kept.play(3)
    on = launcher.trial(machine.root)
    assert on
    launcher.go_back(machine.root, on)
    assert machine.kept.events() == 3


def test_the_check_of_a_new_version_opens_a_copy_and_shows_its_pages(tmp_path: Path) -> None:
    backed_up = Kept(tmp_path)
    self_check.look(backed_up.folder)
    backed_up.settings.write_text("")  # a table that is not set up yet
    self_check.look(backed_up.folder)
    backed_up.log.write_bytes(b"garbage" * 1000)
    with pytest.raises(NotNow):
        self_check.look(backed_up.folder)


def test_the_check_of_a_new_version_says_how_many_matches_it_has_judged(tmp_path: Path) -> None:
    progress: list[tuple[int, int]] = []
    self_check.look(Kept(tmp_path).folder, lambda *how_far: progress.append(how_far))
    assert progress == [(1, 1)]


def test_one_that_somebody_breaks_off_leaves_nothing_of_the_new_version(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "_self_check", interrupted)
    with pytest.raises(KeyboardInterrupt):
        machine.update()
    assert (machine.did, launcher.current(machine.root)) == ([], "1.0")
    assert [folder.name for folder in (machine.root / "versions").iterdir()] == ["1.0"]
    assert launcher.last_outcome(machine.root)["what"] == "stays"


def test_an_update_that_is_not_there_is_called_so(tmp_path: Path) -> None:
    with pytest.raises(WrongInput, match=r"there is no .*nofile"):
        command.newest(tmp_path / "nofile")
