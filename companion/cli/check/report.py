"""What a check found, for people and for scripts."""

import os
from pathlib import Path

import msgspec

from companion.cli import address
from companion.cli.check.checking import Checking
from companion.cli.check.walk import sentence
from companion.devices import supply
from companion.devices.check.checkup import Checked
from companion.devices.check.fairness import Pair
from companion.devices.check.port_order import Certificate
from companion.devices.check.walk import Found, StepResult
from companion.devices.figures import ButtonFigures, ButtonsFigures, ReaderFigures
from companion.devices.sensing import (
    Appeared,
    Buzzed,
    Crowded,
    Failed,
    Gone,
    Hurried,
    Passed,
    Sensing,
    Uncrowded,
    Working,
)
from companion.devices.supply import finding_of
from companion.live import game_code_faults
from companion.storage import disk_speed
from companion.storage.disk_speed import Syncs
from companion.storage.integrity import unread
from companion.words import Words

_WORDS = Words(None, "en")
_UNHEARD = "how it bounces is not known: --walk asks a box whose firmware can tell"
_GAME = "the game {fault.game} failed when the table last ran, at {fault.where}. Report it with this:\n{fault.trace}"
_FASTER = "Use a microSD card of class A2, or an SSD on USB, for the log"
_RUNS = (
    "A program answers at port {port}. If it is this table, its page http://localhost:{port}/check shows the same "
    "while it runs; to check here, stop it first (a service: sudo systemctl stop table-companion)"
)


class Report(msgspec.Struct, frozen=True):
    """What a check found, for scripts."""

    devices: tuple[Checked, ...]
    walked: tuple[Found, ...]
    wrong: tuple[str, ...]
    """Sentences; none if all is well."""
    fair: tuple[Pair, ...] = ()
    """How the ports of a joined button compare."""
    zero: Certificate | None = None
    """How two ports reported a finger's presses."""
    disk: Syncs | None = None
    """How fast the log's disk is; None if nothing could be written there."""


def report(checking: Checking) -> Report:
    """Sum up what is known now."""
    devices, walk = checking.checkup.devices(), checking.checkup.look()
    found = walk.found if walk else ()
    wrong = []
    for device in devices:
        late = [sentence for sentence in checking.missing if sentence.startswith(f"{device.name}: ")]
        if late and not device.works:
            wrong += late
            continue
        wrong += [f"{device.name}: {device.detail}"] if device.works is False else []
        wrong += (f"{device.name}: {_WORDS.say(one.code, one.facts)}" for one in device.findings)
    weakness = finding_of(supply.look())
    wrong += [_WORDS.say(weakness, {})] if weakness else []
    wrong += (sentence(one) for one in found if one.answer is not StepResult.RIGHT)
    wrong += _altered(checking.log)
    wrong += (_GAME.format(fault=fault) for fault in game_code_faults.load(checking.log))
    if any(not device.works for device in devices) and address.answers(checking.page):
        wrong.append(_RUNS.format(port=checking.page.port))
    return Report(devices, found, tuple(wrong), disk=_disk(checking.log))


def _altered(log: Path) -> list[str]:
    """Return what in the log is not as it was written; nothing about a log that this user may not read."""
    there = os.access(log, os.R_OK) and log.stat().st_size
    return [*unread(log)] if there else []


def _disk(log: Path) -> Syncs | None:
    try:
        return disk_speed.measure(log)
    except OSError:
        return None


def disk_line(syncs: Syncs | None) -> str:
    """Return a line on the disk. A slow one is not a fault: the line says so, and what to buy."""
    if syncs is None:
        return "--      disk: not measured, because nothing can be written beside the log"
    took = f"{syncs.median * 1000:.1f} ms, at most {syncs.worst * 1000:.0f} ms"
    if syncs.slow:
        return f"slow    disk: keeps an act in {took}, and every act waits for it. {_FASTER}"
    return f"ok      disk: keeps an act in {took}"


def figures(device: Checked) -> list[str]:
    """Return lines on a device and what it measured."""
    match device.figures:
        case ReaderFigures(polls=polls, read=read):
            said = [device.detail]
            said += [] if polls is None else [f"{polls:.0f} polls a second"]
            said += ["no card lay there"] if read is None else [f"sees its card in {100 * read:.0f} of 100 polls"]
            return [f"ok      {device.name}: {', '.join(said)}"]
        case ButtonsFigures(buttons=buttons, edges=edges):
            each = [f"        seat {button.seat}: {_button(button, edges)}" for button in buttons]
            return [f"ok      {device.name}: {device.detail}", *each]
    return [f"ok      {device.name}: {device.detail}"]


def line(sensing: Sensing) -> str:
    """Return a line on what was sensed."""
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
        case Hurried(place, _):
            return f"hurried {place}: tap the last card again, one a second"
        case Buzzed(seat, at, uncertainty, _):
            return f"press   seat {seat} at {at:.6f} s (± {uncertainty * 1000:.3f} ms)"
        case Passed(source, at):
            return f"told    {source}: all before {at:.6f} s"


def _button(button: ButtonFigures, edges: str) -> str:
    if not button.presses:
        return "not pressed"
    presses = f"{button.presses} {'press' if button.presses == 1 else 'presses'}"
    if button.bounce is None:
        return f"{presses}; {_UNHEARD}"
    few = "at least " if edges == "some" else ""
    return f"{presses}; bounces {few}{button.bounce.edges} times, within {button.bounce.lasted * 1000:.1f} ms"
