"""Follows a club's tables at the broker.

Its session stays at the broker while the hub is away, for results alone: presence and views, where only the newest
counts, are heard without acknowledgement, so that no flood of them pushes a result out of what waits there. A broker
silently drops such messages if the hub does not read as fast as they come: so some time after a flood, everything
retained is heard once more, this time, as at first, with acknowledgement. A result is acknowledged only once it is on
disk, so that a kill at any moment loses nothing. What got lost elsewhere is asked for: everything whenever the hub has
reconnected, because a correction may be missing; then whatever leaves a gap in the numbers.

One connection does both, because a broker may know its clients by their users' names, and lets each in only once.
"""

import contextlib
import logging
import math
import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import msgspec
import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from companion.club.credentials import WrongCredentials, password, trusted
from companion.club.hub.allowance import Allowance
from companion.club.hub.known_table import (
    KnownTable,
    Shown,
    behind,
    still_told,
    with_about,
    with_public,
    with_result,
    with_status,
)
from companion.club.hub.result_intake import ArrivedResult, ResultIntake
from companion.club.hub.store import HubFault, Store
from companion.club.payloads import (
    LARGEST,
    LARGEST_RESULT,
    About,
    MatchResult,
    PublicView,
    TableStatus,
    agrees,
    decoded,
)
from companion.club.served_client import ServedClient
from companion.club.topics import ROOT, Spot, every, placed, topic_of
from companion.club_settings import ClubSettings
from companion.threads import LastingThread, Rounds

KEEPALIVE = 20
SESSION = 14 * 24 * 3600
"""Seconds for which the broker keeps results for a hub that is away."""
AT_ONCE = 65535
"""Messages that the broker may send before the first is acknowledged. With fewer they wait in its queue, and what does
not fit in there (a thousand, by Mosquitto's default) it drops: the retained words of four hundred tables, for one."""
PATIENCE = 30.0
"""Seconds for a table to send what it was asked for, before the same is asked for again."""
BURST = 500
"""Messages within a second at which the broker may begin to drop some: it keeps at least as many for a hub."""
FIRST_WAIT, LONGEST_WAIT = 1.0, 15.0
"""Seconds between attempts to connect: doubled each time, up to the longest."""
AFTER_BURST = 5.0
"""Seconds from a burst until everything retained is heard once more, and what is missing is asked for."""
MOST_WORDS = 300.0
WORDS_PER_S = 10.0
"""Messages of one table that are read at once, and each second: it sends two views a second, and says little else."""
A_WORD = 8192
"""Bytes for which a message counts once more."""
MOST_TABLES = 5000
MOST_COUNTED = 500
"""Kinds of unintelligible messages that are counted separately; further ones are counted as one."""

_journal = logging.getLogger(__name__)
_RESULT_KEYS = frozenset(MatchResult.__struct_fields__) - {"match", "revision"}
_RESULTS = SubscribeOptions(1, noLocal=True, retainAsPublished=True, retainHandling=SubscribeOptions.RETAIN_DO_NOT_SEND)
_NOT_KEPT = SubscribeOptions(0, retainHandling=SubscribeOptions.RETAIN_DO_NOT_SEND)

Ignored = tuple[str, str]
"""A table (or "" for none), and what was not understood."""


