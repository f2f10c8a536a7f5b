"""The phones of a table, whose rights are stored in one small file beside the log before anybody is told of them."""

import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

from companion.access import people, seat_rights
from companion.access.presence import SENT_AWAY, PhonesSeen
from companion.access.seat_rights import Rights, Who
from companion.errors import NotKept, NotNow
from companion.storage import files
from companion.storage.last_copy import is_lost

_CURE = (
    "Put phones.json from a backup (a zip) in its place; or move it away, with its copy (.last), and a new one is "
    "made: everybody then claims their seat again, and corrected names, hidden pages, seasons, looks and club cards "
    "are lost. Nothing was changed"
)


class PhonesFault(NotNow):
    """The file can't be used: what, where, and what to do now."""


class _ComingRights(msgspec.Struct, frozen=True):
    """The rights that hold once a match is on the table."""

    match: int
    rights: Rights


class _StoredRights(Rights, frozen=True):
    """The content of the file."""

    coming: _ComingRights | None = None
    """The rights of a match that was about to begin; the log tells whether it has begun."""


class Phones:
    """Every method may be called from any thread; one that changes something waits for the disk."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic):
        """Load the file; if there never was one, nobody holds anything. Raises `PhonesFault`."""
        self._path = path
        self._clock = clock
        self._lock = threading.Lock()
        self._watchers: list[Callable[[], None]] = []
        self._seen: dict[str, float] = {}
        self._addresses: dict[str, str] = {}
        """By phone, the network address of its last sign."""
        self._away: dict[str, float] = {}
        """By phone, when it was sent away."""
        self._awaited: dict[str, float] = {}
        """By phone, since when somebody wants to wait for it."""
        self._began = clock()
        stored_rights = _read(path) if path.exists() or is_lost(path) else None
        self._coming = stored_rights.coming if stored_rights is not None else None
        stored = None if stored_rights is None else _without_coming(stored_rights)
        if stored is None:
            self.rights = seat_rights.new(unused_codes(Rights({})))
        else:
            self.rights = seat_rights.lengthen(stored, unused_codes(stored))
        if self.rights == stored:
            return
        try:
            _save(path, self.rights)
        except OSError as wrong:
            raise PhonesFault(f"can't write {path}: {wrong.strerror}. Choose another place for the log") from wrong

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` (must be quick) whenever the rights change."""
        self._watchers.append(changed)

    def change(self, step: Callable[[Rights], Rights]) -> Rights:
        """Apply a function of `seat_rights` or `lobby`; return the new rights. Raises `NotKept`."""
        with self._lock:
            return self._change(step)

    def try_to_store(self) -> None:
        """Check that a change could be stored now. Raises `NotKept`."""
        with self._lock:
            self._store(self.rights)

    def prepare(self, match: int, rights: Callable[[Rights], Rights]) -> None:
        """Store the rights that hold once this match is on the table, before it is. Raises `NotKept`."""
        with self._lock:
            self._coming = _ComingRights(match, rights(self.rights))
            self._store(self.rights)

    def arrive(self, rights: Callable[[Rights], Rights]) -> Rights:
        """Put the prepared rights into force now that the match is on the table; they are worked out again, because
        phones may have changed meanwhile. Raises `NotKept`.
        """
        with self._lock:
            coming = self._coming
            self._coming = None
            try:
                return self._change(rights)
            except NotKept:
                self._coming = coming  # the next start puts them into force
                raise

    def give_up(self) -> None:
        """Discard the prepared rights, because the match has not begun."""
        with self._lock:
            self._coming = None
            with suppress(NotKept):
                self._store(self.rights)

    def find_on_table(self, match: int | None) -> None:
        """Put prepared rights into force at the start if their match is the one on the table, else discard them."""
        with self._lock:
            coming = self._coming
            if coming is None or match is None:
                return
            self._coming = None
            if coming.match == match:
                self.rights = coming.rights
            with suppress(NotKept):  # the file leads to the same at the next start
                self._store(self.rights)

    def claim(self, phone: str, text: str, former_phone: str | None = None) -> int:
        """Give a phone the part that a code opens, and return the part; `former_phone` is the phone's old token. Raises
        `NoSuchCode`, `Held` and `NotKept`.
        """
        with self._lock:
            rights_now = seat_rights.known_as(self.rights, former_phone, phone)
            changed, part = seat_rights.claim(rights_now, phone, seat_rights.read(text))
            self._change(lambda _: changed)
            return part

    def here(self, who: Who, address: str = "") -> None:
        """Note a sign of a phone from this address; "": from the one known before."""
        if who.phone and (who.parts or who.waits or who.left):
            self._seen[who.phone] = self._clock()
            if address:
                self._addresses[who.phone] = address

    def send_away(self, phone: str) -> None:
        """Note that a phone was sent away, so that it can't come back at once."""
        at = self._clock()
        self._away = {**{away: sent_at for away, sent_at in self._away.items() if at - sent_at < SENT_AWAY}, phone: at}

    def wait_for(self, phone: str) -> None:
        """Note that somebody wants to wait for a phone that is off."""
        self._awaited[phone] = self._clock()

    @property
    def presence(self) -> PhonesSeen:
        """The current presence of phones, as a value that does not change."""
        return PhonesSeen(
            self._clock(), self._began, {**self._seen}, {**self._addresses}, {**self._away}, {**self._awaited}
        )

    def in_the_room(self, phone: str) -> bool:
        """Whether a phone was seen lately, or may still come back after a start."""
        return self._looked_up().in_the_room(phone)

    def unheard(self, phone: str) -> float:
        """Return the seconds since a phone's last sign, or since the start if there was none."""
        return self._looked_up().unheard(phone)

    def _looked_up(self) -> PhonesSeen:
        """Return the presence for one query; the dicts are shared, not copied."""
        return PhonesSeen(self._clock(), self._began, self._seen)

    def _change(self, step: Callable[[Rights], Rights]) -> Rights:
        changed = step(self.rights)
        if changed != self.rights:
            # On disk before anybody is told: after a power cut nobody may hold less than they were shown.
            self._store(changed)
            # A token is new here only if its phone has just sent a request, which is a sign of it.
            new = seat_rights.phones_of(changed) - seat_rights.phones_of(self.rights)
            self._seen |= dict.fromkeys(new, self._clock())
            self.rights = changed
            for notify in self._watchers:
                notify()
        return changed

    def _store(self, rights: Rights) -> None:
        try:
            _save(self._path, rights, self._coming)
        except OSError as wrong:
            raise NotKept(f"can't write {self._path}: {wrong.strerror}") from wrong


