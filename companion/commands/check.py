"""`companion check`: see that every reader and buzzer box of a table answers, and how well it does."""

import queue
import select
import sys
import time
from collections.abc import Callable, Iterator
from typing import Self

import msgspec

from companion.commands import address, firmware
from companion.config import Table
from companion.devices.check.checkup import Checked, Checkup
from companion.devices.check.fairness import Pair
from companion.devices.check.walk import Found, StepResult, Walk, around, told, unproven
from companion.devices.clock import TableClock
from companion.devices.figures import ButtonFigures, ButtonsFigures, ReaderFigures
from companion.devices.listening import Listening, start_all
from companion.devices.sensing import Appeared, Buzzed, Crowded, Failed, Gone, Measured, Sensing, Uncrowded, Working
from companion.tags.deck_file import Decks
from companion.words import Words

MEASURED_S = 3.0
"""Seconds for which everything is listened to: enough to count polls for one of them, after the readers have begun."""
SILENT_S = 5.0
"""Seconds within which every device says that it works, or why not."""

_WORDS = Words(None, "en")
_UNHEARD = "how it bounces is not known: --walk asks a box whose firmware can tell"


_RUNS = (
    "A program answers at port {port}. If it is this table, its page http://localhost:{port}/check tells the same "
    "while it runs; to check here, stop it first (a service: sudo systemctl stop table-companion)"
)


class Checking:
    """All of a table's devices, opened once, measured until the end of the `with` block. Raises `TagsFault`."""

    def __init__(self, table: Table) -> None:
        if table.tags:
            Decks(table.tags)
        self.page = table.page
        clock = TableClock()
        self._heard: queue.SimpleQueue[Sensing] = queue.SimpleQueue()
        self._sources = [sensor.open(clock) for sensor in table.sensors]
        steps = around(table.seats, table.places)
        self.checkup = Checkup(self._sources, steps, clock, own_firmware(), self._keep, lambda: None)

    def __enter__(self) -> Self:
        self.missing = start_all(self._sources)
        """A sentence for each device that did not answer at once."""
        self._listening = Listening(self._sources, self.checkup.tell)
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.stop()

    @property
    def seconds(self) -> float:
        """How long to listen for figures: not at all where nothing measures any."""
        return MEASURED_S if any(isinstance(source, Measured) for source in self._sources) else 0.0

    def sensed(self, seconds: float) -> Iterator[Sensing]:
        """Give what is sensed in the next seconds, as it comes."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            try:
                yield self._heard.get(timeout=left)
            except queue.Empty:
                return

    def settle(self) -> None:
        """Wait until every device has said how it is; one that says nothing for long is left."""
        due = time.monotonic() + SILENT_S
        while time.monotonic() < due and any(device.works is None for device in self.checkup.devices()):
            time.sleep(0.05)

    def _keep(self, *sensings: Sensing) -> None:
        for sensing in sensings:
            self._heard.put(sensing)


class Report(msgspec.Struct, frozen=True):
    """What a check found, for scripts."""

    devices: tuple[Checked, ...]
    walked: tuple[Found, ...]
    wrong: tuple[str, ...]
    """Sentences; none where all is well."""
    fair: tuple[Pair, ...] = ()
    """How the ports of a joined button compare."""


def report(checking: Checking) -> Report:
    """Sum up what is known now."""
    devices, walk = checking.checkup.devices(), checking.checkup.walk
    found = walk.found if walk else ()
    wrong = [*checking.missing]
    for device in devices:
        if not any(sentence.startswith(f"{device.name}: ") for sentence in checking.missing):
            wrong += [f"{device.name}: {device.detail}"] if device.works is False else []
            wrong += (f"{device.name}: {_WORDS.say(one.code, one.facts)}" for one in device.findings)
    wrong += (_said(one) for one in found if one.answer is not StepResult.RIGHT)
    if checking.missing and address.answers(checking.page):
        wrong.append(_RUNS.format(port=checking.page.port))
    return Report(devices, found, tuple(wrong))


def missing(table: Table) -> list[str]:
    """Open every device once; give a sentence for each that does not answer. Raises `TagsFault`."""
    with Checking(table) as checking:
        return checking.missing


def walked(checking: Checking, entered: Callable[[], bool]) -> Iterator[str]:
    """Lead people around the table, line by line. `entered` waits a moment, and says whether they want to go on."""
    checkup = checking.checkup
    before, now = None, checkup.begin()
    while True:
        yield from _led(before, now)
        if now.now is None:
            return
        before = now
        while (walk := checkup.walk) == before:
            if entered():
                checkup.pass_over(len(before.found))
        now = walk or now


def enter() -> bool:
    """Wait a moment for the Enter key; where nobody can press it, only wait."""
    if sys.stdin is None or sys.stdin.closed or not select.select([sys.stdin], [], [], 0.1)[0]:
        return False
    if sys.stdin.readline():
        return True
    time.sleep(0.1)  # at its end it is always ready
    return False


def figures(device: Checked) -> list[str]:
    """Tell a device and what it measured, line by line."""
    match device.figures:
        case ReaderFigures(polls=polls, read=read):
            said = [device.detail]
            said += [] if polls is None else [f"{polls:.0f} polls a second"]
            said += ["no card lay there"] if read is None else [f"sees its card at {100 * read:.0f} of 100 polls"]
            return [f"ok      {device.name}: {', '.join(said)}"]
        case ButtonsFigures(buttons=buttons, edges=edges):
            each = [f"        seat {button.seat}: {_button(button, edges)}" for button in buttons]
            return [f"ok      {device.name}: {device.detail}", *each]
    return [f"ok      {device.name}: {device.detail}"]


def line(sensing: Sensing) -> str:
    """Tell what was sensed."""
    match sensing:
        case Working(source, detail, _):
            return f"ok      {source}: {detail}"
        case Failed(source, why, _):
            return f"FAILED  {source}: {why}"
        case Appeared(place, uid, _):
            return f"card    {place}: {uid}"
        case Gone(place, uid, _):
            return f"gone    {place}: {uid}"
        case Crowded(place, _):
            return f"crowded {place}: one card at a time"
        case Uncrowded(place, _):
            return f"sorted  {place}: one card or none again"
        case Buzzed(seat, at, uncertainty, _):
            return f"press   seat {seat} at {at:.6f} s (± {uncertainty * 1000:.3f} ms)"


def line_of(found: Report) -> bytes:
    """Write a report as one line of JSON."""
    return msgspec.json.encode(found) + b"\n"


def own_firmware() -> str:
    """Give the version of the buzzer box's program that this companion brings; "" where it brings none."""
    try:
        return firmware.own_version()
    except firmware.NotNow:
        return ""


