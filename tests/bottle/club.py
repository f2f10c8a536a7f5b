"""The club of a table in a bottle: its publisher, a broker in memory, the hub on the same disk, and a table that lies.

What is theirs is real: outbox, publisher, follower, intake and store. Their threads' turns are taken here.
"""

import random
from contextlib import suppress
from typing import Any

import msgspec

from companion.club.club_cards import card_of
from companion.club.hub.follower import Follower
from companion.club.hub.result_intake import KEPT_PER_S, LEAST, MOST_KEPT
from companion.club.hub.store import HubFault, Store
from companion.club.outbox import Outbox, OutboxFault
from companion.club.payloads import About, MatchResult, SeatedPlayer
from companion.club.publisher import Publisher
from companion.club.topics import topic_of
from companion.club_settings import ClubSettings
from tests.bottle.broker import Broker, HubClient, Message, new_client, new_link
from tests.bottle.machine import Machine

CLUB = "wednesday"
SETTINGS = ClubSettings(broker="mqtt://127.0.0.1:1883", club=CLUB, name="Window table")
ABOUT = About("Window table", ("stop-it",), (1, 2), ("en", "fr"), "http://127.0.0.1:8000/", "0.2.0", simulated=False)
TAGS = ("04A1B2C3D4E5F6", "5B1C2D3E")
"""Tags with a number of their own: a sticker that is on no card, and a door pass."""
LIAR = "liarliarliarliar"
"""Another table's id, which has valid credentials."""
MOST_MESSAGES = 20_000
"""Messages under way that are too many."""
TURNS = 200
"""Turns in a row without time that are too many."""


class Acked:
    """What the hub has told the broker that it keeps: by table and match, the highest revision."""

    def __init__(self) -> None:
        self.revisions: dict[tuple[str, int], int] = {}

    def note(self, message: Message) -> None:
        *_, table, what, match = ("", "", *message.topic.split("/"))
        if what != "result" or not message.payload:
            return
        with suppress(msgspec.MsgspecError, UnicodeError):
            result = msgspec.json.decode(message.payload, type=MatchResult)
            key = table, int(match)
            self.revisions[key] = max(self.revisions.get(key, 0), result.revision)


