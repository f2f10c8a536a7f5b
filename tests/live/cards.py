"""A table at which every card of a game has a sticker, and three people who lay theirs."""

from pathlib import Path

from companion import games
from companion.events import Player
from tests.live.table import Table

ANA = 1
BO = 2
CLEO = 3
PEOPLE = (Player(ANA, "Ana"), Player(BO, "Bo"), Player(CLEO, "Cléo"))
DECKS = {card: None for game in games.known().values() for card in game.deck}
UIDS = {card: f"04{number:012X}" for number, card in enumerate(DECKS)}


class Cards(Table):
    """A table at which every card of a game has a sticker."""

    def __init__(self, folder: Path, slug: str, **options: object) -> None:
        stickers = (f'{card} = "{UIDS[card]}"' for card in games.known()[slug].deck)
        super().__init__(folder, "\n".join([f"[{slug}]", *stickers]))
        self.live.begin(slug, PEOPLE, options)

    def lay_cards(self, seat: int, *names: str) -> None:
        for name in names:
            self.lay(f"seat-{seat}", UIDS[name])
            self.lift(f"seat-{seat}", UIDS[name])

    def count(self, seat: int, *names: str) -> None:
        self.lay_cards(seat, *names)
        self.press(seat, self.live.clock() + 2)  # no echo of the shout
        if not names:
            self.press(seat, self.live.clock() + 4)  # asked whether that was meant


def counts(table: Cards) -> dict[int, int]:
    return table.live.ask(lambda match: dict(match.state.history[-1].counts))


def scored(table: Cards) -> dict[int, set[str]]:
    """Return the hands of the others, as they were scored."""
    divisions = table.live.snapshot.views[None]["table"]["rounds"][-1]["divisions"]
    groups = ("eliminated", "series", "additions", "left")
    return {seat: {card for group in groups for card in divisions[str(seat)][group]} for seat in (BO, CLEO)}
