"""Outcomes of an act, as frozen values: it is done, others are asked, or it is refused."""

from collections.abc import Mapping
from enum import Enum
from typing import Any

import msgspec

from companion.access.lobby import Ticked
from companion.access.people import Guest
from companion.access.seat_rights import Rights
from companion.acts.act import Act
from companion.acts.beside_play import BesidePlay
from companion.acts.match_acts import NOBODY_TICKED
from companion.acts.question import EarlierMatch
from companion.acts.sentence import NO_FACTS, NOTHING, Facts, Saying
from companion.errors import CompanionError
from companion.events import Event, Player
from companion.game.simulated_world import Move, Strength


class Refusing(Enum):
    """Why an act is refused."""

    WRONG = "it asks for what there is not"
    NOT_YOURS = "this phone may not"
    NOT_NOW = "the table is not as it was meant for"
    PAUSED = "the match stands still: it can be done once it goes on"
    BROKEN = "what it needs can't be used now"


class Refuse(msgspec.Struct, frozen=True):
    """A refusal, with the sentence that says what is wrong, where, and what to do now."""

    kind: Refusing
    code: str
    facts: Facts = NO_FACTS


class Consent(Enum):
    """Who must agree to an act besides the phone that wants it."""

    OTHERS = "another player's phone if the host asks; the host's if a player does"
    HOLDER = "the phone that holds the seat; if it is silent, another player's"
    PLAYERS = "any phone that plays, or the host's"
    OTHER_BROWSER = "the phone that holds the seat, which is the same person's"


class Needs(msgspec.Struct, frozen=True):
    """Who must agree, and to what."""

    consent: Consent
    sentence: Saying
    quotes: Saying | None = None
    """A sentence quoted in it: an entry of the story, or a word."""
    seat: int | None = None
    """The seat it is about, whose player is not among the others who may agree."""
    brings: tuple[Saying, ...] = ()
    """Sentences on what would come of it, for those who agree to read beforehand."""


class Starting(msgspec.Struct, frozen=True):
    """A match to start."""

    game: str
    players: tuple[Player, ...]
    options: dict[str, Any] = {}
    invented: bool = False
    """Whether its players are invented."""
    before: Mapping[int, str] = {}
    """By seat, the players of the match before it."""
    seat: int | None = None
    """Where this phone's player sits, at the simulated table."""
    ticked: Ticked = NOBODY_TICKED
    newcomers: Mapping[int, Guest] = {}
    """By seat, those who sit down with this start."""
    bots: Mapping[int, Strength] = {}
    """The seats that bots play."""
    colours: Mapping[int, str] = {}
    """By seat, the colour that its player chose, at the simulated table."""
    simulated: bool = False
    """Whether its things are simulated."""


class PlannedAct(msgspec.Struct, frozen=True):
    """How an act would be done."""

    act: Act
    """The act, made unambiguous, so that it still means the same when others agree to it later."""
    said: Saying = NOTHING
    """The reply once it is done; the judge's verdict, if there is one, takes precedence."""
    needs: Needs | None = None
    """Who must agree; None: nobody."""
    events: tuple[Event, ...] = ()
    """The events to record."""
    rights: Rights | None = None
    """The rights to store; None: unchanged."""
    starting: Starting | None = None
    """The match to start; its rights follow from the number that it gets (`starting.seated`)."""
    move: Move | None = None
    """The move of simulated things to make."""
    seat: int | None = None
    """The seat, or host's part, that this phone then has or waits for. None: unchanged."""
    sent_away: str | None = None
    """The phone that may not sit down again at once."""
    waited_for: str | None = None
    """The phone that is off, and is waited for from now on."""
    beside: BesidePlay | None = None
    """What the big screen then shows beside play; None: unchanged."""
    settles: str | None = None
    """Code of the open question that it makes moot."""
    is_so: bool = False
    """Whether it has been done already, so that nothing is left to do."""


class Do(msgspec.Struct, frozen=True):
    """It is done."""

    plan: PlannedAct
    settles: str | None = None
    """Code of the question that it makes moot."""
    earlier: EarlierMatch | None = None
    """The past match that it is about; None: the one on the table, or none."""


class AskOthers(msgspec.Struct, frozen=True):
    """Others are asked."""

    plan: PlannedAct
    needs: Needs
    asker: int
    """The seat that asks, `HOST` or `NEWCOMER`."""
    of: int | None
    """The seat whose phone alone is asked; None: any that may agree."""
    said: Saying
    """The reply to the asker."""
    earlier: EarlierMatch | None = None
    """The past match that it is about; None: the one on the table, or none."""


class Waits(msgspec.Struct, frozen=True):
    """This phone has already asked for it, and its question is still open."""

    said: Saying


Outcome = Do | AskOthers | Waits | Refuse
"""The outcome of an act."""


class ActRefused(CompanionError):
    """An act was refused."""

    def __init__(self, refuse: Refuse) -> None:
        super().__init__(refuse.code)
        self.refuse = refuse


def wrong(code: str, **facts: Any) -> Refuse:
    """Refuse an act that names something that does not exist."""
    return Refuse(Refusing.WRONG, code, facts)


def not_yours(code: str, **facts: Any) -> Refuse:
    """Refuse an act that this phone may not do."""
    return Refuse(Refusing.NOT_YOURS, code, facts)


def not_now(code: str, **facts: Any) -> Refuse:
    """Refuse an act that is not possible as the table is now."""
    return Refuse(Refusing.NOT_NOW, code, facts)
