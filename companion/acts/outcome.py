"""What comes of an act: it is done, others are asked, or it is refused. Frozen values."""

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
    """An act that is not done, with the sentence that says what, where, and what to do now."""

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
    """What is quoted in it: an entry of the story, or a word."""
    seat: int | None = None
    """The seat it is about, whose player has no say among the others."""


class Starting(msgspec.Struct, frozen=True):
    """A match to start."""

    game: str
    players: tuple[Player, ...]
    options: dict[str, Any] = {}
    invented: bool = False
    """Whether its players are invented."""
    before: Mapping[int, str] = {}
    """By seat, who played the match before it."""
    seat: int | None = None
    """Where this phone's player sits, at the simulated table."""
    ticked: Ticked = NOBODY_TICKED
    newcomers: Mapping[int, Guest] = {}
    """By seat, who sits down only now."""
    bots: Mapping[int, Strength] = {}
    """The seats that bots play."""
    colours: Mapping[int, str] = {}
    """By seat, the colour that its player chose, at the simulated table."""
    simulated: bool = False
    """Whether its things are simulated."""


class PlannedAct(msgspec.Struct, frozen=True):
    """How an act would be done."""

    act: Act
    """The same act, pinned: whatever happens until others have agreed, it means the same."""
    said: Saying = NOTHING
    """What is said once it is done; if the judge says something, that is said."""
    needs: Needs | None = None
    """Who must agree; None: nobody."""
    events: tuple[Event, ...] = ()
    """What to record."""
    rights: Rights | None = None
    """The rights to store; None: they stay."""
    starting: Starting | None = None
    """The match to start; its rights follow from the number that it gets (`starting.seated`)."""
    move: Move | None = None
    """The move of simulated things to make."""
    seat: int | None = None
    """What this phone has from now on, or waits for: a seat, or the host's part. None: what it had."""
    sent_away: str | None = None
    """The phone that is kept from sitting down again at once."""
    waited_for: str | None = None
    """The phone, which is off, that is waited for from now on."""
    beside: BesidePlay | None = None
    """What the big screen shows beside play from now on; None: what it showed."""
    settles: str | None = None
    """The open question that it makes moot, by its code."""
    is_so: bool = False
    """Whether it is so already, so that nothing is left to do."""


class Do(msgspec.Struct, frozen=True):
    """It is done."""

    plan: PlannedAct
    settles: str | None = None
    """The question that it makes moot, by its code."""
    earlier: EarlierMatch | None = None
    """The match of the log that it is about; None: the one on the table, or none."""


class AskOthers(msgspec.Struct, frozen=True):
    """Others are asked."""

    plan: PlannedAct
    needs: Needs
    asker: int
    """The seat that asks, `HOST` or `NEWCOMER`."""
    of: int | None
    """The seat whose phone alone is asked; None: any that may agree."""
    said: Saying
    """What the asker is told."""
    earlier: EarlierMatch | None = None
    """The match that it is about, if that is not the one on the table."""


class Waits(msgspec.Struct, frozen=True):
    """This phone has asked for it already, and hears that it is asked."""

    said: Saying


Outcome = Do | AskOthers | Waits | Refuse
"""What comes of an act."""


class ActRefused(CompanionError):
    """An act was refused."""

    def __init__(self, refuse: Refuse) -> None:
        super().__init__(refuse.code)
        self.refuse = refuse


def wrong(code: str, **facts: Any) -> Refuse:
    """Refuse what there is not."""
    return Refuse(Refusing.WRONG, code, facts)


def not_yours(code: str, **facts: Any) -> Refuse:
    """Refuse what this phone may not do."""
    return Refuse(Refusing.NOT_YOURS, code, facts)


def not_now(code: str, **facts: Any) -> Refuse:
    """Refuse what can't be done as the table is now."""
    return Refuse(Refusing.NOT_NOW, code, facts)
