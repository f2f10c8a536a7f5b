"""A short conversation with a buzzer box that no table is using: to identify it, test it, or get its port."""

import time
from secrets import randbelow
from typing import Self, TypeVar

from companion.devices.buzzer_box import faults
from companion.devices.buzzer_box.port import BoxPort
from companion.devices.buzzer_box.protocol import (
    AskBounces,
    AskHello,
    AskTest,
    Bounces,
    FromPi,
    GivesWay,
    Hello,
    LampMessage,
    LineCutter,
    OtherVersion,
    Tested,
    Touch,
    Touched,
    encode,
    from_box,
)
from companion.devices.sensing import Clock, Sleep

ANSWER_S = 2.0
PRESSED_S = 10.0
_AGAIN_S = 0.25  # a line may be lost; a self-test takes less
_LOOK_S = 0.05

T = TypeVar("T")


class Asking:
    """A conversation over an open port; use as a context manager. Every method raises `Lost`."""

    def __init__(self, path: str, clock: Clock = time.monotonic, sleep: Sleep = time.sleep) -> None:
        """Open the port exclusively. Raises `Lost`."""
        self._path = path
        self._clock = clock
        self._sleep = sleep
        self._port = BoxPort(path)
        self._lines = LineCutter()
        self._port.write(b"\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._port.close()

    def hello(self) -> Hello:
        """Ask who is there; another version of the protocol is a fault."""
        return self._ask(AskHello(), Hello)

    def test(self) -> Tested:
        """Ask the box for a self-test."""
        return self._ask(AskTest(), Tested)

    def bounces(self, button: int, within: float = PRESSED_S) -> Bounces | None:
        """Wait until a button is pressed, and return how its contact bounced; None if nobody does within this many
        seconds."""
        due = self._clock() + within
        question = AskBounces(randbelow(2**32), button)
        while self._clock() < due:
            bounces = self._ask(question, Bounces)
            if bounces.nonce == question.nonce and bounces.contact != "waits":
                return bounces
            self._sleep(_LOOK_S)
        return None

    def touch(self, first: int, gap: int) -> int:
        """Have a finger press both its ports, `gap` nanoseconds apart; return how far apart they were."""
        question = Touch(randbelow(2**32), first, gap)
        while (touched := self._ask(question, Touched)).nonce != question.nonce:
            pass  # a second answer to the previous question, which was repeated
        return touched.gap

    def give_way(self, boot: str) -> None:
        """Ask the box to leave the port to MicroPython."""
        self._ask(GivesWay(boot), GivesWay)

    def show(self, message: LampMessage) -> None:
        """Light a lamp."""
        self._port.write(encode(message))

    def _ask(self, question: FromPi, kind: type[T]) -> T:
        """Repeat a question until an answer of this kind comes."""
        at = self._clock()
        due = at + ANSWER_S
        ask_at = at
        while at < due:
            if at >= ask_at:
                ask_at = at + _AGAIN_S
                self._port.write(encode(question))
            for line in self._lines.feed(self._port.read()):
                answer = from_box(line)
                if isinstance(answer, kind):
                    return answer
                if isinstance(answer, OtherVersion):
                    raise faults.wrong_version(self._path, answer.version)
            at = self._clock()
        raise faults.no_box(self._path)
