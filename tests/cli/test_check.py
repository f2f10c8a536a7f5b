"""`companion check`, run as people run it, on emulated devices."""

import json
import os
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.cli.check.checking import Checking
from companion.cli.check.plugged import answering, describe, unused
from companion.config import load
from companion.devices.buzzer_box import programs
from companion.devices.figures import FEWEST, ReaderFigures
from companion.devices.sensing import Sensing
from companion.events import Player, Pressed, Started
from companion.judge.game_code_fault import Fault
from companion.live.game_code_faults import GameFaults
from companion.setup.plugged_in import at_port
from companion.storage.last_copy import keep_copy
from companion.storage.log import Log
from tests.bench.rig import free_port
from tests.cli.program import Running, companion, refused
from tests.cli.test_check_without_table import port
from tests.emulators.box import EmulatedBox
from tests.emulators.pn532_pty import UartPN532
from tests.emulators.quirks import Quirks
from tests.waiting import PATIENCE, until

CARD = "04A1B2C3D4E5F6"
HASTE = "from companion.cli.check import checking; checking.MEASURED_S = 0"


@pytest.fixture(autouse=True)
def _haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """No figures are waited for but where they are `measured`."""
    monkeypatch.setattr("companion.cli.check.checking.MEASURED_S", 0)


@pytest.fixture
def box() -> Iterator[EmulatedBox]:
    with EmulatedBox(firmware=programs.version()) as box:
        yield box


@pytest.fixture
def file(tmp_path: Path, reader: UartPN532, box: EmulatedBox) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(
        f'[[reader]]\ndriver = "pn532-uart"\nplace = "centre"\nport = "{reader.path}"\n'
        f'[[buzzers]]\ndriver = "pico"\nport = "{box.path}"\nseats = [1, 3]\n'
        f"[page]\nport = {free_port()}\n",
        encoding="utf-8",
    )
    return path


@pytest.fixture
def buttons(tmp_path: Path, box: EmulatedBox) -> Path:
    """A table of buttons alone."""
    path = tmp_path / "table.toml"
    path.write_text(f'[[buzzers]]\ndriver = "pico"\nport = "{box.path}"\nseats = [1, 3]\n', encoding="utf-8")
    return path


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch, reader: UartPN532) -> None:
    """Listen until the reader has its figures, however long that takes here, instead of so many seconds."""

    def known(checking: Checking) -> bool:
        figures = checking.checkup.devices()[0].figures
        return isinstance(figures, ReaderFigures) and None not in (figures.polls, figures.read)

    def sensed(checking: Checking, *_: object) -> Iterator[Sensing]:
        until(lambda: reader.polls > 3 * FEWEST and known(checking))
        return iter(())

    monkeypatch.setattr(Checking, "sensed", sensed)
    monkeypatch.setattr("companion.devices.drivers.pn532_uart.ACK_WITHIN", PATIENCE)  # a busy machine looks away
    monkeypatch.setattr("companion.devices.buzzer_box.connection.ANSWER_S", PATIENCE)
    monkeypatch.setattr("companion.devices.buzzer_box.connection.SILENCE_S", PATIENCE)
    monkeypatch.setattr("companion.devices.check.findings.SLOWEST", 0.0)  # and polls as often as it can


@pytest.mark.usefixtures("measured")
def test_a_table_that_does_well_is_told_with_its_figures(file: Path, reader: UartPN532) -> None:
    reader.put(CARD)
    done = companion("check", file)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "ok      reader centre: PN532 firmware 1.6, " in done.stdout
    assert " polls a second, sees its card in 100 of 100 polls" in done.stdout
    assert "        seat 3: not pressed" in done.stdout
    assert done.stdout.endswith("2 of 2 answer\n")


@pytest.mark.usefixtures("measured")
def test_a_card_that_is_badly_read_is_told_with_the_cure(file: Path, reader: UartPN532) -> None:
    reader.be(Quirks(unread=0.5))
    reader.put(CARD)
    message = refused(1, "check", file)
    assert "reader centre: Sees the card lying on it at" in message
    assert "keep metal" in message


