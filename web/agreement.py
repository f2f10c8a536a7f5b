"""The open question: what one phone wants and another must agree to."""

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping
from typing import Any, Literal, TypeVar

import msgspec

from companion.access import seat_rights
from companion.access.seat_rights import HOST, Rights, Who

LAPSES = 90.0
"""Seconds after which a question lapses; for as long again its asker is told that nobody agreed."""
AGAIN = 15.0
"""Seconds before anyone but the host may ask again after asking in vain; doubled each time, up to sixteenfold."""
FORGOTTEN = 600.0
"""Seconds without a question from them after which that starts over."""
NEWCOMER = -1
"""Whoever asks without playing anywhere. Each of their phones counts for itself, and each of their addresses."""
SHARED = 2
"""Questions in vain from one address that keep no newcomer from asking: several people may share it."""
GOES_ON_WITHOUT = 60.0
"""Seconds without a sign of a phone after which it goes on without it."""
GRACE = 15.0
"""Seconds that such a phone gets anyway, from the first question that it has not answered."""
ASKER_IS_TOLD = 12.0
"""Seconds without a sign after which the asker is told that a phone is off; one showing a page gives one every 4."""
ALL_ARE_TOLD = 30.0
"""Seconds without a sign after which everybody is told that it is off, if its player is waited for."""
STEP = 5
"""Pages show the remaining wait in steps of this many seconds."""


Asker = TypeVar("Asker", bound=int | str)
Vain = Literal["silent", "no", "played-on"]
"""Why nobody agreed: nobody answered, somebody declined, or the game went on."""


class Off(msgspec.Struct, frozen=True):
    """Nobody who is asked can answer, because their phones are off."""

    seats: tuple[int, ...]
    """The seats whose phones are off."""
    seconds: int
    """Seconds until it goes on without them."""


class EarlierMatch(msgspec.Struct, frozen=True):
    """A match that is over or was ended, as a question about it names it."""

    number: int
    game: str
    names: Mapping[int, str]
    """Who played where."""
    asked: frozenset[int]
    """The seats of the match on the table whose phones may agree."""


class Question(msgspec.Struct, frozen=True, eq=False):
    """What one phone wants and another must agree to."""

    id: str
    code: str
    """Names the sentence that says what is wanted, as far as everybody may know it."""
    facts: Mapping[str, Any]
    about: tuple[str, Mapping[str, Any]] | None
    """A further sentence within it, by its code: the entry to take back."""
    phone: str
    asker: int
    """The seat that asks, or `HOST`, or `NEWCOMER`."""
    match: int | None
    at: float
    act: Callable[[], str]
    """Does it, and returns what to say."""
    address: str = ""
    """Where a newcomer's phone is on the network; forgetting its cookies changes nothing about that."""
    of: int | None = None
    """The seat whose phone alone is asked; None: any other player's, or the host's."""
    earlier: EarlierMatch | None = None
    """The match that it is about, if that is not the one being played."""
    lapses: float = 0.0
    """When it lapses."""
    vain: Vain = "silent"
    """Why nobody agreed, once it has lapsed."""

    @property
    def by_host(self) -> bool:
        """Whether the host asks."""
        return self.asker == HOST

    @property
    def by_newcomer(self) -> bool:
        """Whether somebody who does not play asks."""
        return self.asker == NEWCOMER

    @property
    def stands_still(self) -> bool:
        """Whether it is about a move: bots wait for the answer, and it lapses as soon as people play on."""
        return self.code == "ask-take-back" and self.earlier is None

    @property
    def stays(self) -> bool:
        """Whether it stays open in the next match: it is about somebody's name."""
        return self.code == "ask-rename"

    def is_of(self, match: int | None) -> bool:
        """Whether it is asked while this match is in play."""
        return self.stays or self.match == match


