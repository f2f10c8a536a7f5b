"""What the big screen shows for a moment beside play, and never stores: cheers, and the last act looked at again."""

from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.access.address_holder import holder_of
from companion.acts.told import EntryTold
from companion.events import Place

CHEER_S = 3.0
"""Seconds that a cheer counts: the screen shows it a little shorter, and its phone may not cheer again meanwhile."""
MOST_OF_ADDRESS = 3
"""The most cheers at a time from one address, so that it can't take all of them."""
MOST = 9
"""The most cheers at a time."""
LOOK_S = 30.0
"""Seconds for which an act is shown again, unless somebody acts before."""


class Cheered(msgspec.Struct, frozen=True):
    """A cheer."""

    number: int
    """Counts cheers, so that pages can tell a new one."""
    at: float
    phone: str | None
    """None: a phone that holds nothing."""
    address: str
    seat: int | None = None
    """The seat of its player; None: an onlooker's."""


class Evidence(msgspec.Struct, frozen=True):
    """How the table knows of an act."""

    kind: Literal["reader", "button", "entered", "said", "delay", "virtual"]
    place: Place
    """Where it was sensed, or for which place it was entered; "" if nowhere."""


class LookedAgain(msgspec.Struct, frozen=True):
    """The last act, shown again by request."""

    at: float
    match: int
    part: int
    """The seat that asked for it, or the host's part."""
    told: EntryTold
    """The last public entry about it."""
    public: int
    """The length of the public story: a new entry ends the showing."""
    evidence: Evidence


class BesidePlay(msgspec.Struct, frozen=True):
    """What is shown beside play at one moment."""

    cheers: tuple[Cheered, ...] = ()
    """The oldest first."""
    looked: LookedAgain | None = None
    cheered: int = 0
    """How often anybody has cheered since the table started."""

    def at(self, at: float) -> "BesidePlay":
        """Return what is still shown at this time; the same object if nothing has ended, so that no page is woken."""
        cheers = tuple(cheer for cheer in self.cheers if at - cheer.at < CHEER_S)
        looked = self.looked if self.looked is not None and at - self.looked.at < LOOK_S else None
        return self if cheers == self.cheers and looked is self.looked else replace(self, cheers=cheers, looked=looked)

    def has_room_for(self, phone: str | None, address: str) -> bool:
        """Whether one more cheer may be shown: none of this phone is, and few enough of its address."""
        if len(self.cheers) >= MOST or (phone is not None and any(cheer.phone == phone for cheer in self.cheers)):
            return False
        holder = holder_of(address)
        return sum(holder_of(cheer.address) == holder for cheer in self.cheers) < MOST_OF_ADDRESS

    def cheered_by(self, phone: str | None, address: str, seat: int | None, at: float) -> "BesidePlay":
        """Return it with one more cheer."""
        cheer = Cheered(self.cheered + 1, at, phone, address, seat)
        return replace(self, cheers=(*self.cheers, cheer), cheered=cheer.number)