def load(path: Path) -> Rights:
    """Read a table's rights. Raises `PhonesFault`."""
    return _without_coming(_read(path))


def _read(path: Path) -> _StoredRights:
    try:
        if path.exists() and not path.is_file():  # a pipe would be waited for
            raise PhonesFault(f"{path} is no ordinary file. {_CURE}")
        rights = msgspec.json.decode(path.read_bytes(), type=_StoredRights)
    except FileNotFoundError:
        if is_lost(path):
            raise PhonesFault(f"{path} is gone, and was there before. {_CURE}") from None
        raise PhonesFault(f"no codes at {path} yet: start the table once") from None
    except PermissionError as wrong:
        raise PhonesFault(files.closed(path)) from wrong
    except OSError as wrong:
        raise PhonesFault(f"can't read {path}: {wrong.strerror}") from wrong
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise PhonesFault(f"{path} is damaged ({wrong}). {_CURE}") from wrong
    if set(rights.codes) != set(seat_rights.PARTS):
        raise PhonesFault(f"{path} is damaged (codes are missing). {_CURE}")
    return replace(rights, people=people.with_todays_keys(rights.people))


def keep_host(path: Path, present: Rights) -> None:
    """Set the host's phone and code in a file to those of `present`. Raises `PhonesFault` and OSError."""
    _save(path, seat_rights.with_host_of(load(path), present))


def corrected(path: Path) -> Mapping[int, Mapping[int, str]]:
    """Return the corrected names, by match and seat; none if the file can't be used."""
    try:
        return load(path).people.corrected
    except PhonesFault:
        return {}


def unused_codes(rights: Rights) -> Iterator[str]:
    """Yield unused codes without end."""
    return seat_rights.unused_codes(rights, iter(new_code, None))


def new_code() -> str:
    """Return a random code."""
    return "".join(secrets.choice(seat_rights.ALPHABET) for _ in range(seat_rights.LENGTH))


def _without_coming(stored_rights: _StoredRights) -> Rights:
    return Rights(*(getattr(stored_rights, name) for name in Rights.__struct_fields__))


def _save(path: Path, rights: Rights, coming: _ComingRights | None = None) -> None:
    """Replace the whole file: after a power cut it is the old one or the new one. Only its owner may read it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    stored_rights = rights if coming is None else _StoredRights(**msgspec.structs.asdict(rights), coming=coming)
    files.replace_private(path, msgspec.json.format(msgspec.json.encode(stored_rights)) + b"\n")
