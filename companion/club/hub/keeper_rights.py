"""Who keeps the hub: whoever has typed its code, which the hub's terminal shows. And which scene is on every screen."""

import hmac
import secrets
import threading
from typing import Literal, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.access.seat_rights import ALPHABET, LENGTH, phone_of, read
from companion.club.hub.store import Store

Scene = Literal["wall", "standings", "round", "bracket", "table"]
SCENES: tuple[Scene, ...] = get_args(Scene)
MOST_PHONES = 50
_NAME = "keeper"


class Keeping(Struct, frozen=True):
    """What the keeper has decided, and by what they are known."""

    code: str
    phones: tuple[str, ...] = ()
    """The keeper's phones, each as the digest of its token; the newest last."""
    scene: Scene = "wall"
    table: str = ""
    """The table that the scene `table` shows."""


class Keeper:
    """The keeper's part. Any thread may use it."""

    def __init__(self, store: Store):
        self._store, self._lock = store, threading.Lock()
        found = store.kept(_NAME)
        self.now = (
            msgspec.json.decode(found, type=Keeping)
            if found
            else Keeping("".join(secrets.choice(ALPHABET) for _ in range(LENGTH)))
        )
        if not found:
            self._keep(self.now)

    def is_keepers(self, token: str) -> bool:
        """Whether this token is of a phone of the keeper's."""
        return bool(token) and phone_of(token) in self.now.phones

    def claim(self, code: str) -> str | None:
        """Return a new token where this is the keeper's code; None where it is not."""
        if not hmac.compare_digest(read(code).encode(errors="replace"), self.now.code.encode()):
            return None
        token = secrets.token_hex(16)
        with self._lock:
            self._keep(replace(self.now, phones=(*self.now.phones[1 - MOST_PHONES :], phone_of(token))))
        return token

    def show(self, scene: Scene, table: str = "") -> None:
        """Have every screen of the club show this."""
        with self._lock:
            self._keep(replace(self.now, scene=scene, table=table))

    def _keep(self, now: Keeping) -> None:
        self._store.keep(_NAME, now)
        self.now = now
