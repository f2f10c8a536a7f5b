"""What a game brings: one value, `Game`.

Its rules are plain functions over a frozen state: no clock, no chance, no file. Applying an event is total: it gives a
new state, or the same state and a `Misplay` that says what to put right.
"""

from collections.abc import Callable, Collection, Hashable, Mapping
from typing import Any, Generic, Literal, TypeVar

import msgspec

from companion.events import SEATS, Started
from companion.game.hints import Hint
from companion.game.knowing import KnownCards
from companion.game.moves import GameMoves
from companion.game.pieces import Pieces
from companion.game.rulings import UNDECLARED, RulingKind
from companion.game.simulated_world import AnyPhysics
from companion.game.standing import Outcome, fewest_points, most_points
from companion.game.verdicts import S

CONTRACT = 3
"""The edition of this contract; it goes up only when games written for the last one would no longer run."""

Observer = int | None
"""An observer: a seat, or None for the public. The host is a player too, and sees what the public sees."""


class NoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game that has none."""


class Now(msgspec.Struct, frozen=True):
    """What the table waits for, as far as everybody may know. Its sentence is in the game's words under `code`."""

    code: str
    seats: tuple[int, ...] = ()
    """The seats it waits for; their lights are on."""
    unseen: tuple[int, ...] = ()
    """The seats that may do something now of which nobody is told; what they hold, or have done, plays no part. What
    they did would go with an act that is taken back."""
    first: int | None = None
    """The seat that was first, as long as the lights show it."""
    facts: Mapping[str, Any] = {}
    """The other facts that the sentence needs, in no language."""
    counting: bool = False
    """Whether each seat it waits for lays many cards one by one: its lamp says how many have counted."""


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


O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741 - the game's Options, as S is its State


class Game(Pieces, Generic[S, O], frozen=True, kw_only=True):
    """A game, whole: all that `Pieces` has, and its rules. `S` is its state, `O` its options."""

    played_with: Pieces | None = None
    """The deck that other games are played with as well, as `playing_cards.PLAYING_CARDS`: its tags stand once for all
    of them. None: the game has cards of its own."""
    fewest_players: int = 2
    """A match with fewer does not begin; bots take the places that are missing at a simulated table."""
    most_players: int = SEATS[-1]
    options: type[O]
    """Frozen, with the booklet's defaults; refuses unknown options."""
    begin: Callable[[Started, O], S]
    """(the first event, its decoded options) → the first state."""
    moves: GameMoves[S]
    """What people do in it, each kind of act declared once."""
    outcome: Callable[[S], Outcome] | None = None
    """state → how the match stands; None: by its `points`, where the most win, or the fewest with `fewest_win`."""
    rulings: Mapping[str, RulingKind]
    """Code → what is declared of this ruling. Every ruling that `moves` bring about stands here."""
    hints: Mapping[str, Hint] = {}
    """Code → a rule told to whoever is new to the game when it first matters. Of several, the first is told: what
    follows from an act stands before what is always so."""
    now: Callable[[S], Now]
    """state → what the table waits for."""
    view: Callable[[S, Observer], dict[str, Any]]
    """What an observer may know besides `now`, built up from nothing; pages find it as `table`. Of it, the pages of
    every game show `round` (its number), `target` (what wins, where the words `counts` ask for it) and `colours` (what
    each seat plays); the plain pages draw what lies on the table, if listed as `lies`, each
    `{"seat": 3, "card": "hearts-9"}`, or without `seat` in the middle."""
    unit: Callable[[S], Hashable]
    """The current lay, count, call or round, never equal to an earlier one: within it a card read twice is one act. Its
    last card, read again, comes in the next one: where it would count there, the state remembers it, as `last` does in
    Hearts."""
    without_phones: Mapping[str, Any] = {}
    """The options, where the booklet's need a phone in play, that need none."""
    dead_heat: str = ""
    """The option that says within how many seconds two presses are a dead heat; "": there is none. It is never finer
    than what the table's buttons can tell apart."""
    head_starts: str = ""
    """The option that says how many seconds earlier than they came a seat's presses are judged, where a race decides;
    "": there is none. Whoever has a head start keeps it where they sit down elsewhere."""
    charts: Callable[[Mapping[str, Any]], tuple[Chart, ...]] = lambda table: ()
    """The charts worth drawing of a match, from what `view` shows the public, so that no chart tells more."""
    layouts: Mapping[str, Callable[..., Any]] = {}
    """Name → a function with which the game's own pages work out what they draw: a ruler's marks, the groups of a hand.
    It is handed what the page may show, and returns frozen values; templates lay them out
    (`game.layouts.photo_finish(table, exact)`)."""
    fewest_win: bool = False
    """Whether the fewest points win."""
    knows: Callable[[S, Observer], KnownCards] = lambda state, observer: KnownCards()
    """(state, observer) → what they may know of cards. What everybody sees lies open, as shown hands do, so that a
    reading of it can be put right, though no ruling names it. It must follow from what this observer knows."""
    on_show: Mapping[str, Any] = {}
    """The options of a demonstration, if others than the booklet's show more of the game in less time."""
    most_on_show: int = 4
    """How many play in a demonstration: few enough for whoever watches to follow."""
    in_ten_minutes: Mapping[str, Any] = {}
    """The options of a match that lasts some ten minutes with four players; {}: none make it so short. They change
    nothing of what a simulated table deals."""
    contract: int = 0
    """The `CONTRACT` that a game in a package of its own was written for; one in this tree goes with it."""
    progress: Callable[[S], Mapping[int, int]] | None = None
    """How far each player has come, as far as everybody knows, where points are told only at the end; None: use
    points."""
    feats: Callable[[Mapping[str, Any]], Mapping[str, Collection[int]]] = lambda table: {}
    """(what `view` shows the public at the end) → feats worth remembering, and who did them. The game's words name a
    feat `feat-CODE`, and say in `feat-CODE-how` what it takes. One so rare that it is told next day they also name
    `tale-CODE`, with its `number` of players, and `tale-CODE-where`: it is among the best moments of its match."""
    variants: Mapping[str, tuple[Any, ...]] = {}
    """Option → the values under which a match that is over may be judged once more. Only those that decide about what
    everybody saw: one that made a card count which was never turned up would reveal it."""
    physics: AnyPhysics | None = None
    """How its things behave in people's hands at a simulated table; None: it can't be played there."""

    def __repr__(self) -> str:
        """Say which game it is; all that it holds would fill pages of a failed law."""
        return f"Game({self.slug!r})"

    def kind_of(self, code: str) -> RulingKind:
        """Return what is declared of this ruling."""
        return self.rulings.get(code, UNDECLARED)

    def dead_heat_in(self, options: O) -> float:
        """Return within how many seconds two presses are a dead heat under these options."""
        return float(getattr(options, self.dead_heat)) if self.dead_heat else 0.0

    def longest_head_start_in(self, options: O) -> float:
        """Return within how many seconds of a press a later one may still be judged before it under these options."""
        head_starts = getattr(options, self.head_starts).values() if self.head_starts else ()
        return float(max(head_starts, default=0.0))

    def stands(self, state: S) -> Outcome:
        """Return the scores as they stand, and the winners once it is over."""
        by_points = fewest_points if self.fewest_win else most_points
        return (self.outcome or by_points)(state)


AnyGame = Game[Any, Any]
"""A game whose state and options are its own business."""