class Club:
    """Everything beyond the table; it outlasts the table's restarts, but not the machine's on which its hub runs."""

    def __init__(self, machine: Machine, chance: random.Random) -> None:
        self.broker = Broker(chance, lambda: machine.elsewhere)
        self.acked = Acked()
        self.publisher: Publisher | None = None
        self.store: Store | None = None
        self.follower: Follower | None = None
        self.starts_of_hub = 0
        self._hub_began = 0.0
        self._kept_before: dict[str, int] = {}
        """By table, the bytes of its results that the hub held when it started."""
        self._machine = machine
        self._chance = chance
        self._publisher_at = 0.0
        self._hub_at = 0.0
        self._lies = 0

    def table_starts(self, live: Any, people: Any) -> None:
        """Have the table's publisher begin."""
        self.publisher = Publisher(SETTINGS, live, ABOUT, people, self._machine, new_link(self.broker))
        self._publisher_at = 0.0
        live.watch(self._looks)

    def table_stops(self) -> None:
        """Have it end without a goodbye."""
        if self.publisher is not None:
            self.publisher.give_up()
            self.publisher = None

    def hub_starts(self, table: Any) -> None:
        """Have the hub begin, if its disk lets it."""
        try:
            self.store = Store(table.folder / "hub.sqlite")
            self.starts_of_hub += 1
            self._hub_began = self._machine.elsewhere
            with self.store._alone() as db:
                self._kept_before = dict(db.execute(_KEPT_OF_EACH, (LEAST,)))
            self.follower = Follower(SETTINGS, self.store, self._machine, self._new_client)
        except HubFault:
            self.hub_stops()
        self._hub_at = self._machine.elsewhere

    def hub_stops(self) -> None:
        """Kill the hub."""
        if self.follower is not None:
            self.broker.cut(f"hub-{self._hub_name()}")
            self.follower._served.close()
            self.follower = None
        if self.store is not None:
            self.store.close()
            self.store = None

    def rest(self) -> float:
        """Return the seconds that may pass before anything of the club is due."""
        moments = [self._hub_at] if self.broker.due is None else [self._hub_at, self.broker.due]
        seconds = min(moments) - self._machine.elsewhere
        return max(0.0, min(seconds, self._publisher_at - self._machine.now))

    def turn(self, table: Any) -> None:
        """Let everybody do what is due."""
        for _ in range(TURNS):
            self.broker.turn()
            self._publish()
            self._follow(table)
            if self.rest() > 0.0:
                return
        raise AssertionError("the club is never done")

    def lie(self, chance: random.Random) -> None:
        """Have the other table say what no honest one says."""
        if not self.broker.is_up:
            return
        for _ in range(chance.choice((1, 5, 60))):
            self._lies += 1
            result = MatchResult(
                chance.choice((1, self._lies, 2**53)),
                chance.choice((1, self._lies, 2**53)),
                chance.choice(("2026-11-28T20:00:00", "", "9999-99-99", "-1")),
                "stop-it",
                chance.choice(({}, {"deep": [[[[{}]]]]}, {"long": "x" * 9000}, {"": None})),
                (SeatedPlayer(1, chance.choice(("Ana", "", "x" * 999))),) * chance.choice((1, 2)),
                chance.random() < 0.5,
                {"1": 2**53},
                (1,),
                simulated=False,
                demo=False,
            )
            body = chance.choice((msgspec.json.encode(result), b"[" * 5000, b"\xff\xfe", b"{}", b"", b"null"))
            what = chance.choice((f"result/{result.match}", "status", "about", "public", "result/0", "nonsense"))
            message = Message(topic_of(CLUB, LIAR, what), body, chance.choice((0, 1)), chance.random() < 0.3)
            self.broker._publish(message)

    def flood(self, chance: random.Random) -> None:
        """Have the other table send large results of ever new matches, which are as they should be."""
        if not self.broker.is_up:
            return
        for _ in range(500):
            self._lies += 1
            result = MatchResult(
                self._lies,
                1,
                "2026-11-28T20:00:00",
                "stop-it",
                {"long": "x" * 15_000},
                (SeatedPlayer(1, "Ana"), SeatedPlayer(2, "Bo")),
                False,
                {"1": 3, "2": chance.randint(0, 9)},
                (1,),
                simulated=False,
                demo=False,
            )
            body = msgspec.json.encode(result)
            self.broker._publish(Message(topic_of(CLUB, LIAR, f"result/{result.match}"), body, 1, False))

    def is_well(self, table: Any) -> tuple[str, object] | None:
        """Return what is amiss once nothing is wrong any more, and an example: the promise that it breaks."""
        publisher = self.publisher
        store = self.store
        if publisher is None or store is None or self.follower is None:
            return "a hub starts whenever its disk works", None
        if publisher.membership.hindrance is not None:
            return "a table finds its broker again", publisher.membership
        with suppress(OutboxFault):
            outbox = publisher._outbox or Outbox(publisher._file)
            for match in outbox.judged():
                told = outbox.written_result(match)
                if store.standing(outbox.table, match) != told:
                    return "a result is at the hub", (match, told, store.standing(outbox.table, match))
            ended = [entry.id for entry in table.log.matches() if self._is_over(table, entry.id)]
            missing = [number for number in ended if outbox.written_result(number) is None]
            if missing:
                return "every match that is over has a result", missing
        if outbox.waiting():
            return "nothing waits for a broker that answers", outbox.waiting()
        if any("/result/" in topic and not topic.endswith("/0") for topic in self.broker.retained):
            return "no result stays at the broker", [*self.broker.retained]
        return None

    def see(self) -> tuple[str, object] | None:
        """Return which promise is broken now, and an example."""
        if self.follower is not None and self.follower.ignored["", "a fault of the hub"]:
            return "the hub raises nothing, whatever it is told", self.follower.ignored
        if len(self.broker._due) > MOST_MESSAGES:
            return "what is under way stays bounded", len(self.broker._due)
        return None

    def see_what_is_sent(self) -> tuple[str, object] | None:
        """Return which promise is broken by what the table takes to be sent, and an example."""
        outbox = None if self.publisher is None else self.publisher._outbox
        if outbox is None:
            return None
        if any(plain in body for plain in _PLAIN_CARDS for _, body in self.broker.taken):
            return "no message lets a tag's number be found by trying all", None
        with suppress(OutboxFault):
            for match in outbox.judged():
                topic = topic_of(CLUB, outbox.table, f"result/{match}")
                bodies = {body for topic_said, body in self.broker.taken if topic_said == topic}
                revisions = {msgspec.json.decode(body, type=MatchResult).revision for body in bodies}
                if len(revisions) < len(bodies):
                    return "a changed result is a new revision", (match, bodies)
                acknowledged = outbox._rows("SELECT body FROM result WHERE match = ? AND acknowledged", match)
                if not bodies >= {body for (body,) in acknowledged}:
                    return "a result counts as sent once the broker has it", (match, acknowledged)
        return None

    def see_what_is_kept(self) -> tuple[str, object] | None:
        """Return which promise is broken by what the hub holds, and an example."""
        if self.store is None:
            return None
        with suppress(HubFault):
            db = self.store._db
            stands = {(row[0], row[1]): row[2:] for row in db.execute(_STANDING)}
            for key, revision in self.acked.revisions.items():
                number, highest = stands.get(key, (0, 0))
                if number > 1:
                    return "a result is at the hub once", (key, number)
                if key[0] != LIAR and highest < revision:
                    return "what the hub has acknowledged is kept", (key, revision, highest)
            most = MOST_KEPT + KEPT_PER_S * (self._machine.elsewhere - self._hub_began)
            for table, size in db.execute(_KEPT_OF_EACH, (LEAST,)):
                if size - self._kept_before.get(table, 0) > most:
                    return "a hub keeps no more of a table than people can play", (table, size, most)
        return None

    def _is_over(self, table: Any, number: int) -> bool:
        return bool(table.live.ask_about(number, lambda match: match.over))

    def _looks(self) -> None:
        self._publisher_at = self._machine.now

    def _publish(self) -> None:
        if self.publisher is None:
            self._publisher_at = float("inf")
            return
        if self._publisher_at <= self._machine.now or not self.publisher._news.empty() or self._is_woken():
            self.publisher._woken.clear()
            self._publisher_at = self.publisher.turn(self._machine.now)

    def _is_woken(self) -> bool:
        return self.publisher is not None and self.publisher._woken.is_set()

    def _follow(self, table: Any) -> None:
        now = self._machine.elsewhere
        follower = self.follower
        if follower is None:
            if self._hub_at <= now:
                self.hub_starts(table)
                self._hub_at = now + 5.0
            return
        client: Any = follower._client
        if not client.is_open:
            if self._hub_at > now:
                return
            follower._connect()
            if not client.is_open:
                follower._wait = min(15.0, 2 * follower._wait)
                self._hub_at = now + follower._wait
                return
        follower.do_what_is_due()
        seconds = follower._results.turn()
        while seconds == 0.0:
            seconds = follower._results.turn()
        due = [now + 60.0, now + follower._hear_again_at - self._machine.now] + (
            [] if seconds is None else [now + seconds]
        )
        self._hub_at = max(min(due), now + 0.001)

    def _new_client(self, *about: object, **more: Any) -> Any:
        client: HubClient = new_client(self.broker)(*about, **more)
        ack = client.ack

        def acks(number: int, qos: int) -> None:
            session = self.broker.sessions.get(client._name)
            message = session.unacknowledged.get(number) if session is not None else None
            if message is not None:
                self.acked_of(message)
            ack(number, qos)

        client.ack = acks  # type: ignore[method-assign]
        return client

    def acked_of(self, message: Message) -> None:
        """Note what the hub has acknowledged because it keeps it, not because it can't."""
        if self.store is None:
            return
        table = message.topic.split("/")[-3]
        with suppress(HubFault, ValueError):
            if self.store.standing(table, int(message.topic.split("/")[-1])) is not None:
                self.acked.note(message)

    def _hub_name(self) -> str:
        client: Any = self.follower._client if self.follower is not None else None
        return str(client._name).removeprefix("hub-")


_PLAIN_CARDS = [card_of(CLUB, tag).encode() for tag in TAGS]
_KEPT_OF_EACH = "SELECT club_table, sum(max(length(told), ?)) FROM result GROUP BY 1"
_STANDING = "SELECT club_table, match, count(*), max(revision) FROM result WHERE stands GROUP BY 1, 2"
