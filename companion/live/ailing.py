"""Stored data that a table in play can't use: it goes on without, and every page says so."""

import logging
import threading
from collections.abc import Callable, Collection

from companion.storage.ailments import Ailment, AilmentCode

_journal = logging.getLogger(__name__)


class KnownAilments:
    """Every method may be called from any thread."""

    def __init__(self, changed: Callable[[], None]) -> None:
        """Begin with none; `changed` is called, in the caller's thread, whenever there is something new to show."""
        self._changed = changed
        self._lock = threading.Lock()
        self.known: tuple[Ailment, ...] = ()

    def note(self, ailment: Ailment) -> None:
        """Keep an ailment; it replaces the one of the same kind."""
        with self._lock:
            if ailment in self.known:
                return
            different = tuple(ailment_known for ailment_known in self.known if ailment_known.code is not ailment.code)
            self.known = (*different, ailment)
        _journal.warning(ailment.says)
        self._changed()

    def note_lost(self, matches: Collection[int]) -> None:
        """Add matches that can't be read to those already known; none given means that the whole log can't be."""
        if not matches:
            says = "the log can't be read any more: past matches are not shown. What is played now may not be kept"
            self.note(Ailment(AilmentCode.LOG_DAMAGED, says))
            return
        earlier = (
            known_ailment.facts["matches"]
            for known_ailment in self.known
            if known_ailment.code is AilmentCode.MATCHES_LOST
        )
        self.note(matches_lost({*matches, *next(earlier, ())}))

    def forget(self, code: AilmentCode) -> None:
        """Forget an ailment that is cured."""
        with self._lock:
            remaining = tuple(ailment for ailment in self.known if ailment.code is not code)
            if len(remaining) == len(self.known):
                return
            self.known = remaining
        self._changed()


def matches_lost(matches: Collection[int]) -> Ailment:
    """Return what is shown of matches that can't be read."""
    numbers = tuple(sorted(matches))
    listed = ", ".join(map(str, numbers))
    says = f"can't be read any more: match {listed}. All others can. A backup may still hold them (companion restore)"
    return Ailment(AilmentCode.MATCHES_LOST, says, {"matches": numbers, "number": len(numbers)})
