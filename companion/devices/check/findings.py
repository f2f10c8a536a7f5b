"""Assesses devices by their figures: what is wrong and what to do, as codes of `locale/words.pot`. Pure."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from companion.devices.buttons.debounce import REST_NS
from companion.devices.figures import ButtonFigures, ButtonsFigures, Figures, ReaderFigures
from companion.devices.readers.presence import MISSES, REMOVAL

SLOWEST = MISSES / REMOVAL
"""Polls a second, 10: with fewer, a removal is told late, and a card held to the reader briefly may be missed."""
WEAKEST = 0.9
"""Share of polls that see a still card: with a smaller one it lies at the edge of the field, and will soon be missed
for good."""
COUNTS_AGAIN = REST_NS / 1e9
"""Seconds, 0.03, that a button must rest open, here as in the buzzer box."""
LONGEST_BOUNCE = COUNTS_AGAIN * 2 / 3
"""Seconds, 0.02: a contact that bounces this long will soon bounce longer, and then one press counts twice."""
LATELY = 60.0
"""Seconds for which a past fault is still reported."""


class Finding(Struct, frozen=True):
    """Something wrong with a device."""

    code: str
    facts: dict[str, Any] = {}


def findings(figures: Figures, firmware: str, at: float) -> tuple[Finding, ...]:
    """Assess a device's figures. `firmware` is the companion's own for the buzzer box ("": unknown)."""
    match figures:
        case ReaderFigures():
            return (*_faults(figures, at), *_reader(figures))
        case ButtonsFigures():
            of_buttons = (finding for button in figures.buttons for finding in _button(button))
            closed = (Finding("button-closed", {"number": seat}) for seat in figures.closed)
            return (*_faults(figures, at), *_version(figures, firmware), *of_buttons, *closed)


def _faults(figures: Figures, at: float) -> Iterator[Finding]:
    if figures.last_fault_at is not None and at - figures.last_fault_at < LATELY:
        yield Finding("device-faulted", {"number": figures.faults, "why": figures.last_fault})


def _reader(figures: ReaderFigures) -> Iterator[Finding]:
    if figures.polls is not None and figures.polls < SLOWEST:
        yield Finding("reader-slow", {"polls": round(figures.polls, 1), "least": round(SLOWEST)})
    if figures.read is not None and figures.read < WEAKEST:
        yield Finding("reader-weak", {"percent": round(100 * figures.read), "least": round(100 * WEAKEST)})
    if figures.strangers:
        yield Finding("reader-strangers", {"number": figures.strangers})


def _version(figures: ButtonsFigures, firmware: str) -> Iterator[Finding]:
    if firmware and figures.firmware and figures.firmware != firmware:
        yield Finding("firmware-other", {"there": figures.firmware, "here": firmware})


def _button(figures: ButtonFigures) -> Iterator[Finding]:
    bounce = figures.bounce
    if bounce is not None and bounce.lasted > LONGEST_BOUNCE:
        facts = {"number": figures.seat, "lasted": round(bounce.lasted * 1000), "most": round(COUNTS_AGAIN * 1000)}
        yield Finding("button-bounces", facts)
