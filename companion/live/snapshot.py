"""What the live table publishes: all that may be shown now, and nothing else."""

from collections.abc import Callable, Mapping
from functools import partial

import msgspec

from companion import act_cards
from companion.errors import NotNow
from companion.game import Misplay, Observer
from companion.history.souvenir import Highlight
from companion.judge import contested_cards, corrections, doubted_presses, views
from companion.judge.changed_by_correction import Change
from companion.judge.contested_cards import Contested
from companion.judge.doubted_presses import Doubt
from companion.judge.match import Match
from companion.judge.refusals import shut
from companion.judge.returned import LastSaid
from companion.judge.views import View, Views
from companion.live.announcement import Announcement
from companion.live.cards_aloud import HeardCards
from companion.live.device_status import Device, Status
from companion.live.in_play import InPlay, LatestAct
from companion.live.lamp_answers import LampAnswer
from companion.live.pad_answers import A_STICKER, PadAnswer
from companion.live.pause import Why
from companion.live.seat_feedback import Feedback
from companion.storage.ailments import Ailment
from companion.tags.enrolment_session import Stickers
from companion.wall_clock import Reading, Trust

KeepFault = Callable[[str, str, Exception], None]


class Overtaken(NotNow):
    """Somebody was quicker: another match is in play than when this was decided, or none."""


class Snapshot(msgspec.Struct, frozen=True):
    """All that may be shown now."""

    match: int | None = None
    """The match's number in the log; None: none has been started yet."""
    simulated: bool = False
    demo: bool = False
    """Whether the match counts for nobody: it plays itself, or did, or its players are invented."""
    views: Mapping[Observer, View] = {}
    """By seat; None is what the public and the host see."""
    devices: Mapping[str, Device] = {}
    crowded: tuple[str, ...] = ()
    """Places where more than one card lies."""
    hurried: Mapping[str, int] = {}
    """Places where the last card must be tapped again; the number grows with each time that somebody is told so."""
    read: tuple[str, ...] = ()
    """Places where a card lies that was read; which card it is stays out, since everybody may see this."""
    answered: Mapping[str, LampAnswer] = {}
    """By place, the public answer to the card that lies there, or to the latest act there."""
    counted: Mapping[int, int] = {}
    """By seat that lays many cards one by one, how many have publicly counted."""
    feedback: Mapping[int, Feedback] = {}
    """The last answer to each seat's sensors, for that seat alone."""
    hearing: Mapping[int, HeardCards] = {}
    """The seats that hear their cards, as everybody sees; what each has heard is for that seat alone."""
    trouble: Ailment | None = None
    """Why events can't be stored; None while they can."""
    ailments: tuple[Ailment, ...] = ()
    """Stored data that the table can't use, and goes on without."""
    clock: Reading | None = None
    """The reading of the wall clock that dates everything since the machine started; None: it was not read yet."""
    stickers: Stickers = Stickers()
    misread: frozenset[int] = frozenset()
    """The latest entries of the story whose card can be put right."""
    contested: tuple[Contested, ...] = ()
    """The cards that were read at several seats, and may still be moved from one to another."""
    asked: Mapping[int, Doubt] = {}
    """The seats that are asked to press again, and why their press was taken back."""
    pad_answers: Mapping[str, PadAnswer] = {}
    """By place, the answer to a card outside the match: one of the table's own, or one that gets its sticker."""
    announced: Announcement | None = None
    """The match that begins by itself unless somebody presses."""
    pause: Why | None = None
    """Why no act is accepted now; None: the match goes on."""
    races: bool = False
    """Whether presses race, and nobody is first yet."""
    at_once: bool = False
    """Whether all may act at once and the first counts, as the game says."""
    change: Change | None = None
    """What the latest correction changed, until the judge has said something new to everybody."""
    last_said: Mapping[Observer, LastSaid] = {}
    """By observer, what they were told last, once corrections have brought anything back; {}: nothing has returned."""
    done: LatestAct | None = None
    """The latest act that everybody was told of; None: there is none, or it was taken back."""
    hints_met: Mapping[int, tuple[str, ...]] = {}
    """By seat, the hints of its game that have had their time in this match, as everybody was told."""
    highlights: tuple[Highlight, ...] = ()
    """What the match is remembered for, once it is over."""
    past_changes: int = 0
    """How many decisions about past matches people have made since the table started."""

    def seen_by(self, observer: Observer, own_seat: int | None) -> "Snapshot":
        """Return the part that this observer may know; `own_seat` is the seat of a player who looks alone, None if
        others look too.
        """
        return msgspec.structs.replace(
            self,
            views={viewer: self.views[viewer] for viewer in (None, observer) if viewer in self.views},
            last_said={viewer: self.last_said[viewer] for viewer in (None, observer) if viewer in self.last_said},
            feedback={seat: answer for seat, answer in self.feedback.items() if seat == own_seat},
            hearing={seat: heard if seat == own_seat else HeardCards() for seat, heard in self.hearing.items()},
            answered={place: answer for place, answer in self.answered.items() if answer.refused},
            counted={},
        )

    def past(self, match: int | None) -> "Snapshot":
        """Return what a page about another match, of this number, shows of the table itself."""
        return Snapshot(
            match=match,
            simulated=self.simulated,
            devices=self.devices,
            trouble=self.trouble,
            ailments=self.ailments,
            stickers=self.stickers,
        )

    @property
    def is_undated(self) -> bool:
        """Whether nobody knows what day it is."""
        return self.clock is not None and self.clock.trust is Trust.UNKNOWN

    @property
    def has_buttons(self) -> bool:
        """Whether people have real buttons to press."""
        return not self.simulated and any(not name.startswith("reader ") for name in self.devices)

    @property
    def under_way(self) -> int | None:
        """The number of the match that is being played, or could be continued; None: there is none, or it is over."""
        view = self.views.get(None)
        return None if view is None or view["over"] else self.match

    @property
    def ended(self) -> bool:
        """Whether people have ended the match early."""
        return self.pause is not None and self.pause.is_end

    @property
    def may_go_on(self) -> bool:
        """Whether people may go on with a match that they have ended early."""
        return self.pause is Why.ENDED

    @property
    def rests(self) -> bool:
        """Whether no card that is laid now can count: people take a break, or the match is over."""
        view = self.views.get(None)
        return self.pause is not None or (view is not None and view["over"])

    @property
    def refused(self) -> Mapping[str, LampAnswer]:
        """By place, the answer to what does not count there, as everybody may know."""
        return {place: answer for place, answer in self.answered.items() if answer.refused and not self.rests}

    def has_act_card(self, card: str) -> bool:
        """Whether this card of the table's own has its sticker."""
        stock = self.stickers.stock.get(act_cards.SLUG)
        return stock is not None and card in stock.wanted and card not in stock.missing

    @property
    def silent_act_cards(self) -> Mapping[str, PadAnswer]:
        """By place, the card of the table's own that says nothing now."""
        return {
            place: answer
            for place, answer in self.pad_answers.items()
            if not answer.counts and answer.card != A_STICKER
        }

    def may_hear(self, seat: int | None) -> bool:
        """Whether a seat's player could hear a card before they play it: there is a reader to lay it on."""
        readers = not self.simulated and f"reader seat-{seat}" in self.devices
        return readers and self.people_play and seat is not None and seat in self.views

    @property
    def in_play(self) -> int | None:
        """The number of the match that is under way and not ended early; None: there is none."""
        return None if self.ended else self.under_way

    def open_to(self, why: Why) -> int | None:
        """Return the number of the match that may be paused for this reason, or None; an ended one may be ended
        again."""
        return self.under_way if why.is_end else self.in_play

    @property
    def people_play(self) -> bool:
        """Whether a match that counts for somebody is being played."""
        return self.in_play is not None and not self.demo


