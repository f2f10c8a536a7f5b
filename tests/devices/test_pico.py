"""The driver against an emulated box, with everything that can go wrong between them."""

import time

import pytest

from companion.devices.buzzer_box import connection
from companion.devices.drivers.pico import Buzzers
from companion.devices.lamp_cues import CENTRE, Counted, Cue, Lamps
from companion.devices.sensing import Failed, NotThere, Passed, Working
from companion.errors import NotKept
from tests.devices.hearing import SEATS, cabled, check, companion_at, listening
from tests.emulators.box import FINE, KEPT, EmulatedBox, Faults
from tests.waiting import until


@pytest.fixture
def box():
    with cabled() as box:
        yield box


@pytest.fixture
def table(box):
    """A companion that listens to the box, which works."""
    with companion_at(box) as table:
        yield table


@pytest.mark.parametrize("tells", [True, False])
def test_a_box_that_says_how_far_it_has_told_has_soon_passed_its_press(tells):
    with EmulatedBox(tells=tells) as box, listening(box.path) as table:
        box.press(1)
        until(lambda: table.presses)
        [press] = table.presses
        if tells:
            until(lambda: [passed for passed in table.of(Passed) if passed.at > press.at])
        else:
            box.press(2)
            until(lambda: len(table.presses) == 2)
            assert table.of(Passed) == []


def test_a_box_that_starts_anew_and_has_told_all_before_its_clock_is_known_is_heard_on(box, table):
    box.press(1)
    table.until(lambda: table.of(Passed))
    answer = box._answer
    box._answer = lambda line: line.startswith(b"T ") or answer(line)
    box._power_up()
    table.listen_for(1.0)
    box._answer = answer
    box.press(2)
    table.until(lambda: len(table.presses) == 2)


def test_a_box_is_heard_on_where_how_far_it_has_come_cannot_be_told(box, table):
    refused = []

    def tell(*sensings):
        if isinstance(sensings[0], Passed) and not refused:
            refused.append(sensings)
            raise NotKept
        table(*sensings)

    table.tell = tell
    box.press(1)
    table.until(lambda: table.of(Passed))
    assert refused


# The start; what else can be wrong there is in tests/cli/test_start_messages.py.


def refusal(port):
    source = Buzzers(port=port, seats=SEATS).open(time.monotonic)
    with pytest.raises(NotThere) as caught:
        source.start()
    source.close()
    return str(caught.value)


def test_a_missing_port_is_told_with_the_ports_that_are_there(tmp_path, monkeypatch):
    class Port:
        device = "/dev/ttyACM7"
        description = "Pico"

    missing = str(tmp_path / "ttyACM0")
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: [Port])
    assert f"no port {missing}" in refusal(missing)
    assert "/dev/ttyACM7 (Pico)" in refusal(missing)
    monkeypatch.setattr("serial.tools.list_ports.comports", list)
    assert "There is no serial port here" in refusal(missing)


def test_after_a_failed_start_listening_goes_on_trying(box):
    box.unplug()
    assert "no port" in refusal(box.path)
    with companion_at(box, working=False) as table:
        table.until(lambda: table.of(Failed))
        box.replug()
        table.until(lambda: table.of(Working))
        box.press(1)
        table.until(lambda: table.presses)


# Presses.


def test_presses_come_with_seat_time_uncertainty_and_origin():
    with cabled(drift_ppm=40) as box, companion_at(box, seats=(5, 2)) as table:
        devices = [box.press(2), box.press(1)]
        table.until(lambda: box.acked == 2)
        assert [press.seat for press in table.presses] == [2, 5]
        assert [press.origin for press in table.presses] == [f"pico-{box.boot}-{n}" for n in (1, 2)]
        for press, device in zip(table.presses, devices, strict=True):
            assert abs(press.at - box.true_time(device)) <= press.uncertainty
        [working] = table.state
        assert working.detail.startswith("companion-box 1.4-emulated, ±")
        assert working.detail.endswith(" ms")


