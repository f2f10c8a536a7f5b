"""When a card counts as there, and when as gone: polls of one reader in, what to tell out.

Pure: no clock, no device. A poll has the tags it saw and its time in seconds; a fault is neither a poll nor a miss.

A chip's answer bears a checksum of one byte, so noise on the wires passes for an answer once in 256 times, with a
number that no card has. Where noise may be (after a fault), and where a card lies already, a new one is therefore told
when it was seen twice.
"""

from math import ceil, inf, log

from msgspec import Struct
from msgspec.structs import replace

from companion.devices.sensing import Appeared, Crowded, Gone, Sensing, Tag, Uncrowded

REMOVAL = 0.3
"""Seconds of good polls, all empty, before a card counts as taken away. A still card is missed now and then,
by some chips at every second poll; 0.3 s is the field's habit and still feels immediate."""

MISSES = 3
"""A removal also takes this many empty polls: when the computer stalls, two misses may lie 0.3 s apart."""

DOUBT = 1e-4
"""And so many that a card which lies still, and is read as often as it was so far, is missed that often only with this
chance. Where polls are quick and cards well read this asks for nothing more."""

_REMEMBERED = 64
"""Polls of a lying card, after which older ones count half."""

SETTLING = 0.3
"""Seconds of good polls without two tags before a crowd counts as resolved: two tags in one field are listed
unreliably, and a poll that shows one of them is no proof that the other has left. Some chips list them in turn: nobody
swaps two cards back and forth so quickly."""


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
    sights: int = 0
    polls: int = 0
    """How often the card was seen, of how many polls up to the last that saw it."""
    other: str | None = None
    """A card seen once, at the last sight, where that was not enough."""
    rival: str | None = None
    """The card seen last of those that were there before this one, or between two sights of it."""
    rival_at: float = -inf
    """Time of that sight: after `SETTLING`, it is of no account."""


UNSEEN = Presence(seen=False)


News = tuple[Presence, tuple[Sensing, ...]]


def polled(was: Presence, place: str, tags: tuple[Tag, ...], at: float) -> News:
    """Take in a good poll at time `at` that saw `tags`; return the new presence and what to tell, in order."""
    match tags:
        case ():
            return _empty(was, place, at)
        case (tag,):
            return _single(was, place, tag, at)
        case _:
            told = () if was.crowded else (Crowded(place, at),)
            return replace(_told(was), crowded=True), told


def faulted(was: Presence) -> Presence:
    """Take in a fault: what was told stands, and whatever time had run towards a removal is forgotten."""
    return replace(_told(was), sure=False)


def _told(was: Presence) -> Presence:
    """Without what speaks against it."""
    return Presence(was.uid, was.crowded, seen=was.seen, sure=was.sure, sights=was.sights, polls=was.polls)


def _empty(was: Presence, place: str, at: float) -> News:
    if was.uid is None and not was.crowded and was.seen and was.sure:
        return was, ()
    since = at if was.empty_since is None else was.empty_since
    misses = was.misses + 1
    if misses >= _misses_of_a_removal(was) and at - since >= REMOVAL:
        return Presence(), (*_sorted_out(was, place, at), *_gone(was, place, at))
    apart = at if was.apart_since is None else was.apart_since
    return replace(was, misses=misses, empty_since=since, apart_since=apart), ()


def _misses_of_a_removal(was: Presence) -> int:
    missed = (was.polls - was.sights + 1) / (was.polls + 2)  # Laplace's rule: nothing is known of the first sight
    return max(MISSES, ceil(log(DOUBT) / log(missed))) if was.uid else MISSES


def _single(was: Presence, place: str, tag: Tag, at: float) -> News:
    if was.crowded:
        apart = at if was.apart_since is None or tag.uid != (was.other or tag.uid) else was.apart_since
        if at - apart < SETTLING:
            return replace(was, misses=0, empty_since=None, apart_since=apart, other=tag.uid), ()
    elif tag.uid == was.rival and at - was.rival_at < SETTLING:
        return replace(_told(was), crowded=True), (Crowded(place, at),)
    sorted_out = _sorted_out(was, place, at)
    if tag.uid == was.uid:
        between = was.other not in (None, tag.uid)
        rival, rival_at = (was.other, at) if between else (was.rival, was.rival_at)
        sights, polls = was.sights + 1, was.polls + was.misses + 1
        if polls > _REMEMBERED:
            sights, polls = sights // 2, polls // 2
        return Presence(tag.uid, sights=sights, polls=polls, rival=rival, rival_at=rival_at), sorted_out
    if tag.uid != was.other and not (was.uid is None and was.sure):
        return replace(_told(was), crowded=False, other=tag.uid), sorted_out
    appeared = Appeared(place, tag.uid, at, tag.kind, already=not was.seen)
    now = Presence(tag.uid, sights=1, polls=1, rival=was.uid, rival_at=at)
    return now, (*sorted_out, *_gone(was, place, at), appeared)


def _gone(was: Presence, place: str, at: float) -> tuple[Gone, ...]:
    return () if was.uid is None else (Gone(place, was.uid, at),)


def _sorted_out(was: Presence, place: str, at: float) -> tuple[Uncrowded, ...]:
    return (Uncrowded(place, at),) if was.crowded else ()
