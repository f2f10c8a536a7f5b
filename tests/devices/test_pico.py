"""The driver over a real serial port to an emulated box, with everything that can go wrong between them."""

import errno
import os
import random
import threading
import time

import msgspec
import pytest
import serial

from companion.devices.box import talk
from companion.devices.box.asking import Asking
from companion.devices.box.faults import Lost
from companion.devices.drivers.pico import Buzzers
from companion.devices.lamps import Cue, Lamps
from companion.devices.sensing import Failed, NotThere, Working
from tests.devices.hearing import SEATS, Table, check, listening
from tests.emulators import box as emulator
from tests.emulators.box import KEPT, EmulatedBox, Faults
from tests.waiting import until


@pytest.fixture(autouse=True)
def _eager_box(monkeypatch):
    """A box may beat more often than it must; then nobody waits for the first beat."""
    monkeypatch.setattr(emulator, "BEAT_S", 0.05)


@pytest.fixture
def impatient(monkeypatch):
    """A driver that gives up sooner, so that a test of silence is short."""
    monkeypatch.setattr(talk, "ANSWER_S", 0.3)
    monkeypatch.setattr(talk, "SILENCE_S", 0.5)


# Settings.


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"port": "", "seats": [1]}, "port"),
        ({"port": "x", "seats": [1], "speed": 9600}, "speed"),
        ({"port": "x"}, "seats"),
    ],
)
def test_settings_that_can_not_be_meant_are_refused(settings, complaint):
    with pytest.raises(msgspec.ValidationError, match=complaint):
        msgspec.convert(settings, Buzzers)


# The start.


def refusal(port, seats=SEATS):
    source = Buzzers(port=port, seats=seats).open(time.monotonic)
    with pytest.raises(NotThere) as caught:
        source.start()
    source.close()
    return str(caught.value)


def test_a_missing_port_is_told_with_the_ports_that_are_there(tmp_path, monkeypatch):
    class Port:
        device, description = "/dev/ttyACM7", "Pico"

    missing = str(tmp_path / "ttyACM0")
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: [Port])
    assert f"no port {missing}" in refusal(missing)
    assert "/dev/ttyACM7 (Pico)" in refusal(missing)
    monkeypatch.setattr("serial.tools.list_ports.comports", list)
    assert "No serial port is there at all" in refusal(missing)


def test_a_port_that_is_not_ours_to_open_names_the_group(monkeypatch):
    def denied(*_, **__):
        raise serial.SerialException(errno.EACCES, "no")

    monkeypatch.setattr(serial, "Serial", denied)
    assert "usermod -aG dialout $USER" in refusal("/dev/ttyACM0")


def test_a_file_is_no_port(tmp_path):
    (tmp_path / "file").touch()
    assert "can't be used as a serial port" in refusal(str(tmp_path / "file"))


def test_a_port_in_use_is_told():
    with EmulatedBox() as box, serial.Serial(box.path, exclusive=True):
        assert "another program" in refusal(box.path)


@pytest.mark.usefixtures("impatient")
def test_a_port_where_no_box_answers_is_told():
    with EmulatedBox(faults=Faults(mute=True)) as box:
        assert "no buzzer box answers" in refusal(box.path)


@pytest.mark.parametrize(
    ("version", "advice"), [(0, "its firmware anew (companion firmware"), (2, "a newer companion")]
)
def test_another_protocol_version_is_told_with_what_to_install(version, advice):
    with EmulatedBox(version=version) as box:
        assert f"install {advice}" in refusal(box.path)


def test_fewer_buttons_than_seats_is_told():
    with EmulatedBox(buttons=4) as box:
        assert "has 4 buttons, but table.toml gives it 6 seats" in refusal(box.path)
        with listening(box.path, seats=(3, 4, 5, 6)):
            pass


def test_after_a_failed_start_the_port_is_free_and_listening_goes_on_trying(tmp_path):
    with EmulatedBox() as box:
        box.unplug()
        assert "no port" in refusal(box.path)
        with listening(box.path, start=False, working=False) as table:
            until(lambda: table.of(Failed))
            box.replug()
            until(lambda: table.of(Working))
            box.press(1)
            until(lambda: table.presses)


# Presses.


