"""Acts: what a phone may want done at the table, as values. Each has one text form, so that it can be kept and asked.

>>> text(FreeSeat(3))
'{"act":"free","seat":3}'
>>> read(text(FreeSeat(3))) == FreeSeat(3)
True
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, UnsetType

from companion.access.lobby import Ticked
from companion.access.player_looks import Face
from companion.acts.told import EntryTold
from companion.errors import WrongInput
from companion.events import Place, Seat
from companion.game.simulated_world import Strength

NOBODY_TICKED = Ticked()
Number = Annotated[int, Meta(ge=1)]
Bots = Annotated[int, Meta(ge=0, le=5)]


class _Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="act"):
    pass


class TakeBack(_Act, frozen=True, tag="take-back"):
    """Take back an entry of the story, a seat's taps of the count under way, or both."""

    told: EntryTold | None = None
    """The entry, and all that goes with it."""
    seat: Seat | None = None
    """The seat whose taps are meant."""
    cards: tuple[str, ...] = ()
    """The cards that were tapped; () for all of them."""
    until: int | None = None
    """How many events the match had when people were asked: what was laid again since counts. None: they were not."""
    match: Number | None = None
    """A match of the log that is over or was ended; None: the one on the table."""


class PutRight(_Act, frozen=True, tag="put-right"):
    """Replace a misread card by the right one."""

    told: EntryTold
    wrong: str
    card: str
    match: Number | None = None
    """A match of the log that is over or was ended; None: the one on the table."""


class LiesAt(_Act, frozen=True, tag="lies-at"):
    """Count a card that was read at several seats at one of them."""

    card: str
    seat: Seat
    match: Number | None = None
    """A match of the log that is over or was ended; None: the one on the table."""


class EnterPress(_Act, frozen=True, tag="enter-press"):
    """Enter a press that no buzzer told."""

    seat: Seat
    unit: str | None = None
    """The unit in which people were asked about it (`judge.match.Match.unit`); None: they were not asked."""
    match: Number | None = None
    """A match of the log that is over or was ended; None: the one on the table."""


class EnterCards(_Act, frozen=True, tag="enter-cards"):
    """Enter cards that no reader told, in turn."""

    place: Place
    cards: tuple[str, ...]
    """As their page offered them; once people were asked, the cards that were meant."""
    unit: str | None = None
    match: Number | None = None
    """A match of the log that is over or was ended; None: the one on the table."""


class EnterWord(_Act, frozen=True, tag="say"):
    """Say what no sensor can see."""

    seat: Seat | Literal["host"]
    what: str
    value: Any | UnsetType = UNSET
    unit: str | None = None
    match: Number | None = None
    """A match of the log that is over or was ended; None: the one on the table."""


class LayCards(_Act, frozen=True, tag="lay-cards"):
    """Have the virtual hand lay cards, in turn."""

    place: str
    cards: tuple[str, ...]
    unit: str | None = None


class PressBuzzer(_Act, frozen=True, tag="press-buzzer"):
    """Have the virtual hand press a buzzer."""

    seat: Seat
    unit: str | None = None


class StartMatch(_Act, frozen=True, tag="start"):
    """Start a match; one under way is left for it."""

    game: str
    players: Mapping[Seat, str] | None = None
    """Who plays where, as typed; None: whoever has sat down."""
    options: dict[str, Any] = {}
    may_invent: bool = False
    """Whether players are invented if there are none: such a match counts for nobody."""
    ticked: Ticked = NOBODY_TICKED


class PlayBots(_Act, frozen=True, tag="play-bots"):
    """Start a match at the simulated table, with bots in empty seats; one under way is left for it."""

    game: str
    bots: Bots
    strength: Strength
    name: str = ""
    """Who plays with this phone, if they have not sat down."""
    ticked: Ticked = NOBODY_TICKED


class Again(_Act, frozen=True, tag="again"):
    """Start the next match as the last one, with the people who sit there now."""


class End(_Act, frozen=True, tag="end"):
    """End the match early."""


class LeaveOut(_Act, frozen=True, tag="leave-out"):
    """Have a match of the log count nowhere."""

    match: Number


class CountAgain(_Act, frozen=True, tag="count-again"):
    """Have a match that was left out count again."""

    match: Number


class TakeUp(_Act, frozen=True, tag="take-up"):
    """Go on, at the table, with a match of the log that is not over."""

    match: Number


class SwitchOff(_Act, frozen=True, tag="switch-off"):
    """Switch the table off."""


class FreeSeat(_Act, frozen=True, tag="free"):
    """Give a seat back, or take it from a phone that is lost."""

    seat: Seat
    phone: str | None = None
    """The phone that held it when people were asked; None: they were not."""


class Rename(_Act, frozen=True, tag="rename"):
    """Correct a player's name, or say that somebody else plays on at their seat."""

    seat: Seat
    name: str


class TakeOver(_Act, frozen=True, tag="take-over"):
    """Sit down where a bot plays."""

    seat: Seat
    name: str
    face: Face | None = None
    code: str = ""
    """The seat's code, if they know it."""


class GoOnHere(_Act, frozen=True, tag="go-on-here"):
    """Bring a seat into this browser from another one of the same phone."""

    seat: Seat
    phone: str | None = None
    """The browser that had it when it was asked; None: it was not."""


Act = (
    TakeBack
    | PutRight
    | LiesAt
    | EnterPress
    | EnterCards
    | EnterWord
    | LayCards
    | PressBuzzer
    | StartMatch
    | PlayBots
    | Again
    | End
    | LeaveOut
    | CountAgain
    | TakeUp
    | SwitchOff
    | FreeSeat
    | Rename
    | TakeOver
    | GoOnHere
)
ACTS: tuple[type[Act], ...] = get_args(Act)
_ACT: msgspec.json.Decoder[Act] = msgspec.json.Decoder(Act)


def match_of(act: Act) -> int | None:
    """Return the match of the log that an act names; None: it is about the one on the table, or about none."""
    match: int | None = getattr(act, "match", None)
    return match


def text(act: Act) -> str:
    """Return an act's text form."""
    return msgspec.json.encode(act).decode()


def read(written: str) -> Act:
    """Return the act of this text form. Raises `WrongInput`."""
    try:
        return _ACT.decode(written)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        raise WrongInput(f"{written[:80]!r} is no act: {wrong}") from wrong
