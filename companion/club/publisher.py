"""The table's part in a club: a thread of its own that tells the broker what everybody at the table may see.

Theory of operation
-------------------
The judge only calls `look`, which sets a flag; nothing in play ever waits for this thread, and it holds nothing but the
newest of everything. Each turn it looks at the table's snapshot, writes results down (`Outbox`), and sees to its link.
Over a link at most one message of each kind is on its way: the next public view is sent when the last one was
acknowledged, and is the newest one then; so is the next result, which is struck off the outbox when the broker has it.

What is sent, and when, follows from the public view alone: another snapshot of the same view sends nothing.
"""

import logging
import math
import random
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.club import home_assistant, payloads, topics
from companion.club.membership import Hindrance, Membership
from companion.club.noticing import Noticed
from companion.club.outbox import Outbox, OutboxFault
from companion.club.payloads import About, Ask, TableStatus
from companion.club.taking_over import SESSION_S, LastWord, is_anothers
from companion.config import ClubSettings
from companion.live.table import Live
from companion.storage.files import club_of

if TYPE_CHECKING:
    from companion.club.link import Answered, Ended, Link, Opened

PUBLIC_EVERY_S = 0.55
"""Seconds between two public views: at most two a second, also as the broker's clock has it."""
ANSWER_S = 10.0
"""Seconds that the broker has to let us in or turn us away."""
ASKED_EVERY_S = 5.0
"""Seconds between two times that everything is sent again."""
AGAIN_S = (1.0, 15.0)
"""Seconds until a broker that can't be reached is tried again: at first, and at the most."""
REFUSED_S = (15.0, 300.0)
"""The same for one that does not want us."""
GOODBYE_S = 2.0
"""Seconds that the broker has to hear that the table is left on purpose."""

_journal = logging.getLogger(__name__)