def test_presses_come_with_seat_time_uncertainty_and_origin():
    with EmulatedBox(drift_ppm=40) as box, listening(box.path, seats=(5, 2)) as table:
        devices = [box.press(2), box.press(1)]
        until(lambda: len(table.presses) == 2)
        assert [press.seat for press in table.presses] == [2, 5]
        assert [press.origin for press in table.presses] == [f"pico-{box.boot}-{n}" for n in (1, 2)]
        for press, device in zip(table.presses, devices, strict=True):
            assert abs(press.at - box.true_time(device)) <= press.uncertainty
        until(lambda: box.acked == 2)
        [working] = table.state
        assert working.detail.startswith("companion-box 1.0-emulated, ±")
        assert working.detail.endswith(" ms")


def test_order_is_that_of_the_device_and_a_read_is_told_together():
    with EmulatedBox() as box, listening(box.path) as table:
        now = box.now()
        table.gate.clear()
        table.entered.clear()
        box.press(6, now)
        table.entered.wait(15)
        for button, at in [(3, now + 7), (1, now + 5), (2, now + 6)]:
            box.press(button, at)
        table.gate.set()
        until(lambda: len(table.presses) == 4)
        by_time = sorted(table.presses, key=lambda press: press.at)
        assert [press.seat for press in by_time] == [6, 1, 2, 3]
        first = by_time[0].at
        assert [round((press.at - first) * 1e6) for press in by_time] == [0, 5, 6, 7]
        assert any(len(call) > 1 for call in table.calls)


@pytest.mark.usefixtures("impatient")
def test_a_press_is_acknowledged_only_after_tell_has_returned():
    with EmulatedBox() as box, listening(box.path) as table:
        table.gate.clear()
        table.entered.clear()
        box.press(1)
        assert table.entered.wait(15)
        beats = box.now() + 700_000  # the box repeats the press, and a silent box would be given up
        until(lambda: box.now() > beats)
        assert box.acked == 0
        table.gate.set()
        until(lambda: box.acked == 1)
        assert len(table.presses) == 1
        assert table.of(Failed) == [], "a slow disk is no silent box"


def test_what_is_not_kept_is_not_acknowledged_and_told_again():
    with EmulatedBox() as box, listening(box.path) as table:
        table.may_keep = False
        table.entered.clear()
        box.press(1)
        box.press(2)
        for _ in range(3):
            assert table.entered.wait(15)
            table.entered.clear()
        assert box.acked == 0
        table.may_keep = True
        until(lambda: box.acked == 2)
        assert [press.seat for press in table.presses] == [1, 2]


def test_a_button_without_a_seat_is_heard_by_nobody_and_holds_up_nothing():
    with EmulatedBox() as box, listening(box.path, seats=(1, 2)) as table:
        box.press(5)
        box.press(2)
        until(lambda: box.acked == 2)
        assert [press.seat for press in table.presses] == [2]


def test_a_press_does_not_wait_for_a_missing_one_but_the_acknowledgement_does():
    with EmulatedBox() as box, listening(box.path) as table:
        send = box._send_press
        box._send_press = lambda seq, *rest: seq == 1 or send(seq, *rest)
        box.press(1)
        box.press(2)
        until(lambda: table.presses)
        assert [press.seat for press in table.presses] == [2]
        repeated = box.now() + 300_000
        until(lambda: box.now() > repeated)
        assert box.acked == 0
        box._send_press = send
        until(lambda: box.acked == 2)
        assert [press.seat for press in table.presses] == [2, 1]
        second, first = table.presses
        assert first.at < second.at


@pytest.mark.usefixtures("impatient")
def test_presses_that_never_come_through_are_a_fault():
    with EmulatedBox() as box, listening(box.path) as table:
        send = box._send_press
        box._send_press = lambda *_: None
        box.press(1)
        until(lambda: table.of(Failed))
        assert "do not come through" in table.of(Failed)[0].why
        box._send_press = send
        until(lambda: len(table.of(Working)) == 2)
        until(lambda: box.acked == 1)


def test_a_lost_acknowledgement_is_given_again_and_the_press_is_not_told_again():
    with EmulatedBox() as box, listening(box.path) as table:
        answer, lost = box._answer, []

        def lose_one_ack(line):
            if line.startswith(b"A ") and not lost:
                lost.append(line)
            else:
                answer(line)

        box._answer = lose_one_ack
        box.press(3)
        until(lambda: box.acked == 1)
        assert len(lost) == len(table.presses) == 1


# A companion that starts again.


