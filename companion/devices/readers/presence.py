"""Decides when a card counts as present and when as gone: polls of one reader in, sensings out.

Pure: no clock, no device. A poll has the tags that it saw and its time in seconds; a fault is neither a poll nor a
miss.

A chip's answer has a checksum of one byte, so noise on the wires passes for an answer once in 256 times, with a number
that no card has. Where noise is possible (after a fault, or if the chip's repeated answer differs), and where a card
lies already, a new card is therefore told only when it was seen twice, or when the old one is no longer seen: by the
next sight, or by 0.3 s of empty polls. So it may already be lifted when it is told, for at most 0.3 s and one poll.

If polls are slow, a card may come and go between two of them, or be seen too briefly to count. It is not lost silently:
`Hurried` says that the last card must be tapped again.
"""

from math import ceil, inf, log

from msgspec import Struct
from msgspec.structs import replace

from companion.devices.sensing import Appeared, Crowded, Gone, Hurried, Sensing, Tag, Uncrowded

REMOVAL = 0.3
"""Seconds of good polls, all empty, before a card counts as taken away. A still card is missed now and then,
by some chips at every second poll; 0.3 s is the field's habit and still feels immediate."""

MISSES = 3
"""A removal also takes this many empty polls: when the computer stalls, two misses may lie 0.3 s apart."""

DOUBT = 1e-6
"""A removal also takes so many empty polls that a still card would be missed that often in a row only with this
chance, estimated from how often it and others here were missed so far: a reader that misses two polls of three has a
thousand runs of `MISSES` in an hour. Where polls are quick and cards read well, `MISSES` is enough."""

_REMEMBERED = 200
"""Polls of lying cards, after which older ones count half."""

SETTLING = 0.3
"""Seconds of good polls without two tags before a crowd counts as resolved: chips list two tags in one field
unreliably, some of them in turn, so a poll that shows one does not prove that the other left. Nobody swaps two cards
back and forth so quickly."""

SPARSE = 0.3
"""Seconds between two polls that are enough for a card tapped in haste to pass between them unseen."""

GLIMPSE = 0.1
"""Seconds after one sight of a card within which the next sight of another makes it noise: no hand is as quick."""

_PACE = 2.5
"""If a second card comes within this many polls of the first, another may have passed between them."""


