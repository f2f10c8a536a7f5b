"""When and where each phone was last seen, and so which are in the room and which are off. A frozen value."""

import math
from collections.abc import Mapping

import msgspec

HAS_A_SAY = 3600.0
"""Seconds after its last sign for which a phone is taken to be in the room."""
SENT_AWAY = 300.0
"""Seconds for which a phone that was sent away can't sit down without a code."""
AFTER_A_START = 120.0
"""Seconds that every phone gets to reconnect after the companion was started."""
GOES_ON_WITHOUT = 60.0
"""Seconds without a sign of a phone after which people go on without it."""
ALL_ARE_TOLD = 30.0
"""Seconds without a sign after which everybody is told that a phone is off, if its player is waited for.

From then on any player of a simulated table may have a bot play on there, see `acts/seating.py`.
"""


class PhonesSeen(msgspec.Struct, frozen=True):
    """What is known of the phones at one moment. All times are seconds on one clock."""

    at: float
    """The current time."""
    began: float
    """When the companion was started, before which no sign could be heard."""
    seen: Mapping[str, float] = {}
    """By phone, the time of its last sign."""
    addresses: Mapping[str, str] = {}
    """By phone, the network address of its last sign."""
    sent_away: Mapping[str, float] = {}
    """By phone, when it was sent away."""
    awaited: Mapping[str, float] = {}
    """By phone, since when somebody wants to wait for it."""

    def silence(self, phone: str) -> float:
        """Return the seconds since a phone's last sign; one not seen since the start counts for a short while more."""
        return self.at - self.seen.get(phone, self.began + AFTER_A_START - HAS_A_SAY)

    def unheard(self, phone: str) -> float:
        """Return the seconds since a phone's last sign, or since the start if there was none."""
        return self.at - self.seen.get(phone, self.began)

    def in_the_room(self, phone: str) -> bool:
        """Whether a phone was lately seen, or may still reconnect after a start."""
        return self.silence(phone) < HAS_A_SAY

    def can_be_asked(self, phone: str, people_play: bool) -> bool:
        """Whether a phone is in the room; between matches, one that is off counts as gone home."""
        return self.in_the_room(phone) and (people_play or self.unheard(phone) < GOES_ON_WITHOUT)

    def is_at(self, phone: str, address: str) -> bool:
        """Whether a phone was last seen at this address."""
        return bool(address) and self.addresses.get(phone) == address

    def away(self, phone: str | None) -> float:
        """Return the seconds until a phone that was sent away may sit down without a code."""
        return max(0.0, self.sent_away.get(phone or "", -math.inf) + SENT_AWAY - self.at)

    def is_awaited(self, phone: str) -> bool:
        """Whether somebody wants to wait for a phone that has shown no sign since."""
        return phone in self.awaited and self.at - self.awaited[phone] <= self.unheard(phone)
