"""A rehearsed demonstration: the acts it consists of, and how long each one's outcome is shown. Pure.

The cast plays several matches, and the one that shows most of the game is taken, so that a capture, an escape or a dead
heat is not left to luck. It is then played again at the table, by hand.
"""

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.events import Event, Lifted, Pressed, Said, Tapped, seat_at
from companion.game import AnyGame, Knowing, Misplay, Verdict
from companion.judge.game_code_fault import Fault
from companion.judge.match import Match, judge
from companion.live import demo_players
from companion.live.demo_players import Cast

REST = {1: 3.0, 2: 4.0, 3: 5.0}
"""Seconds for a moment told for the first time and not played, by its weight."""
KNOWN = {1: 0.5, 2: 1.6, 3: 4.0}
"""The same for one told before: people now know what they see."""
UNHURRIED = 2.6
"""Seconds for a light moment told before, if the story has the time: many short ones in a row are a flicker."""
PASSING = 2.0
"""Seconds for one told before that only leads on: a die falls, and there is a choice to look at."""
READ = {1: 1.2, 2: 1.4, 3: 2.5}
"""Seconds for the outcome, by its weight."""
AFRESH = 1.5
"""How many times longer people read what is told for the first time."""
ROUTINE = 0.3
"""Seconds for a ruling that is not news."""
READING = 0.03
"""Seconds from card to card if one place reads many: nobody watches twelve cards being read."""
TOGETHER = 0.0
"""Seconds from one word that is not news to the next one like it: all tell their counts at once."""
CLOSE = 0.02
"""Seconds between two presses above which the order is seen at a glance."""
LEVEL, NEAR, CLEAR = (0.00005, 0.0004), (0.001, CLOSE), (CLOSE, 0.3)
"""How far apart two presses may be (least, most seconds); too close to tell only once, or it would look like a
fault."""
FEW = 2
"""Cards that somebody should hold of what is counted: with none or one, nobody sees why people collect."""
SOON = 12.0
"""Seconds within which the first weighty thing should happen, before short moments are lengthened."""
ENDED = 90.0
"""Seconds after which people wait for the end if no moment is hurried."""
LATE = 0.2
"""Penalty, in units of weight, for each second beyond `SOON` or `ENDED`."""
CROWD = 3
"""Penalty for a ruling that affects most players alike: nobody sees a difference."""
EMPTY = 3
"""Penalty for a ruling that affects nobody."""
HURRIED = 2.0
"""Penalty for each second by which short moments are too brief."""
DECIDES = 2.0
"""Extra seconds for what decides the match if the act that ends it shows nothing by itself, like taking a token."""
PODIUM = 14.0
"""Seconds for the end: what decided it, then the winners."""
SHOUTS = 5.5
"""Seconds from the start to the first shout: people see what is grabbed, and what there is to shout at."""
CALLS = 2.5
"""Seconds from a card thrown away to a call: people see the hand it leaves, which is why somebody calls."""
SEEN = 2.0
"""Extra seconds for a card that the player followed lays face down, the first of its kind or a rare one."""
APART = 0.7
"""The least seconds between two presses, or the second would pass for an echo of the first."""
LONGEST = 108.0
"""The most seconds that a story should take, without the opening card; half as many are the least."""
MATCHES = 60
"""The most matches rehearsed for one that is shown."""
AGAIN = 8
"""The most rehearsed if a match departs from its rehearsal: people are waiting."""
ENOUGH = 8000
"""Acts after which no further match is rehearsed if one fits: people are waiting."""


NoteFaults = Callable[[Iterable[Fault]], None]
"""Is called with what a game's code raised at a rehearsal."""