def _button(button: ButtonFigures, edges: str) -> str:
    if not button.presses:
        return "not pressed"
    presses = f"{button.presses} {'press' if button.presses == 1 else 'presses'}"
    if button.bounce is None:
        return f"{presses}; {_UNHEARD}"
    few = "at least " if edges == "some" else ""
    return f"{presses}; bounces {few}{button.bounce.edges} times, within {button.bounce.lasted * 1000:.1f} ms"


def _led(before: Walk | None, now: Walk) -> Iterator[str]:
    """Tell what is new in a walk, and what to do next."""
    done = before.found if before else ()
    yield from (_said(one) for number, one in enumerate(now.found) if number >= len(done) or done[number] != one)
    if now.now is None:
        left = unproven(now)
        number, right = len(now.steps), len(now.steps) - len(left)
        places = ", ".join(f"{step.act} {step.place}" for step in left)
        code = "walk-not-all" if left else "walk-all-right"
        yield _WORDS.say(code, {"number": number, "right": right, "places": places})
    elif now.instead and (before is None or before.instead != now.instead):
        yield _WORDS.say(f"walk-instead-{now.now.act}", {"place": now.now.place, "heard": now.instead})
    elif before is None or before.now != now.now:
        yield f"{_WORDS.say(f'walk-{now.now.act}', {'place': now.now.place})} (Enter: go on without)"
        if now.lies_already:
            yield _WORDS.say("walk-lies-already")


def _said(found: Found) -> str:
    code, facts = told(found)
    return _WORDS.say(code, facts)
