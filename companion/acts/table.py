"""The situation: all that decisions on acts depend on, as one frozen value, which `live/situations.py` builds."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from companion.access.lobby import Playing
from companion.access.presence import PhonesSeen
from companion.access.seat_rights import HOST, Rights, Who
from companion.acts.beside_play import BesidePlay
from companion.acts.question import EarlierMatch, Question, Questions
from companion.events import SEATS, Player
from companion.game.simulated_world import Move, Strength
from companion.judge.attribution import HOST as HOST_DOER
from companion.judge.attribution import Doer
from companion.judge.match import Match

NOBODY: Mapping[int, str] = {}


class Actor(msgspec.Struct, frozen=True):
    """The phone that wants something done."""

    who: Who
    address: str = ""
    """Its network address; "" where that does not matter."""
    new: str | None = None
    """The token that it gets if the act gives it something to hold."""

    @property
    def key(self) -> str | None:
        """Its token once the act is done; None: it holds nothing."""
        return self.new or self.who.phone


class Play(msgspec.Struct, frozen=True):
    """The match on the table, as everybody sees it."""

    number: int
    game: str
    names: Mapping[int, str]
    """By seat, as typed when it began."""
    called: Mapping[int, str]
    """By seat, as corrected since."""
    told: int
    """The number of public entries."""
    over: bool = False
    pause: Literal["break", "ended"] | None = None
    nobodys: bool = False
    """Whether it counts for nobody: it plays itself, or its players are invented."""
    awaited: frozenset[int] = frozenset()
    """The seats that it waits for."""
    may_hear: frozenset[int] = frozenset()
    """The seats that could hear their cards before they play them."""
    hearing: frozenset[int] = frozenset()
    """The seats that hear theirs now."""
    races: bool = False
    """Whether presses publicly race."""

    @property
    def is_on(self) -> bool:
        """Whether it is under way, and not ended early."""
        return not self.over and self.pause != "ended"


class Made(msgspec.Struct, frozen=True):
    """A simulated move that was made."""

    seat: int
    before: int
    """How many events the match had before it."""


class DealtThings(msgspec.Struct, frozen=True):
    """The simulated things of the match on the table."""

    game: str
    bots: frozenset[int]
    strength: Strength
    moves: tuple[Made, ...]
    """The first one laid everything out."""
    stays: int
    """How many entries of the public story are about the deal, which is never dealt again."""
    persons: frozenset[int]
    """The seats that people play."""


class Moves(msgspec.Struct, frozen=True):
    """Simulated moves, possible and made."""

    possible: Mapping[int, tuple[Move, ...]] = {}
    """By seat, the moves it can make now."""
    latest: Mapping[int, Move] = {}
    """By seat, its latest move."""
    anybodys: Move | None = None
    """The latest move, if anybody could have made it, and it makes no difference who does."""
    overtaken: Mapping[Move, Move] = {}
    """By a move that could be made until somebody else moved: the move that they made."""


class Particulars(msgspec.Struct, frozen=True):
    """What only some acts are decided on, and is looked up for them alone."""

    evening: tuple[tuple[int, tuple[Player, ...]], ...] = ()
    """The evening's matches that count for somebody, with who played: for an act that is about somebody's name."""
    codes: tuple[str, ...] = ()
    """Unused codes, for an act that hands them out."""
    moves: Moves = Moves()
    """For an act that is a move."""
    announced: int | None = None
    """The number of the current announcement."""
    walks: bool = False
    """Whether somebody walks around the table, to check its devices."""
    puts_stickers_on: bool = False
    """Whether stickers are being put on."""
    remedies: frozenset[tuple[str, str]] = frozenset()
    """Pairs of an ailment's code and a remedy that is offered for it."""
    backup: str | None = None
    """The mark of the backup that was looked through and may be restored."""
    offered: str = ""
    """The newer version that is available; "": none is."""
    knows_the_time: bool = False
    """Whether the machine has the time from a network."""