class Vainly(msgspec.Struct, frozen=True):
    """How often somebody has asked in vain."""

    times: int = 0
    at: float = -math.inf
    """When last."""

    def once_more(self, at: float) -> "Vainly":
        """Return this with another time."""
        return Vainly(self.times + 1 if at - self.at < FORGOTTEN else 1, at)

    def wait(self, at: float, free: int = 0) -> float:
        """Return the seconds until they may ask again; the first `free` times cost no wait."""
        counted = self.times - free
        if counted <= 0 or at - self.at >= FORGOTTEN:
            return 0.0
        return max(0.0, self.at + AGAIN * (1 << min(counted - 1, 4)) - at)


NEVER = Vainly()


class Questions:
    """The question that is open; one at a time."""

    def __init__(self, changed: Callable[[], None], clock: Callable[[], float] = time.monotonic):
        """Begin with no question; `changed` is called whenever a different one is open."""
        self._changed = changed
        self._clock = clock
        self.carrying_out = threading.Lock()
        """Held while what was agreed to is done: of several answers at once, the others wait for what becomes of it."""
        self._lock = threading.Lock()
        self._open: Question | None = None
        self._before: dict[str, Question] = {}
        """By what was asked, the question that another replaced."""
        self._asked: dict[int | str, Vainly] = {}
        """By seat, or by a newcomer's phone."""
        self._from: dict[str, Vainly] = {}
        """By a newcomer's address."""
        self._closed_to_newcomers: int | None = None
        """The match in which the host lets no newcomer ask any more."""
        self._by_host: deque[float] = deque(maxlen=16)
        """When the host asked for each thing."""
        self._done: Question | None = None
        """The question last agreed to."""

    def ask(self, question: Question) -> None:
        """Open it, replacing another; its time begins now."""
        now = self._clock()
        asker = question.phone if question.by_newcomer else question.asker
        self._asked = _lately(self._asked, now)
        self._asked[asker] = self._asked.get(asker, NEVER).once_more(now)
        if question.by_newcomer:
            self._from = _lately(self._from, now)
            self._from[question.address] = self._from.get(question.address, NEVER).once_more(now)
        if question.by_host:
            self._by_host.append(now)
        if self._open is not None:
            self._before[self._open.code] = self._open
        self._keep(msgspec.structs.replace(question, at=now, lapses=now + LAPSES))

    def wait_of(self, asker: int | str) -> float:
        """Return the seconds until a seat, or a newcomer's phone, may ask; so nobody keeps the one question busy.

        The host always may.
        """
        return 0.0 if asker == HOST else self._asked.get(asker, NEVER).wait(self._clock())

    def wait_at(self, address: str) -> float:
        """Return the seconds until a newcomer may ask from there: nobody asks on and on by forgetting cookies."""
        return self._from.get(address, NEVER).wait(self._clock(), SHARED)

    def know_as(self, before: str | None, phone: str) -> None:
        """Know a newcomer's phone by another text from now on: it has asked as often as before."""
        if before in self._asked:
            self._asked[phone] = self._asked.pop(before)

    def close_to_newcomers(self, match: int | None) -> None:
        """Have no newcomer ask the players for a place in this match any more."""
        self._closed_to_newcomers = match

    def is_closed_to_newcomers(self, match: int | None) -> bool:
        """Whether the host lets no newcomer ask in this match."""
        return match is not None and self._closed_to_newcomers == match

    def current(self, now: Rights, match: int | None) -> Question | None:
        """Return the open question, unless it is about another match, or its phone has lost its place since."""
        asked = self._open
        if asked is None or self._clock() >= asked.lapses or not asked.is_of(match):
            return None
        return asked if asked.by_newcomer or asked.asker in seat_rights.who(now, asked.phone).parts else None

    @property
    def stands_still_until(self) -> float:
        """When the game stops waiting for an answer; 0 if it does not wait."""
        return self._open.lapses if self._open is not None and self._open.stands_still else 0.0

    def unmet(self, match: int | None) -> Question | None:
        """Return the latest question, if nobody agreed with it and that is news."""
        return self._in_vain(self._open, match)

    def unmet_before(self, code: str, match: int | None) -> Question | None:
        """Likewise return the latest question for this, whatever was asked since."""
        there = self._open
        return self._in_vain(there if there is not None and there.code == code else self._before.get(code), match)

    def _in_vain(self, asked: Question | None, match: int | None) -> Question | None:
        if asked is None or not asked.is_of(match):
            return None
        return asked if 0 <= self._clock() - asked.lapses < LAPSES else None

    def is_wanted(self, code: str, of: int) -> bool:
        """Whether this was asked of a seat's phone lately, whatever was asked since."""
        asked = self._open if self._open is not None and self._open.code == code else self._before.get(code)
        return asked is not None and asked.of == of and self._clock() - asked.at < LAPSES

    def wait(self, silence: float) -> float:
        """Return the seconds until it goes on without a phone that has been silent for this long.

        All that are off are waited for at the same time: any question from the host counts for each of them.
        """
        now = self._clock()
        asked = max((min(silence, now - at) for at in self._by_host if at + LAPSES > now - silence), default=0.0)
        return max(0.0, GOES_ON_WITHOUT - silence, GRACE - asked)

    def off(self, silent: Mapping[int, float]) -> Off | None:
        """Return whose phones are off, if all the phones asked are; `silent`: for how long, by seat."""
        if not silent or min(silent.values()) < ASKER_IS_TOLD:
            return None
        return Off(tuple(silent), STEP * math.ceil(max(map(self.wait, silent.values())) / STEP))

    def done(self, question: Question) -> None:
        """Close it: it is done as asked, and does not count as asked in vain. Whoever agrees a moment later is told."""
        self._asked.pop(question.phone if question.by_newcomer else question.asker, None)
        self._from.pop(question.address, None)
        self._done = question
        self.settle(question.code)

    def prolong(self) -> None:
        """Start the open question's time afresh: nothing can be stored now, so nobody's answer could count.

        May be called from any thread.
        """
        now = self._clock()
        with self._lock:
            asked = self._open
            if asked is not None and now < asked.lapses:
                self._open = msgspec.structs.replace(asked, at=now, lapses=now + LAPSES)

    def is_done(self, name: str | None, match: int | None) -> Question | None:
        """Return the question with this id, if it was the last one agreed to and done."""
        done = self._done
        return done if done is not None and done.id == name and done.is_of(match) else None

    def settle(self, code: str) -> None:
        """Close the question, if it asks for this: it is done now, and was not asked in vain."""
        self._before.pop(code, None)
        self._keep(None if self._open is not None and self._open.code == code else self._open)

    def decline(self, question: Question, vain: Vain = "no") -> None:
        """Let it lapse now."""
        self._keep(msgspec.structs.replace(question, lapses=self._clock(), vain=vain))

    def close(self) -> None:
        """Close the question."""
        self._keep(None)

    def _keep(self, question: Question | None) -> None:
        with self._lock:
            self._open = question
        self._changed()


