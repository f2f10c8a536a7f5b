"""What a game brings. A game is a folder under `games/` whose `GAME` is a value of `Game`.

Its rules are plain functions over a frozen state: no clock, no chance, no file. Applying an event is total: it gives a
new state, or the same state and a `Misplay` that says what to put right.

>>> from companion import games
>>> game = games.known()["kartel"]
>>> game.deck["red-boss"].kind, game.most_players
('boss', 6)
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec

from companion.events import SEATS, Event, Started, Tapped
from companion.simulated_world import AnyPhysics

CONTRACT = 1
"""Which edition of all this a game is written for; the next one where an old game could not be played any more."""

Observer = int | None
"""Who looks: a seat, or None for the public. The host is a player too and sees what the public sees."""


class Card(msgspec.Struct, frozen=True):
    """What a tag is stuck on."""

    id: str
    kind: str
    """The game's own word: "plain", "stop", "boss" …; the game's words name it for people."""
    colour: str | None = None
    value: int | None = None

    @property
    def look(self) -> tuple[str, str | None, int | None]:
        """What people see of it: cards that look alike have the same."""
        return self.kind, self.colour, self.value


class SameBox(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A box that is the same for every owner."""


class NoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game that is always played alike."""


class Ruling(msgspec.Struct, frozen=True):
    """What the judge decided. Its sentence, and the rule it stands on, are in the game's words under `code`."""

    code: str
    seq: int
    """The event that brought it about; taking that event back takes the ruling back."""
    facts: Mapping[str, Any] = {}
    """What the sentence needs, in no language: seats, card ids, counts, microseconds."""
    events: tuple[int, ...] = ()
    """The other events it rests on."""
    to: int | None = None
    """The only seat that may know of it; None: everybody."""


class Heard(Enum):
    """When a misplay is heard of, by everybody or by the seat that it is told to."""

    AT_ONCE = "at once"
    AFTERWARDS = "afterwards"
    """By everybody, only when the unit is over: at once it would betray what is sealed."""
    NEVER = "never"
    """Its reason is sealed even from who did it, so the act is answered like any other and counts for what it seems to
    be. A ruling tells what came of it, once that is open."""
    FEIGNED = "feigned"
    """At once, though it is none: to who hears it the act must seem to be refused."""


class Misplay(msgspec.Struct, frozen=True):
    """An event that breaks the rules and changed nothing; its words say what to put right."""

    code: str
    seq: int
    facts: Mapping[str, Any] = {}
    to: int | None = None
    heard: Heard = Heard.AT_ONCE

    @property
    def at_once(self) -> bool:
        """Whether it is told at once."""
        return self.heard in (Heard.AT_ONCE, Heard.FEIGNED)


Verdict = Ruling | Misplay


class GameState(Protocol):
    """A game's state: frozen, and it tells when the match is over."""

    @property
    def over(self) -> bool:
        """Whether the match has ended."""


class Now(msgspec.Struct, frozen=True):
    """What the table waits for, as everybody may know it. Its sentence is in the game's words under `code`."""

    code: str
    seats: tuple[int, ...] = ()
    """The seats it waits for; their lights show it."""
    first: int | None = None
    """The seat that was first, while the lights show it."""
    facts: Mapping[str, Any] = {}
    """What the sentence needs beside them, in no language."""


class Outcome(msgspec.Struct, frozen=True):
    """How the match stands, or ended."""

    scores: Mapping[int, int | None]
    winners: tuple[int, ...]


class Delay(msgspec.Struct, frozen=True):
    """A delay that is running: when it is over, `elapsed` `what` is recorded."""

    what: str
    due: int
    """Microseconds on the table's clock."""


Stage = Literal["", "reveal", "finish", "counting", "jail", "podium"]
"""What the big screen plays for a moment: cards turned up one by one, presses on a ruler, hands that are counted, a
boss who goes to prison, the winners; "" is the headline alone.
"""


