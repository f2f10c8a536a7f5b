"""What the big screen shows beside play, for a moment and kept in nothing: who cheers, and the act looked at again."""

from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.access.address_holder import holder_of
from companion.acts.told import EntryTold
from companion.events import Place

CHEER_S = 3.0
"""Seconds for which a cheer is known: the screen shows it a little shorter, and its phone may cheer again after it."""
MOST_OF_ADDRESS = 3
"""Cheers known at a time from one address."""
MOST = 9
"""Cheers known at a time from all: so that no address can have them all."""
LOOK_S = 30.0
"""Seconds for which an act is shown again, unless somebody acts before."""


class Cheered(msgspec.Struct, frozen=True):
    """Somebody cheers."""

    number: int
    """Tells it from the one before."""
    at: float
    phone: str | None
    """None: one that has claimed nothing."""
    address: str
    seat: int | None = None
    """Whose phone it is; None: somebody's who looks on."""


class Evidence(msgspec.Struct, frozen=True):
    """How the table knows of an act."""

    kind: Literal["reader", "button", "entered", "said", "delay", "virtual"]
    place: Place
    """Where it was sensed, or for which place it was entered; "" if nowhere."""


class LookedAgain(msgspec.Struct, frozen=True):
    """The last act, which somebody wants to see again."""

    at: float
    match: int
    part: int
    """The seat that wants it, or the host's part."""
    told: EntryTold
    """What everybody was told of it last."""
    public: int
    """How much everybody had been told: what is told since ends it."""
    evidence: Evidence


class BesidePlay(msgspec.Struct, frozen=True):
    """All of it at one moment."""

    cheers: tuple[Cheered, ...] = ()
    """The oldest first."""
    looked: LookedAgain | None = None
    cheered: int = 0
    """How often anybody has cheered since the table started."""

    def at(self, at: float) -> "BesidePlay":
        """Return what is left of it at this moment: itself, if that is all."""
        cheers = tuple(cheer for cheer in self.cheers if at - cheer.at < CHEER_S)
        looked = self.looked if self.looked is not None and at - self.looked.at < LOOK_S else None
        return self if cheers == self.cheers and looked is self.looked else replace(self, cheers=cheers, looked=looked)

    def has_room_for(self, phone: str | None, address: str) -> bool:
        """Whether one more cheer may be shown: of this phone none is yet, and of its address few enough."""
        if len(self.cheers) >= MOST or (phone is not None and any(cheer.phone == phone for cheer in self.cheers)):
            return False
        holder = holder_of(address)
        return sum(holder_of(cheer.address) == holder for cheer in self.cheers) < MOST_OF_ADDRESS

    def cheered_by(self, phone: str | None, address: str, seat: int | None, at: float) -> "BesidePlay":
        """Return it with one more cheer."""
        cheer = Cheered(self.cheered + 1, at, phone, address, seat)
        return replace(self, cheers=(*self.cheers, cheer), cheered=cheer.number)
