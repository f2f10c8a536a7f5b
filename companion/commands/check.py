"""`companion check`: see that every reader and buzzer box of a table answers."""

import queue
import threading
import time
from collections.abc import Iterator

from companion.clock import TableClock
from companion.config import Table
from companion.table.listening import Listening, start_all
from companion.table.sensing import Appeared, Crowded, Failed, Gone, Pressed, Sensing, Uncrowded, Working
from companion.tags import load


def missing(table: Table) -> list[str]:
    """Open every device once; give a sentence for each that does not answer. Raises `TagsFault`."""
    if table.tags:
        load(table.tags)
    sources = [sensor.open(TableClock()) for sensor in table.sensors]
    wrong = start_all(sources)
    for source in sources:
        source.close()
    return wrong


def watch(table: Table, seconds: float, stop: threading.Event) -> Iterator[str]:
    """Tell, line by line, what the table senses in the next seconds."""
    heard: queue.SimpleQueue[Sensing] = queue.SimpleQueue()

    def tell(*sensings: Sensing) -> None:
        for sensing in sensings:
            heard.put(sensing)

    listening = Listening([sensor.open(TableClock()) for sensor in table.sensors], tell)
    until = time.monotonic() + seconds
    try:
        while not stop.is_set() and (left := until - time.monotonic()) > 0:
            try:
                yield _line(heard.get(timeout=min(left, 0.2)))
            except queue.Empty:
                continue
    finally:
        listening.stop()


def _line(told: Sensing) -> str:
    match told:
        case Working(source, detail, _):
            return f"ok      {source}: {detail}"
        case Failed(source, why, _):
            return f"FAILED  {source}: {why}"
        case Appeared(place, uid, _):
            return f"card    {place}: {uid}"
        case Gone(place, uid, _):
            return f"gone    {place}: {uid}"
        case Crowded(place, _):
            return f"crowded {place}: one card at a time"
        case Uncrowded(place, _):
            return f"sorted  {place}: one card or none again"
        case Pressed(seat, at, uncertainty, _):
            return f"press   seat {seat} at {at:.6f} s (± {uncertainty * 1000:.3f} ms)"
