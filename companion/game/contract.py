"""The contract of a game: one value, `Game`.

Its rules are pure functions over a frozen state: no clock, no chance, no file. Applying an event is total: it returns a
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
"""The version of this contract; raised only when games written for the last one would no longer run."""

Observer = int | None
"""An observer: a seat, or None for the public. The host is a player too, and sees what the public sees."""


class NoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game that has none."""


class Now(msgspec.Struct, frozen=True):
    """What the table waits for, as far as everybody may know. The game's words hold its sentence under `code`."""

    code: str
    seats: tuple[int, ...] = ()
    """The seats it waits for; their lights are on."""
    unseen: tuple[int, ...] = ()
    """The seats that may now do something of which nobody is told; it must not depend on what they hold or have done.
    When an act is taken back, what they did since goes with it."""
    first: int | None = None
    """The seat that was first, as long as the lights show it."""
    facts: Mapping[str, Any] = {}
    """The other facts for the sentence, as values in no language."""
    counting: bool = False
    """Whether each of these seats lays many cards one by one: its lamp then shows how many have counted."""
    at_once: bool = False
    """Whether all may act at once and the first counts: nothing on a phone then moves its things under a thumb."""


class Chart(msgspec.Struct, frozen=True):
    """A chart with one row per seat. The game's words hold its name as `chart-CODE`, what it shows as `chart-CODE-why`,
    and a column's name, made from its facts, as `chart-CODE-column`.
    """

    code: str
    kind: Literal["lines", "dots", "bars"]
    """`lines` join a seat's figures, `dots` do not; `bars` stack them, subtracting those below zero."""
    columns: tuple[Mapping[str, Any], ...]
    """The facts of each column, in no language: `number`, `colour` …"""
    rows: Mapping[int, tuple[int | None, ...]]
    """By seat, a figure for each column; None where there is none."""
    unit: Literal["number", "microseconds"] = "number"


O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741 - the game's Options, as S is its State


class Game(Pieces, Generic[S, O], frozen=True, kw_only=True):
    """A game: its pieces and its rules. `S` is its state, `O` its options."""

    played_with: Pieces | None = None
    """A deck that other games share, such as `playing_cards.PLAYING_CARDS`, with one set of tags for all of them. None:
    the game has cards of its own."""
    fewest_players: int = 2
    """Fewer can't begin a match; at a simulated table bots fill the missing places."""
    most_players: int = SEATS[-1]
    options: type[O]
    """A frozen struct that forbids unknown fields; its defaults are the booklet's."""
    begin: Callable[[Started, O], S]
    """(the first event, its decoded options) → the first state."""
    moves: GameMoves[S]
    """The kinds of acts, each declared once."""
    outcome: Callable[[S], Outcome] | None = None
    """state → the scores and winners; None: by the state's `points`, where the most win, or the fewest with
    `fewest_win`."""
    rulings: Mapping[str, RulingKind]
    """Code → the ruling's declaration. Every ruling that `moves` return must be declared."""
    hints: Mapping[str, Hint] = {}
    """Code → a rule that new players are told when it first matters. Of several, the first is told, so put those that
    follow an act before those that always hold."""
    now: Callable[[S], Now]
    """state → what the table waits for."""
    view: Callable[[S, Observer], dict[str, Any]]
    """What an observer may know besides `now`, built up from an empty dict; pages find it as `table`. Every game's
    pages show its `round` (number), `target` (what wins, where the words `counts` ask for it) and `colours` (each
    seat's); the plain pages draw the cards listed as `lies`, each `{"seat": 3, "card": "hearts-9"}`, or without `seat`
    in the middle."""
    unit: Callable[[S], Hashable]
    """The current lay, count, call or round, never equal to an earlier one: a card read twice within it is one act. If
    its last card, read again, would count in the next unit, the state must remember that card, as `last` does in
    Hearts."""
    without_phones: Mapping[str, Any] = {}
    """Options that need no phone in play, where the booklet's do."""
    dead_heat: str = ""
    """The option with the seconds within which two presses are a dead heat; "": there is none. The table raises it to
    what its buttons can tell apart."""
    head_starts: str = ""
    """The option with the seconds by which a seat's presses are judged as earlier, where a race decides; "": there is
    none. Players keep their head start at another seat."""
    charts: Callable[[Mapping[str, Any]], tuple[Chart, ...]] = lambda table: ()
    """(what `view` shows the public) → the match's charts; they can't reveal more than it does."""
    layouts: Mapping[str, Callable[..., Any]] = {}
    """Name → a function that computes what the game's templates draw: a ruler's marks, the groups of a hand. It gets
    what the page may show, and returns frozen values (`game.layouts.photo_finish(table, exact)`)."""
    fewest_win: bool = False
    """Whether the fewest points win."""
    knows: Callable[[S, Observer], KnownCards] = lambda state, observer: KnownCards()
    """(state, observer) → what they may know of cards. Cards that everybody sees lie open, as shown hands do: a misread
    one can be corrected though no ruling names it. It must follow from what this observer knows."""
    on_show: Mapping[str, Any] = {}
    """The options of a demonstration, if others than the booklet's show more of the game in less time."""
    most_on_show: int = 4
    """Most players in a demonstration: few enough for onlookers to follow."""
    in_ten_minutes: Mapping[str, Any] = {}
    """The options of a match that lasts some ten minutes with four players; {}: there are none. They must not change
    what a simulated table deals."""
    contract: int = 0
    """The `CONTRACT` that a game in a package of its own was written for; games of this tree need not state it."""
    progress: Callable[[S], Mapping[int, int]] | None = None
    """How far each player has come, as far as everybody knows, in a game that tells points only at its end; None: use
    points."""
    feats: Callable[[Mapping[str, Any]], Mapping[str, Collection[int]]] = lambda table: {}
    """(what `view` shows the public at the end) → memorable feats, and the seats that did them. The game's words hold a
    feat's name as `feat-CODE`, and what it takes as `feat-CODE-how`. A feat so rare that people tell it the next day
    also has `tale-CODE`, with its `number` of players, and `tale-CODE-where`: it is among the match's best moments."""
    variants: Mapping[str, tuple[Any, ...]] = {}
    """Option → the values under which a finished match may be judged once more. Only options that concern what
    everybody saw: one that made a card count which was never turned up would reveal it."""
    physics: AnyPhysics | None = None
    """The behaviour of its things at a simulated table; None: it can't be played there."""

    def __repr__(self) -> str:
        """Name the game only: all its fields would fill pages in a failed test."""
        return f"Game({self.slug!r})"

    def kind_of(self, code: str) -> RulingKind:
        """Return the declaration of a ruling."""
        return self.rulings.get(code, UNDECLARED)

    def dead_heat_in(self, options: O) -> float:
        """Return the seconds within which two presses are a dead heat under these options."""
        return float(getattr(options, self.dead_heat)) if self.dead_heat else 0.0

    def longest_head_start_in(self, options: O) -> float:
        """Return the longest head start in seconds: a press so much later may still be judged before another."""
        head_starts = getattr(options, self.head_starts).values() if self.head_starts else ()
        return float(max(head_starts, default=0.0))

    def stands(self, state: S) -> Outcome:
        """Return the current scores, and the winners once the match is over."""
        by_points = fewest_points if self.fewest_win else most_points
        return (self.outcome or by_points)(state)


AnyGame = Game[Any, Any]
"""A game of any state and options."""
