"""What a game brings: one value, `Game`.

Its rules are plain functions over a frozen state: no clock, no chance, no file. Applying an event is total: it gives a
new state, or the same state and a `Misplay` that says what to put right.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec

from companion.events import SEATS, Event, Pressed, Said, Seat, Started, Tapped
from companion.game.simulated_world import AnyPhysics

CONTRACT = 2
"""The edition of this contract; it goes up only when games written for the last one would no longer run."""

Observer = int | None
"""An observer: a seat, or None for the public. The host is a player too, and sees what the public sees."""


class Card(msgspec.Struct, frozen=True):
    """A thing that a tag is stuck on."""

    id: str
    kind: str
    """The game's own word: "plain", "stop", "boss" …; the game's words name it for people."""
    colour: str | None = None
    value: int | None = None

    @property
    def look(self) -> tuple[str, str | None, int | None]:
        """What people see of it, so cards that look alike have the same face."""
        return self.kind, self.colour, self.value


class SameBox(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The box of a game that is the same for every owner."""


class NoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game that has none."""


class Ruling(msgspec.Struct, frozen=True):
    """A decision of the judge. Its sentence, and the rule it rests on, are in the game's words under `code`."""

    code: str
    seq: int
    """The event that brought it about; taking that event back takes the ruling back."""
    facts: Mapping[str, Any] = {}
    """The facts that its sentence needs, in no language: seats, card ids, counts, microseconds."""
    events: tuple[int, ...] = ()
    """The other events it rests on."""
    to: int | None = None
    """The only seat that may know of it; None: everybody."""
    in_two_places: bool = False
    """Whether what its facts name, a card or a colour, was read at two places and counts where it was read first."""


class Heard(Enum):
    """When everybody, or the seat concerned, hears of a misplay."""

    AT_ONCE = "at once"
    AFTERWARDS = "afterwards"
    """By everybody, but only when the unit is over: at once it would give away what is sealed."""
    NEVER = "never"
    """Its reason is sealed even from whoever did it, so the act is answered like any other and counts for what it seems
    to be. A ruling tells the outcome once that is open."""
    PRIVATELY = "privately"
    """At once, by the seat that did it alone: no lamp shows it, for others may not even know that it was refused."""
    FEIGNED = "feigned"
    """At once, though it is not a misplay: to whoever hears it, the act must seem refused."""


class Misplay(msgspec.Struct, frozen=True):
    """An event that breaks the rules and changed nothing; its words say what to put right."""

    code: str
    seq: int
    facts: Mapping[str, Any] = {}
    to: int | None = None
    heard: Heard = Heard.AT_ONCE
    in_two_places: bool = False
    """Whether what its facts name, a card or a colour, was read at two places and counts where it was read first."""

    @property
    def at_once(self) -> bool:
        """Whether it is heard at once."""
        return self.heard in (Heard.AT_ONCE, Heard.PRIVATELY, Heard.FEIGNED)


Verdict = Ruling | Misplay


class GameState(Protocol):
    """A game's state: frozen, and it knows when the match is over."""

    @property
    def over(self) -> bool:
        """Whether the match has ended."""


class Now(msgspec.Struct, frozen=True):
    """What the table waits for, as far as everybody may know. Its sentence is in the game's words under `code`."""

    code: str
    seats: tuple[int, ...] = ()
    """The seats it waits for; their lights are on."""
    first: int | None = None
    """The seat that was first, as long as the lights show it."""
    facts: Mapping[str, Any] = {}
    """The other facts that the sentence needs, in no language."""


class Outcome(msgspec.Struct, frozen=True):
    """How the match stands, or ended."""

    scores: Mapping[int, int | None]
    winners: tuple[int, ...]


class Delay(msgspec.Struct, frozen=True):
    """A running delay: when it is over, `elapsed` is recorded with this `what`."""

    what: str
    due: int
    """Microseconds on the table's clock."""


Stage = Literal["", "reveal", "finish", "counting", "jail", "podium"]
"""What the big screen plays for a moment: cards turned up one by one, presses on a ruler, hands being counted, a boss
going to prison, the winners; "" shows the headline alone.
"""


class Moment(msgspec.Struct, frozen=True):
    """What makes a ruling news. The game's words hold its headline as `news-CODE`, what explains it as
    `news-CODE-more`, and as `news-CODE-soon` what the big screen asks while it plays it; for a seat that has a part in
    it `news-CODE-PART`, where the part is `me` for whom `who` names, `own` for whom `own` has a figure, or the fact
    that names the seat.
    """

    weight: Literal[1, 2, 3] = 1
    """Decides how large it is shown, and for how long."""
    stage: Stage = ""
    who: str = ""
    """The fact that names the seat, or seats, whose moment it is."""
    own: str = ""
    """The fact that holds pairs of seat and figure: on a seat's own page it is that seat's figure."""
    passing: bool = False
    """Whether it only leads up to what comes next; once people know it, a demonstration hurries past."""
    explained: float = 0.0
    """Extra seconds that a demonstration takes the first time, to explain it on the page."""


