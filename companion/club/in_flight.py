"""A table's messages over one link: at most one of each kind is unacknowledged, and the newest is sent next."""

import math

import msgspec

from companion.club import home_assistant, payloads, topics
from companion.club.link import Link
from companion.club.outbox import Outbox
from companion.club.payloads import About, TableStatus
from companion.club_settings import ClubSettings

PUBLIC_EVERY_S = 0.55
"""Seconds between two public views: a little more than half a second, so that the broker never sees three in one."""
DENIED_S = 15.0
"""Seconds until a result that the broker refused is sent again."""


class Pace(msgspec.Struct):
    """Times (seconds) that limit the rate of each kind; kept across links."""

    public_at: float = -math.inf
    result_at: float = -math.inf


class Flight(msgspec.Struct, frozen=True):
    """A message that the broker has not acknowledged yet."""

    what: str
    payload: bytes
    match: int = 0


class Conversation:
    """The messages of one link. Use it from one thread."""

    def __init__(self, club: ClubSettings, table: str, link: Link, pace: Pace) -> None:
        """Begin on a fresh link."""
        self._club = club
        self._table = table
        self._link = link
        self._pace = pace
        self._flying: dict[int, Flight] = {}
        """Unacknowledged messages, by message id."""
        self._public: bytes | None = None
        """The last public view sent."""
        self.denied: set[str] = set()
        """Kinds of messages whose last one the broker refused."""

    def introduce(self, about: About) -> None:
        """Subscribe to the table's own topics, and publish its description.

        In that order: once the broker has acknowledged the description, all retained messages have come.
        """
        own_topics = [topics.topic_of(self._club.club, self._table, part) for part in ("ask", "status")]
        self._link.subscribe(*own_topics, *((home_assistant.BIRTH,) if self._club.home_assistant else ()))
        self._say("about", payloads.written(about), retain=True)

    def stand(self, status: TableStatus) -> None:
        """Publish the table's status."""
        self._say("status", payloads.written(status), retain=True)

    def describe(self, about: About) -> None:
        """Publish the table's description for Home Assistant."""
        described = home_assistant.described(self._club.club, self._table, about)
        self._link.publish(home_assistant.topic_of(self._table), described, retain=True)

    def speak(self, public: bytes, outbox: Outbox, at: float) -> float:
        """Send what is due, unless one of its kind is unacknowledged; return when to call again, in seconds."""
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
        """Process an acknowledgement, or a refusal (`why`); return its message, or None if nothing follows from it."""
        flight = self._flying.pop(number, None)
        if flight is None or not why:
            self.denied.discard(flight.what if flight else "")
            return flight
        self.denied.add(flight.what)
        if flight.what == "result":
            self._pace.result_at = at + DENIED_S
        return None if flight.what == "result" else flight

    def waits_for(self, kind: str) -> bool:
        """Return whether a message of this kind is unacknowledged."""
        return any(flight.what == kind for flight in self._flying.values())

    def is_behind(self, public: bytes) -> bool:
        """Return whether any message is unacknowledged, or this public view not sent yet."""
        return bool(self._flying) or self._public != public

    def _say(
        self, kind: str, payload: bytes, *, match: int = 0, retain: bool = False, expires_s: int | None = None
    ) -> None:
        topic = topics.topic_of(self._club.club, self._table, f"{kind}/{match}" if match else kind)
        number = self._link.publish(topic, payload, retain=retain, expires_s=expires_s)
        self._flying[number] = Flight(kind, payload, match)
