"""What systemd is told about a table that it started: that its page answers, and regularly that it still does.

See sd_notify(3). Without systemd there is nobody to tell.
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
    """Tell systemd, while the block lasts, whenever the page and the judge, if there is one yet, answer."""
    where = os.environ.get("NOTIFY_SOCKET", "")
    if not where:
        yield
        return
    every = _microseconds(os.environ.get("WATCHDOG_USEC", "")) / 3e6 or None
    line = line_to(page)
    thread = LastingThread("watchdog", partial(_tell, where, every, lambda: is_well(live, line)))
    thread.start()
    try:
        yield
    finally:
        thread.rounds.set()
        while thread.is_alive:  # it may be waiting for a page that no longer answers, and ask once more
            with suppress(OSError):
                if line.sock is not None:
                    line.sock.shutdown(socket.SHUT_RDWR)
            thread.stop(within=_FIRST_S)
        line.close()


def stopping() -> None:
    """Tell systemd that the service is ending. Not between setup and table: a service that says so is soon killed."""
    if address := os.environ.get("NOTIFY_SOCKET", ""):
        say(address, "STOPPING=1")


def line_to(page: PageSettings) -> HTTPConnection:
    """Return the connection for asking the page. It stays open, so that it has its place however many others knock."""
    host = _EVERYWHERE.get(page.host, page.host)
    if page.tls:  # the question is whether it answers, not who it is
        unproven = ssl._create_unverified_context()
        return HTTPSConnection(host, page.port, timeout=_PATIENCE_S, context=unproven)
    return HTTPConnection(host, page.port, timeout=_PATIENCE_S)


def is_well(live: Live | None, line: HTTPConnection) -> bool:
    """Return whether judge and page answer, and no thread is stuck. The journal is told which is."""
    for name in threads.stuck():
        _journal.error("%s has not come round in time: systemd starts the table again if it stays so", name)
    return answers(live, line) and not threads.stuck()


def answers(live: Live | None, line: HTTPConnection) -> bool:
    """Return whether judge and page answer. If the judge hangs, this never returns: the silence tells systemd."""
    try:
        if live is not None:
            live.ask_any(lambda: None)
        try:
            return _status(line) < 500
        except ConnectionError:  # it was cut while idle
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
    """Send words to systemd; if they don't arrive, nothing can be done here."""
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