class Moment(msgspec.Struct, frozen=True):
    """What makes a ruling news. The game's words hold its headline as `news-CODE`, what explains it as
    `news-CODE-more`, and as `news-CODE-soon` what the big screen asks while it plays it; for a seat that has a part in
    it `news-CODE-PART`, where the part is `me` for whom `who` names, `own` for whom `own` has a figure, or the fact
    that names the seat.
    """

    weight: Literal[1, 2, 3] = 1
    """How large it is shown, and for how long."""
    stage: Stage = ""
    who: str = ""
    """The fact that names the seat, or seats, whose moment it is."""
    own: str = ""
    """The fact that holds pairs of seat and figure: on a seat's own page it is that seat's figure."""
    passing: bool = False
    """Whether it only leads to what comes next: where people know it, a demonstration hurries past it."""
    explained: float = 0.0
    """Seconds more that a demonstration takes the first time, for what its page explains then."""


END = Moment(3, "podium", "seats")
"""How a match ends is a moment of every game."""


class Chart(msgspec.Struct, frozen=True):
    """Figures worth drawing, one row a seat. The game's words name it `chart-CODE`, say what it shows in
    `chart-CODE-why`, and name a column from its facts in `chart-CODE-column`.
    """

    code: str
    kind: Literal["lines", "dots", "bars"]
    """`lines` join a seat's figures, `dots` do not; `bars` lay them end to end; what is below zero is taken off."""
    columns: tuple[Mapping[str, Any], ...]
    """Each column's facts, in no language: `number`, `colour` …"""
    rows: Mapping[int, tuple[int | None, ...]]
    """By seat, a figure for each column; None: there is none."""
    unit: Literal["number", "microseconds"] = "number"


S = TypeVar("S", bound=GameState)
Judged = tuple[S, tuple[Verdict, ...]]
"""What follows from an event: the state after it, and what the judge has to say."""
O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741 - the game's Options, as S is its State


def leaders(points: Mapping[int, int], best: Callable[[Iterable[int]], int] = max) -> tuple[int, ...]:
    """Return the seats that have most points, or, with `min`, fewest.

    >>> leaders({3: 2, 1: 2, 2: 0}), leaders({1: 2, 2: 0}, min)
    ((1, 3), (2,))
    """
    first = best(points.values())
    return tuple(sorted(seat for seat, own in points.items() if own == first))


def most_points(state: Any) -> Outcome:
    """Return how a match stands by its state's `points`: the most win, and equals share it."""
    return Outcome(state.points, leaders(state.points) if state.over else ())


def fewest_points(state: Any) -> Outcome:
    """Return how a match stands by its state's `points`: the fewest win, and equals share it."""
    return Outcome(state.points, leaders(state.points, min) if state.over else ())