def test_after_a_companion_restart_a_lost_acknowledgement_brings_the_same_origin():
    with EmulatedBox() as box:
        answer, lost = box._answer, []

        def lose_acks(line):
            if line.startswith(b"A "):
                lost.append(line)
            else:
                answer(line)

        box._answer = lose_acks
        with listening(box.path) as table:
            box.press(4)
            until(lambda: lost)
        box.unplug()  # and what is still under way
        box._answer = answer
        box.replug()
        assert box.unacked == len(table.presses) == 1
        with listening(box.path) as again:
            until(lambda: box.acked == 1)
            assert [press.origin for press in again.presses] == [table.presses[0].origin]
            assert again.presses[0].seat == 4


def test_after_a_companion_restart_counting_goes_on_where_it_was():
    with EmulatedBox() as box:
        with listening(box.path) as table:
            for button in (1, 2, 3):
                box.press(button)
            until(lambda: box.acked == 3)
        with listening(box.path) as table:
            box.press(4)
            until(lambda: box.acked == 4)
            assert [press.seat for press in table.presses] == [4]


def test_a_box_that_answers_later_than_it_is_asked_again_is_understood(monkeypatch):
    monkeypatch.setattr(talk, "_FIRST_TIME_S", 0.0)
    with EmulatedBox() as box:
        answer, later = box._answer, []

        def answer_later(line):
            later.append(line)
            if len(later) > 3:
                answer(later.pop(0))

        box._answer = answer_later
        with listening(box.path) as table:
            box.press(1)
            until(lambda: table.presses)


# Lamps.


def test_a_seats_cue_is_shown_by_its_buttons_lamp_and_the_others_go_out():
    with EmulatedBox(buttons=3) as box, listening(box.path, seats=(5, 2, 1)) as table:
        assert isinstance(table.source, Lamps)
        table.source.show({2: Cue.FIRST, 5: Cue.WAITING, 6: Cue.ERROR})
        until(lambda: box.lamps == {1: "waiting", 2: "first", 3: "off"})
        table.source.show({1: Cue.READ})
        until(lambda: box.lamps == {1: "off", 2: "off", 3: "read"})


def test_nothing_is_said_of_lamps_while_nobody_cares():
    with EmulatedBox() as box, listening(box.path):
        said = box.now() + 400_000
        until(lambda: box.now() > said)
        assert box.lamps == {}


def test_lamps_show_the_same_after_a_reboot_behind_an_unbroken_port(monkeypatch):
    monkeypatch.setattr(talk, "_LIGHT_S", 3600.0)
    with EmulatedBox() as box, listening(box.path) as table:
        table.source.show({4: Cue.READING})
        until(lambda: box.lamps.get(4) == "reading")
        with box._lock:
            box._power_up()
        until(lambda: box.lamps.get(4) == "reading")


def test_lamps_show_the_same_after_lines_that_were_lost(monkeypatch):
    monkeypatch.setattr(talk, "_LIGHT_S", 0.1)
    with EmulatedBox() as box, listening(box.path) as table:
        table.source.show({4: Cue.READING})
        until(lambda: box.lamps.get(4) == "reading")
        box.lamps = {}
        until(lambda: box.lamps.get(4) == "reading")


# A short conversation.


def test_a_box_tells_who_it_is_and_how_it_is_and_gives_up_its_port():
    with EmulatedBox() as box:
        with Asking(box.path) as asking:
            hello = asking.hello()
            assert (hello.boot, hello.firmware, hello.buttons) == (box.boot, "1.0-emulated", 6)
            tested = asking.test()
            assert (tested.channels, tested.begun, tested.python) == ("++++++", "power", "1.27.0")
            asking.show(3, Cue.READ)
            asking.give_way(hello.boot)
        until(lambda: box.gone)
        assert box.lamps == {3: "read"}


def test_what_is_asked_of_a_box_is_asked_again_when_a_line_is_lost(monkeypatch):
    monkeypatch.setattr("companion.devices.box.asking._AGAIN_S", 0.01)
    with EmulatedBox(faults=Faults(drop=0.3, corrupt=0.2), seed=3) as box, Asking(box.path) as asking:
        for _ in range(5):
            assert asking.hello().boot == box.boot
            assert asking.test().boot == box.boot


