"""Sources that share a bus take turns in one thread."""

import threading
import time

from companion.devices.listening import Listening, take_turns
from companion.devices.sensing import Tell
from tests.waiting import until


class Taker:
    """Takes turns, and asks for a pause after each."""

    def __init__(self, name: str, turns: str = "bus", pause: float = 0.0) -> None:
        self.name, self.turns, self.pause = name, turns, pause
        self.taken = 0
        self.threads: set[str] = set()
        self.closed = False

    def start(self) -> None:
        pass

    def listen(self, tell: Tell, stop: threading.Event) -> None:
        take_turns((self,), tell, stop)

    def turn(self, tell: Tell) -> float:
        self.taken += 1
        self.threads.add(threading.current_thread().name)
        time.sleep(0.001)
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


def test_those_on_one_bus_share_a_thread_and_others_have_their_own() -> None:
    first, second, other, alone = Taker("first"), Taker("second"), Taker("other", "other bus"), Alone()
    listening = Listening([first, alone, second, other], tell)
    until(lambda: min(first.taken, second.taken, other.taken) > 3 and alone.thread)
    listening.stop()
    assert first.threads == second.threads == {"bus"}
    assert other.threads == {"other bus"}
    assert alone.thread == "alone"
    assert first.closed


def test_turns_are_fair_and_one_that_pauses_holds_up_nobody() -> None:
    first, second, failing = Taker("first"), Taker("second"), Taker("failing", pause=10.0)
    listening = Listening([first, failing, second], tell)
    until(lambda: first.taken > 20)
    listening.stop()
    assert abs(first.taken - second.taken) <= 1
    assert failing.taken == 1


def test_when_all_pause_nobody_is_asked_before_its_time() -> None:
    first, second = Taker("first", pause=0.1), Taker("second", pause=0.3)
    began = time.monotonic()
    listening = Listening([first, second], tell)
    until(lambda: second.taken == 3)
    listening.stop()
    took = time.monotonic() - began
    assert took >= 0.6
    assert second.taken <= first.taken <= took / 0.1 + 1