class Episode(Struct, frozen=True):
    """One act as people see it."""

    after: float
    """Seconds of the story since the act before."""
    before: int
    """How many acts the match has had before it."""
    act: Event
    rival: Event | None = None
    """Another press in the same race."""
    behind: float = 0.0
    """How many seconds later it comes."""
    world: Any = None
    """What then lies where, hidden things included; None: unknown."""
    sealed: str = ""
    """The kind of the card, if it is laid face down."""
    followed: int | None = None
    """The seat whose things are shown: it presses next, or else wins. None: nobody's."""

    @property
    def short(self) -> bool:
        """Whether it follows a light moment told before, which may then last longer."""
        return self.after == KNOWN[1]


class Story(Struct, frozen=True):
    """A match from where it was picked up to its end, or as far as it was rehearsed."""

    episodes: tuple[Episode, ...]
    weights: Mapping[str, int]
    """The kinds of moments in it, and the weight of each."""
    peak: float = math.inf
    """Seconds until something weighty happens for the first time."""
    dull: int = 0
    """The cost of rulings that make no difference between players."""
    winners: int = 0
    """How many won; 0: it was not rehearsed to its end."""
    level: int = 0
    """How many have the winner's score: if more than one, something else decided."""
    decided: bool = False
    """Whether the act that ended it is played on the big screen, so that people see why."""
    lacks: int = 0
    """How many of the rulings that the game is about are missing."""

    @property
    def seconds(self) -> float:
        """How long it takes, the end included."""
        return sum(episode.after for episode in self.episodes) + PODIUM

    @property
    def short(self) -> int:
        """How many of its episodes are short."""
        return sum(episode.short for episode in self.episodes)

    @property
    def hurried(self) -> float:
        """How many seconds too short each of those is."""
        return max(0.0, UNHURRIED - KNOWN[1] - max(0.0, LONGEST - self.seconds) / max(self.short, 1))


def best(
    events: Sequence[Event], chance: random.Random, note_faults: NoteFaults, late: Callable[[], bool] = lambda: False
) -> Story:
    """Rehearse some matches with this beginning, and return the one that best shows in a fitting time who won and why,
    what the game is about, and something weighty soon; among equals, the one that repeats least.

    `late` returns whether people have waited long: then the first story that fits is enough.
    """
    stories: list[Story] = []
    acts = 0
    fits = False
    while len(stories) < MATCHES and (not fits or (acts < ENOUGH and not late())):
        stories.append(rehearse(events, chance, note_faults))
        acts += len(stories[-1].episodes)
        fits |= not _misfit(stories[-1].seconds)
    return unhurried(max(stories, key=_shows))


def _finishes(gaps: Sequence[float]) -> Sequence[tuple[float, float]]:
    """Return how far apart the next two presses may be, given the gaps so far: the first race is plain to see, and at
    most one is too close to tell.
    """
    if not gaps:
        return (CLEAR,)
    return (CLEAR, NEAR) if min(gaps) < NEAR[0] else (CLEAR, NEAR, LEVEL)


def _shows(story: Story) -> tuple[float, ...]:
    late = max(0.0, story.peak - SOON) + max(0.0, story.seconds + (UNHURRIED - KNOWN[1]) * story.short - ENDED)
    worth = sum(story.weights.values()) - story.dull - LATE * late - HURRIED * story.hurried
    return -_misfit(story.seconds), story.winners == 1, -story.level, story.decided, -story.lacks, worth, -story.short


def soonest(events: Sequence[Event], chance: random.Random, note_faults: NoteFaults) -> Story:
    """Rehearse how a match goes on that departed from its rehearsal, and return the shortest story: time has passed."""
    stories = [rehearse(events, chance, note_faults) for _ in range(AGAIN)]
    return min(stories, key=lambda story: (story.winners == 0, story.seconds))


def unhurried(story: Story) -> Story:
    """Return the story with its short moments lengthened, as far as there is time."""
    more = UNHURRIED - KNOWN[1] - story.hurried
    return replace(
        story,
        episodes=tuple(replace(episode, after=episode.after + more * episode.short) for episode in story.episodes),
    )