class Game(msgspec.Struct, Generic[S, O], frozen=True, kw_only=True):
    """A game, whole. `S` is its state, `O` its options."""

    slug: str
    title: str
    folder: Path
    """Holds `words.toml` and `pages/`."""
    deck: Mapping[str, Card]
    wanted: Callable[[Any], tuple[str, ...]] | None = None
    """(an owner's box) → the ids of the cards it holds, in the order in which they lie best when tags are stuck on;
    None: the deck."""
    most_players: int = SEATS[-1]
    options: type[O]
    """Frozen, with the booklet's defaults; refuses what it does not know."""
    begin: Callable[[Started, O], S]
    """(the first event, its decoded options) → the first state."""
    judge: Callable[[S, Event], Judged[S]]
    """(state, event) → (state, what the judge has to say). Never raises; `companion.shared_rules.by_act` makes one."""
    outcome: Callable[[S], Outcome] | None = None
    """How a match stands; None: by its state's `points`, of which most win, or fewest where `fewest_win` says so."""
    now: Callable[[S], Now]
    """What the table waits for."""
    view: Callable[[S, Observer], dict[str, Any]]
    """What an observer may know beside `now`, built up from nothing; pages find it as `table`."""
    unit: Callable[[S], Hashable]
    """The lay, count, call or round that is going on, never equal to an earlier one: within it a card read twice is no
    second act."""
    acts: Callable[[S], tuple[Event, ...]]
    """What may well come next, as events with `seq` 0: demonstrations and random matches choose from it."""
    delay: Callable[[S], Delay | None] = lambda state: None
    """What runs out by itself, where something does."""
    meant: Callable[[S, str], str | None] = lambda state, card: card
    """(state, what a page offers) → the card id that is meant, where cards look alike to people; `None` where the page
    is from before and what it offered would mean something else by now."""
    box: type[msgspec.Struct] = SameBox
    """What owners declare about their box, where boxes differ: frozen, with what is taken for granted as defaults."""
    charts: Callable[[Mapping[str, Any]], tuple[Chart, ...]] = lambda table: ()
    """What is worth drawing of a match, from what `view` shows the public: so a chart tells nothing else."""
    fewest_win: bool = False
    """Whether the fewest points are the best."""
    whose: Callable[[S, Tapped], Collection[int]] = lambda state, tap: ()
    """(state, a tap at a pad that all share) → the seats any of which may enter it by phone: its doer's, or all.
    Nobody named: only the host enters it. It must follow from what everybody knows."""
    audible: Callable[[S, int, str], bool] = lambda state, seat, card: True
    """(state, a seat, a card laid there) → whether its player may be told, in their ear alone, which card it is."""
    face_down: Callable[[S, str], bool] = lambda state, card: False
    """(state, a card) → whether it lies where not even its own player may look at it. It must follow from what that
    player knows."""
    for_all: frozenset[str] = frozenset()
    """Words of the host that undo what others did, and so need another seat's agreement."""
    sealing: frozenset[str] = frozenset()
    """Rulings on acts whose card stays sealed, and which would be others if that card lay open elsewhere: what was told
    before such an act is not put right, or each card named would tell whether it is that one."""
    opening: frozenset[str] = frozenset()
    """Rulings that show whoever brings them about what was sealed from them: such an act is not taken back alone, or
    they could look, and then do something else."""
    opened: Callable[[S], Collection[str]] = lambda state: ()
    """The ids of the cards that lie open to everybody now though no ruling names them: hands that are shown. So a
    reading of one of them can be put right."""
    on_show: Mapping[str, Any] = {}
    """The options of a demonstration, where others than the booklet's show more of the game in less time."""
    story: frozenset[str] = frozenset()
    """Rulings that a demonstration shows where it can: what the game is about."""
    most_on_show: int = 4
    """How many play it then: whoever watches must be able to follow."""
    sounds: Mapping[str, Literal["first", "start", "card", "stamp", "score"]] = {}
    """Ruling → what it sounds like. Only what everybody is told can sound; the end of a match sounds in every game."""
    moments: Mapping[str, Moment] = {}
    """Ruling → what makes it news. Only what everybody is told is news; the end of a match is news in every game."""
    contract: int = 0
    """The `CONTRACT` that a game in a package of its own was written for; one in this tree goes with it."""
    progress: Callable[[S], Mapping[int, int]] | None = None
    """How far each has come, as everybody knows, where points are told only at the end; None: the points tell it."""
    feats: Callable[[Mapping[str, Any]], Mapping[str, Collection[int]]] = lambda table: {}
    """(what `view` shows the public at the end) → who did what is worth remembering of them. The game's words name a
    feat `feat-CODE`, and say in `feat-CODE-how` what it takes."""
    variants: Mapping[str, tuple[Any, ...]] = {}
    """Option → the values under which a match that is over may be judged once more. Only such as decide of what
    everybody saw: another that lets a card count which was never turned up would tell it."""
    physics: AnyPhysics | None = None
    """What its things do in people's hands, so that it can be played at a simulated table; None: it can't."""

    def stands(self, state: S) -> Outcome:
        """Return the scores as they stand, and the winners once it is over."""
        by_points = fewest_points if self.fewest_win else most_points
        return (self.outcome or by_points)(state)

    def cards_of(self, box: Any) -> tuple[str, ...]:
        """Return the cards that an owner's box holds, in the order in which they lie best when tags are stuck on."""
        return self.wanted(box) if self.wanted else tuple(self.deck)


AnyGame = Game[Any, Any]
"""A game whose state and options are its own business."""
