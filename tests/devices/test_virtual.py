"""A virtual source tells like a real one."""

from threading import Event

from companion.devices.drivers.virtual import VirtualBuzzers
from companion.devices.sensing import Sensing, Working
from companion.errors import NotKept


def test_it_says_that_it_works_once_that_can_be_kept() -> None:
    source, stop, told = VirtualBuzzers((1,), lambda: 7.0), Event(), list[Sensing]()

    def tell(*sensings: Sensing) -> None:
        told.extend(sensings)
        if len(told) == 1:
            raise NotKept
        stop.set()
        source.wake()

    source.listen(tell, stop)
    assert told == [Working("buzzers", "simulated", 7.0)] * 2
