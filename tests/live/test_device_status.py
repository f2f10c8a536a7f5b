"""What the journal says of the devices while a table is in play."""

import logging

import pytest

from companion.devices.sensing import Failed, Working
from companion.live.device_status import Status


def test_a_fault_of_a_device_and_its_end_are_told_once_each(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    status = Status()
    failure = Failed("reader centre", "no answer: is it plugged in?", 2.0)
    for sensing in (Working("reader centre", "PN532", 1.0), failure, failure, Working("reader centre", "PN532", 3.0)):
        status.look(sensing)
    assert caplog.messages == [
        "reader centre failed: no answer: is it plugged in?",
        "reader centre works again: PN532",
    ]