def rehearse(events: Sequence[Event], chance: random.Random, note_faults: NoteFaults) -> Story:
    """Play a match on from these events, as far as the game's code does not raise."""
    match = judge(list(events))
    chance_alone: Cast = demo_players.Improvised(chance)
    players = match.tried("demonstration", lambda: demo_players.of(match, chance), chance_alone)
    codes_told = {verdict.code for verdict in match.verdicts}
    weights: dict[str, int] = {}
    episodes: list[Episode] = []
    pause = ROUTINE
    seconds = 0.0
    peak = math.inf
    dull = 0
    new: dict[str, int] = {}
    while not match.over and seconds < 1.3 * LONGEST and (act := _next_act(match, players)):
        seconds_after = _since(match, act, pause)
        at = match.events[-1].at + seconds_after
        acts_before = acts_of(match)
        rivals = _rivals(match, players) if isinstance(act, Pressed) else []
        verdicts = list(_happens(match, act, at))
        rival = _rival(match, act, rivals, players, chance)
        behind = 0.0
        if rival is not None:
            behind = chance.uniform(
                *chance.choice(_finishes([episode.behind for episode in episodes if episode.rival]))
            )
            verdicts += _happens(match, rival, at + behind)
        episodes.append(Episode(seconds_after, acts_before, act, rival, behind, players.world, _sealed(match, act)))
        pause = rest_after(match, verdicts, codes_told)
        new = {verdict.code: match.game.kind_of(verdict.code).weight for verdict in _news(match, verdicts)}
        weights |= new
        codes_told |= new.keys()
        seconds += seconds_after
        dull += sum(_dull(match, verdict) for verdict in verdicts if verdict.code in new)
        if peak == math.inf and any(new[verdict.code] > 1 and _brings(verdict) for verdict in _news(match, verdicts)):
            peak = seconds
    note_faults(match.faults.values())
    winners = match.outcome.winners
    scores = match.outcome.scores
    episodes = _followed(episodes, winners)
    decided = match.over and any(match.game.kind_of(code).stage for code in new)
    if match.over and not decided:
        episodes[-1] = replace(episodes[-1], after=episodes[-1].after + DECIDES)
    return Story(
        tuple(episodes),
        weights,
        peak=peak,
        dull=dull,
        winners=len(winners),
        level=[*scores.values()].count(scores[winners[0]]) if winners else 0,
        decided=decided,
        lacks=len(to_show(match.game) - weights.keys()),
    )


def acts_of(match: Match) -> int:
    """Return how many acts a match has: a card that a hand lifts again does not count."""
    return sum(not isinstance(event, Lifted) for event in match.events) - 1


def rest_after(match: Match, verdicts: Iterable[Verdict], codes_told: Iterable[str] = ()) -> float:
    """Return how long these verdicts are looked at, given the kinds of moments that were told before."""
    codes_known = frozenset(codes_told)

    def looked_at(verdict: Verdict) -> float:
        moment = match.game.kind_of(verdict.code)
        weight = min(moment.weight, 2) if verdict.facts.get("lead", 0) > CLOSE * 1_000_000 else moment.weight
        stage = moment.stage
        if stage is None:
            if verdict.code not in codes_known:
                return REST[weight] + moment.explained
            return PASSING if moment.passing else KNOWN[weight]
        seconds = stage.lasts(len(match.started.players)) - stage.settles
        if verdict.code in codes_known:
            return (seconds if stage.again is None else stage.again) + READ[weight]
        return seconds + READ[weight] * AFRESH + moment.explained + stage.first

    return max(map(looked_at, _news(match, verdicts)), default=ROUTINE)


def to_show(game: AnyGame) -> set[str]:
    """Return the rulings that a demonstration shows where it can."""
    return {code for code, kind in game.rulings.items() if kind.in_demo}


