"""WSGI middleware that queues an app's requests fairly by asker."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from companion.access.address_holder import holder_of
from companion.web.fair_queue import PageTurns, turn_under_way

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


class RequestsInTurn:
    """Has an app answer each asker's requests one after the other."""

    def __init__(self, app: "WSGIApplication", turns: PageTurns, asker_of: "Callable[[WSGIEnvironment], str]") -> None:
        self._app = app
        self._turns = turns
        self._asker_of = asker_of

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answer a request once its asker has a turn. The turn ends before the body is sent."""
        with self._turns.of(self._asker_of(environ)):
            return self._app(environ, start_response)


def by_address(environ: "WSGIEnvironment") -> str:
    """Return the asker's key where phones have no parts: the address."""
    return holder_of(environ.get("REMOTE_ADDR", ""))


def waiting() -> AbstractContextManager[None]:
    """Return a context in which this request waits for another thread, and its time does not count."""
    turn = turn_under_way()
    return turn.waiting() if turn else nullcontext()
