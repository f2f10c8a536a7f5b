"""Announcements: what the table will do in ten seconds unless somebody objects, so that people agree without phones.

A question on a phone waits for a yes. At the table everybody sees what is about to happen and has a button, so an
announcement waits only for a no: a press, or an objection by phone. Between two matches a press announces the next one;
an act card announces what concerns others too.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import msgspec

from companion import act_cards, games
from companion.acts import starting
from companion.devices.sensing import Buzzed, Clock
from companion.errors import NotKept, NotNow
from companion.events import Player, Seat, Started
from companion.live.act_cards import intent_of
from companion.live.in_play import InPlay
from companion.live.intents import Deed, Intent
from companion.live.recorder import AGAIN_AFTER

NOTICE = 10.0
"""Seconds in which people may object."""
SAME_PRESS = 1.0
"""Seconds within which a second press is ignored: people hit a button twice, and several hit theirs together."""
QUIET = 5.0
"""Seconds after the end of a match in which a press still belongs to it."""

Players = tuple[Player, ...]


class NextMatch(Protocol):
    """Decides who plays the next match, and begins it with what belongs to that, such as seating phones."""

    def who_play(self, last: Started) -> Players:
        """Return who would play that match again now; () if it can't be played by those who sit there."""

    def options_of(self, game: str, last: Started | None) -> Mapping[str, Any]:
        """Return the options with which a game begins that is not played `again`; None: no match has been played."""

    def begin(self, last: Started, players: Players, number: int, begin: Callable[[], int]) -> None:
        """Call `begin`, which begins the match and returns its number, `number` as expected. Raises `NotNow`."""


class SamePeople:
    """The players of the last match play the next one too."""

    def who_play(self, last: Started) -> Players:
        """Return those who played."""
        return last.players

    def options_of(self, game: str, last: Started | None) -> Mapping[str, Any]:
        """Return those of the last match, if it was of that game."""
        return last.options if last is not None and last.game == game else {}

    def begin(self, last: Started, players: Players, number: int, begin: Callable[[], int]) -> None:
        """Begin, and no more."""
        begin()


class Announcement(msgspec.Struct, frozen=True):
    """An intent that is carried out unless somebody objects."""

    intent: Intent
    due: float
    """When it is carried out, in seconds on the table's clock."""
    number: int = 1
    """Counts announcements, so that a late objection does not hit the next one."""

    @property
    def next_match(self) -> Started | None:
        """The match that it begins; None if it is about something else."""
        return self.intent.deed if isinstance(self.intent.deed, Started) else None


class Announcing:
    """What is announced, and what presses mean for it. Use it from one thread."""

    def __init__(self, clock: Clock, do: Callable[[Deed], bool]) -> None:
        """`do` carries out a deed to which nobody objected or had to agree, and returns whether it counts. It may raise
        `NotNow` and `NotKept`.
        """
        self.next_match: NextMatch = SamePeople()
        self._clock = clock
        self._do = do
        self._deaf_until = clock()
        """Presses before this time are ignored: the table was off, or they repeat the latest press."""
        self.announced: Announcement | None = None
        self._announcements = 0
        self._retry_at = 0.0
        """When a failed deed is retried, in seconds on the table's clock."""
        self._without_room: list[Deed] = []
        """Deeds that could not be stored: retried until the disk has room, as a tapped card is."""

    @property
    def due(self) -> float | None:
        """When the announcement, or a retry, is due, in seconds; None: nothing is announced or waits."""
        if self._without_room:
            return max(self._clock(), self._retry_at)
        return None if self.announced is None else max(self.announced.due, self._retry_at)

    def claims(self, press: Buzzed, played: InPlay | None) -> bool:
        """Return whether this press objects to an announcement, or announces the next match."""
        if self.announced is not None:
            return True
        if played is None or played.demo:
            return False
        rests_since = played.rests_since
        if rests_since is None or press.at < rests_since + QUIET:
            return False
        return bool(self.next_match.who_play(played.match.started))

    def take(self, press: Buzzed, last: InPlay) -> None:
        """Handle a claimed press: it objects to the announcement, or announces the next match if there is none."""
        if press.at < self._deaf_until:
            return
        self._deaf_until = press.at + SAME_PRESS
        if self.announced is not None:
            self.announced = None
            return
        players = self.next_match.who_play(last.match.started)
        self._announce(Intent(starting.played_by(last.match.started, players), "announced-match"))

    def take_card(self, card: str, seat: Seat | None, played: InPlay | None) -> bool:
        """Do what one of the table's own cards asks for, or announce it; `seat` is None on a shared pad. Return whether
        the card counts.
        """
        game = act_cards.whose_box(card)
        if game in games.known():
            return seat is None and self._take_box(game, played)
        if played is None:
            return False
        intent = intent_of(played, card, seat)
        if intent is None:
            return False
        if intent.code:
            self._announce(intent)
            return True
        try:
            return self._do(intent.deed)
        except NotKept:
            if intent.deed not in self._without_room:  # people lay it again when nothing happens
                self._without_room.append(intent.deed)
        except NotNow:  # the pages say why not
            return False
        return True

    def _take_box(self, game: str, played: InPlay | None) -> bool:
        """Announce a match of the game whose box was laid, by those who sit there; return whether it can begin."""
        if played is not None and not played.demo and played.rests_since is None:
            return False
        last = played.match.started if played is not None and not played.demo else None
        options = dict(self.next_match.options_of(game, last))
        next_started = Started(1, self._clock(), game, last.players if last is not None else (), options)
        players = self.next_match.who_play(next_started)
        if players:
            self._announce(Intent(starting.played_by(next_started, players), "announced-box"))
        return bool(players)

    def forget(self) -> None:
        """Drop the announcement and the deeds that wait for room: another match begins."""
        self.announced = None
        self._without_room.clear()

    def object_to(self, number: int) -> bool:
        """Withdraw the announcement of this number; return False if it is no longer announced."""
        if self.announced is None or self.announced.number != number:
            return False
        self.announced = None
        return True

    def do_what_is_due(self) -> bool:
        """Retry what waits for room, then carry out a due announcement; return whether anything was done.

        A deed that still can't be stored goes on waiting; meanwhile people may object to the announcement.
        """
        try:
            return self._do_what_waits() or self._do_what_is_announced()
        except NotKept:  # perhaps only the phones' file failed, so the recorder does not schedule this retry
            self._retry_at = self._clock() + AGAIN_AFTER
            return False

    def _do_what_waits(self) -> bool:
        waited = bool(self._without_room)
        while self._without_room:
            deed = self._without_room.pop(0)
            try:
                self._try(deed)
            except NotKept:
                self._without_room.insert(0, deed)
                raise
        return waited

    def _do_what_is_announced(self) -> bool:
        announced = self.announced
        if announced is None or self._clock() < announced.due:
            return False
        self._try(announced.intent.deed)
        self.announced = None
        return True

    def _try(self, deed: Deed) -> None:
        """Do it, or drop it if it is not possible now. Raises `NotKept`."""
        try:
            self._do(deed)
        except NotKept:
            raise
        except NotNow:  # the pages say why not; people who still want it ask again
            pass

    def _announce(self, intent: Intent) -> None:
        self._announcements += 1
        self.announced = Announcement(intent, self._clock() + NOTICE, self._announcements)
