"""A virtual source tells like a real one."""

from threading import Event

import pytest

from companion.devices.drivers.virtual import VirtualBuzzers, VirtualReader
from companion.devices.listening import Listening
from companion.devices.sensing import Appeared, Buzzed, Sensing, Working
from companion.errors import NotKept


def test_it_says_that_it_works_once_that_can_be_kept() -> None:
    source = VirtualBuzzers((1,), lambda: 7.0)
    stop = Event()
    sensings_told = list[Sensing]()

    def tell(*sensings: Sensing) -> None:
        sensings_told.extend(sensings)
        if len(sensings_told) == 1:
            raise NotKept
        stop.set()
        source.wake()

    source.listen(tell, stop)
    assert sensings_told == [Working("buzzers", "simulated", 7.0)] * 2


def test_what_can_not_be_kept_never_happened() -> None:
    source = VirtualBuzzers((1,), lambda: 7.0)
    heard = list[Sensing]()

    def tell(*sensings: Sensing) -> None:
        heard.extend(sensings)
        if len(heard) == 2:
            raise NotKept

    listening = Listening([source], tell)
    with pytest.raises(NotKept):
        source.press(1)
    source.press(1, 8.0)
    listening.stop()
    assert heard[1:] == [Buzzed(1, 7.0, 0.0, ""), Buzzed(1, 8.0, 0.0, "")]


def test_a_card_that_could_not_be_laid_does_not_lie_there() -> None:
    reader = VirtualReader("centre", lambda: 7.0)
    heard = list[tuple[Sensing, ...]]()

    def tell(*sensings: Sensing) -> None:
        heard.append(sensings)
        if len(heard) == 2:
            raise NotKept

    listening = Listening([reader], tell)
    with pytest.raises(NotKept):
        reader.lay("red-1")
    reader.lay("red-2")
    listening.stop()
    assert heard[2] == (Appeared("centre", "red-2", 7.0),)


def test_nobody_waits_for_a_table_that_has_stopped() -> None:
    source = VirtualBuzzers((1,), lambda: 7.0)
    Listening([source], lambda *_: None).stop()
    with pytest.raises(NotKept):
        source.press(1)