def test_a_device_that_does_not_answer_is_told_once(file: Path, reader: UartPN532) -> None:
    reader.unplug()
    done = companion("check", file)
    assert done.exit_code == 1
    assert done.stderr.count("reader centre: ") == 1
    assert f"{reader.path} does not exist" in done.stderr
    assert done.stdout.endswith("1 of 2 answer\n")
    assert "/check shows the same" not in done.stderr


@pytest.mark.usefixtures("measured")
def test_a_device_that_answers_only_while_it_is_listened_to_is_well(
    file: Path, reader: UartPN532, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With some serial ports more than a second passes before the first byte comes."""
    reader.put(CARD)
    late = "/dev/ttyUSB0 opens, but nothing answers there as a PN532 (no answer)."
    monkeypatch.setattr("companion.cli.check.checking.start_all", lambda _: [f"reader centre: {late}"])
    done = companion("check", file)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.endswith("2 of 2 answer\n")


def test_how_long_it_listens_is_said_before(buttons: Path) -> None:
    assert companion("check", buttons, "--watch", "1").stdout.startswith("Listening for 1 s ...\n")


def test_a_walk_leaves_out_what_does_not_answer_and_says_so_first(file: Path, box: EmulatedBox) -> None:
    file.write_text(file.read_text().replace(str(box.path), "/dev/ttyACM99"))
    with Running("check", file, "--walk", haste=HASTE) as walk:
        walk.wait_for("left out  buzzers /dev/ttyACM99: ")
        walk.wait_for("Lay a card here: centre.")
        walk.type()
        walk.wait_for("0 of 1 are right. Not proven: lay centre.")
        assert walk.ended() == 1
        assert not [line for line in walk.said if "Press the buzzer" in line]


def test_a_table_that_runs_already_is_told_with_its_page(file: Path, reader: UartPN532) -> None:
    reader.unplug()
    with socket.create_server(("127.0.0.1", 0)) as page:
        port = page.getsockname()[1]
        file.write_text(re.sub(r"\[page\]\n.*", f'[page]\nhost = "127.0.0.1"\nport = {port}', file.read_text()))
        assert f"http://localhost:{port}/check shows the same" in companion("check", file).stderr


def test_a_box_with_another_firmware_is_told(file: Path, box: EmulatedBox) -> None:
    with EmulatedBox(firmware="0.1") as old:
        file.write_text(file.read_text().replace(str(box.path), str(old.path)))
        done = companion("check", file)
    assert done.exit_code == 1
    assert "Run: companion firmware install" in done.stderr


def test_a_virtual_table_is_well_but_for_what_its_games_raised(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text('[[buzzers]]\ndriver = "virtual"\nseats = [1]\n')
    done = companion("check", path)
    buzzers, disk, answering = done.stdout.splitlines()
    assert (done.exit_code, buzzers, answering) == (0, "ok      buzzers: simulated", "1 of 1 answer")
    assert "disk: keeps an act in " in disk
    GameFaults(tmp_path / "log.sqlite").note([Fault("kartel", "view", "ZeroDivisionError, view.py:7", "Traceback …")])
    message = refused(1, "check", path)
    assert "the game kartel failed when the table last ran, at ZeroDivisionError, view.py:7" in message
    assert "Traceback …" in message


def test_cards_that_lack_their_stickers_since_a_power_cut_are_told(tmp_path: Path) -> None:
    tags = tmp_path / "tags.toml"
    tags.write_text(f'[stop-it]\nred-1 = "{CARD}"\n')
    keep_copy(tags)
    tags.write_text("[stop-it]\n")
    (tmp_path / "table.toml").write_text('tags = "tags.toml"\n[[buzzers]]\ndriver = "virtual"\nseats = [1]\n')
    assert "stop-it/red-1" in refused(1, "check", tmp_path / "table.toml")


def test_settings_whose_end_is_lacking_are_told(buttons: Path) -> None:
    settings = buttons.read_text()
    buttons.write_text(f"{settings}[page]\nport = 8001\n")
    keep_copy(buttons)
    buttons.write_text(settings)
    assert "table.toml.last" in refused(2, "check", buttons)


def test_an_event_that_was_altered_in_the_log_is_told(tmp_path: Path) -> None:
    settings = tmp_path / "table.toml"
    path = tmp_path / "log.sqlite"
    settings.write_text('[[buzzers]]\ndriver = "virtual"\nseats = [1]\n')
    path.touch()
    assert companion("check", settings).exit_code == 0
    with closing(Log(path, writes=True)) as log:
        first = Started(1, 0.0, "stop-it", (Player(1, "Ana"), Player(2, "Bo")), {})
        log.append(log.open_match("now", False, first), [(Pressed(2, 1.0, 1), "")])
    assert companion("check", settings).exit_code == 0
    path.write_bytes(path.read_bytes().replace(b'"at":1.0', b'"at":0.1'))
    assert f"match 1 in {path} is damaged, event 2: the digest does not match" in refused(1, "check", settings)


@pytest.mark.usefixtures("measured")
def test_scripts_get_one_object(file: Path, reader: UartPN532) -> None:
    reader.put(CARD)
    done = companion("check", file, "--json")
    report = json.loads(done.stdout)
    assert (done.exit_code, report["wrong"]) == (0, [])
    assert [device["works"] for device in report["devices"]] == [True, True]
    assert report["devices"][0]["figures"]["read"] == 1.0
    assert report["disk"]["worst"] >= report["disk"]["median"] > 0
    assert CARD not in done.stdout


def test_what_is_laid_and_pressed_is_shown_as_it_comes(file: Path, reader: UartPN532, box: EmulatedBox) -> None:
    with Running("check", file, "--watch", "3600", haste=HASTE) as watching:
        watching.wait_for("ok      reader centre: PN532 firmware")
        reader.put(CARD)
        watching.wait_for(f"card    centre: {CARD}")
        box.press(1)
        watching.wait_for("press   seat 1 at ")


def test_a_walk_leads_around_the_table(file: Path, reader: UartPN532, box: EmulatedBox) -> None:
    box.contacts = {1: "closed 6 1480"}
    with Running("check", file, "--walk", haste=HASTE) as walk:
        for button, seat in ((1, "seat-1"), (2, "seat-3")):
            walk.wait_for(f"Press the buzzer of {seat}.")
            until(lambda button=button: box.recording == button)  # type: ignore[misc]
            box.press(button)
            walk.wait_for("Right.")
        walk.wait_for("Lay a card here: centre.")
        reader.put(CARD)
        walk.wait_for("All 3 are right.")
        walk.wait_for("seat 1: 1 press; bounces 6 times, within 1.5 ms")
        assert walk.ended() == 0


def test_what_was_heard_instead_and_what_was_skipped_is_not_proven(file: Path, box: EmulatedBox) -> None:
    with Running("check", file, "--walk", haste=HASTE) as walk:
        walk.wait_for("Press the buzzer of seat-1.")
        box.press(2)
        walk.wait_for("That was seat-3.")
        box.press(2)
        walk.wait_for("Pressed at seat-1, but seat-3 was heard: swap the two in `seats`")
        for _ in range(2):
            walk.wait_for("(Enter: go on without)")
            walk.type()
        walk.wait_for("0 of 3 are right. Not proven: press seat-1, press seat-3, lay centre.")
        assert walk.ended() == 1


def press_joined(box: EmulatedBox, times: int, late: int = 0) -> None:
    """Press one button that is wired to the ports of seats 1 and 3, the second of which is so many µs late.

    The first press was seconds ago: the command must have listened for as long, and so is not started in haste.
    """
    last = box.now() - late  # no box tells of a press that is yet to come
    for presses_left in reversed(range(times)):
        at = last - presses_left * 150_000
        box.press(1, at)
        box.press(2, at + late)


def test_one_button_at_two_ports_shows_whether_they_are_equal(buttons: Path, box: EmulatedBox) -> None:
    with Running("check", buttons, "--fair", "20") as comparison:
        comparison.wait_for("Wanted: 20 presses.")
        press_joined(box, 20)
        comparison.wait_for("20 of 20")
        comparison.wait_for("seat 1 and seat 3: equal within 1.0 µs; seat 3 later by 0.0 µs on average")
        assert comparison.ended() == 0


def test_a_port_that_is_late_is_told_with_the_cure(buttons: Path, box: EmulatedBox) -> None:
    with Running("check", buttons, "--fair", "10", "--json") as comparison:
        comparison.wait_for("Wanted: 10 presses.")
        press_joined(box, 10, late=80)
        comparison.wait_for("10 of 10")
        report = json.loads(comparison.rest())
        assert comparison.ended() == 1
    [pair] = report["fair"]
    assert (pair["one"], pair["other"], pair["evenness"]) == (1, 3, "late")
    assert report["wrong"][0].startswith("seat 3's port is late by 80 µs against seat 1's. Look between the joint")


def test_a_button_that_is_heard_at_one_port_only_proves_nothing(buttons: Path, box: EmulatedBox) -> None:
    with Running("check", buttons, "--fair", "10", haste=HASTE) as comparison:
        comparison.wait_for("Wanted: 10 presses.")
        box.press(1)
        until(lambda: box.acked == 1)
        comparison.type()
        comparison.wait_for("The button was heard only at seat 1: nothing is compared.")
        assert comparison.ended() == 1


def test_nobody_presses_for_a_comparison_while_fewer_than_two_buttons_answer(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text('[[buzzers]]\ndriver = "pico"\nport = "/dev/nothing-there"\nseats = [1, 3]\n', encoding="utf-8")
    done = companion("check", path, "--fair", "50")
    assert done.exit_code == 1
    assert "/dev/nothing-there" in done.stderr
    assert "two buttons or more" in done.stderr
    assert "press it" not in done.stdout


@pytest.mark.parametrize("seconds", ["inf", "nan", "1e300", "-1"])
def test_nobody_watches_longer_than_a_day(seconds: str) -> None:
    assert "--watch" in refused(2, "check", "table.toml", "--watch", seconds)


def test_whoever_is_asked_says_what_it_is_and_the_sections_suggested_are_good(
    tmp_path: Path, reader: UartPN532, box: EmulatedBox
) -> None:
    with EmulatedBox() as silent:
        silent.unplug()
        answers = answering([candidate for path in (reader.path, box.path, silent.path) for candidate in at_port(path)])
    assert [(answer.path, answer.what.partition(".")[0]) for answer in answers] == [
        (reader.path, "a PN532 reader"),
        (box.path, "a buzzer box: 6 buttons"),
        (silent.path, "no reader and no buzzer box answers"),
    ]
    path = tmp_path / "table.toml"
    lines = list(describe(answers))
    path.write_text("\n".join(lines[lines.index("") :]), encoding="utf-8")
    assert [sensor.port for sensor in load(path).sensors] == [reader.path, box.path]


def test_ports_that_the_table_does_not_use_are_found(file: Path, reader: UartPN532) -> None:
    used = port(os.path.realpath(reader.path), 1)
    other = port("/dev/ttyX9", 1)
    assert [unused_port.path for unused_port in unused(load(file), [used, other])] == ["/dev/ttyX9"]


def listens_until(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Have the check listen until the first device's figure of this name is more than nothing."""

    def sensed(checking: Checking, _: float, meanwhile: Callable[[], None]) -> Iterator[Sensing]:
        until(lambda: meanwhile() or getattr(checking.checkup.devices()[0].figures, name))
        return iter(())

    monkeypatch.setattr(Checking, "sensed", sensed)


def test_a_contact_that_stays_closed_is_told(buttons: Path, box: EmulatedBox, monkeypatch: pytest.MonkeyPatch) -> None:
    listens_until(monkeypatch, "closed")
    box.tested = "+c++++ power 100000 1.27.0"
    assert "The contact of seat 3 stays closed" in refused(1, "check", buttons)


def test_a_name_that_may_come_to_mean_another_device_is_told(buttons: Path, box: EmulatedBox) -> None:
    name = buttons.parent / "ttyACM0"
    name.symlink_to(box.path)
    buttons.write_text(buttons.read_text().replace(str(box.path), str(name)))
    assert f"{name} is a name that Linux hands out anew" in refused(1, "check", buttons)


def test_a_weak_supply_is_told(buttons: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "vcgencmd"
    program.write_text("#!/bin/sh\necho throttled=0x50000\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert "supply has been too weak since it was started" in refused(1, "check", buttons)


def test_what_can_be_no_card_is_told(file: Path, reader: UartPN532, monkeypatch: pytest.MonkeyPatch) -> None:
    listens_until(monkeypatch, "strangers")
    reader.put("04A1B2C3D4E5F6", ats=bytes.fromhex("067577810280"))
    assert "a kind of sticker that can't be used was laid here (times so far: 1)" in refused(1, "check", file)
