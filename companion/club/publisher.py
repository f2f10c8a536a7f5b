"""Publishes a table to its club: a thread of its own that sends the broker what everybody at the table may see.

Theory of operation
-------------------
The judge only calls `look`, which sets a flag. Nothing in play ever waits for this thread, and it keeps only the newest
state. Each turn it reads the table's snapshot, stores results (`Outbox`), and tends its link. Over a link at most one
message of each kind is unacknowledged: the next public view is sent when the last was acknowledged, and is the newest
by then; likewise the next result, which leaves the outbox when the broker has acknowledged it.

What is sent, and when, follows from the public view alone: another snapshot of the same view sends nothing, so that the
timing reveals no hidden act.
"""

import logging
import math
import random
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.access.people import People
from companion.club import payloads, topics
from companion.club.broker_requests import Requests
from companion.club.membership import Hindrance, Membership
from companion.club.outbox import Outbox, OutboxFault
from companion.club.payloads import About, TableStatus
from companion.club.session_taken_over import AGAIN_WITHIN_S, SESSION_S, LastWord, is_anothers, was_ended, was_here
from companion.club.to_publish import Noticed
from companion.club_settings import ClubSettings
from companion.devices.sensing import Clock
from companion.live.table import Live
from companion.storage.files import club_of
from companion.threads import LastingThread, Rounds

if TYPE_CHECKING:  # paho takes long to import: only a table in a club loads it, once it plays
    from companion.club.in_flight import Conversation, Pace
    from companion.club.link import Link, Told

    NewLink = Callable[[ClubSettings, str, str], Link]
    """Makes an unopened link from club, table id and this run's mark."""

ANSWER_S = 10.0
"""Seconds for the broker to accept or refuse a connection."""
ALIVE_S = 5.0
"""Seconds between two checks that the link's thread still runs."""
AGAIN_S = (1.0, 15.0)
"""First and longest wait (seconds) before a broker that can't be reached is tried again."""
REFUSED_S = (15.0, 300.0)
"""The same for a broker that refuses the table."""
GOODBYE_S = 2.0
"""Seconds for the broker to acknowledge the status "ended"."""
FOR_GOOD = (Hindrance.TAKEN_OVER, Hindrance.LEFT)
"""Hindrances after which the table does not reconnect."""

_journal = logging.getLogger(__name__)