def test_order_is_that_of_the_device_and_a_read_is_told_together(box, table):
    began = box.now()
    for button, at in [(6, began), (3, began + 7), (1, began + 5), (2, began + 6)]:
        box.press(button, at)
    table.until(lambda: len(table.presses) == 4)
    assert [press.seat for press in table.presses] == [6, 1, 2, 3]
    assert [round((press.at - table.presses[0].at) * 1e6) for press in table.presses] == [0, 5, 6, 7]
    assert table.calls[-1] == tuple(table.presses)


def test_a_press_is_acknowledged_only_after_tell_has_returned(box, table):
    def slow_disk():
        box.time.sleep(3.0)  # the box repeats the press, and a silent box would be given up
        assert box.acked == 0
        table.disk = lambda: None

    table.disk = slow_disk
    box.press(1)
    table.until(lambda: box.acked == 1)
    assert len(table.presses) == 1
    assert table.of(Failed) == [], "a slow disk is no silent box"


def test_what_is_not_kept_is_not_acknowledged_and_told_again(box, table):
    table.may_keep = False
    box.press(1)
    box.press(2)
    table.until(lambda: table.refused == 3)
    assert box.acked == 0
    table.may_keep = True
    table.until(lambda: box.acked == 2)
    assert [press.seat for press in table.presses] == [1, 2]


def test_a_button_without_a_seat_is_heard_by_nobody_and_holds_up_nothing(box):
    with companion_at(box, seats=(1, 2)) as table:
        box.press(5)
        box.press(2)
        table.until(lambda: box.acked == 2)
        assert [press.seat for press in table.presses] == [2]


def test_a_press_does_not_wait_for_a_missing_one_but_the_acknowledgement_does(box, table):
    send = box._send_press
    box._send_press = lambda seq, *details: seq == 1 or send(seq, *details)
    box.press(2, at=box.press(1) + 1)
    table.until(lambda: table.presses)
    table.listen_for(0.3)
    assert [press.seat for press in table.presses] == [2]
    assert box.acked == 0
    box._send_press = send
    table.until(lambda: box.acked == 2)
    second, first = table.presses
    assert (second.seat, first.seat) == (2, 1)
    assert first.at < second.at


def test_presses_that_never_come_through_are_a_fault(box, table):
    send = box._send_press
    box._send_press = lambda *_: None
    box.press(1)
    table.until(lambda: table.of(Failed))
    assert "do not come through" in table.of(Failed)[0].fault.says
    box._send_press = send
    table.until(lambda: len(table.of(Working)) == 2)
    table.until(lambda: box.acked == 1)


@pytest.mark.parametrize("late", [10**8, 2**63])
def test_a_press_that_is_yet_to_come_is_not_told(box, table, late):
    """Stored with such a time, it would make the whole match one that no table's clock can have seen."""
    box.press(1, at=box.now() + late)
    box.press(2)
    table.until(lambda: table.of(Failed))
    assert [press.seat for press in table.presses] == [2]
    assert "do not come through" in table.of(Failed)[0].fault.says
    assert box.unacked == 2


def losing_acks(box, many):
    """Lose the next so many acknowledgements; gives them."""
    answer = box._answer
    lost = []

    def lose(line):
        if line.startswith(b"A ") and len(lost) < many:
            lost.append(line)
        else:
            answer(line)

    box._answer = lose
    return lost


# A companion that starts again.


def test_after_a_companion_restart_a_lost_acknowledgement_brings_the_same_origin(box):
    with companion_at(box) as table:
        lost = losing_acks(box, 1)
        box.press(4)
        table.until(lambda: lost)
    assert box.unacked == len(table.presses) == 1
    with companion_at(box) as again:
        again.until(lambda: box.acked == 1)
        assert [(press.origin, press.seat) for press in again.presses] == [(table.presses[0].origin, 4)]


