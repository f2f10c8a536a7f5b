"""The findings of a check, for people and for scripts."""

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
from companion.report.device_lines import WORDS, faults_of
from companion.storage import disk_speed
from companion.storage.disk_speed import Syncs
from companion.storage.integrity import unread_in_words

_GAME = "the game {fault.game} failed when the table last ran, at {fault.where}. Report it with this:\n{fault.trace}"
_RUNS = (
    "A program answers at port {port}. If it is this table, its page http://localhost:{port}/check shows the same "
    "while it runs; to check here, stop it first (a service: sudo systemctl stop table-companion)"
)


class Report(msgspec.Struct, frozen=True):
    """The findings of a check; printed as JSON with `--json`."""

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
    """Sum up the findings so far."""
    devices = checking.checkup.devices()
    walk = checking.checkup.look()
    steps_walked = walk.found if walk else ()
    wrong = []
    for device in devices:
        late = [sentence for sentence in checking.missing if sentence.startswith(f"{device.name}: ")]
        if late and not device.works:
            wrong += late
            continue
        wrong += faults_of(device)
    weakness = finding_of(supply.look())
    wrong += [WORDS.say(weakness, {})] if weakness else []
    wrong += (sentence(step) for step in steps_walked if step.answer is not StepResult.RIGHT)
    ailment = checking.decks.ailment()
    wrong += [ailment.says] if ailment else []
    wrong += _altered(checking.log)
    wrong += (_GAME.format(fault=fault) for fault in game_code_faults.load(checking.log))
    if any(not device.works for device in devices) and address.answers(checking.page):
        wrong.append(_RUNS.format(port=checking.page.port))
    return Report(devices, steps_walked, tuple(wrong), disk=_disk(checking.log))


def _altered(log: Path) -> list[str]:
    """Return sentences on altered matches in the log; none for a log that this user may not read."""
    is_readable = os.access(log, os.R_OK) and log.stat().st_size
    return [*unread_in_words(log)] if is_readable else []


def _disk(log: Path) -> Syncs | None:
    try:
        return disk_speed.measure(log)
    except OSError:
        return None


def line(sensing: Sensing) -> str:
    """Return a line for a sensing."""
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
