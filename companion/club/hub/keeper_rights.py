"""The keeper's rights, given by the code that the hub's terminal shows; and the screens' scene."""

import hmac
import secrets
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from companion.access.seat_rights import ALPHABET, LENGTH, phone_of, read
from companion.club.club_cards import drawn_secret
from companion.club.hub.store import KeptValue, Store

Scene = Literal["wall", "standings", "round", "cup", "bracket", "schedule", "table"]
SCENES: tuple[Scene, ...] = get_args(Scene)
MOST_PHONES = 50


class Keeping(Struct, frozen=True):
    """The keeper's choices and credentials."""

    code: str
    phones: tuple[str, ...] = ()
    """The keeper's phones, by the digest of their tokens, the newest last."""
    scene: Scene = "wall"
    table: str = ""
    """The table that the scene `table` shows."""
    called: tuple[str, ...] = ()
    """The people whom the keeper called last, to play together."""
    called_at: float = 0.0
    """Seconds since 1970."""


class Keeper:
    """The keeper's rights and choices, stored. Any thread may use it."""

    def __init__(self, store: Store):
        initial = Keeping(_drawn_code())
        self._kept = KeptValue(store, "keeper", Keeping, initial)
        self._kept.change(lambda keeping: keeping)  # stores a code that was drawn just now
        self._secret = KeptValue(store, "card-secret", str, drawn_secret())
        self._secret.change(lambda secret: secret)

    @property
    def now(self) -> Keeping:
        """The keeper's current choices and credentials."""
        return self._kept.now

    @property
    def card_secret(self) -> str:
        """The club's secret, by which its tables recognise club cards."""
        return self._secret.now

    def is_keepers(self, token: str) -> bool:
        """Return whether a token belongs to one of the keeper's phones."""
        return bool(token) and phone_of(token) in self.now.phones

    def claim(self, code: str) -> str | None:
        """Return a new token for the keeper's code; None if the code is wrong."""
        # In constant time, so that its duration reveals nothing of the code.
        if not hmac.compare_digest(read(code).encode(errors="replace"), self.now.code.encode()):
            return None
        token = secrets.token_hex(16)
        self._kept.change(
            lambda keeping: replace(keeping, phones=(*keeping.phones[1 - MOST_PHONES :], phone_of(token)))
        )
        return token

    def renew(self, token: str) -> None:
        """Make a new code, and revoke the rights of every phone but the one with this token."""
        only = phone_of(token)
        self._kept.change(
            lambda keeping: replace(
                keeping, code=_drawn_code(), phones=tuple(phone for phone in keeping.phones if phone == only)
            )
        )

    def show(self, scene: Scene, table: str = "") -> None:
        """Set the scene of every screen of the club."""
        self._kept.change(lambda keeping: replace(keeping, scene=scene, table=table))

    def call(self, people: tuple[str, ...], at: float) -> None:
        """Call these people on every screen."""
        self._kept.change(lambda keeping: replace(keeping, called=people, called_at=at))


def _drawn_code() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
