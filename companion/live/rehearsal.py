"""A demonstration rehearsed: which acts it consists of, and how long what came of each is looked at. Pure.

A match is played by chance some times over, and the one that shows most of its game is taken: so a capture, an escape
or a dead heat is no luck of the evening. It is then played again at the table, by hand.
"""

import random
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.events import Elapsed, Event, Lifted, Pressed, Tapped
from companion.game import Misplay, Verdict
from companion.judge.match import Match, judge

REST = {1: 3.0, 2: 4.0, 3: 5.0}
"""Seconds for what is told for the first time, by its weight."""
KNOWN = {1: 0.6, 2: 1.6, 3: 4.0}
"""The same for what was told before: people know by then what they see."""
ROUTINE = 0.3
"""Seconds for what is no news."""
READING = 0.17
"""Seconds from card to card, where one place reads many: a hand of twelve takes two."""
PODIUM = 8.0
"""Seconds for the end."""
APART = 0.7
"""Seconds that two presses lie apart, or the second would be taken for an echo of the first."""
LONGEST = 120.0
"""Seconds that a story should take, and half as many are wanted at least."""
MATCHES = 16
"""How many are rehearsed for one that is shown."""
KINDS = {"tapped": 12, "pressed": 3, "said": 3, "elapsed": 1}


class Episode(Struct, frozen=True):
    """One act as people see it."""

    after: float
    """Seconds of the story since the act before."""
    before: int
    """How many acts the match has then."""
    act: Event
    rival: Event | None = None
    """Another press in the same race."""
    behind: float = 0.0
    """By how many seconds it comes later."""


class Story(Struct, frozen=True):
    """A match from where it was taken up to its end, or as far as it was rehearsed."""

    episodes: tuple[Episode, ...]
    seconds: float
    told: frozenset[str]
    """The kinds of moments that come in it."""
    weight: int
    """What these weigh together."""


def best(events: Sequence[Event], chance: random.Random) -> Story:
    """Rehearse some matches that begin so, and return the one that shows most in a fitting time."""
    stories = (rehearse(events, chance) for _ in range(MATCHES))
    return max(stories, key=lambda story: (-_misfit(story.seconds), story.weight))


def rehearse(events: Sequence[Event], chance: random.Random) -> Story:
    """Play a match on from these events, by chance."""
    match = judge(list(events))
    told = {verdict.code for verdict in match.verdicts}
    weights: dict[str, int] = {}
    episodes: list[Episode] = []
    rest, seconds, last = ROUTINE, 0.0, match.events[-1]
    while not match.over and seconds < 1.5 * LONGEST and (acts := _offered(match, last)):
        act = _chosen(acts, last, chance)
        after = _since(match, last, act, rest)
        at = match.events[-1].at + after
        before = acts_of(match)
        verdicts = list(_happens(match, act, at))
        rival, behind = _rival(match, act, chance), 0.0
        if rival is not None:
            behind = chance.choice((0.0001, chance.uniform(0.001, 0.02), chance.uniform(0.02, 0.3)))
            verdicts += _happens(match, rival, at + behind)
        episodes.append(Episode(after, before, act, rival, behind))
        rest = rest_after(match, verdicts, told)
        new = _weights(match, verdicts)
        weights |= new
        told |= new.keys()
        seconds += after
        last = act
    return Story(tuple(episodes), seconds + PODIUM, frozenset(weights), sum(weights.values()))


def acts_of(match: Match) -> int:
    """Return how many acts a match has: what a hand takes away again is none."""
    return sum(not isinstance(event, Lifted) for event in match.events) - 1


def rest_after(match: Match, verdicts: Iterable[Verdict], told: Iterable[str] = ()) -> float:
    """Return how long what these verdicts tell is looked at, where moments of these kinds were told before."""
    known = frozenset(told)
    weights = _weights(match, verdicts).items()
    return max([(KNOWN if code in known else REST)[weight] for code, weight in weights], default=ROUTINE)


def _weights(match: Match, verdicts: Iterable[Verdict]) -> dict[str, int]:
    moments = match.game.moments
    told = (verdict.code for verdict in verdicts if verdict.to is None and not isinstance(verdict, Misplay))
    return {code: moments[code].weight for code in told if code in moments}


def _offered(match: Match, last: Event) -> tuple[Event, ...]:
    """Return what may come next. Whoever did not press in a race does not press long after it; whoever reads cards at
    their place reads on.
    """
    acts = match.game.acts(match.state)
    if isinstance(last, Pressed) and not any(isinstance(act, Pressed) and act.seat == last.seat for act in acts):
        acts = tuple(act for act in acts if not isinstance(act, Pressed)) or acts
    if isinstance(last, Tapped):
        acts = tuple(act for act in acts if isinstance(act, Tapped) and act.place == last.place) or acts
    return acts


def _chosen(acts: Sequence[Event], last: Event, chance: random.Random) -> Event:
    """Choose the kind of act first, or a word that can be said in twenty ways is nearly all that is ever said."""
    kinds: dict[str, list[Event]] = {}
    for act in acts:
        kinds.setdefault(type(act).__name__.lower(), []).append(act)
    return chance.choice(chance.choices([*kinds.values()], [KINDS[kind] for kind in kinds])[0])


def _since(match: Match, last: Event, act: Event, rest: float) -> float:
    match last, act:
        case _, Elapsed():
            delay = match.delay
            return rest if delay is None else max(rest, delay.due / 1e6 - match.events[-1].at)
        case Tapped(place=before), Tapped(place=place) if before == place and rest == ROUTINE:
            return READING
        case Pressed(), Pressed():
            return max(rest, APART)
    return rest


def _rival(match: Match, act: Event, chance: random.Random) -> Event | None:
    """Return a press of somebody else where presses race: they may press still, and who was first may not again."""
    if not isinstance(act, Pressed) or chance.random() > 0.6:
        return None
    presses = [other for other in match.game.acts(match.state) if isinstance(other, Pressed)]
    racing = presses and all(press.seat != act.seat for press in presses)
    return chance.choice(presses) if racing else None


def _happens(match: Match, act: Event, at: float) -> tuple[Verdict, ...]:
    return match.add(replace(act, seq=len(match.events) + 1, at=round(at, 6)))


def _misfit(seconds: float) -> float:
    return max(0.0, seconds - LONGEST, LONGEST / 2 - seconds)
