"""Notifies systemd that a table is ready, and regularly that it is alive: see sd_notify(3).

Does nothing if systemd has not started the program.
"""

import logging
import os
import re
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPSConnection

from companion import threads
from companion.config import PageSettings
from companion.errors import NotKept
from companion.live.table import Live
from companion.threads import LastingThread, Rounds

_journal = logging.getLogger(__name__)
_PATIENCE_S = 10.0
_FIRST_S = 0.1
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}


@contextmanager
def watched(live: Live | None, page: PageSettings) -> Iterator[None]:
    """Notify systemd during the block, whenever page and judge (if there is one) answer."""
    where = os.environ.get("NOTIFY_SOCKET", "")
    if not where:
        yield
        return
    every = _microseconds(os.environ.get("WATCHDOG_USEC", "")) / 3e6 or None  # seconds: a third of the timeout
    line = line_to(page)
    thread = LastingThread("watchdog", partial(_tell, where, every, lambda: is_well(live, line)))
    thread.start()
    try:
        yield
    finally:
        thread.rounds.set()
        while thread.is_alive:  # it may be waiting for a page that no longer answers, and then ask once more
            with suppress(OSError):
                if line.sock is not None:
                    line.sock.shutdown(socket.SHUT_RDWR)
            thread.stop(within=_FIRST_S)
        line.close()


def stopping() -> None:
    """Notify systemd that the service is ending. Not between setup and table: systemd would kill it soon after."""
    if address := os.environ.get("NOTIFY_SOCKET", ""):
        say(address, "STOPPING=1")


def line_to(page: PageSettings) -> HTTPConnection:
    """Return the connection for asking the page. It is kept open, so that it keeps its place among many clients."""
    host = _EVERYWHERE.get(page.host, page.host)
    if page.tls:  # unverified: the question is whether it answers, not who it is
        unverified = ssl._create_unverified_context()
        return HTTPSConnection(host, page.port, timeout=_PATIENCE_S, context=unverified)
    return HTTPConnection(host, page.port, timeout=_PATIENCE_S)


def is_well(live: Live | None, line: HTTPConnection) -> bool:
    """Return whether judge and page answer, and no thread is stuck; log which is."""
    for name in threads.stuck():
        _journal.error("%s has not come round in time: systemd starts the table again if it stays so", name)
    return answers(live, line) and not threads.stuck()


def answers(live: Live | None, line: HTTPConnection) -> bool:
    """Return whether judge and page answer. If the judge hangs, this never returns, so systemd is not notified."""
    try:
        if live is not None:
            live.ask_any(lambda: None)
        try:
            return _status(line) < 500
        except ConnectionError:  # the connection was closed while idle
            line.close()
            return _status(line) < 500
    except (OSError, HTTPException, NotKept):
        line.close()
        return False


def _status(line: HTTPConnection) -> int:
    line.request("GET", "/")
    answer = line.getresponse()
    answer.read()
    return answer.status


def say(where: str, words: str) -> None:
    """Send a notification to systemd; failures are ignored."""
    # "@" stands for the abstract namespace, whose names begin with a zero byte.
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as speaking:
        speaking.sendto(words.encode(), "\0" + where[1:] if where.startswith("@") else where)


def _tell(where: str, every: float | None, well: Callable[[], bool], stop: Rounds) -> None:
    while not stop.is_set() and not well():
        stop.wait(_FIRST_S)
    say(where, "READY=1")
    while every and not stop.wait(every):
        if well():
            say(where, "WATCHDOG=1")


def _microseconds(text: str) -> int:
    return int(text) if re.fullmatch("[0-9]{1,18}", text) else 0
