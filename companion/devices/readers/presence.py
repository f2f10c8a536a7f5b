"""When a card counts as there, and when as gone: polls of one reader in, what to tell out.

Pure: no clock, no device. A poll has the tags it saw and its time in seconds; a fault is neither a poll nor a miss.

A chip's answer has a checksum of one byte, so noise on the wires passes for an answer once in 256 times, with a
number that no card has. Where noise may be (after a fault, and where the chip does not say the same when asked again),
and where a card lies already, a new one is therefore told when it was seen twice, or when what lay there is not seen
any more: by the next sight, or by 0.3 s of empty polls. So it may be told after it has been lifted again, at most 0.3 s
and one poll ago.

Where polls are slow a card may come and go between two of them, or be seen too briefly to count. It is not lost
silently: `Hurried` says that the last card must be tapped again.
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
"""It also takes so many that a card lying still would be missed that often in a row only with this chance, judging by
how often it and others here were missed so far: a reader that misses two of three has a thousand rows of `MISSES` in
an hour. Where polls are quick and cards read well, this asks for nothing more."""

_REMEMBERED = 200
"""Polls of lying cards, after which older ones count half."""

SETTLING = 0.3
"""Seconds of good polls without two tags before a crowd counts as resolved: two tags in one field are listed
unreliably, and a poll that shows one of them does not prove that the other left. Some chips list them in turn: nobody
swaps two cards back and forth so quickly."""

SPARSE = 0.3
"""Seconds between two polls that are enough for a card tapped in haste to pass between them unseen."""

GLIMPSE = 0.1
"""Seconds after one sight of a card within which the next sight of another makes it noise: no hand is as quick."""

_PACE = 2.5
"""Polls within which a second card must come for a third to be likely that came between them."""


class Unread(Struct, frozen=True):
    """How many polls missed a card that lay there, of how many."""

    missed: int = 0
    polls: int = 0

    @property
    def share(self) -> float:
        """How likely the next one misses it, by Laplace's rule."""
        return (self.missed + 1) / (self.polls + 2)

    def seen(self, misses: int) -> "Unread":
        """Take in that a poll saw it, after so many that did not."""
        missed, polls = self.missed + misses, self.polls + misses + 1
        return Unread(missed // 2, polls // 2) if polls > _REMEMBERED else Unread(missed, polls)


_NEW_READER = Unread(5, 8)
"""What is assumed of a reader that has shown nothing yet: the worst that anybody has seen."""


class Presence(Struct, frozen=True):
    """What was told about one place, and what speaks against it since. `UNSEEN` is a place not yet looked at."""

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
    """Whether it is known what lay there at first."""
    sure: bool = True
    """Whether one sight of a card is enough where none lies."""
    card: Unread = Unread()
    reader: Unread = _NEW_READER
    """How often the card was missed up to the last poll that saw it, and any card that lay here."""
    other: Tag | None = None
    """A card seen once, at the last sight, if that was not enough."""
    other_at: float = -inf
    """Time of that sight."""
    rival: str | None = None
    """The card seen last of those that were there before this one, or between two sights of it."""
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


def polled(was: Presence, place: str, tags: tuple[Tag, ...], at: float) -> News:
    """Take in a good poll at time `at` that saw `tags`; return the new presence and what to tell, in order."""
    came_at, passed = was.came_at, False
    blind = max(was.blind, at - was.polled_at)
    match tags:
        case ():
            now, told = _empty(was, place, at)
        case (tag,):
            now, told = _single(was, place, tag, at)
            if tag.uid != was.uid and tag != was.other:
                passed = not was.crowded and blind >= SPARSE and at - came_at <= _PACE * blind
                came_at = at
        case _:
            told = () if was.crowded else (Crowded(place, at),)
            now = replace(_told(was), crowded=True)
    if passed and not any(isinstance(one, Hurried) for one in told):
        told = (*told, Hurried(place, at))
    return replace(now, came_at=came_at, polled_at=at, blind=0.0 if tags else blind), told


def faulted(was: Presence) -> Presence:
    """Take in a fault: what was told stands, and whatever time had run towards a removal is forgotten."""
    now = replace(_told(was), sure=False, came_at=was.came_at, polled_at=was.polled_at, blind=was.blind)
    return now if was.crowded else replace(now, other=was.other, other_at=was.other_at)


def _told(was: Presence) -> Presence:
    """Without what speaks against it."""
    return Presence(was.uid, was.crowded, seen=was.seen, sure=was.sure, card=was.card, reader=was.reader)


def _empty(was: Presence, place: str, at: float) -> News:
    if was.uid is None and not was.crowded and was.seen and was.sure:
        return was, ()
    since = at if was.empty_since is None else was.empty_since
    misses = was.misses + 1
    if was.uid and was.other and was.sure and not was.crowded and at - was.other_at >= SETTLING:
        now, told = _followed(was, was.other, place, at)
        return replace(now, misses=misses, empty_since=since), told
    if misses >= _misses_of_a_removal(was) and at - since >= REMOVAL:
        return Presence(reader=was.reader), (
            *_sorted_out(was, place, at),
            *_gone(was, place, at),
            *_dropped(was, place, at),
        )
    apart = at if was.apart_since is None else was.apart_since
    return replace(was, misses=misses, empty_since=since, apart_since=apart), ()


def _misses_of_a_removal(was: Presence) -> int:
    if was.seen and was.uid is None:
        return MISSES
    return max(MISSES, ceil(log(DOUBT) / log(max(was.card.share, was.reader.share))))


def _single(was: Presence, place: str, tag: Tag, at: float) -> News:
    other = was.other.uid if was.other else None
    if was.crowded:
        apart = at if was.apart_since is None or tag.uid != (other or tag.uid) else was.apart_since
        if at - apart < SETTLING:
            return replace(was, misses=0, empty_since=None, apart_since=apart, other=tag), ()
    elif tag.uid == was.rival and at - was.rival_at < SETTLING:
        return replace(_told(was), crowded=True), (Crowded(place, at),)
    sorted_out = _sorted_out(was, place, at)
    if tag.uid == was.uid:
        between = was.other is not None and other != tag.uid
        rival, rival_at = (other, at) if between else (was.rival, was.rival_at)
        card, reader = was.card.seen(was.misses), was.reader.seen(was.misses)
        now = Presence(tag.uid, card=card, reader=reader, rival=rival, rival_at=rival_at)
        return now, (*sorted_out, *(_dropped(was, place, at) if between else ()))
    if tag.uid == other or (was.uid is None and was.sure):
        now, told = _followed(was, tag, place, at)
        return now, (*sorted_out, *told)
    if was.uid and was.other and was.sure and not was.crowded:  # two in a row that are not what lay there
        now, told = _followed(was, was.other, place, at)
        return replace(now, other=tag, other_at=at), told
    dropped = _dropped(was, place, at)
    return replace(_told(was), crowded=False, other=tag, other_at=at), (*sorted_out, *dropped)


def _followed(was: Presence, tag: Tag, place: str, at: float) -> News:
    """Let a card take the place of whatever was there."""
    appeared = Appeared(place, tag.uid, at, tag.kind, already=not was.seen)
    now = Presence(tag.uid, card=Unread(0, 1), reader=was.reader, rival=was.uid, rival_at=at)
    return now, (*_gone(was, place, at), appeared)


def _dropped(was: Presence, place: str, at: float) -> tuple[Hurried, ...]:
    """Tell of a card that was seen once and will not count."""
    return (Hurried(place, at),) if was.other and not was.crowded and at - was.other_at >= GLIMPSE else ()


def _gone(was: Presence, place: str, at: float) -> tuple[Gone, ...]:
    return () if was.uid is None else (Gone(place, was.uid, at),)


def _sorted_out(was: Presence, place: str, at: float) -> tuple[Uncrowded, ...]:
    return (Uncrowded(place, at),) if was.crowded else ()