class Publisher:
    """The publisher's thread. Every public method may be called from any thread."""

    def __init__(
        self,
        club: ClubSettings,
        live: Live,
        about: About,
        people: Callable[[], People] = People,
        clock: Clock = time.monotonic,
        new_link: "NewLink | None" = None,
    ) -> None:
        """Prepare to publish a table; `people` returns players' corrected names and their club cards.

        `new_link` makes connections to the broker; None: real ones.
        """
        self._club = club
        self._about = about
        self._clock = clock
        self._new_link = new_link
        self._noticed = Noticed(live, people, clock)
        self._file = club_of(live.kept_in)
        self._outbox: Outbox | None = None
        """The open outbox; None: closed after a fault, or not opened yet."""
        self._outbox_again_at = -math.inf
        """When to open it again after a fault."""
        self.membership = Membership(club.club, club.broker)
        self._woken = threading.Event()
        self._thread = LastingThread("club", self._run, daemon=True)
        self._requests = Requests()
        self._news: SimpleQueue[tuple[Link, Told]] = SimpleQueue()
        """Events of links, which come from their own threads."""
        self._link: Link | None = None
        self._talk: Conversation | None = None
        """The messages over the link, once it is open."""
        self._pace: Pace | None = None
        self._in = False
        """Whether the status "ready" was sent over this link."""
        self._mark = secrets.token_hex(8)
        """Identifies this run of the program."""
        self._birth: int | None = None
        """The birth drawn for the next connection; None: the last one was used."""
        self._will = LastWord("lost", 0, self._mark)
        """The present link's will."""
        self._ours: LastWord | None = None
        """The will of the last link over which the table was ready; None: there was none."""
        self._session = True
        """Whether the broker still had the session, or may have let it expire."""
        self._cut_at = -math.inf
        self._ended_at = -math.inf
        """When the session was last found to have been ended."""
        self._failed = 0
        """Links in a row over which the table was never ready."""
        self._again_at = -math.inf
        self._deadline = math.inf

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def look(self) -> None:
        """Have the thread read the table's snapshot again. Never blocks."""
        self._woken.set()

    def tell_address(self, address: str) -> None:
        """Publish a new address with the next connection; the present one ends when the old address is lost."""
        self._about = replace(self._about, address=address)

    def stop(self) -> None:
        """Send the status "ended", and stop; waits only briefly for the broker."""
        self._thread.stop(self._woken.set, GOODBYE_S + 1.0)

    def turn(self, at: float) -> float:
        """Do all that is due at `at` (seconds); return when to call again if nothing happens.

        If the outbox can't be used, that is some seconds later. Raises unexpected exceptions, after giving up the link.
        """
        if at < self._outbox_again_at:
            return self._outbox_again_at
        try:
            if self._outbox is None:
                self._outbox = self._opened()
            return self._turn(self._outbox, at)
        except OutboxFault as wrong:
            self._note_standing(Hindrance.NOT_KEPT, str(wrong))
        except Exception as wrong:  # shown to the keeper, too: the table itself plays on
            self._note_standing(Hindrance.NOT_KEPT, f"a fault in the companion itself: {wrong!r}")
            self.give_up()
            raise
        self.give_up()
        self._outbox_again_at = at + AGAIN_S[1]
        return self._outbox_again_at

    def give_up(self) -> None:
        """Drop the link without a status, and close the outbox."""
        self._drop()
        if self._outbox is not None:
            self._outbox.close()
            self._outbox = None

    def _run(self, rounds: Rounds) -> None:
        try:
            while not rounds.is_set():
                turn_at = self.turn(self._clock())
                with rounds.resting():
                    if self._news.empty():
                        self._woken.wait(max(0.0, turn_at - self._clock()) if turn_at < math.inf else None)
                self._woken.clear()
            if self._outbox is not None:
                with suppress(OutboxFault):
                    self._say_goodbye(self._outbox)
        finally:
            self.give_up()

    def _opened(self) -> Outbox:
        """Open the outbox; at the first time, note that the table is in its club."""
        outbox = Outbox(self._file)
        try:
            if not self.membership.tried:
                outbox.join()
                if outbox.contested:  # of two copies, the one that its keeper has restarted is the table
                    outbox.outdo()
            self.membership = replace(self.membership, table=outbox.table)
        except BaseException:
            outbox.close()
            raise
        return outbox

    def _turn(self, outbox: Outbox, at: float) -> float:
        """Do all that is due; return when to call again if nothing happens."""
        times = [self._noticed.look(outbox, at), self._listen(outbox, at), self._tend_link(outbox, at)]
        behind = True
        if self._talk is not None and self._in:
            if self._requests.home_is_back:
                self._requests.home_is_back = False
                self._talk.describe(self._about)
            times.append(self._talk.speak(self._noticed.public, outbox, at))
            behind = self._talk.is_behind(self._noticed.public)
        if self.membership.hindrance is Hindrance.TAKEN_OVER:
            outbox.contest()
        membership = replace(self.membership, waiting=outbox.waiting(), ignored=self._requests.ignored, behind=behind)
        if membership != self.membership:
            self.membership = membership
        return min(times)

    def _say_goodbye(self, outbox: Outbox) -> None:
        if self._link is None or self._talk is None or not self._in:
            return
        self._talk.stand(TableStatus("ended", self._will.birth))
        until = self._clock() + GOODBYE_S
        while self._talk is not None and self._talk.waits_for("status"):
            try:
                link, news = self._news.get(timeout=max(0.01, until - self._clock()))
            except Empty:
                break
            self._take_in(outbox, link, news, self._clock())
        if self._link is not None:
            self._link.leave()
            self._link = None

    def _tend_link(self, outbox: Outbox, at: float) -> float:
        """Give up a dead link, or connect if it is time to; return when to call again."""
        if self._link is not None and not self._link.alive:
            self._lost(Hindrance.UNREACHABLE, "what it says is not MQTT", at)
        if self._link is not None and not self._in and at >= self._deadline:
            self._lost(Hindrance.UNREACHABLE, "it does not answer", at)
        if self._link is None and at >= self._again_at:
            self._connect(outbox, at)
        if self._link is None:
            return self._again_at
        return at + ALIVE_S if self._in else min(self._deadline, at + ALIVE_S)

    def _connect(self, outbox: Outbox, at: float) -> None:
        from companion.club.link import CantReach, Link

        if outbox.left:
            self._lost(Hindrance.LEFT, "", at)
            return
        if self._birth is None:
            self._birth = outbox.born()
        link = (self._new_link or Link)(self._club, outbox.table, self._mark)
        will = payloads.written(TableStatus("lost", self._birth))
        link.will(topics.topic_of(self._club.club, outbox.table, "status"), will)
        self._requests.last_word = None
        try:
            link.open(self._tell, self._hear, again=self._ours is not None)
        except CantReach as wrong:
            self._lost(Hindrance.UNREACHABLE, str(wrong), self._clock())
            return
        self._will = LastWord("lost", self._birth, self._mark)
        self._birth = None
        self._link = link
        self._deadline = at + ANSWER_S

    def _tell(self, link: "Link", news: "Told") -> None:
        """Queue a link's event; called from the link's own thread."""
        self._news.put((link, news))
        self._woken.set()

    def _hear(self, topic: str, payload: bytes, run: str) -> None:
        """Handle a message of others; called from the link's own thread."""
        self._requests.hear(topic, payload, run)
        self._woken.set()

    def _listen(self, outbox: Outbox, at: float) -> float:
        """Process the links' events and due requests; return when to call again."""
        while not self._news.empty():
            self._take_in(outbox, *self._news.get(), at)
        if self._requests.due(at) <= at:
            outbox.send_again(self._requests.take(at))
        return self._requests.due(at)

    def _take_in(self, outbox: Outbox, link: "Link", news: "Told", at: float) -> None:
        from companion.club.in_flight import Conversation, Pace
        from companion.club.link import Answered, Ended, Opened

        if link is not self._link:
            return  # an event of an earlier link
        match news:
            case Opened(session):
                self._session = session or at - self._cut_at > SESSION_S / 2
                self._pace = self._pace or Pace()
                self._talk = Conversation(self._club, outbox.table, link, self._pace)
                self._talk.introduce(self._about)
            case Ended(why, refused, taken_over):
                hindrance = Hindrance.REFUSED if refused else Hindrance.UNREACHABLE
                if outbox.left:  # `leave` has connected with this table's id to clear its messages
                    self._lost(Hindrance.LEFT, "", at)
                else:
                    self._lost(Hindrance.TAKEN_OVER if taken_over else hindrance, why, at)
            case Answered(number, why) if self._talk is not None:
                self._answered(outbox, self._talk, number, why, at)

    def _answered(self, outbox: Outbox, talk: "Conversation", number: int, why: str, at: float) -> None:
        match talk.answered(number, why, at):
            case None:
                pass
            case flight if flight.what == "about":
                self._come_in(outbox, talk, at)
            case flight if flight.what == "result":
                outbox.acknowledge(flight.match, flight.payload)
            case flight if flight.what == "status":
                self._failed = 0
        if talk is not self._talk:
            return  # the link was given up meanwhile
        if talk.denied:
            self._note_standing(Hindrance.DENIED, why or self.membership.why)
        elif self._in and not talk.waits_for("status"):
            self._note_standing(None, "")

    def _come_in(self, outbox: Outbox, talk: "Conversation", at: float) -> None:
        """Send the status "ready", unless another client has taken the table over.

        If one was here for a while, its messages are superseded.
        """
        if self._ours is not None and was_here(self._ours, self._requests.last_word):
            outbox.contest()
        again_at = self._is_another_here(at)
        if again_at is not None:
            assert self._link is not None
            self._link.leave()
            self._lost(Hindrance.TAKEN_OVER, "another client had this table's id in the meantime", at)
            self._again_at = again_at
            return
        if outbox.contested:
            outbox.outdo()
        self._ours = self._will
        self._in = True
        self._requests.home_is_back = self._club.home_assistant
        talk.stand(TableStatus("ready", self._ours.birth))

    def _is_another_here(self, at: float) -> float | None:
        """Return when to reconnect if another client has this table's id; None if none has."""
        ours = self._ours
        last_word = self._requests.last_word
        if ours is None:
            return None
        if is_anothers(ours, last_word):
            return math.inf
        if at < self._ended_at + AGAIN_WITHIN_S:
            return at + REFUSED_S[1]
        if was_ended(ours, last_word, session=self._session):
            self._ended_at = at
            _journal.warning("club: %s was restarted, or another has come with this table's id", self._club.broker)
        return None

    def _lost(self, hindrance: Hindrance, why: str, at: float) -> None:
        """Drop the link, and set when to try the next one, if ever."""
        if self._in:
            self._cut_at = at
        self._drop()
        # With jitter, so that a club's tables do not all reconnect at once when their broker restarts.
        first, most = REFUSED_S if hindrance is Hindrance.REFUSED else AGAIN_S
        wait = min(most, first * 2.0 ** min(self._failed, 16)) * random.uniform(0.8, 1.2)
        self._again_at = math.inf if hindrance in FOR_GOOD else at + wait
        self._failed += 1
        self._note_standing(hindrance, why)

    def _drop(self) -> None:
        if self._link is not None:
            self._link.drop()
        self._link = None
        self._talk = None
        self._in = False
        self._deadline = math.inf

    def _note_standing(self, hindrance: Hindrance | None, why: str) -> None:
        """Update the membership, and log it if it is new. `hindrance` None: the club gets everything."""
        earlier = self.membership
        if earlier.tried and (earlier.hindrance, earlier.why) == (hindrance, why):
            return
        self.membership = replace(earlier, hindrance=hindrance, why=why, tried=True)
        if hindrance is None:
            _journal.info("club: %s has let this table in", self._club.broker)
        else:
            _journal.warning("club: %s: %s%s", self._club.broker, hindrance.value, f" ({why})" if why else "")