def test_after_a_companion_restart_counting_goes_on_where_it_was(box):
    with companion_at(box) as table:
        for button in (1, 2, 3):
            box.press(button)
        table.until(lambda: box.acked == 3)
    with companion_at(box) as table:
        box.press(4)
        table.until(lambda: box.acked == 4)
        assert [press.seat for press in table.presses] == [4]


# Lamps.


def test_a_seats_cue_is_shown_by_its_buttons_lamp_and_the_others_go_out():
    with cabled(buttons=3) as box, companion_at(box, seats=(5, 2, 1)) as table:
        assert isinstance(table.source, Lamps)
        table.source.show({CENTRE: Cue.READ, 2: Cue.FIRST, 5: Cue.WAITING, 6: Cue.ERROR})
        table.until(lambda: box.lamps == {0: "read", 1: "waiting", 2: "first", 3: "off"})
        table.source.show({1: Cue.READ})
        table.until(lambda: box.lamps == {0: "off", 1: "off", 2: "off", 3: "read"})


@pytest.mark.parametrize(
    ("cue", "look"),
    {Cue.REFUSED: "error", Cue.PLAYING: "off", Cue.BREAK: "off", Cue.OVER: "off", Cue.READ: "read"}.items(),
)
def test_an_older_box_shows_what_comes_nearest_to_a_cue_that_it_does_not_know(cue, look):
    with cabled(firmware="1.2-emulated") as box, companion_at(box) as table:
        table.source.show({1: Cue.FIRST})
        table.until(lambda: box.lamps.get(1) == "first")
        table.source.show({1: cue})
        table.until(lambda: box.lamps[1] == look)


def test_a_seats_lamp_says_how_many_of_its_cards_have_counted(box, table):
    for number in (6, 7):
        table.source.show({1: Counted(number), 2: Cue.WAITING})
        table.until(lambda number=number: (box.lamps.get(1), box.lamps.get(2)) == (f"waiting {number}", "waiting"))
    table.source.show({1: Cue.WAITING})
    table.until(lambda: box.lamps[1] == "waiting")


def test_an_older_box_says_only_that_the_table_waits():
    with cabled(firmware="1.3-emulated") as box, companion_at(box) as table:
        table.source.show({1: Counted(7)})
        table.until(lambda: box.lamps.get(1) == "waiting")


def test_nothing_is_said_of_lamps_while_nobody_cares(box, table):
    table.listen_for(5.0)
    assert box.lamps == {}


@pytest.mark.parametrize("lost", ["a boot behind an unbroken port", "lines"])
def test_lamps_show_the_same_after_what_was_lost(box, table, monkeypatch, lost):
    table.source.show({4: Cue.READING})
    table.until(lambda: box.lamps.get(4) == "reading")
    if lost == "lines":
        box.lamps = {}
    else:
        monkeypatch.setattr(connection, "_LIGHT_S", 3600.0)
        box._power_up()
    table.until(lambda: box.lamps.get(4) == "reading", within=1.5)


# The cable and the power.


@pytest.mark.parametrize("mid_line", [False, True])
def test_presses_made_while_the_cable_is_out_come_with_the_replug(box, table, mid_line):
    box.press(1)
    table.until(lambda: box.acked == 1)
    box.unplug(mid_line=mid_line)
    devices = [box.press(button) for button in (2, 3)]
    table.until(lambda: table.of(Failed))
    table.listen_for(5.0)
    box.replug()
    table.until(lambda: box.acked == 3 and len(table.of(Working)) == 2, within=2.0)
    assert [press.seat for press in table.presses] == [1, 2, 3]
    for press, device in zip(table.presses[1:], devices, strict=True):
        assert abs(press.at - box.true_time(device)) <= press.uncertainty
    [failed] = table.of(Failed)
    assert "plug" in failed.fault.says
    assert failed.source == f"buzzers {box.path}"


