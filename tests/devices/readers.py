"""How tests listen to readers."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from companion.devices.listening import Listening
from companion.devices.readers.source import ReaderSource
from companion.devices.sensing import Appeared, Gone, Sensing, Source

CARD, OTHER, SHORT = "04A1B2C3D4E5F6", "04B1B2C3D4E5F6", "01020304"


@contextmanager
def listening(reader: ReaderSource) -> Iterator[list[Sensing]]:
    """What the reader tells while the block runs."""
    told: list[Sensing] = []
    with telling(reader, lambda *news: told.extend(news)):
        yield told


@contextmanager
def telling(reader: ReaderSource, tell: Callable[..., None]) -> Iterator[None]:
    stop = threading.Event()
    thread = threading.Thread(target=reader.listen, args=(tell, stop))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(20)
        reader.close()
    assert not thread.is_alive()


@contextmanager
def all_listening(sources: Sequence[Source]) -> Iterator[list[Sensing]]:
    """What the readers of a table tell while the block runs."""
    told: list[Sensing] = []
    listening = Listening(sources, lambda *news: told.extend(news))
    try:
        yield told
    finally:
        listening.stop()


def count(told: Sequence[Sensing], kind: type[Sensing]) -> int:
    return sum(isinstance(news, kind) for news in told)


def uids(told: Sequence[Sensing], kind: type[Appeared] | type[Gone]) -> list[str]:
    return [news.uid for news in told if isinstance(news, kind)]


def kinds(told: Sequence[Sensing], place: str) -> list[type[Sensing]]:
    """What kinds of things were told of one place, or of the reader there."""
    return [type(news) for news in told if place in (getattr(news, "place", ""), getattr(news, "source", "")[7:])]
