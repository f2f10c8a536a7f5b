"""The questions, stored in one small file beside the log before anybody is told of them.

A restart restores them with the time that they had left when they were written, so that phones can reconnect first. If
the machine itself kept running, a question that must have lapsed meanwhile is dropped; after a reboot it is unknown how
long the machine was off. If closing a question can't be written, the file is deleted, which works on a full disk: it is
better for a restart to find no question than an old one.
"""

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from companion.access.presence import AFTER_A_START
from companion.acts.question import LAPSES, Questions
from companion.devices.sensing import Clock
from companion.errors import NotKept
from companion.storage import files

_journal = logging.getLogger(__name__)


class _Written(msgspec.Struct, frozen=True):
    at: float
    """When it was written, in seconds on the clock of that run."""
    questions: Questions


class KeptQuestions:
    """Every method may be called from any thread; one that changes something waits for the disk."""

    def __init__(self, log: Path, changed: Callable[[], None], clock: Clock):
        """Go on with the file beside this log; `changed` (must be quick) is called whenever something else is open."""
        self._path = files.questions_of(log)
        self._changed = changed
        self._clock = clock
        self._lock = threading.Lock()
        self.value = self._read()
        if self.value != Questions():
            # Written again with this run's clock, because the next restart may come before anything else is written.
            with suppress(OSError):
                self._write(self.value)

    @property
    def at(self) -> float:
        """The moment, in seconds on the questions' clock."""
        return self._clock()

    def change(self, step: Callable[[Questions], Questions]) -> None:
        """Change the questions; nobody is told of it before it is on disk. Raises `NotKept`."""
        with self._lock:
            questions = step(self.value)
            try:
                self._write(questions)
            except OSError as wrong:
                raise NotKept(f"can't write {self._path}: {wrong.strerror}") from wrong
            self.value = questions
        self._changed()

    def close(self, step: Callable[[Questions], Questions]) -> None:
        """Close a question without doing its act. Raises `NotKept` if a restart would open it again."""
        with self._lock:
            questions = step(self.value)
            self._write_or_delete(questions)
            self.value = questions
        self._changed()

    def close_done(self, step: Callable[[Questions], Questions]) -> None:
        """Close a question whose act is done, or can't be done any more, even if that can't be written."""
        with self._lock:
            self.value = step(self.value)
            with suppress(NotKept):
                self._write_or_delete(self.value)
        self._changed()

    def prolong(self) -> None:
        """Restart the open question's time. Nothing is written, because a restart of the table restarts it anyway."""
        with self._lock:
            self.value = self.value.prolonged(self._clock())
        self._changed()

    def _read(self) -> Questions:
        try:
            written = msgspec.json.decode(files.contents(self._path), type=_Written)
        except FileNotFoundError:
            return Questions()
        except (OSError, msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
            _journal.warning("%s can't be used, so who asked something must ask again: %s", self._path, wrong)
            return Questions()
        since = self._clock() - written.at  # less than 0 after the machine itself was started
        questions = written.questions.without_switching_off()
        return questions if since > LAPSES + AFTER_A_START else questions.later(since)

    def _write_or_delete(self, questions: Questions) -> None:
        try:
            self._write(questions)
        except OSError:
            try:
                self._path.unlink(missing_ok=True)
                files.sync(self._path.parent)
            except OSError as wrong:
                raise NotKept(f"can't write {self._path}: {wrong.strerror}") from wrong

    def _write(self, questions: Questions) -> None:
        files.replace_private(self._path, msgspec.json.encode(_Written(self._clock(), questions)) + b"\n")
