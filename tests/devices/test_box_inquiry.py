"""A short conversation with a box that no table uses now."""

import pytest

from companion.devices.buzzer_box.inquiry import Asking
from companion.devices.buzzer_box.protocol import Show
from companion.devices.lamp_cues import Cue
from tests.devices.hearing import cabled
from tests.emulators.box import Faults


@pytest.fixture
def box():
    with cabled() as box:
        yield box


def asking_of(box):
    return Asking(box.path, box.time.monotonic, box.time.sleep)


def test_a_box_tells_who_it_is_and_how_it_is_and_gives_up_its_port(box):
    with asking_of(box) as asking:
        hello = asking.hello()
        assert (hello.boot, hello.firmware, hello.buttons) == (box.boot, "1.4-emulated", 6)
        tested = asking.test()
        assert (tested.channels, tested.begun, tested.python) == ("++++++", "power", "1.27.0")
        asking.show(Show(3, Cue.READ))
        asking.give_way(hello.boot)
    assert box.gone
    assert box.lamps == {3: "read"}


def test_what_is_asked_of_a_box_is_asked_again_when_a_line_is_lost():
    with cabled(faults=Faults(drop=0.3, corrupt=0.2), seed=3) as box, asking_of(box) as asking:
        for _ in range(5):
            assert asking.hello().boot == box.boot
            assert asking.test().boot == box.boot


def test_how_a_contact_bounces_is_told_when_its_button_was_pressed():
    with cabled(faults=Faults(drop=0.3, corrupt=0.2, double=0.3, reorder=0.3), seed=3) as box, asking_of(box) as asking:
        box.contacts = {2: "closed 6 1480", 3: "open 1 0"}
        assert asking.bounces(1, within=0.1) is None
        for button, expected in ((2, ("closed", 6, 1480)), (3, ("open", 1, 0)), (4, ("closed", 0, 0))):
            box.time.go(pressing(box, button))
            bounces = asking.bounces(button)
            assert (bounces.button, (bounces.contact, bounces.edges, bounces.settled)) == (button, expected)
        assert box.last == 4


def pressing(box, button):
    """Press it once it is recorded; another's button first."""
    while box.recording != button:
        yield 0.01
    if button == 2:
        box.press(5)
    box.press(button)
