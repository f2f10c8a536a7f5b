"""`companion check --zero`: a second Pico ("finger") presses two ports thousands of times, to check reported order."""

import os
import random
from collections.abc import Iterator
from datetime import date

from msgspec.structs import replace

from companion.cli.check.buzzer_fairness import span
from companion.cli.check.checking import Checking
from companion.cli.check.plugged import used_ports
from companion.cli.check.report import Report
from companion.config import Table
from companion.devices.buzzer_box.inquiry import Asking
from companion.devices.buzzer_box.programs import Program
from companion.devices.check import port_order
from companion.devices.check.port_order import Certificate, Gap
from companion.devices.sensing import Buzzed
from companion.devices.serial_ports import picos
from companion.errors import NotNow

LONGEST_NS = 50_000
"""The longest gap between two presses, in nanoseconds; the shortest is zero."""
TOLD_S = 2.0
"""Seconds within which both presses must be reported."""

_AT_ONCE = 0.05  # the share that is pressed with no gap
_FINDING_NS = 5_000_000  # far enough apart to see which wire leads where
_SHOWN_EVERY = 500
_WIRE = "Wire it as hardware/measure.md says: GP2 and GP3 each to a port, GND to GND."


class Trial:
    """Presses of two ports by a finger, and the findings."""

    def __init__(self, table: Table, finger: str | None, presses: int) -> None:
        self._apart = table.apart
        self._port = finger or _find(table)
        self._presses = presses
        self._tried: list[Gap] = []
        self.certificate: Certificate | None = None

    def collect(self, checking: Checking) -> Iterator[str]:
        """Have both ports pressed, and yield the progress. Raises `Lost` and `NotNow`."""
        presses = self._presses
        chance = random.Random(self._presses)  # seeded, so that a trial can be repeated
        with Asking(self._port) as finger:
            hello = finger.hello()
            if not hello.firmware.startswith(Program.FINGER):
                wants = f"companion firmware install --as finger --port {self._port}"
                raise NotNow(f"a buzzer box answers at {self._port}, not a finger: {wants}")
            seats = self._seats(checking, finger)
            yield f"The finger presses seat {seats[0]} and seat {seats[1]}, {presses} times."
            for count in range(1, presses + 1):
                first = chance.choice((1, 2))
                gap = 0 if chance.random() < _AT_ONCE else chance.randint(1, LONGEST_NS)
                self._tried.append(_press(checking, finger, seats, first, gap))
                if not count % _SHOWN_EVERY:
                    yield f"{count} of {presses}"
        self.certificate = port_order.certificate(self._tried)

    def _seats(self, checking: Checking, finger: Asking) -> tuple[int, int]:
        """Return the seats that the finger's wires lead to, that of its first wire first."""
        reported = _touch(checking, finger, 1, _FINDING_NS)[1]
        if len(reported) != 2:
            where = ", ".join(f"seat {seat}" for seat in sorted(reported)) or "no seat"
            raise NotNow(f"what the finger at {self._port} presses is heard at {where}, not at two. {_WIRE}")
        first, second = sorted(reported, key=lambda seat: reported[seat])
        return first, second

    def add_to(self, report: Report) -> Report:
        """Return a report with the certificate added."""
        certificate = self.certificate
        return replace(
            report, zero=certificate, wrong=(*report.wrong, *(_wrong(certificate, self._apart) if certificate else ()))
        )


def certified(certificate: Certificate) -> Iterator[str]:
    """Yield the certificate's lines."""
    lower, upper = certificate.seats
    yield (
        f"certificate: seat {lower} and seat {upper}, {date.today().isoformat()}: {certificate.presses} presses "
        f"of both by a finger, 0 to {span(certificate.longest)} apart"
    )
    if certificate.apart:
        right = certificate.apart - certificate.reversed - certificate.ties
        surely = f"; every two more than {span(certificate.surely)} apart" if right < certificate.apart else ""
        sure = (
            f" (so fewer than {100 * certificate.share:.2g} of 100 are wrong, at 95 %)"
            if right == certificate.apart
            else ""
        )
        yield f"    {right} of {certificate.apart} that were apart were reported in order{surely}{sure}"
        yield f"    their gap was reported to within {span(certificate.off)}"
    if certificate.at_once:
        even = certificate.at_once - certificate.lower_first - certificate.upper_first
        yield (
            f"    of {certificate.at_once} at once, {even} were reported as such, "
            f"seat {lower} first at {certificate.lower_first}, seat {upper} at {certificate.upper_first}"
        )


def _find(table: Table) -> str:
    """Return the port of the only Pico that is not the table's. Raises `NotNow`."""
    ours = used_ports(table)
    candidates = [pico for pico in picos() if os.path.realpath(pico) not in ours]
    if len(candidates) != 1:
        raise NotNow("which Pico is the finger? Name it with --finger PORT (`companion check` lists what is there)")
    return candidates[0]


def _press(checking: Checking, finger: Asking, seats: tuple[int, int], first: int, gap: int) -> Gap:
    gap_made, reported = _touch(checking, finger, first, gap)
    first_seat, second_seat = seats if first == 1 else seats[::-1]
    both = reported.keys() >= {first_seat, second_seat}
    return Gap(first_seat, second_seat, gap_made / 1e9, reported[second_seat] - reported[first_seat] if both else None)


def _touch(checking: Checking, finger: Asking, first: int, gap: int) -> tuple[int, dict[int, float]]:
    """Press both ports; return the actual gap in nanoseconds, and when each seat was reported."""
    for _ in checking.sensed(0.0):  # drops late reports of the previous press
        pass
    gap_made = finger.touch(first, gap)
    reported: dict[int, float] = {}
    for sensing in checking.sensed(TOLD_S):
        if isinstance(sensing, Buzzed):
            reported.setdefault(sensing.seat, sensing.at)
            if len(reported) == 2:
                break
    return gap_made, reported


def _wrong(certificate: Certificate, apart: float) -> Iterator[str]:
    """Yield a sentence for each thing that is not as it should be."""
    seats = f"seat {certificate.seats[0]} and seat {certificate.seats[1]}"
    if certificate.missing:
        missing = f"{certificate.missing} of {certificate.presses} presses"
        yield f"{seats}: {missing} were not reported by both. Check its wires."
    if certificate.surely > apart:
        yield (
            f"{seats}: presses {span(certificate.surely)} apart were reported in the wrong order or as one, though the "
            f"table claims to tell {span(apart)} apart. Do not use it for shouts that close."
        )
