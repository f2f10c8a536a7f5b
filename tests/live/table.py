"""A live table on a log, stopped and started at will, for tests of what it stores, judges and shows."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event as Flag
from typing import Any

import pytest

from companion.devices import sensing
from companion.devices.monotonic_clock import TableClock
from companion.events import Event, Player
from companion.live.table import Live
from companion.storage.log import Log
from companion.storage.opening import LogFault
from companion.tags.deck_file import Decks
from tests.waiting import until

PLAYERS = (Player(1, "Ana"), Player(2, "Bo"))
TAGS = '[stop-it]\nred-stop-1 = "040404AA"\nred-7 = "040404BB"\n'


class Table:
    """It is open; no match has begun."""

    def __init__(self, folder: Path, tags: str = TAGS) -> None:
        self._log = folder / "log.sqlite"
        self._tags = folder / "tags.toml"
        self._tags.write_text(tags, encoding="utf-8")
        self.open()

    def open(self, clock: Callable[[], float] | None = None, **more: Any) -> None:
        self.log = Log(self._log, writes=True)
        since = self.events[-1].at if self.log.latest() else 0.0
        self.live = Live(self.log, clock or TableClock(since), Decks(self._tags), **more)
        self.live.start()

    def close(self) -> None:
        self.live.stop()
        self.log.close()

    def again(self, clock: Callable[[], float] | None = None, **more: Any) -> Live:
        """Stop, and start again with these settings."""
        self.close()
        self.open(clock, **more)
        return self.live

    def begin(self, slug: str = "stop-it", **options: object) -> int:
        return self.live.begin(slug, PLAYERS, options)

    def press(self, seat: int, at: float | None = None, origin: str = "") -> None:
        self.live.tell(sensing.Buzzed(seat, self.live.clock() if at is None else at, 0.0, origin))

    def lay(self, place: str, uid: str, already: bool = False) -> None:
        self.live.tell(sensing.Appeared(place, uid, self.live.clock(), already=already))

    def lift(self, place: str, uid: str) -> None:
        self.live.tell(sensing.Gone(place, uid, self.live.clock()))

    @property
    def events(self) -> tuple[Event, ...]:
        """What the log holds of the newest match."""
        latest = self.log.latest()
        assert latest is not None
        return self.log.events(latest)

    @property
    def waits_for(self) -> str:
        code: str = self.live.snapshot.views[None]["table"]["now"]["code"]
        return code


@contextmanager
def refusing(keeper: Any, *ways: str, error: Exception = LogFault("the disk is full")) -> Iterator[list[str]]:  # noqa: B008
    """Let these ways of keeping fail; what it gives grows with each try."""
    tries = []

    def refuse(way: str) -> None:
        tries.append(way)
        raise error

    with pytest.MonkeyPatch.context() as disk:
        for way in ways:
            disk.setattr(keeper, way, lambda *_, way=way: refuse(way))
        yield tries


@contextmanager
def in_one_round(live: Live) -> Iterator[Callable[..., Future[Any]]]:
    """Have what is brought in this block come to the judge together, in its order; what it returns brings a call."""
    held = Flag()
    release = Flag()
    brought = list[Future[Any]]()

    def hold() -> None:
        held.set()
        release.wait()

    with ThreadPoolExecutor() as people:

        def bring(call: Callable[..., Any], *about: Any) -> Future[Any]:
            brought.append(people.submit(call, *about))
            until(lambda: live._worker.waiting == len(brought))
            return brought[-1]

        people.submit(live.ask_any, hold)
        held.wait()
        try:
            yield bring
        finally:
            release.set()
