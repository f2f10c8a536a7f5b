"""Acts about seats: who sits where, under which name, and which phone holds what."""

from companion.access.player_looks import Face
from companion.access.seat_rights import Part
from companion.acts.value import ActValue
from companion.events import Seat


class SitDown(ActValue, frozen=True, tag="sit"):
    """Sit down, or change one's name, look or seat."""

    seat: Seat
    name: str
    face: Face
    is_another: bool = False
    """Whether the new name at one's own seat is another person's: what was played there stays whose it was."""


class GetUp(ActValue, frozen=True, tag="get-up"):
    """Get up again before the match."""

    seat: Seat


class SendAway(ActValue, frozen=True, tag="send-away"):
    """Have somebody who waits for the match get up; for some minutes their phone can only sit down with a code."""

    seat: Seat


class MoveGuest(ActValue, frozen=True, tag="move-guest"):
    """Move somebody who waits to another seat."""

    seat: Seat
    to: Seat


class SitOut(ActValue, frozen=True, tag="sit-out"):
    """Sit out from the next match on and keep one's seat, or play again."""

    seat: Seat
    out: bool


class TellRules(ActValue, frozen=True, tag="tell-rules"):
    """Have the player of a seat told a game's rules while they play it, or no longer."""

    seat: Seat
    told: bool


class ClaimSeat(ActValue, frozen=True, tag="claim"):
    """Claim the seat, or the host's part, that a code opens."""

    code: str
    """As typed."""


class HandOn(ActValue, frozen=True, tag="hand-on"):
    """Make a code that hands a seat, or the host's part, to another phone."""

    seat: Part


class KeepSeat(ActValue, frozen=True, tag="keep"):
    """Cancel handing it on."""

    seat: Part


class RenewCodes(ActValue, frozen=True, tag="renew-codes"):
    """Give every seat a new code."""


class ComeBack(ActValue, frozen=True, tag="come-back"):
    """Take over from the bot that plays for this phone's player."""

    seat: Seat


class WaitForPhone(ActValue, frozen=True, tag="wait-for"):
    """Wait for a phone that is off after all: it gets its seat back from the bot."""

    seat: Seat


class FreeSeat(ActValue, frozen=True, tag="free"):
    """Give a seat back, or take it from a phone that is lost."""

    seat: Seat
    phone: str | None = None
    """The phone that held it when people were asked; None: they were not."""


class Rename(ActValue, frozen=True, tag="rename"):
    """Correct a player's name, or say that somebody else plays on at their seat."""

    seat: Seat
    name: str


class TakeOver(ActValue, frozen=True, tag="take-over"):
    """Sit down where a bot plays."""

    seat: Seat
    name: str
    face: Face | None = None
    code: str = ""
    """The seat's code, if they know it."""


class GoOnHere(ActValue, frozen=True, tag="go-on-here"):
    """Bring a seat into this browser from another one of the same phone."""

    seat: Seat
    phone: str | None = None
    """The browser that had it when it was asked; None: it was not."""


SeatAct = (
    SitDown
    | GetUp
    | SendAway
    | MoveGuest
    | SitOut
    | TellRules
    | ClaimSeat
    | HandOn
    | KeepSeat
    | RenewCodes
    | ComeBack
    | WaitForPhone
    | FreeSeat
    | Rename
    | TakeOver
    | GoOnHere
)