class Situation(msgspec.Struct, frozen=True):
    """The table at one moment."""

    rights: Rights
    presence: PhonesSeen
    questions: Questions
    asked_at: float
    """The time in seconds on the questions' clock."""
    at: float = 0.0
    """The time in seconds on the table's clock, by which events are dated."""
    play: Play | None = None
    """None: no match has been started."""
    match: Match | None = None
    """The match as it stands; None: the decision does not depend on what was played."""
    earlier: EarlierMatch | None = None
    """The past match that the act is about, which `match` then is; None: it is about the one on the table."""
    simulated: bool = False
    """Whether it is a simulated table."""
    dealt: DealtThings | None = None
    """None: the match on the table has no simulated things."""
    one_hand: bool = False
    """Whether one virtual hand lays all cards, so that no other phone need be asked."""
    by_code: bool = False
    """Whether a seat can only be taken by its code, even before a match."""
    plays_itself: bool = False
    """Whether a match is playing itself."""
    shows_itself: bool = False
    """Whether it does because nobody was there."""
    beside: BesidePlay = BesidePlay()
    """What the big screen shows beside play."""
    particulars: Particulars = Particulars()

    @property
    def number(self) -> int | None:
        """The number of the match on the table."""
        return self.play.number if self.play is not None else None

    @property
    def names(self) -> Mapping[int, str]:
        """By seat, who plays the match on the table, as typed."""
        return self.play.names if self.play is not None else NOBODY

    @property
    def seats(self) -> frozenset[int]:
        """The seats of the match on the table."""
        return frozenset(self.names)

    @property
    def told(self) -> int:
        """How many entries everybody was told."""
        return self.play.told if self.play is not None else 0

    @property
    def people_play(self) -> bool:
        """Whether a match that counts for somebody is being played."""
        return self.play is not None and self.play.is_on and not self.play.nobodys

    @property
    def is_under_way(self) -> bool:
        """Whether a match is being played, or could be continued."""
        return self.play is not None and not self.play.over

    @property
    def playing(self) -> Playing:
        """The match under way, as far as it determines who sits where."""
        return Playing(self.number, self.seats) if self.people_play else Playing()

    @property
    def is_dealt(self) -> bool:
        """Whether the table itself dealt and read the cards of the match that the act is about."""
        return self.dealt is not None if self.earlier is None else self.earlier.dealt

    @property
    def bots(self) -> frozenset[int]:
        """The seats that bots play."""
        return self.dealt.bots if self.dealt is not None else frozenset()

    @property
    def question(self) -> Question | None:
        """The open question."""
        return self.questions.current(self.rights, self.number, self.asked_at)

    @property
    def host(self) -> str | None:
        """The host's phone."""
        return self.rights.holders.get(HOST)

    def asked_of(self, seat: int) -> Question | None:
        """Return the open question, if this seat's phone alone is asked."""
        question = self.question
        return question if question is not None and question.of == seat else None

    def moot(self, code: str, seat: int) -> str | None:
        """Return this code if a seat's phone is being asked for it: its player has done it instead of answering."""
        question = self.asked_of(seat)
        return code if question is not None and question.code == code else None

    def seconds_to_wait_for(self, phone: str) -> float:
        """Return how many seconds to wait for a phone's answer; 0: go on without it."""
        return self.questions.seconds_to_wait(self.presence.unheard(phone), self.asked_at)

    def can_be_asked(self, phone: str) -> bool:
        """Whether a phone is there to be asked."""
        return self.presence.can_be_asked(phone, self.people_play)

    def keeps(self, who: Who) -> frozenset[Doer]:
        """Return the doers for whom a phone may act alone: its own seats and, if it is the host's, those that no phone
        holds. In a past match nobody acts alone.
        """
        if self.earlier is not None:
            return frozenset()
        own_seats = {seat for seat in SEATS if seat in who.parts}
        free = (seat for seat in SEATS if seat not in self.rights.holders)
        return frozenset({HOST_DOER, *own_seats, *free} if who.host else own_seats)