def test_how_a_contact_bounces_is_told_when_its_button_was_pressed(monkeypatch):
    monkeypatch.setattr("companion.devices.box.asking._AGAIN_S", 0.01)
    faults = Faults(drop=0.3, corrupt=0.2, double=0.3, reorder=0.3)
    with EmulatedBox(faults=faults, seed=3) as box, Asking(box.path) as asking:
        box.contacts = {2: "closed 6 1480", 3: "open 1 0"}
        assert asking.bounces(1, within=0.1) is None
        for button, told in ((2, ("closed", 6, 1480)), (3, ("open", 1, 0)), (4, ("closed", 0, 0))):
            finger = threading.Thread(target=press_when_recorded, args=(box, button))
            finger.start()
            found = asking.bounces(button)
            finger.join()
            assert (found.button, (found.contact, found.edges, found.settled)) == (button, told)
        assert box.last == 4


def press_when_recorded(box, button):
    """Another button first: it is another's."""
    until(lambda: box.recording == button)
    if button == 2:
        box.press(5)
    box.press(button)


def test_a_box_that_speaks_another_version_is_told():
    with EmulatedBox(version=2) as box, Asking(box.path) as asking, pytest.raises(Lost, match="a newer companion"):
        asking.hello()


# The cable and the power.


@pytest.mark.parametrize("mid_line", [False, True])
def test_presses_made_while_the_cable_is_out_come_with_the_replug(mid_line):
    with EmulatedBox() as box, listening(box.path) as table:
        box.press(1)
        until(lambda: box.acked == 1)
        box.unplug(mid_line=mid_line)
        devices = [box.press(button) for button in (2, 3)]
        until(lambda: table.of(Failed))
        tried = box.now() + 300_000
        until(lambda: box.now() > tried)
        box.replug()
        until(lambda: box.acked == 3)
        until(lambda: len(table.of(Working)) == 2)
        assert [press.seat for press in table.presses] == [1, 2, 3]
        for press, device in zip(table.presses[1:], devices, strict=True):
            assert abs(press.at - box.true_time(device)) <= press.uncertainty
        [failed] = table.of(Failed)
        assert "plug" in failed.why
        assert failed.source == f"buzzers {box.path}"


def test_a_reboot_starts_all_counters_again():
    with EmulatedBox() as box, listening(box.path) as table:
        box.press(1)
        until(lambda: box.acked == 1)
        first = box.boot
        box.reboot()
        box.press(2)
        until(lambda: box.acked == 1)
        until(lambda: len(table.of(Working)) == 2)
        assert box.boot != first
        assert [press.origin for press in table.presses] == [f"pico-{first}-1", f"pico-{box.boot}-1"]
        one, other = table.presses
        assert one.at - one.uncertainty < other.at + other.uncertainty


def test_a_reboot_behind_an_unbroken_port_is_noticed_before_it_is_silence(monkeypatch):
    monkeypatch.setattr(talk, "SILENCE_S", 3600.0)
    with EmulatedBox() as box, listening(box.path) as table:
        box.press(1)
        until(lambda: box.acked == 1)
        with box._lock:
            box._power_up()
        device = box.press(2)
        until(lambda: box.acked == 1)
        press = table.presses[-1]
        assert press.origin == f"pico-{box.boot}-1"
        assert abs(press.at - box.true_time(device)) <= press.uncertainty


def test_the_32_bit_counter_may_wrap_between_two_presses():
    with EmulatedBox(counter_start=2**32 - 400_000) as box, listening(box.path) as table:
        before = box.press(1)
        until(lambda: box.now() > 2**32)
        after = box.press(2)
        box.press(3, 2**32 - 1)
        box.press(4, 2**32)
        until(lambda: box.acked == 4)
        assert before < 2**32 < after
        at = {press.seat: press.at for press in table.presses}
        assert round((at[2] - at[1]) * 1e6) == after - before
        assert round((at[4] - at[3]) * 1e6) == 1


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("faults", [Faults(mute_heartbeat=True), Faults(mute=True)])
def test_silence_is_told_once_and_its_end_and_presses_come_when_they_can(faults):
    with EmulatedBox() as box, listening(box.path) as table:
        box.faults = faults
        until(lambda: table.of(Failed))
        assert "fallen silent" in table.of(Failed)[0].why
        longer = box.now() + 1_000_000
        box.press(1)
        until(lambda: box.now() > longer)
        if not faults.mute:
            until(lambda: box.acked == 1)
        assert len(table.of(Failed)) == 1
        box.faults = Faults()
        until(lambda: len(table.of(Working)) == 2)
        until(lambda: box.acked == 1)
        assert len(table.presses) == 1


