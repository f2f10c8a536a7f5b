"""How `companion report` asks a running table for its state: the devices answer no other program.

The question is an empty file beside the log, the answer what the table writes in its place. So only users with access
to the log's folder can ask.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.storage import files
from companion.storage.opening import InUse, LogFault, lock
from companion.threads import Rounds

PATIENCE_S = 10.0
"""Seconds for a running table to answer."""
LOOKS_EVERY_S = 0.5
"""Seconds between two looks for a question."""


def question_of(log: Path) -> Path:
    """Return the file for question and answer."""
    return log.with_name(f"{log.name}.asked")


def ask(log: Path, patience: float = PATIENCE_S) -> str:
    """Return the answer of the table that runs with this log; "" if none runs, or it does not answer in time."""
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
    """Answer questions until stopped; `state` returns the table's state."""
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
