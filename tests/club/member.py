"""A live table that is in a club."""

from pathlib import Path
from typing import Any

from companion.access.people import People
from companion.club.payloads import About
from companion.club.publisher import Publisher
from companion.club_settings import ClubSettings
from tests.live.table import Table
from tests.waiting import PATIENCE, until

ABOUT = About("Window table", ("stop-it",), (1, 2), ("en", "fr"), "http://127.0.0.1:8000/", "0.2.0", simulated=False)
CLUB = "wednesday"


class Member(Table):
    """It has not joined yet."""

    def __init__(self, folder: Path, broker: str, **more: Any) -> None:
        super().__init__(folder)
        self.settings = ClubSettings(broker=broker, club=CLUB, name="Window table", **more)
        self.people = People()
        self.publisher: Publisher | None = None

    def join(self) -> Publisher:
        self.publisher = Publisher(self.settings, self.live, ABOUT, lambda: self.people)
        self.live.watch(self.publisher.look)
        self.publisher.start()
        return self.publisher

    def leave(self) -> None:
        if self.publisher:
            self.publisher.stop()
            self.publisher._thread.stop(within=PATIENCE)  # a busy machine takes longer than a table waits for a goodbye

    def close(self) -> None:
        self.leave()
        super().close()

    @property
    def membership(self) -> Any:
        assert self.publisher
        return self.publisher.membership

    def joined(self) -> str:
        """Wait until the broker has let it in; return its id."""
        until(lambda: self.membership.tried and self.membership.hindrance is None, lambda: str(self.membership))
        return str(self.membership.table)

    def settled(self) -> None:
        """Wait until the broker has every result."""
        until(lambda: self.membership.waiting == 0 and self.membership.hindrance is None)
