"""Puts the requests of an app in order: each address has its turns, whatever the others do."""

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING

from flask import request

from companion.web.fair_queue import PageTurn, PageTurns

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_TURN = "companion.turn"


class RequestsInTurn:
    """Has an app answer each address's requests one after the other."""

    def __init__(self, app: "WSGIApplication", turns: PageTurns) -> None:
        self._app = app
        self._turns = turns

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answer a request once its address has its turn. What is sent is sent after it."""
        with self._turns.of(holder_of(environ.get("REMOTE_ADDR", ""))) as turn:
            environ[_TURN] = turn
            return self._app(environ, start_response)


def waiting() -> AbstractContextManager[None]:
    """Return a context in which this request waits for the table, or for what was played."""
    turn: PageTurn | None = request.environ.get(_TURN)
    return turn.waiting() if turn else nullcontext()


def holder_of(address: str) -> str:
    """Return what counts as one address: of IPv6 the network of which each holder has all, except on one link."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(ip, IPv6Address):
        return str(ip)
    if ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    if ip.is_loopback or ip.is_link_local:
        return str(ip)
    return str(ip_network((ip, 64), strict=False))
