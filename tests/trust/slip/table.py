"""A live table on its log, with a hand for a clock: what readers and buttons tell it, and what its pages' undo does."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from companion import games
from companion.devices import sensing
from companion.events import UNKNOWN, Event, Player, Pressed, Retracted, Tapped
from companion.game import AnyGame, Verdict
from companion.judge.attribution import acts_behind
from companion.judge.match import Match
from companion.live.table import Live
from companion.storage.log import Log
from companion.tags.deck_file import Decks

UNKNOWN_STICKER = "04FFFFFFFFFFFF"
"""It is on no card."""
BREATH = 0.3
"""Seconds from one card to the next."""
_MEMORY = Path("/dev/shm")


class Table:
    """One table; match after match is played at it."""

    def __init__(self, folder: Path, game: AnyGame) -> None:
        """Put a sticker on every card of all games."""
        self.game = game
        self.now = 100.0
        bearers = games.with_tags().values()
        cards = [(bearer.slug, card) for bearer in bearers for card in bearer.deck]
        self._uids = {card: f"04{number:012X}" for number, card in enumerate(cards)}
        lines = [
            f"[{bearer.slug}]\n" + "\n".join(f'{card} = "{self._uids[bearer.slug, card]}"' for card in bearer.deck)
            for bearer in bearers
        ]
        (folder / "tags.toml").write_text("\n".join([*lines, ""]), encoding="utf-8")
        self._log = Log(folder / "log.sqlite", writes=True)
        self.live = Live(self._log, lambda: self.now, Decks(folder / "tags.toml"))
        self.live.start()

    def close(self) -> None:
        self.live.stop()
        self._log.close()

    def take_up(self, before: Match) -> None:
        """Go on with a match that was played elsewhere so far."""
        self.now = before.events[-1].at
        players = tuple(Player(seat, name) for seat, name in before.names.items())
        self.live.begin(self.game.slug, players, dict(before.started.options))
        if before.events[1:]:
            self.live.act(lambda match, now: before.events[1:])

    @property
    def match(self) -> Match:
        return self.live.ask(lambda match: match)

    def pass_until(self, at: float) -> None:
        """Let time pass; what runs out meanwhile has run out before anything else happens."""
        self.now = max(self.now, at)
        for _ in range(2):
            self.live.ask(lambda match: None)

    def sense(self, event: Event) -> list[Verdict]:
        """Have it sense this now; return what is told with it, in the order in which it is told."""
        at = len(self.match.events)
        match event:
            case Tapped(place=place):
                uid = self._uid(event)
                self.live.tell(sensing.Appeared(place, uid, self.now))
                self.live.tell(sensing.Gone(place, uid, self.now))
            case Pressed(seat=seat):
                self.live.tell(sensing.Buzzed(seat, self.now, 0.0, ""))
            case _:
                self.live.enter(event)
        self.pass_until(self.now + BREATH)
        match_now = self.match
        return [told for told, seq in zip(match_now.told, match_now.told_with, strict=True) if seq > at]

    def _uid(self, tap: Tapped) -> str:
        if tap.card != UNKNOWN:
            return self._uids[games.bearer_of(self.game.slug), tap.card]
        slug, _, card = str(tap.tag).partition("/")
        return self._uids.get((slug, card), slug)

    def undo(self, told: Verdict, asked: int | None = None) -> None:
        """Take back what is behind an entry of the story, as two agree to on a page; `asked` as in `acts_behind`."""
        self.live.act(
            lambda match, now: [Retracted(0, now, seq, by="phone") for seq in acts_behind(match, told, asked)]
        )


@contextmanager
def table(game: AnyGame) -> Iterator[Table]:
    with TemporaryDirectory(prefix="slips-", dir=_MEMORY if _MEMORY.is_dir() else None) as folder:
        built = Table(Path(folder), game)
        try:
            yield built
        finally:
            built.close()
