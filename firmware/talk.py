"""The box's side of protocol.md: what it sends, and how it handles what it receives."""

from gc import mem_free
from sys import implementation

from bounce_recorder import Recorder
from buttons import Buttons
from lamps import CUES, Lamps
from lines import Cutter, line, number, words
from port import Port
from presses import Presses
from selftest import try_buttons

VERSION = 1
"""The version of the protocol."""
FIRMWARE = "1.4"

_BEAT_US = 200000
_REPEAT_US = 100000
_ALONE_US = 2000000
_SETTLED_US = 1000  # after a press; the Pi then learns that no other came with it
_NEVER = 1 << 62
_AT_ONCE = 256  # the most bytes read in one step, so that a flood does not hold up the presses
_U32 = 0xFFFFFFFF


class Talk:
    """The conversation with the Pi; `step` does a little of everything that is due, and never blocks."""

    def __init__(self, port: Port, boot: str, begun: str, buttons: Buttons, recorder: Recorder, lamps: Lamps) -> None:
        """`boot` identifies this boot; `begun` is why it began: "power", "reset" or "watchdog"."""
        self._port, self._boot, self._begun = port, boot, begun
        self._buttons, self._recorder, self._lamps, self._clock = buttons, recorder, lamps, buttons.clock
        self.presses = Presses(boot)
        self._cutter = Cutter()
        self._beat_at = self._repeat_at = 0
        self._tell_at, self._settled_at = _NEVER, _NEVER
        self._alone_at = _ALONE_US
        port.write(b"\n")
        self.hello()

    def step(self) -> bool:
        """Do one turn; return False once the Pi has asked for the port, to install another firmware."""
        self._port.renew()
        presses = self._buttons.fetch()
        told = self._buttons.told_up_to
        self._take(presses)
        if told > self._tell_at:
            self._tell_at, self._settled_at = self._settled_at, _NEVER
            self.tell_up_to(told)
        stays = self._hear()
        now = self._clock.now()
        self._recorder.step(now, presses)
        if now >= self._repeat_at:
            self._repeat()
        if now >= self._beat_at:
            self._beat_at = now + _BEAT_US
            self.presses.refused += self._buttons.lost()
            self.beat(now)
            self.tell_up_to(told)
        self._lamps.step(now, now >= self._alone_at)
        return stays

    def hello(self) -> None:
        """Send the hello."""
        self._say("H", VERSION, self._boot, FIRMWARE, len(self._buttons.pins), self.presses.acked)

    def beat(self, now: int) -> None:
        """Send the heartbeat."""
        self._say("B", self._boot, now, self.presses.last, self.presses.refused)

    def tell_up_to(self, told: int) -> None:
        """Tell that every press before this device time has got its number."""
        if told > 0:
            self._say("W", self._boot, told, self.presses.last)

    def tell_time(self, nonce: int, received: int) -> None:
        """Answer a time question that was complete at `received`.

        `received` is never behind the stamps' clock and `sent` never ahead of it (see `Clock.doubt`), so the interval
        that the Pi computes is never too narrow.
        """
        sent = received - 1
        while sent < received:
            sent = self._clock.now() - self._clock.doubt
        self._say("T", self._boot, nonce, received, sent)

    def _take(self, presses: list[tuple[int, int]]) -> None:
        for at, button in presses:
            told = self.presses.add(at, button)
            if told:
                self._port.write(told)
            self._tell_at, self._settled_at = at, at + _SETTLED_US

    def _repeat(self) -> None:
        for told in self.presses.lines():
            self._port.write(told)
        self._repeat_at = self._clock.now() + _REPEAT_US

    def _hear(self) -> bool:
        for _ in range(_AT_ONCE):
            byte = self._port.read()
            if byte is None:
                break
            heard = self._cutter.feed(byte)
            if heard:
                try:
                    if not self._answer(words(heard), self._clock.now()):
                        return False
                except ValueError:
                    pass  # not a number: the line is ignored, like any unknown one
        return True

    def _answer(self, said: list[str], now: int) -> bool:
        """Handle a line that was complete at `now`; ignore unknown ones. Return False if it asks for the port."""
        if not said:
            return True
        self._alone_at = now + _ALONE_US
        kind, count = said[0], len(said)
        if kind == "T" and count == 2:
            self.tell_time(number(said[1], _U32), now)
        elif kind == "A" and count == 3 and said[1] == self._boot:
            self.presses.acknowledge(number(said[2], _U32))
        elif kind == "L" and count == 3 and said[2] in CUES:
            self._lamps.show(number(said[1], len(self._buttons.pins)), said[2])
        elif kind == "N" and count == 3:
            button, cards = number(said[1], len(self._buttons.pins)), number(said[2], _U32)
            if button and cards:
                self._lamps.count(button, cards)
        elif kind == "H" and count == 2:
            number(said[1], _U32)
            self.hello()
            self._repeat()
        elif kind == "S" and count == 1:
            self._test()
        elif kind == "C" and count == 3:
            nonce, button = number(said[1], _U32), number(said[2], len(self._buttons.pins))
            if button:
                self._say("C", self._boot, nonce, button, *self._recorder.ask(nonce, button))
        elif kind == "U" and count == 2 and said[1] == self._boot:
            self._say("U", self._boot)
            return False
        return True

    def _test(self) -> None:
        letters, presses = try_buttons(self._buttons)
        self._take(presses)
        python = ".".join([str(part) for part in implementation.version[:3]])
        self._say("S", self._boot, letters, self._begun, mem_free(), python)

    def _say(self, *said: object) -> None:
        self._port.write(line(*said))