def snapshot_of(played: InPlay | None, status: Status, table: Snapshot, keep_fault: KeepFault) -> Snapshot:
    """Return the snapshot of this match, or of none; `table` holds the fields that depend on neither match nor devices.

    `keep_fault` is called, in any thread, with the game, the hook that was called, and what it raised.
    """
    idle = msgspec.structs.replace(
        table,
        devices=dict(status.devices),
        crowded=tuple(status.crowded),
        hurried=dict(status.hurried),
        read=tuple(status.lying),
    )
    if played is None:
        return idle
    match = played.match
    return msgspec.structs.replace(
        idle,
        match=played.number,
        demo=played.demo,
        views=Views(match, partial(keep_fault, match.game.slug)),
        answered=played.lamps.shown(),
        counted=_counted(played),
        feedback=dict(played.feedback),
        hearing={} if match.over else dict(played.hearing.heard),
        misread=corrections.offered(match),
        contested=contested_cards.contested(match),
        asked=doubted_presses.asked(match),
        pause=played.pause.why,
        races=_is_racing(match),
        at_once=views.now(match).at_once,
        change=played.change,
        last_said=played.last_said() if played.has_returned else {},
        done=played.done,
        hints_met=played.hints_met(),
        highlights=played.highlights,
    )


def _is_racing(match: Match) -> bool:
    """Return whether presses race, and nothing staged says yet who was first."""
    rulings = (verdict for verdict in reversed(match.public) if not isinstance(verdict, Misplay))
    latest = next(rulings, None)
    if latest is not None and match.game.kind_of(latest.code).stage is not None:
        return False
    return match.tried("races", lambda: match.game.moves.races(match.state), otherwise=False)


def _counted(played: InPlay) -> dict[int, int]:
    """Return how many cards have counted, for each seat that is laying many and may go on."""
    match = played.match
    task = views.now(match)
    if not task.counting:
        return {}
    laying = {*task.seats} - shut(match).keys()
    return {seat: number for seat, number in played.counted.by_seat().items() if seat in laying}
