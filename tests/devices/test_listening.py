"""A fault of the program behind `tell` ends no source's thread, and its own device says so until it is over."""

import threading
from collections.abc import Iterator

import pytest

from companion import threads
from companion.devices.drivers.virtual import VirtualReader
from companion.devices.listening import PROGRAM_FAULT, Listening, take_turns
from companion.devices.sensing import Appeared, Failed, Sensing, Tell, Working
from tests.devices.test_turns import Taker
from tests.emulators.time import Time, Until
from tests.waiting import until


@pytest.fixture(autouse=True)
def no_faults() -> Iterator[None]:
    yield
    threads.forget_faults()


def test_after_a_fault_of_the_program_a_source_is_heard_again(caplog: pytest.LogCaptureFixture) -> None:
    reader = VirtualReader("centre", lambda: 7.0)
    sensings_told = list[Sensing]()

    def tell(*sensings: Sensing) -> None:
        if any(isinstance(sensing_told, Appeared) and sensing_told.uid == "bad" for sensing_told in sensings):
            raise RuntimeError("a fault of the program")
        sensings_told.extend(sensings)

    listening = Listening([reader], tell)
    reader.lay("bad")
    reader.lay("good")
    try:
        until(lambda: Appeared("centre", "good", 7.0) in sensings_told)
    finally:
        listening.stop()
    works = Working("reader centre", "simulated", 7.0)
    assert [sensing_told for sensing_told in sensings_told if isinstance(sensing_told, Failed | Working)] == [
        works,
        Failed("reader centre", PROGRAM_FAULT, 7.0),
        works,
    ]
    assert caplog.text.count("RuntimeError: a fault of the program") == 1


class Tripping(VirtualReader):
    """Raises something at a card that is bad."""

    opened = 0

    def start(self) -> None:
        super().start()
        self.opened += 1

    def listen(self, tell: Tell, stop: threading.Event) -> None:
        super().listen(lambda *sensings: tell(*map(self._trip, sensings)), stop)

    def _trip(self, sensing_told: Sensing) -> Sensing:
        if isinstance(sensing_told, Appeared) and sensing_told.uid == "bad":
            raise ValueError("filedescriptor out of range in select()")
        return sensing_told


def test_a_source_that_raises_something_itself_is_told_closed_and_heard_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(threads, "FIRST_BREATH_S", 0.0)
    reader = Tripping("centre", lambda: 7.0)
    sensings_told = list[Sensing]()
    listening = Listening([reader], lambda *sensings: sensings_told.extend(sensings))
    with pytest.raises(ValueError, match="filedescriptor"):
        reader.lay("bad")
    until(lambda: reader.opened > 0)
    reader.lay("good")
    try:
        until(lambda: Appeared("centre", "good", 7.0) in sensings_told)
    finally:
        listening.stop()
    states = [type(sensing_told) for sensing_told in sensings_told if isinstance(sensing_told, Failed | Working)]
    assert states == [Working, Failed, Working, Working]  # opened again, and then as always at its beginning
    assert reader.opened == 1
    assert [(fault.thread, fault.kind) for fault in threads.faults()] == [("reader centre", "ValueError")]
    assert "filedescriptor" not in str(threads.faults())


@pytest.mark.parametrize("trips", ["begin", "turn"])
def test_one_that_raises_something_in_its_turn_costs_the_others_of_its_bus_none(
    trips: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = Time()
    sensings_told = list[Sensing]()
    first = Taker("first", time=time)
    second = Taker("second", time=time)
    monkeypatch.setattr(first, trips, lambda *_: [][0])
    take_turns(
        (first, second),
        lambda *sensings: sensings_told.extend(sensings),
        Until(time, lambda: time.now > 5.0),
        time.monotonic,
    )  # type: ignore[arg-type]
    assert [
        (sensing_told.source, sensing_told.why) for sensing_told in sensings_told if isinstance(sensing_told, Failed)
    ] == [("first", PROGRAM_FAULT)]
    assert len(second.taken) > 2000
    [fault] = threads.faults()
    assert (fault.thread, fault.kind) == ("first", "IndexError")
    assert 3 < fault.number < 7


class Telltale(Taker):
    """Tells of a card in every turn."""

    def turn(self, tell: Tell) -> float:
        tell(Appeared("centre", self.name, 7.0))
        return super().turn(tell)


def test_a_fault_that_one_source_meets_costs_the_others_of_its_bus_no_turn() -> None:
    time = Time()
    sensings_told = list[Sensing]()
    first = Telltale("first", time=time)
    second = Telltale("second", time=time)

    def tell(*sensings: Sensing) -> None:
        if Appeared("centre", "first", 7.0) in sensings:
            raise RuntimeError("a fault of the program")
        sensings_told.extend(sensings)

    take_turns((first, second), tell, Until(time, lambda: len(second.taken) > 3), time.monotonic)  # type: ignore[arg-type]
    assert {sensing_told.source for sensing_told in sensings_told if isinstance(sensing_told, Failed)} == {"first"}
    assert sensings_told.count(Appeared("centre", "second", 7.0)) == len(second.taken)