END = Moment(3, "podium", "seats")
"""The end of a match is a moment in every game."""


class Chart(msgspec.Struct, frozen=True):
    """Figures worth drawing, one row per seat. The game's words name it `chart-CODE`, say what it shows in
    `chart-CODE-why`, and name a column from its facts in `chart-CODE-column`.
    """

    code: str
    kind: Literal["lines", "dots", "bars"]
    """`lines` join a seat's figures, `dots` do not; `bars` lay them end to end, subtracting those below zero."""
    columns: tuple[Mapping[str, Any], ...]
    """Each column's facts, in no language: `number`, `colour` …"""
    rows: Mapping[int, tuple[int | None, ...]]
    """By seat, a figure for each column; None where there is none."""
    unit: Literal["number", "microseconds"] = "number"


S = TypeVar("S", bound=GameState)
Judged = tuple[S, tuple[Verdict, ...]]
"""What follows from an event: the next state and the verdicts."""
O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741 - the game's Options, as S is its State


def leaders(points: Mapping[int, int], best: Callable[[Iterable[int]], int] = max) -> tuple[int, ...]:
    """Return the seats that have the most points or, with `min`, the fewest.

    >>> leaders({3: 2, 1: 2, 2: 0}), leaders({1: 2, 2: 0}, min)
    ((1, 3), (2,))
    """
    first = best(points.values())
    return tuple(sorted(seat for seat, own in points.items() if own == first))


def most_points(state: Any) -> Outcome:
    """Return the standing by the state's `points`: the most win, and ties share the win."""
    return Outcome(state.points, leaders(state.points) if state.over else ())


def fewest_points(state: Any) -> Outcome:
    """Return the standing by the state's `points`: the fewest win, and ties share the win."""
    return Outcome(state.points, leaders(state.points, min) if state.over else ())


class HowSaid(Enum):
    """How something is said or done at the table."""

    PRESS = "press"
    """By a button."""
    LAID = "laid"
    """By cards of the game, laid as when it is played."""
    CARD = "card"
    """By one of the table's own cards."""
    PHONE = "phone"
    """Only on a phone."""


Ways = Mapping[str, tuple[HowSaid, ...]]
"""What is said or done → every way of it. The words hold a sentence for each as `way-WHAT-WAY`, but none of what is
laid."""


class Pieces(msgspec.Struct, frozen=True, kw_only=True):
    """Things that get tags: those of a game, or the table's own."""

    slug: str
    title: str
    folder: Path
    """Holds `words.toml`, and a game's `pages/`."""
    deck: Mapping[str, Card]
    wanted: Callable[[Any], tuple[str, ...]] | None = None
    """(an owner's box) → the ids of its cards, in the best order for putting tags on; None: the deck."""
    box: type[msgspec.Struct] = SameBox
    """What owners declare about their box, where boxes differ: frozen, with what is taken for granted as defaults."""

    def cards_of(self, box: Any) -> tuple[str, ...]:
        """Return the cards of an owner's box, in the best order for putting tags on."""
        return self.wanted(box) if self.wanted else tuple(self.deck)