def test_a_fault_that_could_not_be_stored_is_told_as_soon_as_it_can_be(box, table):
    table.may_keep = False
    box.unplug()
    table.listen_for(2.0)
    assert table.of(Failed) == []
    table.may_keep = True
    table.until(lambda: table.of(Failed), within=0.5)
    assert table.source.figures.faults == 1


def test_presses_come_through_a_real_port_also_after_that_was_gone():
    with EmulatedBox() as box, listening(box.path) as table:
        box.press(1)
        until(lambda: box.acked == 1)
        box.unplug(mid_line=True)
        box.press(2)
        until(lambda: table.of(Failed))
        box.replug()
        until(lambda: box.acked == 2)
        assert [press.seat for press in table.presses] == [1, 2]


def test_a_reboot_starts_all_counters_again(box, table):
    box.press(1)
    table.until(lambda: box.acked == 1)
    first = box.boot
    box.reboot()
    box.press(2)
    table.until(lambda: box.acked == 1 and len(table.of(Working)) == 2)
    assert box.boot != first
    assert [press.origin for press in table.presses] == [f"pico-{first}-1", f"pico-{box.boot}-1"]
    former, other = table.presses
    assert former.at - former.uncertainty < other.at + other.uncertainty


def test_a_reboot_behind_an_unbroken_port_is_noticed_before_it_is_silence(box, table):
    box.press(1)
    table.until(lambda: box.acked == 1)
    box._power_up()
    device = box.press(2)
    table.until(lambda: box.acked == 1)
    press = table.presses[-1]
    assert press.origin == f"pico-{box.boot}-1"
    assert abs(press.at - box.true_time(device)) <= press.uncertainty
    assert table.of(Failed) == []


def test_the_32_bit_counter_may_wrap_between_two_presses():
    with cabled(counter_start=2**32 - 1_000_000) as box, companion_at(box) as table:
        first = box.press(1)
        table.listen_for(1.5)
        second = box.press(2)
        box.press(3, 2**32 - 1)
        box.press(4, 2**32)
        table.until(lambda: box.acked == 4)
        assert first < 2**32 < second
        at = {press.seat: press.at for press in table.presses}
        assert round((at[2] - at[1]) * 1e6) == second - first
        assert round((at[4] - at[3]) * 1e6) == 1


@pytest.mark.parametrize("faults", [Faults(mute_heartbeat=True), Faults(mute=True)])
def test_silence_is_told_once_and_its_end_and_presses_come_when_they_can(box, table, faults):
    box.faults = faults
    table.until(lambda: table.of(Failed), within=connection.SILENCE_S + 0.5)
    assert "fallen silent" in table.of(Failed)[0].fault.says
    box.press(1)
    table.listen_for(5.0)
    assert box.acked == (0 if faults.mute else 1)
    assert len(table.of(Failed)) == 1
    box.faults = FINE
    table.until(lambda: len(table.of(Working)) == 2 and box.acked == 1)
    assert len(table.presses) == 1


def test_a_full_box_keeps_the_oldest_and_people_are_told(box, table):
    box.unplug()
    for _ in range(KEPT + 3):
        box.press(1)
    table.until(lambda: table.of(Failed))
    box.replug()
    table.until(lambda: box.acked == KEPT and len(table.of(Working)) == 2)
    assert len(table.presses) == KEPT
    gone, full = table.of(Failed)
    assert "plug its cable in" in gone.fault.says
    assert "refused 3 presses" in full.fault.says
    assert table.state[-1] == table.of(Working)[-1]


def test_a_line_with_all_faults_loses_doubles_and_turns_no_press():
    faults = Faults(noise=0.15, drop=0.15, double=0.2, reorder=0.2, corrupt=0.1)
    with cabled(faults=faults, seed=7) as box, companion_at(box) as table:
        start = box.now()
        devices = [box.press(1 + n % 6, start + (n * 37) % 20) for n in range(20)]
        table.until(lambda: box.acked == 20)
        check(table.presses, {f"pico-{box.boot}-{n}": device for n, device in enumerate(devices, 1)})