class Publisher:
    """Every public method may be called from any thread."""

    def __init__(
        self,
        club: ClubSettings,
        live: Live,
        about: About,
        names: Callable[[], Mapping[int, Mapping[int, str]]] = dict,
    ) -> None:
        """Tell the club of this table; `names` gives what players were really called, match by match."""
        self._club = club
        self._about = about
        self._noticed = Noticed(live, names)
        self._file = club_of(live.kept_in)
        self.membership = Membership(club.club, club.broker)
        self._woken = threading.Event()
        self._leaving = threading.Event()
        self._told: SimpleQueue[tuple[Link, Opened | Ended | Answered]] = SimpleQueue()
        self._asking = threading.Lock()
        self._asked: int | None = None
        self._home_asked = False
        self._ignored = 0
        self._link: Link | None = None
        self._open = False
        self._flying: dict[int, tuple[str, bytes, int]] = {}
        """By the broker's number: what is on its way, its bytes, and of which match it is."""
        self._denied: set[str] = set()
        """Kinds of messages that the broker did not take last."""
        self._run_mark = secrets.token_hex(8)
        self._will = LastWord("lost", 0, self._run_mark)
        """What the broker says for us if the connection that is tried is cut off."""
        self._ours: LastWord | None = None
        """The will of the last connection by which it let us in; None: it never did."""
        self._found: LastWord | None = None
        """What stood for us when we came."""
        self._session = True
        self._away_since = -math.inf
        self._birth: int | None = None
        """The number of the connection that is tried, until the broker has heard of it."""
        self._failed = 0
        """Connections in a row that came to nothing."""
        self._again_at = -math.inf
        self._deadline = math.inf
        self._public_sent: bytes | None = None
        """What the broker was told last over this link."""
        self._public_at = -math.inf
        self._results_at = -math.inf
        self._asked_at = -math.inf
        self._thread = threading.Thread(target=self._run, name="club", daemon=True)

    def start(self) -> None:
        """Begin to tell."""
        self._thread.start()

    def look(self) -> None:
        """Look at the table again: quick, and never in anybody's way."""
        self._woken.set()

    def stop(self) -> None:
        """Say goodbye, and stop; a broker that does not answer is not waited for."""
        self._leaving.set()
        self._woken.set()
        self._thread.join(GOODBYE_S + 1.0)

    def _run(self) -> None:
        while not self._leaving.is_set():
            try:
                with closing(Outbox(self._file)) as outbox:
                    self._keep(outbox)
            except OutboxFault as wrong:
                self._stand(Hindrance.NOT_KEPT, str(wrong))
            except Exception as wrong:  # the table plays on, and its keeper is told
                _journal.debug("club: a fault in the companion itself", exc_info=True)
                self._stand(Hindrance.NOT_KEPT, f"a fault in the companion itself: {wrong!r}")
            self._drop()
            self._leaving.wait(AGAIN_S[1])

    def _keep(self, outbox: Outbox) -> None:
        """Tell the club until the table is left."""
        if not self.membership.tried:
            outbox.join()
        self.membership = replace(self.membership, table=outbox.table)
        while not self._leaving.is_set():
            now = time.monotonic()
            again = min(
                self._noticed.look(outbox, now),
                self._listen(outbox, now),
                self._see_to_link(outbox, now),
                self._speak(outbox, now) if self._open else math.inf,
            )
            self._report(outbox)
            if self._told.empty():
                self._woken.wait(max(0.0, again - time.monotonic()) if again < math.inf else None)
            self._woken.clear()
        self._say_goodbye(outbox)

    def _report(self, outbox: Outbox) -> None:
        behind = not self._open or bool(self._flying) or self._public_sent != self._noticed.public
        now = replace(self.membership, waiting=outbox.waiting(), ignored=self._ignored, behind=behind)
        if now != self.membership:
            self.membership = now

    def _say_goodbye(self, outbox: Outbox) -> None:
        if self._link is None or self._ours is None or not self._open:
            return
        ours = self._publish(outbox, "status", payloads.written(TableStatus("ended", self._ours.birth)), retain=True)
        until = time.monotonic() + GOODBYE_S
        while ours in self._flying and self._open:
            try:
                link, told = self._told.get(timeout=max(0.01, until - time.monotonic()))
            except Empty:
                break
            self._take_in(outbox, link, told, time.monotonic())
        if self._link is not None:
            self._link.leave()
            self._link = None

    def _see_to_link(self, outbox: Outbox, now: float) -> float:
        """Connect where it is time to; return when there is something to see to again."""
        if self._link is not None and not self._open and now >= self._deadline:
            self._lost(Hindrance.UNREACHABLE, "it does not answer", now)
        if self._link is None and now >= self._again_at:
            self._connect(outbox, now)
        return math.inf if self._open else self._deadline if self._link else self._again_at

    def _connect(self, outbox: Outbox, now: float) -> None:
        from companion.club.link import CantReach, Link  # paho: only a table in a club waits for it

        if outbox.left:
            self._lost(Hindrance.LEFT, "", now)
            return
        if self._birth is None:
            self._birth = outbox.born()
        link = Link(self._club, outbox.table, self._run_mark)
        will = payloads.written(TableStatus("lost", self._birth))
        link.will(topics.topic_of(self._club.club, outbox.table, "status"), will)
        self._found = None
        try:
            link.open(self._tell, self._hear, again=self._ours is not None)
        except CantReach as wrong:
            self._lost(Hindrance.UNREACHABLE, str(wrong), time.monotonic())
            return
        self._will, self._birth = LastWord("lost", self._birth, self._run_mark), None
        self._link, self._open, self._deadline = link, False, now + ANSWER_S

    def _tell(self, link: "Link", told: "Opened | Ended | Answered") -> None:
        """Take what comes from the link's own thread."""
        self._told.put((link, told))
        self._woken.set()

    def _hear(self, topic: str, payload: bytes, run: str) -> None:
        """Take what others say; it comes from the link's own thread, and may come by the thousand."""
        if topic.endswith("/status") and topic != home_assistant.BIRTH:
            said = payloads.read(payload, TableStatus)
            self._found = LastWord(said.state, said.birth, run) if said else None
        elif topic == home_assistant.BIRTH:
            self._home_asked = self._home_asked or payload == home_assistant.AWAKE
        elif asked := payloads.read(payload, Ask):
            with self._asking:
                self._asked = asked.since if self._asked is None else min(self._asked, asked.since)
        else:
            self._ignored += 1
        self._woken.set()

    def _listen(self, outbox: Outbox, now: float) -> float:
        """Do what was asked, and take what links told; return when to listen again."""
        while True:
            try:
                self._take_in(outbox, *self._told.get_nowait(), now)
            except Empty:
                break
        if self._asked is None:
            return math.inf
        if now < self._asked_at + ASKED_EVERY_S:
            return self._asked_at + ASKED_EVERY_S
        with self._asking:
            since, self._asked = self._asked, None
        outbox.send_again(since)
        self._asked_at = now
        return math.inf

    def _take_in(self, outbox: Outbox, link: "Link", told: "Opened | Ended | Answered", now: float) -> None:
        from companion.club.link import Answered, Ended, Opened

        if link is not self._link:
            return  # of an earlier one
        match told:
            case Opened(session):
                self._session = session or now - self._away_since > SESSION_S / 2
                self._introduce(outbox)
            case Ended(why, refused, taken_over):
                self._lost(Hindrance.TAKEN_OVER if taken_over else Hindrance.REFUSED if refused else None, why, now)
            case Answered(number, why):
                self._answered(outbox, number, why, now)

    def _introduce(self, outbox: Outbox) -> None:
        """Say what we are, and ask what stands for us: that has come when the broker answers."""
        assert self._link is not None
        self._link.subscribe(
            topics.topic_of(self._club.club, outbox.table, "ask"),
            topics.topic_of(self._club.club, outbox.table, "status"),
            *((home_assistant.BIRTH,) if self._club.home_assistant else ()),
        )
        self._publish(outbox, "about", payloads.written(self._about), retain=True)

    def _begin(self, outbox: Outbox, now: float) -> None:
        """Say that we are ready, unless another was here under our id."""
        assert self._link is not None
        if self._ours and is_anothers(self._ours, self._found, session=self._session):
            self._link.leave()
            self._lost(Hindrance.TAKEN_OVER, "another client had this table's id meanwhile", now)
            return
        self._ours = self._will
        self._open, self._public_sent, self._home_asked = True, None, self._club.home_assistant
        self._publish(outbox, "status", payloads.written(TableStatus("ready", self._ours.birth)), retain=True)

    def _answered(self, outbox: Outbox, number: int, why: str, now: float) -> None:
        what, sent, match = self._flying.pop(number, ("", b"", 0))
        if what == "about" and not self._open:
            self._begin(outbox, now)
        if why:
            self._denied.add(what)
            self._stand(Hindrance.DENIED, why)
            self._results_at = now + REFUSED_S[0] if what == "result" else self._results_at
            return
        self._denied.discard(what)
        if what == "result":
            outbox.acknowledge(match, sent)
        if what == "status":
            self._failed = 0
        if self._open and not self._denied and what != "about":
            self._stand(None, "")

    def _speak(self, outbox: Outbox, now: float) -> float:
        """Send what there is to send and nothing of its kind is on its way; return when to look again."""
        on_its_way, again = {what for what, _, _ in self._flying.values()}, math.inf
        if self._home_asked:
            self._home_asked = False
            assert self._link is not None
            described = home_assistant.described(self._club.club, outbox.table, self._about)
            self._link.publish(home_assistant.topic_of(outbox.table), described, retain=True)
        public = self._noticed.public
        if public != self._public_sent and "public" not in on_its_way:
            again = self._public_at + PUBLIC_EVERY_S
            if now >= again:
                again, self._public_at, self._public_sent = math.inf, now, public
                self._publish(outbox, "public", public, retain=True, expires_s=payloads.EXPIRES_S)
        if "result" not in on_its_way:
            if now < self._results_at:
                again = min(again, self._results_at)
            elif found := outbox.next():
                self._publish(outbox, "result", found[1], match=found[0])
        return again

    def _publish(
        self,
        outbox: Outbox,
        what: str,
        payload: bytes,
        *,
        match: int = 0,
        retain: bool = False,
        expires_s: int | None = None,
    ) -> int:
        assert self._link is not None
        topic = topics.topic_of(self._club.club, outbox.table, f"result/{match}" if match else what)
        number = self._link.publish(topic, payload, retain=retain, expires_s=expires_s)
        self._flying[number] = what, payload, match
        return number

    def _lost(self, hindrance: Hindrance | None, why: str, now: float) -> None:
        """Give the link up, and say when the next one is tried: never, where another has our session."""
        if self._open:
            self._away_since = now
        self._drop()
        first, most = REFUSED_S if hindrance is Hindrance.REFUSED else AGAIN_S
        wait = min(most, first * 2.0 ** min(self._failed, 16)) * random.uniform(0.8, 1.2)
        self._again_at = math.inf if hindrance in (Hindrance.TAKEN_OVER, Hindrance.LEFT) else now + wait
        self._failed += 1
        self._stand(hindrance or Hindrance.UNREACHABLE, why)

    def _drop(self) -> None:
        if self._link is not None:
            self._link.drop()
        self._link, self._open, self._deadline = None, False, math.inf
        self._flying.clear()
        self._denied.clear()

    def _stand(self, hindrance: Hindrance | None, why: str) -> None:
        before = self.membership
        if before.tried and (before.hindrance, before.why) == (hindrance, why):
            return
        self.membership = replace(before, hindrance=hindrance, why=why, tried=True)
        if hindrance is None:
            _journal.info("club: %s has let this table in", self._club.broker)
        else:
            _journal.warning("club: %s: %s (%s)", self._club.broker, hindrance.value, why)
