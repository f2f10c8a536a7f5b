"""A live table of STOP me GO with its pages: real judge, real log, real server."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from companion.events import Place, Pressed, Said, Tapped
from companion.live.table import Live
from tests.games.playing import playing
from tests.games.stop_me_go.table import COLOURS
from tests.web.table import Clock


class LiveTable:
    """A match under way; everybody holds cards of the colour with their seat's number."""

    def __init__(self, live: Live, clock: Clock):
        self.live = live
        self.clock = clock
        self.seats = live.ask(lambda match: match.seats)

    def gangster(self, number: int) -> None:
        self.live.enter(Tapped(0, 0.0, "centre", f"gangster-{number}"))

    def lay(self, card: str, *seats: int) -> None:
        """These seats lay this card of theirs: "go-1" …, or "stop"."""
        places = ((cast(Place, f"seat-{seat}"), COLOURS[seat - 1]) for seat in seats)
        self.live.enter(*(Tapped(0, 0.0, place, f"{colour}-{card}") for place, colour in places))

    def four(self, stops: dict[int, int], *numbers: int) -> None:
        """Four gangsters come; at `stops` are the seats that lay STOP, by gangster."""
        for turn, number in enumerate(numbers, 1):
            self.gangster(number)
            for seat in self.seats:
                self.lay("stop" if stops.get(seat) == number else f"go-{turn}", seat)

    def flip(self, times: int = 1) -> None:
        for _ in range(times):
            self.clock.now += 1
            self.live.enter(Pressed(0, 0.0, self.seats[0]))

    def win(self, seat: int) -> None:
        """A round that this seat wins, and its token, which bears no tag."""
        self.four({seat: 8}, 8, 2, 5, 3)
        self.flip(4)
        self.live.enter(Said(0, 0.0, seat, "token"))

    @property
    def misplays(self) -> list[Any]:
        return self.live.ask(lambda match: list(match.misplays))


@contextmanager
def evening(folder: Path, **options: Any) -> Iterator[tuple[LiveTable, str]]:
    """A match, and the address of its pages."""
    clock = Clock()
    folder.mkdir(exist_ok=True)
    with playing("stop-me-go", folder, clock=clock, **options) as (live, address):
        yield LiveTable(live, clock), address
