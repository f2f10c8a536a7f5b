"""One connection to the buzzer box, from the hello until it is lost.

The box repeats a press until it is acknowledged. Here it is told to the table at once, and acknowledged only after
`tell` has returned, when it is on disk.
"""

import threading
from collections.abc import Callable, Mapping
from itertools import count
from secrets import randbelow

import msgspec

from companion.devices.buttons.contacts import Contacts
from companion.devices.buzzer_box import faults
from companion.devices.buzzer_box.bounce_recording import Recording
from companion.devices.buzzer_box.faults import Lost
from companion.devices.buzzer_box.inbox import Inbox
from companion.devices.buzzer_box.port import BoxPort
from companion.devices.buzzer_box.protocol import (
    Ack,
    AskHello,
    AskTest,
    AskTime,
    Beat,
    Bounces,
    FromPi,
    Hello,
    LampMessage,
    LineCutter,
    OtherVersion,
    Press,
    Tested,
    TimeAnswer,
    ToldUpTo,
    encode,
    from_box,
    lamp_message,
)
from companion.devices.lamp_cues import CENTRE, Cue, Light
from companion.devices.sensing import Buzzed, Clock, Failed, Passed, Tell, Working
from companion.errors import NotKept

ANSWER_S = 2.0  # for the first hello
SILENCE_S = 1.0  # four heartbeats
_TIME_S = 0.25
_FIRST_TIME_S = 0.05  # while no press can be placed yet
_HELLO_S = 0.1
_RETELL_S = 0.2
_LIGHT_S = 1.0
_ASKED_AT_MOST = 16
_LOST_S = 10.0  # an answer that has not come by then
_SETTLED_S = 0.001  # after a press the box says once more how far it has told


class Waiting(msgspec.Struct, frozen=True):
    """A press that is not on disk yet."""

    inbox: Inbox
    seq: int
    pressed: Buzzed


class Memory(msgspec.Struct):
    """The state that outlives a lost cable."""

    inbox: Inbox = msgspec.field(default_factory=lambda: Inbox(""))
    """Presses since the box last booted; empty until its hello."""
    waiting: list[Waiting] = []
    lights: Mapping[int, Light] | None = None
    """The wanted light of each lamp, by seat or `CENTRE`; None until somebody sets them."""
    firmware: str = ""
    """The latest firmware version."""
    presses: dict[int, int] = {}
    """How many there were, by seat."""
    recording: Recording = msgspec.field(default_factory=Recording)
    contacts: Contacts = msgspec.field(default_factory=Contacts)


Report = Callable[[Working | Failed], bool]
"""Tells the state of the box; returns False if that could not be stored."""


