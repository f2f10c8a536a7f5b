"""How a contact bounces, as the real firmware in MicroPython records and tells it."""

import threading

import pytest

from companion.devices.buzzer_box.inquiry import Asking
from companion.devices.buzzer_box.protocol import AskBounces, Bounces
from tests.devices.hearing import listening
from tests.firmware.pico import MHZ
from tests.firmware.speaking import passed
from tests.waiting import until


def bounces_told(asking, *, nonce, button):
    """The words after the button in the box's answer to a question of this name."""
    bounces = asking._ask(AskBounces(nonce, button), Bounces)
    assert (bounces.nonce, bounces.button) == (nonce, button)
    return bounces.contact, bounces.edges, bounces.settled


def recording(pico, button, times=1):
    """Whether the spare state machine has been set on a button, so many times in all."""
    pin = pico.started["pins"][button - 1]
    return lambda: [order["recording"] for order in pico.recordings].count(pin) == times


@pytest.mark.parametrize(
    ("edges", "turns", "expected"),
    # In cycles: two for each turn, two for each opening, three for each closing but the last.
    [
        (0, 0, ("closed", 0, 0)),
        (6, 92_489, ("closed", 6, 1479)),
        (6, 92_494, ("closed", 6, 1480)),
        (7, 1, ("open", 7, 0)),
    ],
)
def test_the_next_press_is_recorded_and_told_as_ever(pico, edges, turns, expected):
    pico.order("bounces", edges, turns)
    with Asking(pico.path) as asking:
        assert bounces_told(asking, nonce=5, button=2) == ("waits", 0, 0)
        until(recording(pico, 2))
        assert pico.recordings[0]["turns"] == 30_000 * MHZ // 2
        assert bounces_told(asking, nonce=5, button=2) == ("waits", 0, 0)
        pressed = pico.press(1, 2)
        until(lambda: bounces_told(asking, nonce=5, button=2) == expected)
        assert pico.recorded == 1, "it is switched off"
        pico.press(2)
        assert bounces_told(asking, nonce=5, button=2) == expected, "the next press only"
    with listening(pico.path) as table:
        until(lambda: len(table.presses) == 3)
        assert sorted(press.seat for press in table.presses) == sorted([*(button for button, _ in pressed), 2])


def test_another_name_or_button_begins_another_recording(pico):
    pico.order("bounces", 2, 100)
    with Asking(pico.path) as asking:
        for n, (nonce, button) in enumerate([(5, 2), (6, 2), (6, 3)], 1):
            assert bounces_told(asking, nonce=nonce, button=button) == ("waits", 0, 0)
            until(lambda: len(pico.recordings) == n)  # noqa: B023
            pico.press(button)
            until(lambda: bounces_told(asking, nonce=nonce, button=button) == ("closed", 2, 1))  # noqa: B023
        bounces_told(asking, nonce=7, button=1)
        until(recording(pico, 1))
        bounces_told(asking, nonce=8, button=4)
        until(recording(pico, 4))
        pico.press(1)
        assert bounces_told(asking, nonce=8, button=4) == ("waits", 0, 0)


def test_a_button_that_is_held_is_recorded_when_it_has_been_let_go_for_its_release_time(pico):
    pin = pico.started["pins"][1]
    pico.order("contact", pin, True)
    with Asking(pico.path) as asking:
        bounces_told(asking, nonce=5, button=2)
        for _ in range(3):
            pico.order("skip", 20_000)
            passed(pico, steps=1)
        assert pico.recordings == []
        pico.order("contact", pin, False)
        until(recording(pico, 2))
        assert pico.recordings[0]["rested"] >= 30_000, "however long the main loop takes for a round"


def test_a_spike_is_not_told_and_the_next_press_is(pico):
    with Asking(pico.path) as asking:
        bounces_told(asking, nonce=5, button=2)
        until(recording(pico, 2))
        pico.press(3)
        pico.order("spike", 1, 0)
        until(recording(pico, 2, times=2))
        assert bounces_told(asking, nonce=5, button=2) == ("waits", 0, 0)
        pico.order("bounces", 4, 0)
        pico.press(2)
        until(lambda: bounces_told(asking, nonce=5, button=2) == ("closed", 4, 0))


def test_while_nobody_presses_the_box_goes_on_and_the_asker_is_told(pico):
    with Asking(pico.path) as asking:
        assert asking.bounces(3, within=0.3) is None
        assert asking.test().channels == "++++++"
        pico.order("bounces", 2, 1000)
        asker = threading.Thread(target=lambda: answers.append(asking.bounces(3)))
        answers = []
        asker.start()
        until(recording(pico, 3, times=2))
        pico.press(3)
        asker.join()
    [bounces] = answers
    assert (bounces.contact, bounces.edges, bounces.settled) == ("closed", 2, 16)