def _news(match: Match, verdicts: Iterable[Verdict]) -> list[Verdict]:
    public = (verdict for verdict in verdicts if verdict.to is None and not isinstance(verdict, Misplay))
    return [verdict for verdict in public if match.game.kind_of(verdict.code).weight]


def _brings(verdict: Verdict) -> bool:
    """Return whether anybody gains by it, if it tells what everybody does."""
    return any(gain > 0 for _, gain in verdict.facts.get("gains", ((0, 1),)))


def _dull(match: Match, verdict: Verdict) -> int:
    """Return the cost of a ruling that makes no difference between players."""
    facts = verdict.facts
    if "gains" in facts:
        return 0 if facts["gains"] else EMPTY
    if "counts" in facts and max(number for _, number in facts["counts"]) < FEW:
        return CROWD
    return CROWD * (2 * len(facts.get("seats", ())) > len(match.seats))


def _since(match: Match, act: Event, pause: float) -> float:
    no_news = pause == ROUTINE
    match match.events[-1], act:
        case Tapped(place=earlier), Tapped(place=place) if earlier == place and no_news:
            return READING
        case Said(what=earlier), Said(what=word) if earlier == word and no_news:
            return TOGETHER
        case Tapped(place=place), Pressed() if place in match.game.moves.taps.own_pads:
            return max(pause, CALLS)
        case Pressed(), Pressed():
            return max(pause, APART if no_news else SHOUTS)
    return pause


def _next_act(match: Match, players: Cast) -> Event | None:
    return match.tried("demonstration", lambda: players.act(match), None)


def _rivals(match: Match, players: Cast) -> list[Pressed]:
    nobody: list[Pressed] = []
    return match.tried("demonstration", lambda: players.rivals(match), nobody)


def _rival(match: Match, act: Event, rivals: Sequence[Pressed], players: Cast, chance: random.Random) -> Event | None:
    """Return the press of one of `rivals` in the same race as `act`; None: nobody joins it.

    It is a race if the first one may not press again. A seat that could not press before `act` is no rival: it was only
    given the turn by it.
    """
    if not isinstance(act, Pressed) or chance.random() > 0.6:
        return None
    presses = [press for press in _rivals(match, players) if press in rivals]
    racing = presses and all(press.seat != act.seat for press in presses)
    return chance.choice(presses) if racing else None


def _sealed(match: Match, act: Event) -> str:
    """Return the kind of a card that was laid face down, even for its player; "": none was."""
    if not isinstance(act, Tapped):
        return ""
    seat = seat_at(act.place)
    knowing = match.tried("knows", lambda: match.game.knows(match.state, seat).of(act.card), Knowing.NOTHING)
    face_down = seat is not None and knowing is Knowing.HEARS
    return match.game.deck[act.card].kind if face_down else ""


def _followed(episodes: Sequence[Episode], winners: Sequence[int]) -> list[Episode]:
    """Set whom each beat follows; what that player lays face down is shown, so that people know what they hope for."""
    seat = winners[0] if len(winners) == 1 else None
    beats: list[Episode] = []
    for episode in reversed(episodes):
        seat = episode.act.seat if isinstance(episode.act, Pressed) else seat
        beats.append(replace(episode, followed=seat))
    beats.reverse()
    laid = Counter[str]()
    for index, (episode, following) in enumerate(pairwise(beats)):
        if episode.sealed and isinstance(episode.act, Tapped) and seat_at(episode.act.place) == episode.followed:
            if not laid[episode.sealed] or laid[episode.sealed] < max(laid.values()):
                beats[index + 1] = replace(following, after=following.after + SEEN)
            laid[episode.sealed] += 1
    return beats


def _happens(match: Match, act: Event, at: float) -> tuple[Verdict, ...]:
    return match.add(replace(act, seq=len(match.events) + 1, at=round(at, 6)))


def _misfit(seconds: float) -> float:
    return max(0.0, seconds - LONGEST, LONGEST / 2 - seconds)