class Talk:
    """The conversation over an open port. Its methods raise `Lost` when it can't go on."""

    def __init__(
        self, port: BoxPort, path: str, name: str, seats: tuple[int, ...], memory: Memory, clock: Clock
    ) -> None:
        self._port = port
        self._path = path
        self._name = name
        self._seats = seats
        self._memory = memory
        self._clock = clock
        self._lines = LineCutter()
        self._hello: Hello | None = None
        # Not from 1: an answer to an earlier run of this program must not match a question of ours.
        self._nonces = count(randbelow(2**32))
        self._time_questions: dict[int, float] = {}
        """By nonce, when each was asked: several may be under way to a busy box."""
        self._lamps_sent: dict[int, LampMessage] = {}
        """By lamp; the box may have missed one, so all are sent again now and then."""
        self._ask_hello_at = self._ask_time_at = self._tell_at = self._light_at = self._beat_due = clock()
        self._gap = self._ack_due = False
        self._told_up_to: ToldUpTo | None = None
        self._passing: float | None = None
        """The time of the latest press told, until the box has told everything up to it."""

    def greet(self, stop: threading.Event) -> None:
        """Wait for the box's hello, and check that it fits."""
        self._port.write(b"\n")
        due = self._clock() + ANSWER_S
        while self._hello is None and not stop.is_set():
            self._ask_hello()
            self._hear()
            if self._clock() > due:
                # A box that was heard before has the right port and firmware, and so is only silent.
                raise self._silence() if self._memory.inbox.boot else faults.no_box(self._path)

    def go_on(self, tell: Tell, report: Report, stop: threading.Event) -> None:
        """Hear presses until `stop` is set."""
        self._beat_due = self._clock() + SILENCE_S
        while not stop.is_set():
            if self._clock() >= self._ask_time_at:
                self._ask_time()
            beat = self._hear()
            self._pass_on(tell)
            self._light()
            if question := self._memory.recording.question(self._clock()):
                self._write(question)
            if self._memory.contacts.is_due(self._clock()):
                self._write(AskTest())
            if beat is not None:
                self._weigh(beat, report)
            # Only after a read without a heartbeat: while the disk was slow, heartbeats may have queued up here.
            elif self._clock() > self._beat_due:
                raise self._silence()

    def _hear(self) -> Beat | None:
        """Read once and handle every line; return the last heartbeat among them."""
        beat = None
        data = self._port.read()
        read_at = self._clock()
        for line in self._lines.feed(data):
            match from_box(line):
                case OtherVersion(version):
                    raise faults.wrong_version(self._path, version)
                case Hello() as hello:
                    self._meet(hello)
                case Press(boot) | Beat(boot) | ToldUpTo(boot) | TimeAnswer(boot) if not self._knows(boot):
                    self._ask_hello()
                case Press() as press:
                    self._take(press, read_at)
                case TimeAnswer(_, nonce, received, sent):
                    if (asked_at := self._time_questions.pop(nonce, None)) is not None:
                        # The box answers in order, so older questions without an answer are lost.
                        self._time_questions = {
                            later: at for later, at in self._time_questions.items() if at > asked_at
                        }
                        self._memory.inbox.clock.exchanged(asked_at, received, sent, read_at)
                case ToldUpTo() as up_to:
                    self._told_up_to = up_to
                case Tested(channels=channels):
                    with_seats = channels[: len(self._seats)]
                    closed = {button for button, letter in enumerate(with_seats) if letter == "c"}
                    self._memory.contacts.note_closed(closed, read_at)
                case Bounces() as answer:
                    self._memory.recording.hear(answer)
                case Beat() as heartbeat:
                    beat = heartbeat
        return beat if beat is not None and self._knows(beat.boot) else None

    def _knows(self, boot: str) -> bool:
        return self._hello is not None and self._hello.boot == boot

    def _meet(self, hello: Hello) -> None:
        if hello.buttons < len(self._seats):
            raise faults.too_few_buttons(self._path, hello.buttons, len(self._seats))
        if self._memory.inbox.boot != hello.boot:
            self._memory.inbox = Inbox(hello.boot)
            self._time_questions = {}
            self._ask_time_at = self._clock()
            self._told_up_to = None
        self._memory.inbox.agree(hello.acked)
        self._hello = hello
        self._memory.firmware = hello.firmware
        self._lamps_sent = {}

    def _take(self, press: Press, read_at: float) -> None:
        inbox = self._memory.inbox
        if not inbox.clock.ready:
            return  # its time can't be converted yet; the box repeats it
        self._ack_due = True
        soonest = inbox.clock.look(press.at)
        if soonest.at - soonest.uncertainty > read_at:
            return  # in the future: this machine was suspended, or the offset is wrong. The box repeats it
        if not inbox.hear(press.seq):
            return
        if press.button > len(self._seats):
            inbox.keep(press.seq)  # of a button that no seat has
            return
        moment = inbox.clock.place(press.at)
        origin = f"pico-{press.boot}-{press.seq}"
        seat = self._seats[press.button - 1]
        pressed = Buzzed(seat, moment.at, moment.uncertainty, origin)
        self._memory.presses[seat] = self._memory.presses.get(seat, 0) + 1
        self._memory.waiting.append(Waiting(inbox, press.seq, pressed))

    def _pass_on(self, tell: Tell) -> None:
        waiting = self._memory.waiting
        began = self._clock()
        if waiting and began >= self._tell_at:
            waiting.sort(key=lambda press: press.pressed.at)
            try:
                tell(*(press.pressed for press in waiting))
            except NotKept:
                self._tell_at = self._clock() + _RETELL_S
            else:
                self._passing = max(waiting[-1].pressed.at, self._passing or 0.0)
                for press in waiting:
                    press.inbox.keep(press.seq)
                waiting.clear()
            self._beat_due += self._clock() - began  # the disk was slow, not the box
        if self._ack_due:  # also for a repeated press: the box may have missed the first acknowledgement
            self._ack_due = False
            self._write(Ack(self._memory.inbox.boot, self._memory.inbox.acked))
        self._pass_by(tell)

    def _pass_by(self, tell: Tell) -> None:
        """Tell up to when the box has told its presses, if a press is held back for that."""
        inbox = self._memory.inbox
        up_to = self._told_up_to
        if self._passing is None or up_to is None or self._memory.waiting or not inbox.complete(up_to.last):
            return
        if not inbox.clock.begun:  # the box has restarted, and there was no exchange yet
            return
        self._told_up_to = None
        at = inbox.clock.earliest(up_to.at)
        if at > self._passing:
            try:
                tell(Passed(self._name, at))
            except NotKept:
                return  # the box soon tells a later time
        if at > self._passing + _SETTLED_S:
            self._passing = None

    def _light(self) -> None:
        """Send changed lights, and all of them once a second, in case the box missed a line."""
        lights = self._memory.lights
        at = self._clock()
        if lights is None:
            return
        if at >= self._light_at:
            self._light_at = at + _LIGHT_S
            self._lamps_sent = {}
        for button, seat in enumerate((CENTRE, *self._seats)):
            message = lamp_message(self._memory.firmware, button, lights.get(seat, Cue.OFF))
            if self._lamps_sent.get(button) != message:
                self._lamps_sent[button] = message
                self._write(message)

    def _weigh(self, beat: Beat, report: Report) -> None:
        """Check by a heartbeat whether all presses arrive and none was refused, and report it."""
        inbox = self._memory.inbox
        hello = self._hello
        self._gap = not inbox.complete(beat.last)
        if hello is None or self._gap or not inbox.clock.begun:
            if self._clock() > self._beat_due:
                raise self._silence()
            return
        self._beat_due = self._clock() + SILENCE_S
        if not inbox.clock.ready:
            return  # the box answers, but slowly: wait for a few more exchanges
        refused = beat.refused - (beat.refused if inbox.refused is None else inbox.refused)
        if refused > 0 and not report(Failed(self._name, faults.full(self._path, refused), self._clock())):
            return
        inbox.refused = beat.refused
        half_ms = inbox.clock.look(beat.at).uncertainty * 1000
        report(Working(self._name, f"companion-box {hello.firmware}, ±{half_ms:.2f} ms", self._clock()))

    def _silence(self) -> Lost:
        return faults.gaps(self._path) if self._gap else faults.silent(self._path)

    def _ask_hello(self) -> None:
        at = self._clock()
        if at >= self._ask_hello_at:
            self._ask_hello_at = at + _HELLO_S
            self._write(AskHello())

    def _ask_time(self) -> None:
        at = self._clock()
        self._ask_time_at = at + (_TIME_S if self._memory.inbox.clock.ready else _FIRST_TIME_S)
        if (
            len(self._time_questions) == _ASKED_AT_MOST
        ):  # a box that is asked faster than it answers would only fall behind
            oldest = next(iter(self._time_questions))
            if at < self._time_questions[oldest] + _LOST_S:
                return
            del self._time_questions[oldest]
        nonce = next(self._nonces) % 2**32
        self._time_questions[nonce] = at
        self._write(AskTime(nonce))

    def _write(self, message: FromPi) -> None:
        self._port.write(encode(message))
