"""A first-aid session: the table's ailments, who may choose which remedy, and its end once the table can start."""

import hmac
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from companion.access import seat_rights
from companion.access.rights_file import new_code
from companion.access.seat_rights import HOST
from companion.backups import finding
from companion.backups.at_table import bring_back_at_once
from companion.backups.everything import pack_everything
from companion.backups.finding import FoundBackup
from companion.errors import CompanionError, NotNow
from companion.first_aid.curing import GIVES_AWAY, cure
from companion.first_aid.examination import Patient, examine, look_closely
from companion.report.stopped import pack_stopped
from companion.storage.ailments import Ailment, AilmentCode, Remedy
from companion.threads import LastingThread, Rounds

ALONE_AFTER = 60.0
"""Seconds of silence of the host's phone after which anybody may choose remedies that give nothing away."""
PASSING = (
    *(AilmentCode.SETTINGS_WRONG, AilmentCode.SETTINGS_LOST, AilmentCode.SETTINGS_CUT),
    *(AilmentCode.DISK_FULL, AilmentCode.DISK_FAILS, AilmentCode.LOG_CLOSED, AilmentCode.LOG_HELD),
)
"""Ailments that may pass or be repaired from elsewhere: the table is examined again and again."""
LOOKS_EVERY = 3.0
"""Seconds between two examinations."""
TRIES_AGAIN_AFTER = 60.0
"""Seconds after which the table is started again if no examination finds a cause."""
EXAMINES_IN = 300.0
"""Seconds that examining a long log on a slow card may take."""


class Overdue(NotNow):
    """The ailment is gone: somebody was quicker."""


class FirstAid:
    """The session. Every method may be called from any thread."""

    def __init__(
        self,
        patient: Patient,
        original: str,
        clock: Callable[[], float] = time.monotonic,
        mounts: Path = finding.MOUNTS,
    ) -> None:
        """`original` is the error at the start, shown if no examination finds a cause. `mounts` lists mounted disks."""
        self._mounts = mounts
        self.backups: tuple[FoundBackup, ...] = ()
        """The backups at hand, the newest first: on a USB stick, or beside the table."""
        self.patient = patient
        self._original = original
        self._clock = clock
        self._host_seen = clock()
        self._began = clock()
        self._lock = threading.Lock()
        self._watchers: list[Callable[[], None]] = []
        self._proven: set[str] = set()
        self._over = threading.Event()
        self._thread = LastingThread("first aid", self._look_again, patience=EXAMINES_IN)
        self.code = patient.rights.codes[HOST] if patient.rights else new_code()
        """The code that gives the host's rights here: the host's own; if that is lost, one that the terminal shows."""

    @property
    def ailments(self) -> tuple[Ailment, ...]:
        """What keeps the table from starting."""
        return self.patient.ailments or (Ailment(AilmentCode.OTHER, self._original),)

    @property
    def is_over(self) -> bool:
        """Whether the last examination found no more ailments."""
        return self._over.is_set()

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed`, which must be quick, whenever the page must change."""
        self._watchers.append(changed)

    def start(self) -> None:
        """Examine the table regularly, in a thread of its own, until it can start."""
        self._thread.start()

    def end(self) -> None:
        """Stop the thread."""
        self._thread.stop()

    def is_host(self, phone: str | None, proof: str | None) -> bool:
        """Return whether a phone is the host's, or has typed the code; note that it was seen."""
        rights = self.patient.rights
        holds = phone is not None and rights is not None and rights.holders.get(HOST) == phone
        is_host = holds or proof in self._proven
        if is_host:
            self._host_seen = self._clock()
        return is_host

    def prove(self, typed: str, proof: str) -> bool:
        """Check a typed code; if it is right, the phone with the cookie `proof` has the host's rights here."""
        is_right = hmac.compare_digest(seat_rights.read(typed).encode(), self.code.encode())
        if is_right:
            self._proven.add(proof)
        return is_right

    def opens_in(self) -> float:
        """Return the seconds until anybody may choose remedies that give nothing away; 0 if they may now."""
        return max(0.0, self._host_seen + ALONE_AFTER - self._clock())

    def may(self, code: str, remedy: str, *, is_host: bool) -> bool:
        """Return whether a phone may choose a remedy."""
        if is_host or self.patient.rights is None:
            return True
        return (code, remedy) not in GIVES_AWAY and not self.opens_in()

    def cure(self, code: str, remedy: str) -> None:
        """Carry out an offered remedy, and examine the table again. Raises `Overdue` and `NotKept`."""
        with self._lock:
            for ailment in self.patient.ailments:
                if ailment.code == code and remedy in ailment.remedies:
                    cure(self.patient, ailment.code, Remedy(remedy))
                    self._examine()
                    return
        raise Overdue("this no longer ails the table")

    def bring_back_sent(self, backup: IO[bytes]) -> None:
        """Restore a backup that a phone sends, and examine again. Raises `NotNow` and `WrongInput`."""
        self._bring_back(lambda chosen: finding.save(backup, chosen))

    def bring_back_found(self, key: str) -> None:
        """Restore a backup at hand, and examine again. Raises `NotNow` and `WrongInput`."""
        path = finding.path_of(key, self.backups)
        self._bring_back(lambda chosen: finding.copy_plain(path, chosen))

    def _bring_back(self, save: Callable[[Path], None]) -> None:
        settings = self.patient.settings
        if settings is None:
            raise NotNow("this table has no file of settings: start it with one, and bring the backup back there")
        with self._lock:
            bring_back_at_once(settings, save, self.patient.rights)
            self._examine()

    def everything(self) -> Iterator[bytes]:
        """Pack every file of the table as it is, piece by piece."""
        return pack_everything(self.patient.settings, self.patient.table)

    def report(self) -> bytes:
        """Return the report for remote support, without anything private."""
        return pack_stopped(self.patient.settings, self.patient.table, self.ailments)

    def look(self) -> None:
        """Examine the table again."""
        with self._lock:
            self._examine()

    def _look_again(self, rounds: Rounds) -> None:
        if self.patient.ailments:
            self.look()  # this time closely, which may take long: the page is served meanwhile
        was_open = not self.opens_in()
        while not self.is_over and not rounds.wait(LOOKS_EVERY):
            self._look_for_backups()
            is_due = self._clock() - self._began >= TRIES_AGAIN_AFTER
            if any(ailment.code in PASSING for ailment in self.ailments) or (is_due and not self.patient.ailments):
                self.look()
            is_open = not self.opens_in()
            if is_open != was_open:
                was_open = is_open
                self._tell()

    def _look_for_backups(self) -> None:
        earlier = self.backups
        if self.patient.settings:
            self.backups = tuple(finding.find_backups(self.patient.settings, self._mounts))
        if self.backups != earlier:
            self._tell()

    def _tell(self) -> None:
        for changed in self._watchers:
            changed()

    def _examine(self) -> None:
        self._look_for_backups()
        earlier = self.patient
        try:
            self.patient = look_closely(examine(earlier.settings, None if earlier.settings else earlier.table))
        except (CompanionError, OSError) as wrong:
            self._original = str(wrong)
            return
        if not self.patient.ailments:
            self._over.set()
        if self.is_over or self.patient != earlier:
            self._tell()