class Unread(Struct, frozen=True):
    """Polls that missed a card, out of all polls while it lay there."""

    missed: int = 0
    polls: int = 0

    @property
    def share(self) -> float:
        """Estimated chance that the next poll misses the card, by Laplace's rule."""
        return (self.missed + 1) / (self.polls + 2)

    def seen(self, misses: int) -> "Unread":
        """Return the count after a poll that saw the card, preceded by `misses` that did not."""
        missed = self.missed + misses
        polls = self.polls + misses + 1
        return Unread(missed // 2, polls // 2) if polls > _REMEMBERED else Unread(missed, polls)


_NEW_READER = Unread(5, 8)
"""Assumed of a reader that has not read a card yet: as bad as the worst that has been met."""


class Presence(Struct, frozen=True):
    """What was told about one place, and the evidence against it since. `UNSEEN` is a place not yet polled."""

    uid: str | None = None
    """The card told as `Appeared` and not yet as `Gone`."""
    crowded: bool = False
    """Two tags were told as `Crowded` and have not been sorted out."""
    misses: int = 0
    """Empty polls in a row."""
    empty_since: float | None = None
    """Time of the first of these misses."""
    apart_since: float | None = None
    """Time of the first poll, since the last fault or the last sight of two tags, that did not show two."""
    seen: bool = True
    """Whether it is known what lay there when polling began."""
    sure: bool = True
    """Whether one sight of a card is enough where none lies; not after a fault, when it may be noise."""
    card: Unread = Unread()
    reader: Unread = _NEW_READER
    """Misses of this card, up to the last poll that saw it, and misses of all cards at this reader."""
    other: Tag | None = None
    """A card seen once, at the last sight, if that was not enough."""
    other_at: float = -inf
    """Time of that sight."""
    rival: str | None = None
    """The latest other card that lay here before this one, or was seen between two sights of it."""
    rival_at: float = -inf
    """Time of that sight: after `SETTLING`, it no longer counts."""
    came_at: float = -inf
    """Time of the first sight of the newest card."""
    polled_at: float = inf
    """Time of the last good poll."""
    blind: float = 0.0
    """The longest time between two polls since the last sight of a card."""


UNSEEN = Presence(seen=False)


News = tuple[Presence, tuple[Sensing, ...]]


def polled(presence: Presence, place: str, tags: tuple[Tag, ...], at: float) -> News:
    """Return the presence after a good poll at time `at` that saw `tags`, and the sensings to tell, in order."""
    came_at = presence.came_at
    passed = False
    blind = max(presence.blind, at - presence.polled_at)
    match tags:
        case ():
            updated, sensings = _empty(presence, place, at)
        case (tag,):
            updated, sensings = _single(presence, place, tag, at)
            if tag.uid != presence.uid and tag != presence.other:
                passed = not presence.crowded and blind >= SPARSE and at - came_at <= _PACE * blind
                came_at = at
        case _:
            sensings = () if presence.crowded else (Crowded(place, at),)
            updated = replace(_undisputed(presence), crowded=True)
    if passed and not any(isinstance(sensing, Hurried) for sensing in sensings):
        sensings = (*sensings, Hurried(place, at))
    return replace(updated, came_at=came_at, polled_at=at, blind=0.0 if tags else blind), sensings


def faulted(presence: Presence) -> Presence:
    """Return the presence after a fault: what was told stands, and a removal is counted from the beginning again."""
    undisputed = replace(
        _undisputed(presence), sure=False, came_at=presence.came_at, polled_at=presence.polled_at, blind=presence.blind
    )
    return undisputed if presence.crowded else replace(undisputed, other=presence.other, other_at=presence.other_at)


def _undisputed(presence: Presence) -> Presence:
    """Return what was told of a place, without the evidence against it."""
    return Presence(
        presence.uid,
        presence.crowded,
        seen=presence.seen,
        sure=presence.sure,
        card=presence.card,
        reader=presence.reader,
    )


def _empty(presence: Presence, place: str, at: float) -> News:
    if presence.uid is None and not presence.crowded and presence.seen and presence.sure:
        return presence, ()
    since = at if presence.empty_since is None else presence.empty_since
    misses = presence.misses + 1
    if (
        presence.uid
        and presence.other
        and presence.sure
        and not presence.crowded
        and at - presence.other_at >= SETTLING
    ):
        updated, sensings = _followed(presence, presence.other, place, at)
        return replace(updated, misses=misses, empty_since=since), sensings
    if misses >= _misses_of_a_removal(presence) and at - since >= REMOVAL:
        return Presence(reader=presence.reader), (
            *_sorted_out(presence, place, at),
            *_gone(presence, place, at),
            *_dropped(presence, place, at),
        )
    apart = at if presence.apart_since is None else presence.apart_since
    return replace(presence, misses=misses, empty_since=since, apart_since=apart), ()


def _misses_of_a_removal(presence: Presence) -> int:
    if presence.seen and presence.uid is None:
        return MISSES
    # share ** misses <= DOUBT, solved for the misses.
    return max(MISSES, ceil(log(DOUBT) / log(max(presence.card.share, presence.reader.share))))


def _single(presence: Presence, place: str, tag: Tag, at: float) -> News:
    other_uid = presence.other.uid if presence.other else None
    if presence.crowded:
        # Two tags were told. One alone must be seen for a while before they count as sorted out.
        apart = at if presence.apart_since is None or tag.uid != (other_uid or tag.uid) else presence.apart_since
        if at - apart < SETTLING:
            return replace(presence, misses=0, empty_since=None, apart_since=apart, other=tag), ()
    elif tag.uid == presence.rival and at - presence.rival_at < SETTLING:
        # The card that lay here before is back within a moment: both lie here, and answer in turn.
        return replace(_undisputed(presence), crowded=True), (Crowded(place, at),)
    sorted_out = _sorted_out(presence, place, at)
    if tag.uid == presence.uid:
        # The card still lies here; whatever was seen once in between was not a removal.
        between = presence.other is not None and other_uid != tag.uid
        rival, rival_at = (other_uid, at) if between else (presence.rival, presence.rival_at)
        card = presence.card.seen(presence.misses)
        reader = presence.reader.seen(presence.misses)
        updated = Presence(tag.uid, card=card, reader=reader, rival=rival, rival_at=rival_at)
        return updated, (*sorted_out, *(_dropped(presence, place, at) if between else ()))
    if tag.uid == other_uid or (presence.uid is None and presence.sure):
        # A second sight, or a first one where surely nothing lay: the card counts.
        updated, sensings = _followed(presence, tag, place, at)
        return updated, (*sorted_out, *sensings)
    if presence.uid and presence.other and presence.sure and not presence.crowded:
        # Two different cards in a row, neither of which lay here: the first has come and gone.
        updated, sensings = _followed(presence, presence.other, place, at)
        return replace(updated, other=tag, other_at=at), sensings
    # A first sight where something lies, or may lie: it may be noise, so it waits for a second one.
    dropped = _dropped(presence, place, at)
    return replace(_undisputed(presence), crowded=False, other=tag, other_at=at), (*sorted_out, *dropped)


def _followed(presence: Presence, tag: Tag, place: str, at: float) -> News:
    """Tell that a card lies there, and that the one before it, if any, is gone."""
    appeared = Appeared(place, tag.uid, at, tag.kind, already=not presence.seen)
    updated = Presence(tag.uid, card=Unread(0, 1), reader=presence.reader, rival=presence.uid, rival_at=at)
    return updated, (*_gone(presence, place, at), appeared)


def _dropped(presence: Presence, place: str, at: float) -> tuple[Hurried, ...]:
    """Return `Hurried` for a card that was seen once and does not count, if it was no mere glimpse."""
    was_seen_long_enough = presence.other and not presence.crowded and at - presence.other_at >= GLIMPSE
    return (Hurried(place, at),) if was_seen_long_enough else ()


def _gone(presence: Presence, place: str, at: float) -> tuple[Gone, ...]:
    return () if presence.uid is None else (Gone(place, presence.uid, at),)


def _sorted_out(presence: Presence, place: str, at: float) -> tuple[Uncrowded, ...]:
    return (Uncrowded(place, at),) if presence.crowded else ()
