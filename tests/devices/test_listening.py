"""A fault of the program behind `tell` ends no source's thread, and its own device says so until it is over."""

import pytest

from companion.devices.drivers.virtual import VirtualReader
from companion.devices.listening import PROGRAM_FAULT, Listening, take_turns
from companion.devices.sensing import Appeared, Failed, Sensing, Tell, Working
from tests.devices.test_turns import Taker
from tests.emulators.time import Time, Until
from tests.waiting import until


def test_after_a_fault_of_the_program_a_source_is_heard_again(caplog: pytest.LogCaptureFixture) -> None:
    reader, told = VirtualReader("centre", lambda: 7.0), list[Sensing]()

    def tell(*sensings: Sensing) -> None:
        if any(isinstance(one, Appeared) and one.uid == "bad" for one in sensings):
            raise RuntimeError("a fault of the program")
        told.extend(sensings)

    listening = Listening([reader], tell)
    reader.lay("bad")
    reader.lay("good")
    try:
        until(lambda: Appeared("centre", "good", 7.0) in told)
    finally:
        listening.stop()
    works = Working("reader centre", "simulated", 7.0)
    assert [one for one in told if isinstance(one, Failed | Working)] == [
        works,
        Failed("reader centre", PROGRAM_FAULT, 7.0),
        works,
    ]
    assert caplog.text.count("RuntimeError: a fault of the program") == 1


class Telltale(Taker):
    """Tells of a card in every turn."""

    def turn(self, tell: Tell) -> float:
        tell(Appeared("centre", self.name, 7.0))
        return super().turn(tell)


def test_a_fault_that_one_source_meets_costs_the_others_of_its_bus_no_turn() -> None:
    time, told = Time(), list[Sensing]()
    first, second = Telltale("first", time=time), Telltale("second", time=time)

    def tell(*sensings: Sensing) -> None:
        if Appeared("centre", "first", 7.0) in sensings:
            raise RuntimeError("a fault of the program")
        told.extend(sensings)

    take_turns((first, second), tell, Until(time, lambda: len(second.taken) > 3), time.monotonic)  # type: ignore[arg-type]
    assert {one.source for one in told if isinstance(one, Failed)} == {"first"}
    assert told.count(Appeared("centre", "second", 7.0)) == len(second.taken)