def test_a_full_box_keeps_the_oldest_and_people_are_told():
    with EmulatedBox() as box, listening(box.path) as table:
        box.unplug()
        for _ in range(KEPT + 3):
            box.press(1)
        box.replug()
        until(lambda: box.acked == KEPT)
        until(lambda: len(table.of(Working)) == 2)
        assert len(table.presses) == KEPT
        gone, full = table.of(Failed)
        assert "plug its cable in" in gone.why
        assert "refused 3 presses" in full.why
        assert table.state[-1] == table.of(Working)[-1]


# Everything at once.

MILD = {
    "noise": Faults(noise=0.3),
    "dropped": Faults(drop=0.3),
    "doubled": Faults(double=0.5),
    "reordered": Faults(reorder=0.5),
    "corrupted": Faults(corrupt=0.3),
}
ALL = Faults(noise=0.15, drop=0.15, double=0.2, reorder=0.2, corrupt=0.1)


@pytest.mark.parametrize("faults", MILD.values(), ids=MILD.keys())
def test_no_single_fault_of_the_line_loses_doubles_or_turns_a_press(faults):
    with EmulatedBox(faults=faults, seed=7) as box, listening(box.path) as table:
        start = box.now()
        devices = [box.press(1 + n % 6, start + (n * 37) % 20) for n in range(20)]
        until(lambda: box.acked == 20)
        check(table.presses, {f"pico-{box.boot}-{n + 1}": d for n, d in enumerate(devices)})


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_evening_with_all_faults_loses_doubles_and_turns_nothing(seed):
    chance = random.Random(seed)
    drift = chance.uniform(-90, 90)
    start = 2**32 - chance.randrange(500_000, 2_000_000)
    pressed, true, told = {}, {}, []
    with EmulatedBox(faults=ALL, drift_ppm=drift, counter_start=start, seed=seed) as box:
        for reboot in (False, True):
            if reboot:
                box.reboot()
            for _ in range(2):  # a companion, and the one after its restart
                table = Table()
                with listening(box.path, table, start=False, working=False):
                    spree(chance, box, pressed, true)
                    if chance.random() < 0.5:
                        until(lambda table=table: table.presses)
                told += [table.presses]
            box.faults = Faults(noise=0.1)
            table = Table()
            with listening(box.path, table):  # the power goes only after all was handed over
                until(lambda: box.unacked == 0)
            told += [table.presses]
            box.faults = ALL
    for presses in told:
        assert len({press.origin for press in presses}) == len(presses), "doubled by one companion"
        known = {press.origin: pressed[press.origin] for press in presses}
        check(presses, known)
        for press in presses:
            assert abs(press.at - true[press.origin]) <= press.uncertainty
    assert {press.origin for presses in told for press in presses} == pressed.keys()


def spree(chance, box, pressed, true):
    for _ in range(10):
        now = box.now()
        for _ in range(min(chance.choice((1, 1, 2, 6)), KEPT - box.unacked)):
            at = box.press(chance.randint(1, 6), now + chance.randrange(50))
            origin = f"pico-{box.boot}-{box.last}"
            pressed[origin], true[origin] = at, box.true_time(at)
            assert box.refused == 0
        if chance.random() < 0.15:
            box.unplug(mid_line=chance.random() < 0.5)
        time.sleep(chance.uniform(0, 0.03))
        if chance.random() < 0.6:
            box.replug()
    box.replug()


def test_the_stable_name_is_gone_while_the_cable_is_out():
    with EmulatedBox() as box:
        assert os.path.exists(box.path)
        box.unplug()
        assert not os.path.lexists(box.path)
        box.replug()
        assert os.path.exists(box.path)


@pytest.mark.parametrize("late", [10**7, 2**63])
def test_a_press_that_is_yet_to_come_is_not_told(late):
    """Stored with such a time, it would make the whole match one that no table's clock can have seen."""
    with EmulatedBox() as box, listening(box.path) as table:
        box.press(1, at=box.now() + late)
        box.press(2)
        until(lambda: table.presses)
        until(lambda: table.of(Failed))
        assert [press.seat for press in table.presses] == [2]
        assert "do not come through" in table.of(Failed)[0].why
        assert box.unacked == 2
