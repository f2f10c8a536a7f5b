"""Careless people: what they do to a judge, until it knows what is true again.

They know the rules and see the cards, so what they do follows what is true, not what the judge says. What they do
wrong they see, and put right as people can: what was refused is done again, what was taken is taken back, and what was
misread is corrected, at once or some acts later.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from msgspec import UNSET
from msgspec.structs import replace

from companion import games
from companion.events import UNKNOWN, Elapsed, Event, Lifted, Place, Player, Pressed, Retracted, Said, Started, Tapped
from companion.game import AnyGame, Misplay
from companion.game.simulated_world import Move
from companion.games import places
from companion.judge import corrections
from companion.judge.match import Match
from tests.trust.worlds import crazy_eights, hearts, speed_snap, stop_it
from tests.trust.worlds.truth import Raced, Truth

WORDS = ("no-stop", "count", "piles-empty", "flip", "token", "roll", "ring-done", "series", "last-row", "last-pile")
VALUES = (UNSET, 0, 2, 3, 9, "best", [], {"seat": 1, "fault": "dropped"})
PAUSE_US = (1_200_000, 1_500_000, 2_300_000, 4_000_000)
"""From one act to the next: nobody's echo."""
BREATH_US = 300_000
"""From one card to the next."""
SHORT = {"hearts": hearts.OPTIONS, "crazy-eights": crazy_eights.OPTIONS, "speed-snap": speed_snap.OPTIONS}
"""Options with which a world comes to its end within its acts."""


@dataclass(frozen=True, slots=True)
class Act:
    """What is done next: one of the moves there are, and how."""

    pick: int
    how: str
    lot: int


class Judge:
    """A table where nothing comes between people and judge."""

    def __init__(self, game: AnyGame, seats: tuple[int, ...]):
        assert game.physics is not None
        self.game = game
        people = tuple(Player(seat, f"P{seat}") for seat in seats)
        self.match = Match(Started(1, 100.0, game.slug, people, {**game.physics.options, **SHORT.get(game.slug, {})}))
        self.refused = ""
        """What was refused of what was told last, "" where nothing was."""

    def tell(self, events: Sequence[Event], at: int) -> list[int]:
        """Let it sense this, one after the other from this time on; give its numbers, none where it changed nothing."""
        self.refused = ""
        self._run_out(at)
        first = len(self.match.events) + 1
        changed = False
        for event in events:
            before = self.match.state
            told = self._add(replace(event, at=at / 1_000_000))
            misplay = next((one for one in told if isinstance(one, Misplay)), None)
            if misplay is not None:
                self.refused = f"{event} was refused: {misplay.code}"
            changed = changed or self.match.state is not before
            at += BREATH_US // 5 if isinstance(event, Pressed) else BREATH_US
        return [*range(first, len(self.match.events) + 1)] if changed else []

    def take_back(self, numbers: Sequence[int], at: int) -> None:
        start = len(self.match.events) + 1
        self.match.add_all([Retracted(start + n, at / 1_000_000, number) for n, number in enumerate(reversed(numbers))])
        self._run_out(at)

    def correct(self, wrong: int, card: str, at: int) -> None:
        start = len(self.match.events) + 1
        events = corrections.correction(self.match, wrong, card, at / 1_000_000)
        self.match.add_all([replace(event, seq=start + n) for n, event in enumerate(events)])
        self._run_out(at)

    def may_correct(self, wrong: int) -> bool:
        return is_offered(self.match, wrong)

    def _run_out(self, at: int) -> None:
        while (delay := self.match.delay) is not None and delay.due <= at:
            self._add(Elapsed(0, delay.due / 1_000_000, delay.what))

    def _add(self, event: Event) -> tuple[object, ...]:
        return self.match.add(replace(event, seq=len(self.match.events) + 1))


