"""Acts about a match: what is played in it, when it begins, stands still and ends, and what counts of it afterwards."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType, field

from companion.access.lobby import Ticked
from companion.acts.told import EntryTold
from companion.acts.value import ActValue
from companion.events import Place, Seat
from companion.game.simulated_world import Strength

NOBODY_TICKED = Ticked()
Number = Annotated[int, Meta(ge=1)]
Bots = Annotated[int, Meta(ge=0, le=5)]


class TakeBack(ActValue, frozen=True, tag="take-back"):
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


class PutRight(ActValue, frozen=True, tag="put-right"):
    """Replace a misread card by the right one."""

    told: EntryTold
    wrong: str
    card: str
    match: Number | None = None
    """A match of the log that is over or was ended; None: the one on the table."""


class LiesAt(ActValue, frozen=True, tag="lies-at"):
    """Count a card that was read at several seats at one of them."""

    card: str
    seat: Seat
    match: Number | None = None
    """A match of the log that is over or was ended; None: the one on the table."""


class EnterPress(ActValue, frozen=True, tag="enter-press"):
    """Enter a press that no buzzer told."""

    seat: Seat
    unit: str | None = None
    """The unit in which people were asked about it (`judge.match.Match.unit`); None: they were not asked."""
    match: Number | None = None
    """A match of the log that is over or was ended; None: the one on the table."""


class EnterCards(ActValue, frozen=True, tag="enter-cards"):
    """Enter cards that no reader told, in turn."""

    place: Place
    cards: tuple[str, ...]
    """As their page offered them; once people were asked, the cards that were meant."""
    unit: str | None = None
    match: Number | None = None
    """A match of the log that is over or was ended; None: the one on the table."""


class EnterWord(ActValue, frozen=True, tag="say"):
    """Say what no sensor can see."""

    seat: Seat | Literal["host"]
    what: str
    value: Any | UnsetType = UNSET
    unit: str | None = None
    match: Number | None = None
    """A match of the log that is over or was ended; None: the one on the table."""


class StartMatch(ActValue, frozen=True, tag="start"):
    """Start a match; one under way is left for it."""

    game: str
    players: Mapping[Seat, str] | None = None
    """Who plays where, as typed; None: whoever has sat down."""
    options: dict[str, Any] = field(default_factory=dict)
    may_invent: bool = False
    """Whether players are invented if there are none: such a match counts for nobody."""
    ticked: Ticked = NOBODY_TICKED


class PlayBots(ActValue, frozen=True, tag="play-bots"):
    """Start a match at the simulated table, with bots in empty seats; one under way is left for it."""

    game: str
    bots: Bots
    strength: Strength
    name: str = ""
    """Who plays with this phone, if they have not sat down."""
    ticked: Ticked = NOBODY_TICKED
    in_ten_minutes: bool = False
    """Whether with the options that make it short."""


class Again(ActValue, frozen=True, tag="again"):
    """Start the next match as the last one, with the people who sit there now."""


class End(ActValue, frozen=True, tag="end"):
    """End the match early."""


class LeaveOut(ActValue, frozen=True, tag="leave-out"):
    """Have a match of the log count nowhere."""

    match: Number


class CountAgain(ActValue, frozen=True, tag="count-again"):
    """Have a match that was left out count again."""

    match: Number


class TakeUp(ActValue, frozen=True, tag="take-up"):
    """Go on, at the table, with a match of the log that is not over."""

    match: Number


class TakeBreak(ActValue, frozen=True, tag="take-break"):
    """Take a break: no act counts until the match goes on."""


class GoOnWithMatch(ActValue, frozen=True, tag="go-on"):
    """Go on after a break, or with the match on the table that was ended too soon."""


class ObjectToAnnouncement(ActValue, frozen=True, tag="object"):
    """Object to what the table announces, as a press does."""

    announcement: int
    """Which, by its number."""


class MakeMove(ActValue, frozen=True, tag="move"):
    """Move simulated things."""

    seat: Seat
    what: str
    """In the game's own word."""
    card: str = ""
    number: str = "0"


class HaveRead(ActValue, frozen=True, tag="have-read"):
    """Have the bots go on after a count."""


class HearCards(ActValue, frozen=True, tag="hear"):
    """Have a seat's cards read out on its phone, and not count as lays."""

    seat: Seat


class PlayCards(ActValue, frozen=True, tag="play-cards"):
    """Have a seat's cards count as lays again."""

    seat: Seat


class LookAgain(ActValue, frozen=True, tag="look-again"):
    """Have the big screen show the last act again, slowly, with how the table knows of it."""

    told: EntryTold


MatchAct = (
    TakeBack
    | PutRight
    | LiesAt
    | EnterPress
    | EnterCards
    | EnterWord
    | StartMatch
    | PlayBots
    | Again
    | End
    | LeaveOut
    | CountAgain
    | TakeUp
    | TakeBreak
    | GoOnWithMatch
    | ObjectToAnnouncement
    | MakeMove
    | HaveRead
    | HearCards
    | PlayCards
    | LookAgain
)
