"""Which presses of a box are new, and what may be acknowledged."""

import pytest

from companion.devices.buzzer_box.inbox import Inbox
from companion.devices.buzzer_box.protocol import KEPT_AT_MOST


@pytest.fixture
def inbox():
    return Inbox("B00700000000")


def test_a_press_is_new_once(inbox):
    assert inbox.hear(1)
    assert not inbox.hear(1)
    inbox.keep(1)
    assert not inbox.hear(1)


def test_nothing_is_acknowledged_beyond_a_gap(inbox):
    for seq in (1, 2, 3):
        inbox.hear(seq)
    inbox.keep(3)
    assert inbox.acked == 0
    inbox.keep(1)
    assert inbox.acked == 1
    inbox.keep(2)
    assert inbox.acked == 3


def test_a_box_that_missed_an_acknowledgement_makes_nothing_new(inbox):
    inbox.hear(1)
    inbox.keep(1)
    inbox.agree(0)
    assert inbox.acked == 1
    assert not inbox.hear(1)


def test_what_was_acknowledged_before_this_program_ran_is_not_waited_for(inbox):
    inbox.agree(12)
    assert not inbox.hear(12)
    assert inbox.hear(13)
    inbox.keep(13)
    assert inbox.acked == 13


def test_a_number_the_box_can_not_have_given_yet_is_not_heard(inbox):
    assert inbox.hear(KEPT_AT_MOST)
    assert not inbox.hear(KEPT_AT_MOST + 1)


def test_all_has_come_when_every_number_was_heard_on_disk_or_not(inbox):
    inbox.hear(2)
    assert inbox.complete(0)
    assert not inbox.complete(2)
    inbox.hear(1)
    assert inbox.complete(2)
    assert not inbox.complete(10**9)