class People:
    """At a table, with what is true."""

    def __init__(self, table: Judge, truth: Truth, at: int = 100_000_000):
        self.table = table
        self.truth = truth
        self.at = at
        self.refused = ""
        """What was right and was refused, last."""
        self._wrong: tuple[int, str, int] | None = None
        """The number of a tap that was misread, the card that it was, and after how many acts they see it."""
        self._misread: tuple[Place, str] | None = None
        """Where that was, and the card that it was taken for."""
        self._last: tuple[Truth, Move, int, tuple[int, ...]] | None = None
        """What was true before the last act; the act, its lot, and the numbers of its events."""

    @property
    def settled(self) -> bool:
        """Whether nothing is left to be put right."""
        return self._wrong is None

    def act(self, act: Act) -> bool:
        """Do it; return whether there was anything to do."""
        self.at += PAUSE_US[act.lot % len(PAUSE_US)]
        self.truth = self.truth.passed(self.at)
        moves = self.truth.moves
        if self.truth.over or not moves:
            return self._see_what_was_misread(now=True)
        move = moves[act.pick % len(moves)]
        chance = random.Random(act.lot)
        if self._wrong is not None:
            # Whoever is about to lay the very card that is said to lie there sees it: it would be one card read twice.
            if self._misread in {
                (tap.place, tap.card) for tap in self._meant(move, act.lot) if isinstance(tap, Tapped)
            }:
                self._see_what_was_misread(now=True)
            self._do(move, act.lot)
        else:
            HOWS[act.how](self, move, act.lot, chance)
        return self._see_what_was_misread(now=self.truth.over) or True

    def wait(self) -> None:
        """Do nothing for so long that whatever runs has run out."""
        self.at += 11_000_000
        self.truth = self.truth.passed(self.at)
        self.table.tell((), self.at)

    def _see_what_was_misread(self, *, now: bool) -> bool:
        if self._wrong is None:
            return False
        number, card, later = self._wrong
        self._wrong = number, card, later - 1
        if later and not now:
            return False
        self.at += BREATH_US
        self.table.correct(number, card, self.at)
        self._wrong = self._last = None
        self.refused = ""
        return True

    # One act, rightly

    def _do(
        self, move: Move, lot: int, how: Callable[[Sequence[Event]], Sequence[Event]] = lambda events: events
    ) -> None:
        before = self.truth.passed(self.at)
        if before.over or move not in before.moves:  # meanwhile time has passed
            self.truth = before
            self.table.tell((), self.at)
            return
        self.truth, events = before.after(move, self.at, random.Random(lot))
        told = self.table.tell(how(events), self.at)
        self.at += BREATH_US * (2 * len(events))
        self.refused = self.table.refused
        self._last = before, move, lot, tuple(told)

    def _astray(self, *events: Event) -> None:
        """Do something wrong; what was not refused is taken back."""
        done = self.table.tell(events, self.at)
        self.at += BREATH_US * (len(events) + 1)
        if done:
            self.table.take_back(done, self.at)
        self.at += PAUSE_US[0]

    # Ways to do it

    def plainly(self, move: Move, lot: int, chance: random.Random) -> None:
        self._do(move, lot)

    def twice(self, move: Move, lot: int, chance: random.Random) -> None:
        """A card is read twice, a button bounces; a word is sent once."""
        self._do(move, lot, lambda events: [one for event in events for one in (event,) * _times(event)])

    def by_phone(self, move: Move, lot: int, chance: random.Random) -> None:
        self._do(move, lot, lambda events: [_entered(event) for event in events])

    def lifting(self, move: Move, lot: int, chance: random.Random) -> None:
        self._do(move, lot, lambda events: [one for event in events for one in (event, *_lifted(event))])

    def elsewhere_first(self, move: Move, lot: int, chance: random.Random) -> None:
        """The card at somebody else's place, or on the wrong pad."""
        taps = [event for event in self._meant(move, lot) if isinstance(event, Tapped)][:1]
        self._astray(
            *(replace(tap, place=chance.choice([place for place in places() if place != tap.place])) for tap in taps)
        )
        self._do(move, lot)

    def another_card_first(self, move: Move, lot: int, chance: random.Random) -> None:
        taps = [event for event in self._meant(move, lot) if isinstance(event, Tapped)][:1]
        deck = [*self.table.game.deck]
        self._astray(*(replace(tap, card=chance.choice([card for card in deck if card != tap.card])) for tap in taps))
        self._do(move, lot)

    def misread(self, move: Move, lot: int, chance: random.Random) -> None:
        """Another card is read than lies there, and nobody sees it for a while."""
        events = self._meant(move, lot)
        if not events or not isinstance(events[0], Tapped):
            return self._do(move, lot)
        deck = self.table.game.deck
        right = events[0].card
        # Taken for the card that is read next it would be one card read twice, and nobody could know that it was two.
        these = {right, *(event.card for event in events[1:2] if isinstance(event, Tapped))}
        after, _ = self.truth.after(move, self.at, random.Random(lot))
        their_next = [] if after.over else [each.card for each in after.moves if each.seat == move.seat]
        these |= {*their_next}
        alike = [card for card in deck if card not in these and deck[card].kind == deck[right].kind]
        wrong = replace(events[0], card=chance.choice(alike or [right]))
        done = self.table.tell((wrong,), self.at)
        self.at += BREATH_US
        if not done or not alike or not self.table.may_correct(done[0]):
            if done:
                self.table.take_back(done, self.at)
            self.at += PAUSE_US[0]
            return self._do(move, lot)
        self._wrong = done[0], right, chance.randrange(4)
        self._misread = wrong.place, wrong.card
        self._do(move, lot, lambda events: events[1:])
        self.refused = ""
        return None

    def forgetting(self, move: Move, lot: int, chance: random.Random) -> None:
        """Nobody tells it; so what comes next is refused, or taken back. Then both are told."""
        after, _ = self.truth.after(move, self.at, random.Random(lot))
        following = [] if after.over else after.moves
        if following:
            following_move = chance.choice(following)
            self._astray(*after.after(following_move, self.at, random.Random(lot + 1))[1])
        self._do(move, lot)
        if following and self.truth == after and not self.refused:
            self.at += PAUSE_US[0]
            self._do(following_move, lot + 1)

    def taking_back(self, move: Move, lot: int, chance: random.Random) -> None:
        """Take the act before back, and do it again: whoever does it is in two minds."""
        if self._last is None or not self._last[3]:
            return self._do(move, lot)
        self.truth, again, its_lot, numbers = self._last
        self.table.take_back(numbers, self.at)
        self.truth = self.truth.passed(self.at)
        self._last = None
        if chance.random() < 0.5:
            self.at += PAUSE_US[0]
            self._do(again, its_lot)
        return None

    def pressing(self, move: Move, lot: int, chance: random.Random) -> None:
        self._astray(Pressed(0, 0.0, chance.randint(1, 6)))
        self._do(move, lot)

    def saying(self, move: Move, lot: int, chance: random.Random) -> None:
        seat = chance.choice((*range(1, 7), "host"))
        self._astray(Said(0, 0.0, seat, chance.choice(WORDS), chance.choice(VALUES)))
        self._do(move, lot)

    def laying_anything(self, move: Move, lot: int, chance: random.Random) -> None:
        """Another game's card, a phone, a sticker that nobody knows, any card anywhere."""
        deck = chance.choice([*games.known().values()]).deck
        card, tag = chance.choice(((UNKNOWN, "04A1B2C3D4E5F6"), (chance.choice([*deck]), UNSET)))
        self._astray(Tapped(0, 0.0, chance.choice(places()), card, tag))  # type: ignore[arg-type]
        self._do(move, lot)

    def racing(self, move: Move, lot: int, chance: random.Random) -> None:
        """Several shout at once; which of their presses is learned of first is another matter. Or somebody presses as
        they see a card, before it is read.
        """
        if isinstance(self.truth, speed_snap.SpeedSnap) and move.what == "turn":
            return self._early(self.truth, move, lot, chance)
        if not isinstance(self.truth, Raced) or move.what != self.truth.race:
            return self._do(move, lot)
        seats = [seat for seat in self.truth.scores if seat not in self.truth.racers]
        racing = [
            move.seat,
            *chance.sample([s for s in seats if s != move.seat], chance.randint(0, max(0, len(seats) - 1))),
        ]
        gaps = [chance.choice((20, 150, 400, 501, 3_000, 180_000)) for _ in racing]
        # A table waits for late presses before anything runs out; here nothing comes so late.
        if self.truth.passed(self.at + sum(gaps)) != self.truth:
            return self._do(move, lot)
        presses = []
        for seat, gap in zip(racing, gaps, strict=True):
            self.at += gap
            presses.append((self.at, seat))
            self.truth, _ = self.truth.after(Move(seat, move.what), self.at, chance)
        chance.shuffle(presses)
        for at, seat in presses:
            self.table.tell((Pressed(0, 0.0, seat),), at)
            self.refused = self.refused or self.table.refused
        self._last = None
        return None

    def _early(self, truth: speed_snap.SpeedSnap, move: Move, lot: int, chance: random.Random) -> None:
        presses = [other for other in truth.moves if other.what == truth.race]
        if presses:
            self._do(chance.choice(presses), lot)
            self.at -= chance.choice((0, BREATH_US))
        self._do(move, lot)

    def card_by_card(self, move: Move, lot: int, chance: random.Random) -> None:
        if not isinstance(self.truth, stop_it.StopIt) or move.what != "count":
            return self._do(move, lot)
        told = stop_it.by_cards(self.truth, move)
        self._do(move, lot, lambda _: told)
        self.at += 2 * BREATH_US * len(told)
        return None

    def _meant(self, move: Move, lot: int) -> tuple[Event, ...]:
        return self.truth.after(move, self.at, random.Random(lot))[1]


HOWS: Mapping[str, Callable[[People, Move, int, random.Random], None]] = {
    "plainly": People.plainly,
    "twice": People.twice,
    "by phone": People.by_phone,
    "lifting": People.lifting,
    "elsewhere first": People.elsewhere_first,
    "another card first": People.another_card_first,
    "misread": People.misread,
    "forgetting": People.forgetting,
    "taking back": People.taking_back,
    "pressing": People.pressing,
    "saying": People.saying,
    "laying anything": People.laying_anything,
    "racing": People.racing,
    "card by card": People.card_by_card,
}


def is_offered(match: Match, wrong: int) -> bool:
    """Whether pages offer to put this tap right: it is among what was told to everybody last."""
    last = len(match.public)
    return any(wrong in corrections.cards(match, entry).values() for entry in range(max(0, last - 4), last))


def _times(event: Event) -> int:
    return 1 if isinstance(event, Said) else 2


def _entered(event: Event) -> Event:
    return event if isinstance(event, Said) else replace(event, by="phone")


def _lifted(event: Event) -> tuple[Event, ...]:
    return (Lifted(0, 0.0, event.place, event.card),) if isinstance(event, Tapped) else ()
