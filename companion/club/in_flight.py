"""What the table says over one link: at most one message of a kind is on its way, and the newest goes next."""

import math

import msgspec

from companion.club import home_assistant, payloads, topics
from companion.club.link import Link
from companion.club.outbox import Outbox
from companion.club.payloads import About, TableStatus
from companion.club_settings import ClubSettings

PUBLIC_EVERY_S = 0.55
"""Seconds between two public views: at most two a second, even by the broker's clock."""
DENIED_S = 15.0
"""Seconds until a result that the broker did not take is sent again."""


class Pace(msgspec.Struct):
    """When each kind may next be sent, in seconds; this outlives a link."""

    public_at: float = -math.inf
    result_at: float = -math.inf


class Flight(msgspec.Struct, frozen=True):
    """A message on its way."""

    what: str
    payload: bytes
    match: int = 0


class Conversation:
    """Use it from one thread."""

    def __init__(self, club: ClubSettings, table: str, link: Link, pace: Pace) -> None:
        """Begin with a link on which nothing has been said."""
        self._club = club
        self._table = table
        self._link = link
        self._pace = pace
        self._flying: dict[int, Flight] = {}
        """The messages, by the number of the broker's answer."""
        self._public: bytes | None = None
        self.denied: set[str] = set()
        """Kinds of messages whose last one the broker did not take."""

    def introduce(self, about: About) -> None:
        """Say what the table is, and subscribe to what is said to it: by its answer, everything retained has come."""
        own_topics = [topics.topic_of(self._club.club, self._table, part) for part in ("ask", "status")]
        self._link.subscribe(*own_topics, *((home_assistant.BIRTH,) if self._club.home_assistant else ()))
        self._say("about", payloads.written(about), retain=True)

    def stand(self, status: TableStatus) -> None:
        """Say how the table stands."""
        self._say("status", payloads.written(status), retain=True)

    def describe(self, about: About) -> None:
        """Tell Home Assistant what the table is."""
        described = home_assistant.described(self._club.club, self._table, about)
        self._link.publish(home_assistant.topic_of(self._table), described, retain=True)

    def speak(self, public: bytes, outbox: Outbox, at: float) -> float:
        """Send what is due, unless one of its kind is on its way; return when to look again."""
        look_at = math.inf
        if public != self._public and not self.waits_for("public"):
            look_at = self._pace.public_at + PUBLIC_EVERY_S
            if at >= look_at:
                look_at = math.inf
                self._pace.public_at = at
                self._public = public
                self._say("public", public, retain=True, expires_s=payloads.EXPIRES_S)
        if not self.waits_for("result") and (next_result := outbox.next()):
            if at < self._pace.result_at:
                return min(look_at, self._pace.result_at)
            match, body = next_result
            self._say("result", body, match=match)
        return look_at

    def answered(self, number: int, why: str, at: float) -> Flight | None:
        """Take the broker's answer; return the message it answers, or None if nothing follows from it."""
        flight = self._flying.pop(number, None)
        if flight is None or not why:
            self.denied.discard(flight.what if flight else "")
            return flight
        self.denied.add(flight.what)
        if flight.what == "result":
            self._pace.result_at = at + DENIED_S
        return None if flight.what == "result" else flight

    def waits_for(self, kind: str) -> bool:
        """Whether a message of this kind is on its way."""
        return any(flight.what == kind for flight in self._flying.values())

    def is_behind(self, public: bytes) -> bool:
        """Whether the broker has not acknowledged all that was said, or not heard this public view."""
        return bool(self._flying) or self._public != public

    def _say(
        self, kind: str, payload: bytes, *, match: int = 0, retain: bool = False, expires_s: int | None = None
    ) -> None:
        topic = topics.topic_of(self._club.club, self._table, f"{kind}/{match}" if match else kind)
        number = self._link.publish(topic, payload, retain=retain, expires_s=expires_s)
        self._flying[number] = Flight(kind, payload, match)
