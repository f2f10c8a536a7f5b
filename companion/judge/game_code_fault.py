"""An exception raised by a game's code, kept for its author."""

import traceback

import msgspec


class Fault(msgspec.Struct, frozen=True):
    """An exception from a game's code. It costs the picture that was asked for, and nothing else."""

    game: str
    what: str
    """The hook that was called: "judge", "view" …"""
    where: str
    """The exception and its line, by which the same fault is recognised when it occurs again."""
    trace: str
    """The traceback."""


def fault_of(game: str, call: str, wrong: Exception) -> Fault:
    """Describe what a game's code raised in a call."""
    return Fault(game, call, where(call, wrong), "".join(traceback.format_exception(wrong)))


def where(call: str, wrong: Exception) -> str:
    """Return where it was raised, by which faults are told apart; within a template, the template's line."""
    frames = traceback.extract_tb(wrong.__traceback__)
    innermost = ([frame for frame in frames if frame.filename.endswith(".html")] or frames)[-1]
    return f"{call}: {type(wrong).__name__} at {innermost.filename}:{innermost.lineno}"
