"""Corrects a misread card: the wrong tap is retracted, and the right one takes its place in time.

A record is append-only, and events are judged in its order. So everything after the wrong tap is retracted too, and
entered again after the right one, unchanged and with its old times: the match is then judged as if the right card had
been read. All of this is entered in one transaction.
"""

from collections.abc import Iterable
from itertools import takewhile

from msgspec.structs import replace

from companion.events import Event, Lifted, Retracted, Tapped
from companion.game import Misplay, Verdict
from companion.judge.match import Match
from companion.judge.rejudging import Rejudged, rejudged
from companion.judge.views import LATEST
from companion.judge.wrong_taps import is_unheard


def cards(match: Match, entry: int) -> dict[str, int]:
    """Return the cards that an entry of the public story revealed, each with the seq of its tap.

    They are the card that it names, if a tap led to it, or the hands that were opened then; nothing sealed.
    """
    if not 0 <= entry < len(match.public) or _seals(match, match.public[entry + 1 :]):
        return {}
    seq = match.public[entry].seq
    event = match.events[seq - 1]
    if isinstance(event, Tapped) and _names(match, entry):
        return {event.card: seq}
    changing = (step.event for step in rejudged(match) if _changed(step))
    taps = {act.card: act.seq for act in changing if isinstance(act, Tapped) and act.seq <= seq}
    opened = match.opened.get(entry, frozenset())
    return {card: taps[card] for card in match.game.deck if card in opened and card in taps}


def named(match: Match) -> frozenset[str]:
    """Return the cards that everybody was told of; of cards that look alike, an entry by page then means another."""
    return frozenset(card for verdict in match.public if isinstance(card := verdict.facts.get("card"), str))


def offered(match: Match, latest: int = LATEST) -> frozenset[int]:
    """Return those of the latest entries whose card can be corrected."""
    last = len(match.public)
    first = next((at + 1 for at in reversed(range(last)[-latest:]) if _seals(match, match.public[at : at + 1])), 0)
    entries = range(max(first, last - latest), last)
    return frozenset(entry for entry in entries if entry in match.opened or _names(match, entry))


def is_sealed_since(match: Match, entry: int) -> bool:
    """Whether something was sealed after an entry, so that judging what was before it again would reveal that."""
    return _seals(match, match.public[entry + 1 :])


def is_last(match: Match, entry: int) -> bool:
    """Whether no ruling has been told to everybody since this entry, so that none can rest on it.

    Judging again would show which rulings do rest on it, but also depends on sealed cards, which that would reveal.
    """
    return all(isinstance(later, Misplay) for later in match.public[entry + 1 :])


def correction(match: Match, seq: int, card: str, at: float) -> tuple[Event, ...]:
    """Return the events to enter so that the tap `seq` becomes one of `card`.

    If the wrong card was read twice before anybody did anything else, the second reading goes too. A later one may be
    the very card that was mistaken for it.
    """
    wrong = match.events[seq - 1]
    assert isinstance(wrong, Tapped)
    at_once = takewhile(lambda step: not _changed(step), rejudged(match, seq + 1))
    unheard = (step.event for step in at_once if not step.verdicts)
    twice = {act.seq for act in unheard if isinstance(act, Tapped) and act.card == wrong.card}
    # No game depends on a card being lifted, so a lift stays as it is.
    later = [event for event in match.standing(seq + 1) if not isinstance(event, Lifted)]
    retractions = (Retracted(0, at, event.seq, by="phone") for event in (wrong, *later))
    repeated = (replace(event, seq=0) for event in later if event.seq not in twice)
    return (*retractions, Tapped(0, wrong.at, wrong.place, card, by="phone"), *repeated)


def _seals(match: Match, verdicts: Iterable[Verdict]) -> bool:
    """Whether one of these verdicts forbids correcting a card of an entry before it."""
    return any(match.game.kind_of(verdict.code).seals for verdict in verdicts)


def _names(match: Match, entry: int) -> bool:
    """Whether everybody was told which card the tap behind this entry was."""
    verdict = match.public[entry]
    event = match.events[verdict.seq - 1]
    return isinstance(event, Tapped) and event.card in match.game.deck and verdict.facts.get("card") == event.card


def _changed(step: Rejudged) -> bool:
    """Return whether the event changed anything, as far as anybody was told: an unheard misplay counts as no change."""
    return step.changed and not any(map(is_unheard, step.verdicts))
