"""Questions: acts that one phone wants and another must agree to, as one frozen value.

One question is open at a time. It lapses, or is declined, withdrawn, agreed to, or settled by something else. A phone
that asks in vain must wait before it may ask again, longer each time.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.access.presence import GOES_ON_WITHOUT
from companion.access.seat_rights import HOST, Rights, who
from companion.acts.act import Act
from companion.acts.sentence import Facts, Saying
from companion.acts.upkeep_acts import SwitchOff

LAPSES = 90.0
"""Seconds after which a question lapses; for as long again its asker is told that nobody agreed."""
AGAIN = 15.0
"""Seconds before anyone but the host may ask again after asking in vain; doubled each time, up to sixteenfold."""
FORGOTTEN = 600.0
"""Seconds without a question after which that wait starts over."""
NEWCOMER = -1
"""The asker of a question by somebody who plays at no seat; their waits are counted by phone and by address."""
SHARED = 2
"""Questions in vain from one address that cost no wait, because several people may share it."""
GRACE = 15.0
"""Seconds that a phone which is off gets to answer, from the host's first question that it has not answered."""
HOST_ASKED = 16
"""How many of the host's latest questions are kept, to count that grace."""

Vain = Literal["silent", "no", "played-on"]
"""Why nobody agreed: nobody answered, somebody declined, or the game went on."""


class EarlierMatch(msgspec.Struct, frozen=True):
    """A past match that is over or was ended, as a question about it needs it."""

    number: int
    game: str
    names: Mapping[int, str]
    """By seat, the players' names as corrected since."""
    asked: frozenset[int] = frozenset()
    """The seats of the match on the table whose phones may agree."""
    left_out: bool = False
    """Whether it counts nowhere."""
    dealt: bool = False
    """Whether the table itself dealt and read its cards."""


class Question(msgspec.Struct, frozen=True):
    """An act that one phone wants and another must agree to."""

    id: str
    act: Act
    asks: Saying
    """The sentence that asks, which everybody may see."""
    quotes: Saying | None
    """A sentence quoted in it: an entry of the story, or a word."""
    phone: str
    asker: int
    """The seat that asks, or `HOST`, or `NEWCOMER`."""
    match: int | None
    at: float = 0.0
    lapses: float = 0.0
    """When it lapses."""
    address: str = ""
    """A newcomer's network address, which stays the same if the phone drops its cookies."""
    of: int | None = None
    """The seat whose phone alone is asked; None: any other player's, or the host's."""
    earlier: EarlierMatch | None = None
    """The match that it is about, if that is not the one on the table."""
    vain: Vain = "silent"
    """Why nobody agreed, once it has lapsed."""
    brings: tuple[Saying, ...] = ()
    """Sentences on what would come of it."""

    @property
    def code(self) -> str:
        """Code of the sentence that asks."""
        return self.asks.code

    @property
    def facts(self) -> Facts:
        """The facts of that sentence."""
        return self.asks.facts

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

    @property
    def asked_in_vain_as(self) -> str:
        """The key under which its asker's wait is counted."""
        return self.phone if self.by_newcomer else str(self.asker)

    def is_of(self, match: int | None) -> bool:
        """Whether it is asked while this match is in play."""
        return self.stays or self.match == match

    def asks_the_same(self, asks: Saying, quotes: Saying | None, earlier: EarlierMatch | None) -> bool:
        """Whether it asks this in the same words, about the same match."""
        number = None if self.earlier is None else self.earlier.number
        return (self.asks, self.quotes, number) == (asks, quotes, None if earlier is None else earlier.number)


class Vainly(msgspec.Struct, frozen=True):
    """How often somebody has asked in vain."""

    times: int = 0
    at: float = 0.0
    """When they last did."""

    def once_more(self, at: float) -> "Vainly":
        """Return the count after another question at this time."""
        return Vainly(self.times + 1 if at - self.at < FORGOTTEN else 1, at)

    def wait(self, at: float, free: int = 0) -> float:
        """Return the seconds until they may ask again; the first `free` times cost no wait."""
        counted = self.times - free
        if counted <= 0 or at - self.at >= FORGOTTEN:
            return 0.0
        return max(0.0, self.at + AGAIN * (1 << min(counted - 1, 4)) - at)


