"""What a setup says of places, of its last act, and of what helps."""

import pytest

from companion.devices.check.walk import Act, Step
from companion.devices.faults import DeviceFault, FaultCode
from companion.setup.table_plan import Remark, Silent
from companion.web.render.words import PageWords
from companion.web.setup.sentences import ask_step, cure_of, say_remark

ENGLISH = PageWords(None, "en")


@pytest.mark.parametrize(
    ("where", "code"), [("/dev/spidev0.0", "spi"), ("/dev/i2c-1", "i2c"), ("/dev/ttyUSB0", "port")]
)
def test_what_helps_depends_on_the_bus(where: str, code: str) -> None:
    assert cure_of(Silent(where, DeviceFault(FaultCode.SILENT))) == f"setup-cure-{code}"


def test_a_seat_is_asked_for_by_its_number_and_a_pad_in_the_middle_by_its_name() -> None:
    assert ask_step(Step(Act.PRESS, "seat-3"), ENGLISH) == ENGLISH.say("setup-press-seat", {"number": 3})
    assert ask_step(Step(Act.LAY, "centre"), ENGLISH) == ENGLISH.say("setup-lay-centre")


@pytest.mark.parametrize(("place", "named"), [("seat-2", "seat 2"), ("", "reader 4")])
def test_a_reader_that_fails_is_named_by_its_place_or_else_by_its_number(place: str, named: str) -> None:
    remark = Remark("setup-lost", {"place": place, "what": "reader", "number": "4"})
    assert named in say_remark(remark, ENGLISH).casefold()
    assert not remark.is_good