class Game(Pieces, Generic[S, O], frozen=True, kw_only=True):
    """A game, whole. `S` is its state, `O` its options."""

    most_players: int = SEATS[-1]
    options: type[O]
    """Frozen, with the booklet's defaults; refuses unknown options."""
    begin: Callable[[Started, O], S]
    """(the first event, its decoded options) → the first state."""
    judge: Callable[[S, Event], Judged[S]]
    """(state, event) → (state, verdicts). Never raises; `companion.game.shared_rules.by_act` makes one."""
    outcome: Callable[[S], Outcome] | None = None
    """state → how the match stands; None: by its `points`, where the most win, or the fewest with `fewest_win`."""
    now: Callable[[S], Now]
    """state → what the table waits for."""
    view: Callable[[S, Observer], dict[str, Any]]
    """What an observer may know besides `now`, built up from nothing; pages find it as `table`."""
    unit: Callable[[S], Hashable]
    """The current lay, count, call or round, never equal to an earlier one: within it a card read twice is one act."""
    acts: Callable[[S], tuple[Event, ...]]
    """Events that may well come next, with `seq` 0: demonstrations and random matches first choose a kind of event,
    each as likely as another, and then one of that kind."""
    delay: Callable[[S], Delay | None] = lambda state: None
    """The running delay, if the game has any."""
    finishes: Callable[[S, Pressed], bool] = lambda state, press: False
    """(state, a press) → whether it says that all cards of its player are laid. With none laid, the table asks for it
    again. It must follow from what everybody knows."""
    word_in: Callable[[S, Pressed], Said | None] = lambda state, press: None
    """(state, a press) → the word that its player says by it, with `seq` 0, so that nobody needs a phone to say it;
    None: it is a press and no more. It must follow from what everybody knows."""
    word_on: Callable[[S, str, Seat | None], Said | None] = lambda state, card, seat: None
    """(state, one of the table's own cards, the seat at which it is laid; None: a shared pad) → the word that it says,
    with `seq` 0; None: none in this game, or not there."""
    without_phones: Mapping[str, Any] = {}
    """The options, where the booklet's need a phone in play, that need none."""
    ways: Ways = {}
    """Each of its words, and how it is said."""
    races: Callable[[S], bool] = lambda state: False
    """state → whether presses race: then one made while the table was off counts by its time, like any other."""
    shut: Callable[[S], Mapping[int, str]] = lambda state: {}
    """state → the seats at which no card counts now, as everybody knows, and the code of the misplay that says why.
    Their lamps refuse a card that was read there before too, or they would show which cards those are."""
    meant: Callable[[S, str], str | None] = lambda state, card: card
    """(state, what a page offers) → the card id that is meant, where cards look alike to people; `None` if the page is
    stale and its offer would mean something else by now."""
    charts: Callable[[Mapping[str, Any]], tuple[Chart, ...]] = lambda table: ()
    """The charts worth drawing of a match, from what `view` shows the public, so that no chart tells more."""
    fewest_win: bool = False
    """Whether the fewest points win."""
    whose: Callable[[S, Tapped], Collection[int]] = lambda state, tap: ()
    """(state, a tap at a shared pad) → the seats that may enter it by phone: its doer's, or all. If empty, only the
    host may. It must follow from what everybody knows."""
    audible: Callable[[S, int, str], bool] = lambda state, seat, card: True
    """(state, a seat, a card laid there) → whether its player alone may be told, by ear, which card it is."""
    face_down: Callable[[S, str], bool] = lambda state, card: False
    """(state, a card) → whether not even its own player may look at it where it lies. It must follow from what that
    player knows."""
    for_all: frozenset[str] = frozenset()
    """The host's words that undo what others did, and so need another seat's agreement."""
    sealing: frozenset[str] = frozenset()
    """Rulings on acts whose card stays sealed, and which would differ if that card lay open elsewhere: what was told
    before such an act can't be put right, or naming one card after another would reveal the sealed one."""
    opening: frozenset[str] = frozenset()
    """Rulings that show whoever brings them about what was sealed from them: such an act can't be taken back alone, or
    they could look and then do something else."""
    opened: Callable[[S], Collection[str]] = lambda state: ()
    """The ids of the cards that now lie open to everybody though no ruling names them, as shown hands do: a reading of
    one of them can then be put right."""
    on_show: Mapping[str, Any] = {}
    """The options of a demonstration, if others than the booklet's show more of the game in less time."""
    story: frozenset[str] = frozenset()
    """Rulings that a demonstration shows where it can: what the game is about."""
    most_on_show: int = 4
    """How many play in a demonstration: few enough for whoever watches to follow."""
    sounds: Mapping[str, Literal["first", "start", "card", "stamp", "score"]] = {}
    """Ruling → its sound. Only what everybody is told can sound; the end of a match sounds in every game."""
    moments: Mapping[str, Moment] = {}
    """Ruling → what makes it news. Only what everybody is told is news; the end of a match is news in every game."""
    contract: int = 0
    """The `CONTRACT` that a game in a package of its own was written for; one in this tree goes with it."""
    progress: Callable[[S], Mapping[int, int]] | None = None
    """How far each player has come, as far as everybody knows, where points are told only at the end; None: use
    points."""
    feats: Callable[[Mapping[str, Any]], Mapping[str, Collection[int]]] = lambda table: {}
    """(what `view` shows the public at the end) → feats worth remembering, and who did them. The game's words name a
    feat `feat-CODE`, and say in `feat-CODE-how` what it takes."""
    variants: Mapping[str, tuple[Any, ...]] = {}
    """Option → the values under which a match that is over may be judged once more. Only those that decide about what
    everybody saw: one that made a card count which was never turned up would reveal it."""
    physics: AnyPhysics | None = None
    """How its things behave in people's hands at a simulated table; None: it can't be played there."""

    def __repr__(self) -> str:
        """Say which game it is; all that it holds would fill pages of a failed law."""
        return f"Game({self.slug!r})"

    def stands(self, state: S) -> Outcome:
        """Return the scores as they stand, and the winners once it is over."""
        by_points = fewest_points if self.fewest_win else most_points
        return (self.outcome or by_points)(state)


AnyGame = Game[Any, Any]
"""A game whose state and options are its own business."""