NEVER = Vainly()


class Questions(msgspec.Struct, frozen=True):
    """The open question and those before it. Every step returns another value; `at` is in seconds."""

    latest: Question | None = None
    """The one that was asked last; it may have lapsed."""
    earlier: Mapping[str, Question] = {}
    """By what was asked, the question that another replaced."""
    in_vain: Mapping[str, Vainly] = {}
    """By `Question.asked_in_vain_as`."""
    in_vain_from: Mapping[str, Vainly] = {}
    """By a newcomer's address."""
    closed_to_newcomers: int | None = None
    """The match in which the host lets no newcomer ask any more."""
    by_host: tuple[float, ...] = ()
    """When the host asked for each thing."""
    done: Question | None = None
    """The one last agreed to."""

    def asked(self, question: Question, at: float) -> "Questions":
        """Open a question, replacing another; its time begins now."""
        # Counted as in vain from the start: only a yes takes that back (`agreed`).
        asker = question.asked_in_vain_as
        in_vain = _lately(self.in_vain, at)
        in_vain[asker] = in_vain.get(asker, NEVER).once_more(at)
        in_vain_from = _lately(self.in_vain_from, at)
        if question.by_newcomer:
            in_vain_from[question.address] = in_vain_from.get(question.address, NEVER).once_more(at)
        return replace(
            self,
            latest=replace(question, at=at, lapses=at + LAPSES),
            earlier=self.earlier if self.latest is None else {**self.earlier, self.latest.code: self.latest},
            in_vain=in_vain,
            in_vain_from=in_vain_from,
            by_host=(*self.by_host, at)[-HOST_ASKED:] if question.by_host else self.by_host,
        )

    def agreed(self, question: Question) -> "Questions":
        """Close a question that was agreed to and done; it no longer counts as asked in vain."""
        in_vain = {asker: vainly for asker, vainly in self.in_vain.items() if asker != question.asked_in_vain_as}
        in_vain_from = {of: vainly for of, vainly in self.in_vain_from.items() if of != question.address}
        return replace(self, in_vain=in_vain, in_vain_from=in_vain_from, done=question).settled(question.code)

    def settled(self, code: str) -> "Questions":
        """Close the question of this code: its act is done now, or can't be done any more."""
        earlier = {other_code: question for other_code, question in self.earlier.items() if other_code != code}
        latest = None if self.latest is not None and self.latest.code == code else self.latest
        return replace(self, latest=latest, earlier=earlier)

    def declined(self, question: Question, at: float, vain: Vain = "no") -> "Questions":
        """Let a question lapse at once, for the reason `vain`."""
        return replace(self, latest=replace(question, lapses=at, vain=vain))

    def withdrawn(self) -> "Questions":
        """Close the open question because its asker no longer wants it."""
        return replace(self, latest=None)

    def prolonged(self, at: float) -> "Questions":
        """Restart the open question's time: while nothing can be stored, no answer could count."""
        if self.latest is None or at >= self.latest.lapses:
            return self
        return replace(self, latest=replace(self.latest, at=at, lapses=at + LAPSES))

    def known_as(self, former_phone: str | None, phone: str) -> "Questions":
        """Return the questions with a newcomer's phone under its new token, so that its wait goes on."""
        in_vain = {phone if asker == former_phone else asker: vainly for asker, vainly in self.in_vain.items()}
        return replace(self, in_vain=in_vain)

    def without_newcomers(self, match: int | None) -> "Questions":
        """Let no newcomer ask for a place in this match any more."""
        return replace(self, closed_to_newcomers=match)

    def is_closed_to_newcomers(self, match: int | None) -> bool:
        """Whether the host lets no newcomer ask in this match."""
        return match is not None and self.closed_to_newcomers == match

    def without_switching_off(self) -> "Questions":
        """Return the questions without an open one about switching off, for the next start: the table was off since."""
        open_question = self.latest
        if open_question is None or not isinstance(open_question.act, SwitchOff):
            return self
        return self.settled(open_question.code)

    def later(self, seconds: float) -> "Questions":
        """Return the questions with all times moved by this many seconds, for a clock that began elsewhere."""
        return Questions(
            _moved(self.latest, seconds),
            {code: moved for code, question in self.earlier.items() if (moved := _moved(question, seconds))},
            {asker: replace(vainly, at=vainly.at + seconds) for asker, vainly in self.in_vain.items()},
            {address: replace(vainly, at=vainly.at + seconds) for address, vainly in self.in_vain_from.items()},
            self.closed_to_newcomers,
            tuple(at + seconds for at in self.by_host),
            _moved(self.done, seconds),
        )

    @property
    def unanswered(self) -> Question | None:
        """The latest question, if nobody has answered it, even if it has lapsed."""
        return self.latest if self.latest is not None and self.latest.vain == "silent" else None

    def current(self, rights: Rights, match: int | None, at: float) -> Question | None:
        """Return the open question, unless it belongs to another match, or its asker has lost the seat since."""
        question = self.latest
        if question is None or at >= question.lapses or not question.is_of(match):
            return None
        return question if question.by_newcomer or question.asker in who(rights, question.phone).parts else None

    def unmet(self, match: int | None, at: float) -> Question | None:
        """Return the latest question, if it lapsed or was declined a short while ago."""
        return _in_vain(self.latest, match, at)

    def unmet_for(self, code: str, match: int | None, at: float) -> Question | None:
        """Return the latest question of this code, if it lapsed or was declined a short while ago."""
        return _in_vain(self._latest_for(code), match, at)

    def is_wanted(self, code: str, of: int, at: float) -> bool:
        """Whether this was lately asked of a seat's phone, even if something else was asked since."""
        question = self._latest_for(code)
        return question is not None and question.of == of and at - question.at < LAPSES

    def wait_of(self, asker: int | str, at: float) -> float:
        """Return the seconds until a seat, or a newcomer's phone, may ask, so that nobody blocks the one question.

        The host always may.
        """
        return 0.0 if asker == HOST else self.in_vain.get(str(asker), NEVER).wait(at)

    def wait_at(self, address: str, at: float) -> float:
        """Return the seconds until a newcomer may ask from this address: dropping cookies must not avoid the wait."""
        return self.in_vain_from.get(address, NEVER).wait(at, SHARED)

    def seconds_to_wait(self, silence: float, at: float) -> float:
        """Return the seconds until an act may be done without a phone that has been silent for this long.

        All phones that are off are waited for at the same time: any question by the host counts for each of them.
        """
        seconds_asked = (min(silence, at - when) for when in self.by_host if when + LAPSES > at - silence)
        return max(0.0, GOES_ON_WITHOUT - silence, GRACE - max(seconds_asked, default=0.0))

    def _latest_for(self, code: str) -> Question | None:
        return self.latest if self.latest is not None and self.latest.code == code else self.earlier.get(code)


def _in_vain(question: Question | None, match: int | None, at: float) -> Question | None:
    if question is None or not question.is_of(match):
        return None
    return question if 0 <= at - question.lapses < LAPSES else None


def _lately(in_vain: Mapping[str, Vainly], at: float) -> dict[str, Vainly]:
    """Return the counts that are not forgotten yet."""
    return {asker: vainly for asker, vainly in in_vain.items() if at - vainly.at < FORGOTTEN}


def _moved(question: Question | None, seconds: float) -> Question | None:
    if question is None:
        return None
    return replace(question, at=question.at + seconds, lapses=question.lapses + seconds)
