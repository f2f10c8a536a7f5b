"""How a report asks the table that runs beside it: its devices belong to the table, and answer nobody else.

The question is an empty file beside the log, the answer what the table writes in its place: who may read the log may
ask, and nobody else.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.storage import files
from companion.storage.opening import InUse, LogFault, lock
from companion.threads import Rounds

PATIENCE_S = 10.0
"""Seconds that a running table has to answer."""
LOOKS_EVERY_S = 0.5
"""Seconds between two looks for a question, and for its answer."""


def question_of(log: Path) -> Path:
    """Return the file in which a running table is asked how it is."""
    return log.with_name(f"{log.name}.asked")


def ask(log: Path, patience: float = PATIENCE_S) -> str:
    """Return what the table that runs with this log says; "" if none runs, or it does not answer in time."""
    if not _runs(log):
        return ""
    question = question_of(log)
    until = time.monotonic() + patience
    try:
        files.private(question).close()
        while time.monotonic() < until:
            time.sleep(LOOKS_EVERY_S / 5)
            if answer := question.read_text(encoding="utf-8"):
                return answer
    except OSError:
        return ""
    finally:
        with suppress(OSError):
            question.unlink(missing_ok=True)
    return ""


def answer_questions(log: Path, state: Callable[[], str], rounds: Rounds) -> None:
    """Answer whoever asks, in a thread of its own; `state` says how the table is."""
    question = question_of(log)
    while not rounds.wait(LOOKS_EVERY_S):
        with suppress(OSError):
            if question.stat().st_size == 0:
                files.replace_private(question, state().encode())


def _runs(log: Path) -> bool:
    try:
        lock(log).close()
    except InUse:
        return True
    except LogFault:
        return False
    return False
