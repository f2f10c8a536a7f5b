"""Sources that share a bus take turns in one thread."""

import threading
from itertools import pairwise

from companion.devices.listening import Listening, take_turns
from companion.devices.sensing import Tell
from tests.emulators.time import Time, Until
from tests.waiting import until


class Taker:
    """Takes turns, and asks for a pause after each."""

    def __init__(
        self, name: str, turns: str = "bus", pause: float = 0.0, time: Time | None = None, lasts: float = 0.001
    ) -> None:
        self.name = name
        self.turns = turns
        self.pause = pause
        self.time = time
        self.lasts = lasts
        self.near = name
        self.taken: list[float] = []
        self.threads: set[str] = set()
        self.closed = False

    def start(self) -> None:
        pass

    def listen(self, tell: Tell, stop: threading.Event) -> None:
        take_turns((self,), tell, stop)

    def begin(self) -> None:
        pass

    def turn(self, tell: Tell) -> float:
        self.threads.add(threading.current_thread().name)
        self.taken.append(self.time.now if self.time else 0.0)
        if self.time:
            self.time.sleep(self.lasts)
        return self.pause

    def close(self) -> None:
        self.closed = True


class Alone:
    """Needs a thread of its own."""

    name = "alone"

    def __init__(self) -> None:
        self.thread = ""

    def start(self) -> None:
        pass

    def listen(self, tell: Tell, stop: threading.Event) -> None:
        self.thread = threading.current_thread().name
        stop.wait()

    def close(self) -> None:
        pass


def tell(*_: object) -> None:
    pass


def take_turns_for(seconds: float, time: Time, *takers: Taker) -> None:
    end = time.now + seconds
    take_turns(takers, tell, Until(time, lambda: time.now >= end), time.monotonic)  # type: ignore[arg-type]


def test_those_on_one_bus_share_a_thread_and_others_have_their_own() -> None:
    first = Taker("first")
    second = Taker("second")
    other = Taker("other", "other bus")
    alone = Alone()
    listening = Listening([first, alone, second, other], tell)
    until(lambda: min(len(taker.taken) for taker in (first, second, other)) > 3 and alone.thread)
    listening.stop()
    assert first.threads == second.threads == {"bus"}
    assert other.threads == {"other bus"}
    assert alone.thread == "alone"
    assert first.closed


def test_turns_are_fair_and_one_that_pauses_holds_up_nobody() -> None:
    time = Time()
    first = Taker("first", time=time)
    second = Taker("second", time=time)
    failing = Taker("failing", pause=10.0, time=time)
    take_turns_for(5.0, time, first, failing, second)
    assert len(first.taken) > 2000
    assert abs(len(first.taken) - len(second.taken)) <= 1
    assert len(failing.taken) == 1


def test_those_that_work_wait_for_one_that_fails_and_never_for_all() -> None:
    time = Time()
    works = Taker("works", time=time)
    failing = [Taker(f"{n}", pause=0.1, time=time, lasts=0.3) for n in range(9)]
    take_turns_for(20.0, time, *failing, works)
    later = [at for at in works.taken if at > 4.0]  # what fails for the first time had to be tried
    assert max(later_turn - earlier for earlier, later_turn in pairwise(later)) < 0.4
    assert min(len(reader.taken) for reader in failing) > 5


def test_when_all_pause_nobody_is_asked_before_its_time_nor_late() -> None:
    time = Time()
    first = Taker("first", pause=0.1, time=time)
    second = Taker("second", pause=0.3, time=time)
    take_turns_for(1.0, time, first, second)
    for taker in (first, second):
        apart = [later - earlier for earlier, later in zip(taker.taken, taker.taken[1:], strict=False)]
        assert all(taker.pause <= seconds <= taker.pause + 0.004 for seconds in apart)
        assert len(apart) >= 2
