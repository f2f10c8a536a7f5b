"""Acts about what keeps the table running: its devices, stickers, network, backups, version and clock."""

from typing import Any

from companion.acts.value import ActValue


class WalkAround(ActValue, frozen=True, tag="walk"):
    """Begin a walk around the table, to check that each device is the right one."""


class PassOver(ActValue, frozen=True, tag="pass-over"):
    """Skip a step of the walk."""

    step: int
    """Which, from 0: one that is over stays as it is."""


class EndWalk(ActValue, frozen=True, tag="end-walk"):
    """End the walk."""


class BeginStickers(ActValue, frozen=True, tag="begin-stickers"):
    """Put stickers on a deck, or on one card of it that lost its own."""

    pieces: str
    """Whose cards: a game's, or the table's own."""
    box: dict[str, Any] | None = None
    """What people said about their box; None: nothing, it stays."""
    card: str | None = None
    """The one card; None: all that lack a sticker."""


class SkipSticker(ActValue, frozen=True, tag="skip-sticker"):
    """Leave the wanted card for later."""


class TakeStickerBack(ActValue, frozen=True, tag="take-sticker-back"):
    """Undo the latest sticker."""


class ChooseSticker(ActValue, frozen=True, tag="choose-sticker"):
    """Want this card next."""

    card: str


class EndStickers(ActValue, frozen=True, tag="end-stickers"):
    """Let cards reach the match again."""


class CureTable(ActValue, frozen=True, tag="cure"):
    """Carry out a remedy for what the table can't use of all that it keeps."""

    ailment: str
    remedy: str


class SetUpAnew(ActValue, frozen=True, tag="set-up-anew"):
    """Set the table up again; past matches are kept."""


class JoinNetwork(ActValue, frozen=True, tag="join-network"):
    """Join a network; whoever asks may lose the table, and must follow it."""

    ssid: str
    password: str


class OpenNetwork(ActValue, frozen=True, tag="open-network"):
    """Open the table's own network, and leave the one it is on."""


class BackUp(ActValue, frozen=True, tag="back-up"):
    """Back the table up; matches that were ended early have then ended for good, as a backup holds what is sealed."""

    stick: str | None = None
    """The folder on a stick; None: the phone gets it."""


class LookThroughBackup(ActValue, frozen=True, tag="look-through-backup"):
    """Look through a backup before it is brought back."""

    key: str | None = None
    """Which of those at hand; None: one that the phone sends."""


class BringBack(ActValue, frozen=True, tag="bring-back"):
    """Bring the chosen backup back: the table stops for it, and starts again by itself."""

    mark: str
    """The one that was looked through."""


class DropBackup(ActValue, frozen=True, tag="drop-backup"):
    """Bring nothing back."""


class UpdateTable(ActValue, frozen=True, tag="update"):
    """Update the table to the version at hand."""


class SetClock(ActValue, frozen=True, tag="set-clock"):
    """Set the table's clock by the host's phone, and date what was played since the machine started."""

    at: str
    """Local time, as the phone says it."""


class TellDay(ActValue, frozen=True, tag="tell-day"):
    """Date what was played since the machine started; its clock stays as it is."""

    at: str
    """Local time, as the phone says it."""


class TellFigure(ActValue, frozen=True, tag="tell-figure"):
    """Tell a figure that was measured at the table; an empty one takes back what was told of that part."""

    assumption: str
    figure: str
    """As it was typed."""
    part: str = ""
    """What it was measured on."""


class SwitchOff(ActValue, frozen=True, tag="switch-off"):
    """Switch the table off."""


UpkeepAct = (
    WalkAround
    | PassOver
    | EndWalk
    | BeginStickers
    | SkipSticker
    | TakeStickerBack
    | ChooseSticker
    | EndStickers
    | CureTable
    | SetUpAnew
    | JoinNetwork
    | OpenNetwork
    | BackUp
    | LookThroughBackup
    | BringBack
    | DropBackup
    | UpdateTable
    | SetClock
    | TellDay
    | TellFigure
    | SwitchOff
)