class Follower:
    """What the club's tables say. Watchers are called from its threads."""

    def __init__(self, club: ClubSettings, store: Store, clock: Callable[[], float] = time.monotonic):
        self.club, self.store = club, store
        self._clock = clock
        self._lock = threading.Lock()
        self._known: dict[str, KnownTable] = {}
        self._before = store.presences()
        self._asked: dict[str, tuple[int, float]] = {}
        """The match since which each table was asked for its results, and when, since everything has been heard."""
        self._begun_anew: set[str] = set()
        """Those that have reconnected since everything has been heard, and were then asked for all their results."""
        self._hears_results = False
        self._results_asked: int | None = None
        """The number by which the broker confirms that results are heard."""
        self._connected_at: float | None = None
        self._cut_at: float | None = clock()
        self._connections = 0
        self._words = Allowance(MOST_WORDS, WORDS_PER_S, clock)
        self._later: dict[tuple[str, str], tuple[Spot, mqtt.MQTTMessage]] = {}
        """The newest message of each kind of tables that say too much."""
        self._results = ResultIntake(
            store, clock, is_kept=self._is_kept, ignore=self._ignore, ask=self._ask_for_gaps, has_changed=self._changed
        )
        self._burst: tuple[float, int] = 0.0, 0
        """When the second being counted began, and how many messages it has had."""
        self._hear_again_at = math.inf
        """When everything retained is heard once more."""
        self._wait = FIRST_WAIT
        """Seconds until the next attempt to connect."""
        self._watchers: list[Callable[[], None]] = []
        self.ignored: Counter[Ignored] = Counter()
        self.trouble = ""
        """Why the broker can't be heard, in its own words; "" if it can."""
        self._client = self._made()
        self._served = ServedClient(self._client)
        self._thread = LastingThread("broker", self._follow)

    def start(self) -> None:
        """Connect, now and whenever the connection is cut."""
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        properties.ReceiveMaximum = AT_ONCE
        properties.SessionExpiryInterval = SESSION
        self._client.connect_async(*self.club.address, KEEPALIVE, clean_start=False, properties=properties)
        self._results.start()
        self._thread.start()

    def stop(self) -> None:
        """Leave the broker."""
        self._results.stop()
        self._client.disconnect()
        self._thread.stop(self._served.ring)
        self._served.close()

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call this, from another thread, whenever there is something new."""
        self._watchers.append(watcher)

    @property
    def disk_trouble(self) -> str:
        """Why no result can be kept, as long as none can; "" otherwise."""
        return self._results.disk_trouble

    @property
    def connected(self) -> bool:
        """Whether the tables are heard."""
        return self._cut_at is None

    def tables(self) -> dict[str, KnownTable]:
        """Return every table that is or was present, by its id."""
        with self._lock:
            return still_told(self._known, self._connected_at if self.connected else None, self._clock())

    def newest_matches(self) -> dict[str, int]:
        """Return the number of the newest match, or 0, of each table that is there and heard on this connection."""
        with self._lock:
            since, every_one = self._connected_at if self.connected else None, [*self._known.values()]
        heard = [one for one in every_one if since is not None and one.state == "ready" and one.told_at >= since]
        return {one.table: one.match or self.store.newest_match(one.table) for one in heard}

    def behind(self, one: KnownTable) -> float:
        """Return how many seconds what is known of a table may lag behind."""
        return behind(one, self._clock(), self._cut_at)

    def told_on(self, one: KnownTable) -> datetime | None:
        """Return the time of day at which a table's state was told; None: before this hub listened."""
        if one.since is None:
            return None
        return datetime.now().astimezone() - timedelta(seconds=self._clock() - one.since)

    def ask_all(self) -> None:
        """Have every table send all its results again."""
        self._forget_asking()
        for table in self._present():
            self._ask(table, 0)

    def _present(self) -> list[str]:
        with self._lock:
            return [table for table, one in self._known.items() if one.state == "ready"]

    def _forget_asking(self) -> None:
        self._asked.clear()
        self._begun_anew.clear()

    def _made(self) -> mqtt.Client:
        name = f"hub-{self.store.own_id()}"
        client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=name, protocol=mqtt.MQTTv5, manual_ack=True)
        if self.club.user:
            client.username_pw_set(self.club.user, password(self.club))
        if self.club.by_tls:
            client.tls_set_context(trusted(self.club))
        client.on_connect, client.on_disconnect = self._open, self._cut
        client.on_subscribe, client.on_message = self._heard, self._told
        return client

    def _follow(self, rounds: Rounds) -> None:
        """Connect, and serve the connection; whenever it is cut, connect again."""
        while not rounds.is_set():
            try:
                self._client.reconnect()
            except OSError:
                self._unreachable()
            while not rounds.is_set() and self._served.serve():
                if self._clock() >= self._hear_again_at:
                    self._make_up_for_the_burst()
            if not rounds.is_set():
                rounds.wait(self._wait)
                self._wait = min(LONGEST_WAIT, 2 * self._wait)
        self._served.send_rest(FIRST_WAIT)

    def _changed(self) -> None:
        for watcher in self._watchers:
            watcher()

    def _stand(self, trouble: str) -> None:
        """Note what is wrong with the broker, and tell the journal if that is new."""
        if trouble != self.trouble:
            _journal.warning("%s", trouble or f"{self.club.broker} is heard again")
        self.trouble = trouble

    def _unreachable(self) -> None:
        self._stand(f"no broker answers at {self.club.broker}: is it running? Retrying automatically")
        self._changed()

    def _refused(self, reason: ReasonCode) -> bool:
        cure = "see user and password_file in CLUB.toml"
        self._stand(f"the broker refuses the hub: {reason}; {cure}" if reason.is_failure else "")
        if reason.is_failure and self.club.user:
            with contextlib.suppress(WrongCredentials):  # a new password needs no restart
                self._client.username_pw_set(self.club.user, password(self.club))
        return bool(reason.is_failure)

    def _open(self, client: mqtt.Client, _: Any, __: Any, reason: ReasonCode, ___: Any) -> None:
        if not self._refused(reason):
            self._wait = FIRST_WAIT
            self._connections += 1
            with self._lock:
                self._connected_at, self._cut_at = self._clock(), None
            self._forget_asking()
            results = topic_of(self.club.club, "+", "result/+")
            self._results_asked = client.subscribe(results, options=_RESULTS)[1]
            self._hear_all()
        self._changed()

    def _hear_all(self) -> None:
        """Hear everything retained, without losses; and from then on whatever is new."""
        self._hear_again_at = math.inf
        self._client.subscribe(every(self.club.club), options=_NOT_KEPT)
        for what in ("status", "about", "public"):  # not whatever else a table may have retained
            topic = topic_of(self.club.club, "+", what)
            self._client.subscribe(topic, options=SubscribeOptions(1))
            self._client.unsubscribe(topic)  # what is retained comes all the same, and nothing comes twice from now on

    def _count(self, now: float) -> None:
        """Hear everything retained once more after a burst."""
        began, many = self._burst
        self._burst = (began, many + 1) if now < began + 1.0 else (now, 1)
        if self._burst[1] >= BURST:
            self._hear_again_at = min(self._hear_again_at, now + AFTER_BURST)

    def _make_up_for_the_burst(self) -> None:
        """Take what was put off, hear everything retained once more, and ask for results that may be lost."""
        for key in list(self._later):
            spot, message = self._later.pop(key)
            self._take(spot, message)
        self._hear_all()
        for table in self._present():
            self._ask_for_gaps(table)

    def _heard(self, _: mqtt.Client, __: Any, number: int, *___: Any) -> None:
        if number == self._results_asked:
            self._hears_results = True
            self.ask_all()

    def _cut(self, _: mqtt.Client, __: Any, how: mqtt.DisconnectFlags, reason: ReasonCode, ___: Any) -> None:
        self._hears_results = False
        if self._cut_at is None:
            self._cut_at = self._clock()
        if reason.is_failure and not self.trouble:
            why = reason if how.is_disconnect_packet_from_server else "the connection was cut"
            self._stand(f"the broker is gone: {why}. Retrying automatically")
        self._changed()

    def _told(self, client: mqtt.Client, _: Any, message: mqtt.MQTTMessage) -> None:
        """Take a message, then acknowledge it, even an unreadable one, or it would come for ever."""
        done = True
        try:
            spot = placed(message.topic)
            is_result = spot is not None and spot.what == "result"
            if is_result or not message.retain:
                self._count(self._clock())
            if spot is None:
                self._misplaced(message)
            elif is_result:
                done = self._hand_over(client, spot, message)
            elif spot.what != "ask" and self._may_say(spot, message):
                self._take(spot, message)
        except Exception:  # deliberately everything: paho would end its thread, and the hub would hear nothing more
            _journal.exception("message %d", message.mid)
            self._ignore("", "a fault of the hub")
        if done:
            client.ack(message.mid, message.qos)

    def _may_say(self, spot: Spot, message: mqtt.MQTTMessage) -> bool:
        """Return whether a table has not said too much lately; the newest of each kind is taken later."""
        if self._words.take(spot.table, 1 + min(len(message.payload), LARGEST) / A_WORD):
            self._later.pop((spot.table, spot.what), None)
            return True
        self._ignore(spot.table, "too many messages")
        self._later[spot.table, spot.what] = spot, message
        self._hear_again_at = min(self._hear_again_at, self._clock() + AFTER_BURST)
        return False

    def _misplaced(self, message: mqtt.MQTTMessage) -> None:
        known = message.topic.startswith(f"{ROOT}/")
        self._ignore("", "unknown topic" if known else "unknown version")

    def _take(self, spot: Spot, message: mqtt.MQTTMessage) -> None:
        now = self._clock()
        table = spot.table
        with self._lock:
            one = self._known.get(table) or self._first(table, now)
            if one is None:
                self._ignore("", "too many tables")
                return
            known = self._cleared(one, spot.what) if not message.payload else self._read(one, spot.what, message, now)
            if known is None:
                self._known.pop(table, None)
                self._before.pop(table, None)
            else:
                self._known[table] = known
        if known is not None and (known.state, known.birth) != (one.state, one.birth):
            self.store.remember_presence(table, known.state, known.birth)
        if known is not None and known.state == "ready" and spot.what == "status":
            self._became_ready(table, anew=known.birth != one.birth)
        self._changed()

    def _first(self, table: str, now: float) -> KnownTable | None:
        if len(self._known) >= MOST_TABLES:
            return None
        state, birth = self._before.get(table, ("lost", 0))
        return KnownTable(table, state=state, birth=birth, state_at=now, told_at=now)  # type: ignore[arg-type]

    def _cleared(self, one: KnownTable, what: str) -> KnownTable | None:
        """Forget what a table has cleared: with its status, the table itself."""
        if what == "status":
            return None
        changed = one.changed + 1
        if what == "about":
            return msgspec.structs.replace(one, about=None, changed=changed)
        return msgspec.structs.replace(one, match=None, view=None, shown=None, changed=changed)

    def _read(self, one: KnownTable, what: str, message: mqtt.MQTTMessage, now: float) -> KnownTable:
        match what:
            case "status":
                status = self._decoded(one.table, message.payload, TableStatus)
                return with_status(one, status, now, retained=message.retain) if status else one
            case "about":
                about = self._decoded(one.table, message.payload, About)
                return with_about(one, about, now) if about else one
        public = self._decoded(one.table, message.payload, PublicView)
        if public is None:
            return one
        shown = None
        if public.view is not None:
            try:
                shown = msgspec.convert(public.view, Shown)
            except msgspec.ValidationError:
                self._ignore(one.table, "unreadable view")
                return one
        known = with_public(one, public, shown, now, retained=message.retain)
        if public.match is None or public.match == one.match:
            return known
        result = self.store.standing(one.table, public.match)
        return known if result is None else with_result(known, result, now)

    def _decoded(self, table: str, payload: bytes | bytearray, kind: type[Any]) -> Any:
        """Read a payload; unknown parts are counted and left out. None: it can't be read."""
        try:
            found = decoded(payload)
            made = msgspec.convert(found, kind)
        except ValueError:
            self._ignore(table, "unreadable payload")
            return None
        if found.keys() - set(kind.__struct_fields__):
            self._ignore(table, "unknown key")
        return made

    def _ignore(self, table: str, what: str) -> None:
        if (table, what) not in self.ignored and len(self.ignored) >= MOST_COUNTED:
            table = ""
        self.ignored[table, what] += 1

    def _became_ready(self, table: str, *, anew: bool) -> None:
        """Ask a table for what may be missing: for everything at first, and again once it has first reconnected.

        A broker that was killed may still hold that the table is there, when it is not; and it may have lost a
        correction, which no gap in the numbers shows.
        """
        if anew and table in self._begun_anew:
            self._ask(table, self.store.without_gaps(table))
        elif anew or table not in self._asked:
            self._ask(table, 0)
            if anew and self._hears_results:
                self._begun_anew.add(table)

    def _ask(self, table: str, since: int) -> None:
        """Ask a table for its results, if the answer will be heard."""
        if self._hears_results:
            self._asked[table] = since, self._clock()
            self._client.publish(topic_of(self.club.club, table, "ask"), b'{"since": %d}' % since, qos=1)
            self._served.ring()

    def _hand_over(self, client: mqtt.Client, spot: Spot, message: mqtt.MQTTMessage) -> bool:
        """Have a result kept; return whether there is nothing to wait for.

        One that is retained is cleared at the broker: the hub is told each while it is away too, and those of a table
        that floods would take all of the broker's memory, for good.
        """
        if message.retain:
            client.publish(message.topic, b"", retain=True)
        if not message.qos or not message.payload:
            return True
        if len(message.payload) > LARGEST_RESULT:
            self._ignore(spot.table, "unreadable payload")
            return True
        if not self._results.has_room(spot.table, len(message.payload)):
            self._ignore(spot.table, "too many results")
            return True
        result: MatchResult | None = self._decoded(spot.table, message.payload, MatchResult)
        if result is None:
            return True
        if result.match != spot.match or not agrees(result):
            self._ignore(spot.table, "unreadable payload")
            return True
        plain: dict[str, msgspec.Raw] = msgspec.json.decode(message.payload, type=dict[str, msgspec.Raw])
        told = msgspec.json.encode({key: value for key, value in plain.items() if key in _RESULT_KEYS})
        self._results.add(
            ArrivedResult(spot.table, result.match, result.revision, told, message.mid, self._connections)
        )
        return False

    def _is_kept(self, told: ArrivedResult, is_news: bool) -> None:
        """Acknowledge a result, and show it if it is news."""
        if told.connection == self._connections:
            self._client.ack(told.number, 1)
        if not is_news:
            return
        with self._lock:
            known = self._known.get(told.table)
        if known is not None and known.match == told.match:
            self._show_result(told)
        self._see_gap(told.table, told.match)
        self._changed()

    def _show_result(self, told: ArrivedResult) -> None:
        result = self.store.standing(told.table, told.match)
        with self._lock:
            known = self._known.get(told.table)
            if known is not None and result is not None:
                self._known[told.table] = with_result(known, result, self._clock())

    def _ask_for_gaps(self, table: str) -> None:
        """Ask a table for what may be missing of it."""
        with contextlib.suppress(HubFault):  # the keeper's page tells of the disk
            self._ask(table, self.store.without_gaps(table))

    def _see_gap(self, table: str, match: int) -> None:
        """Ask for what is missing before this match."""
        whole = self.store.without_gaps(table)
        since, asked_at = self._asked.get(table, (-1, 0.0))
        if match > whole and (since != whole or self._clock() > asked_at + PATIENCE):
            self._ask(table, whole)