def _lately(asked: Mapping[Asker, Vainly], now: float) -> dict[Asker, Vainly]:
    """Return those who have asked in vain not too long ago."""
    return {asker: vainly for asker, vainly in asked.items() if now - vainly.at < FORGOTTEN}


def asked_by(question: Question, holders: Mapping[int, str], playing: Collection[int]) -> dict[int, str]:
    """Return the phones that the host asks, by seat."""
    may = playing if question.earlier is None else question.earlier.asked
    seats = () if not question.by_host else may if question.of is None else (question.of,)
    return {seat: holders[seat] for seat in sorted(seats) if holders.get(seat, question.phone) != question.phone}


def may_agree(question: Question, who: Who, playing: Collection[int]) -> bool:
    """Return whether this phone is the one that is asked; never the one that asks."""
    if who.phone is None or who.phone == question.phone:
        return False
    if question.of is not None:
        return question.of in who.parts
    plays = bool(who.parts & set(playing if question.earlier is None else question.earlier.asked))
    return who.host or plays if question.by_newcomer else plays if question.by_host else who.host


def goes_before(asker: int, question: Question) -> bool:
    """Return whether this one replaces an open question: the host goes before a seat, a seat before newcomers."""
    return (asker == HOST and not question.by_host) or (asker != NEWCOMER and question.by_newcomer)
