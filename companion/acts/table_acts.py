"""Acts about the table itself: its virtual hand, its demonstrations, cheers, and what it keeps of people."""

from companion.access.table_voice import Loudness, VoiceKind
from companion.acts.value import ActValue
from companion.events import Seat


class LayCards(ActValue, frozen=True, tag="lay-cards"):
    """Have the virtual hand lay cards, in turn."""

    place: str
    cards: tuple[str, ...]
    unit: str | None = None


class PressBuzzer(ActValue, frozen=True, tag="press-buzzer"):
    """Have the virtual hand press a buzzer."""

    seat: Seat
    unit: str | None = None


class LiftCard(ActValue, frozen=True, tag="lift-card"):
    """Have the virtual hand lift the card from a place."""

    place: str


class StartDemo(ActValue, frozen=True, tag="start-demo"):
    """Have a match play itself."""

    game: str


class StopDemo(ActValue, frozen=True, tag="stop-demo"):
    """End the match that plays itself: people can begin their own."""


class LeaveDemo(ActValue, frozen=True, tag="leave-demo"):
    """End the match that began to play itself because nobody was there."""


class HoldDemo(ActValue, frozen=True, tag="hold-demo"):
    """Let no further act of it happen."""


class GoOnWithDemo(ActValue, frozen=True, tag="go-on-with-demo"):
    """Let its acts happen again."""


class StepDemo(ActValue, frozen=True, tag="step-demo"):
    """Let one act of it happen, then hold again."""


class PaceDemo(ActValue, frozen=True, tag="pace-demo"):
    """Play it slower or faster."""

    speed: float


class NameSeason(ActValue, frozen=True, tag="name-season"):
    """Name a season, and say when it begins and ends."""

    name: str
    begins: str
    """Its first day, in ISO 8601."""
    ends: str = ""
    """Its last; "": it goes on."""
    before: str = ""
    """The name it had; "": it is new."""


class DropSeason(ActValue, frozen=True, tag="drop-season"):
    """Forget a season; its matches stay."""

    name: str


class HideProfile(ActValue, frozen=True, tag="hide-profile"):
    """Hide a player's page, or show it again."""

    name: str
    hidden: bool


class ChooseVoice(ActValue, frozen=True, tag="choose-voice"):
    """Choose what is heard from the table's own loudspeaker."""

    kind: VoiceKind
    loudness: Loudness


class Cheer(ActValue, frozen=True, tag="cheer"):
    """Cheer: the big screen shows it for a moment."""


class AllowCheers(ActValue, frozen=True, tag="allow-cheers"):
    """Let people cheer, or no longer."""

    allowed: bool


TableAct = (
    LayCards
    | PressBuzzer
    | LiftCard
    | StartDemo
    | StopDemo
    | LeaveDemo
    | HoldDemo
    | GoOnWithDemo
    | StepDemo
    | PaceDemo
    | NameSeason
    | DropSeason
    | HideProfile
    | ChooseVoice
    | Cheer
    | AllowCheers
)
