"""Event streams: a message is rendered, compressed and framed once, and sent by one system call per phone.

A listening phone needs no greenlet: the server hands its connection to a feed, which writes to all its listeners.
A listener whose socket is full is skipped; once it can take more it gets the newest message, not the backlog.

Each message ends in a full flush of deflate, which resets the dictionary. So its compressed bytes may follow any, and
are the same for everybody.
"""

import functools
import math
import socket
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import gevent
from gevent.event import Event
from msgspec import Struct

TICK = 4.0
"""Seconds from one keep-alive message to the next; fixed, so that their timing reveals nothing."""
SIGN_OF_LIFE = b"event: tick\ndata\n\n"
NOT_YOURS = b"event: not-yours\ndata\n\n"
"""Sent last when another phone has taken the seat: the page must be reloaded."""
OPENING = b"retry: 1000\n"
LOAD_AGAIN = OPENING + NOT_YOURS
"""A whole stream that makes its page reload."""
AT_A_TIME = 64
"""Listeners served before other feeds and requests for pages get a turn."""

_GZIP = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
"""A gzip header (RFC 1952) without name, time or system; a stream never ends, so it needs no trailer."""
_WRITABLE = 2
"""libev's EV_WRITE."""


class Message(Struct, frozen=True, eq=False):
    """A feed's current state."""

    whole: bytes
    step: bytes = b""
    """The difference from `since`, in fewer bytes; b"" if there is none."""
    since: bytes = b""


class Listener:
    """A connection that receives a feed."""

    __slots__ = ("behind", "had", "left", "line", "may", "owed", "packed", "rest", "writable")

    def __init__(self, line: socket.socket, may: Callable[[], bool], left: Callable[[socket.socket], None]):
        self.line = line
        self.may = may
        """Returns whether it may still receive this feed."""
        self.left = left
        """Called when the connection is dropped."""
        self.packed = False
        """Whether it gets gzip."""
        self.had = b""
        """The last message sent to it."""
        self.behind = False
        """Whether it is queued for sending."""
        self.owed = False
        """Whether a keep-alive is due."""
        self.rest = b""
        """The unsent rest of a message."""
        self.writable: Any = None
        """Watches for room in the socket's buffer; None: there is room, as far as is known."""


class Feed:
    """The stream of one page in one language, for all who look at it. Use it from the page's thread."""

    def __init__(
        self,
        look: Callable[[], Message],
        next_ring: Callable[[], Event],
        rights: Callable[[], object] = lambda: None,
        pace: float = math.inf,
    ):
        """`look` returns the current state; called at every ring, and at the latest after `pace` seconds.

        Listeners' rights are checked again only when `rights` returns a different object.
        """
        self._look = look
        self._next_ring = next_ring
        self._rights = rights
        self._pace = pace
        self._now = Message(b"")
        self._framed: dict[tuple[bytes, bool], bytes] = {}
        self._rights_then = rights()
        self._listeners: dict[Listener, None] = {}
        self._behind: deque[Listener] = deque()
        self._speaking: gevent.Greenlet | None = None
        self._changed: dict[str, Feed] = {}
        """Feeds derived from this one, by key."""

    def now(self) -> Message:
        """Return the current state, and queue the listeners that lack it."""
        fresh = self._look()
        if fresh.whole != self._now.whole:
            self._now = fresh
            self._framed = {}
            # Identity is enough: as long as the bytes are equal, the old object stays.
            self._turn_for(listener for listener in self._listeners if listener.had is not fresh.whole)
        # Not earlier: the state above was rendered for those who had the right to it then.
        if (rights := self._rights()) is not self._rights_then:
            self._rights_then = rights
            self._send_away()
        return self._now

    @property
    def heard(self) -> bool:
        """Whether it has listeners."""
        return bool(self._listeners) or any(feed.heard for feed in self._changed.values())

    def changed(self, key: str, change: Callable[[bytes], bytes]) -> "Feed":
        """Return the feed of the same messages, each passed through `change`; there is one for each `key`."""
        if key not in self._changed:
            look = self._look
            self._changed[key] = Feed(lambda: Message(change(look().whole)), self._next_ring, self._rights, self._pace)
        return self._changed[key]

    def add(self, listener: Listener) -> None:
        """Send this listener every message that differs from what it `had`."""
        self._listeners[listener] = None
        if not listener.may():
            self._end(listener)
        elif listener.had is not self._now.whole:
            self._catch_up(listener)
        if self._speaking is None:
            self._speaking = gevent.spawn(self._speak)

    def close(self) -> None:
        """Drop all listeners."""
        for listener in [*self._listeners]:
            self._drop(listener)
        if self._speaking is not None:
            self._speaking.kill(block=False)

    def _speak(self) -> None:
        """Send news while there are listeners. On a failure all are dropped; their pages reconnect by themselves."""
        due = time.monotonic() + TICK
        try:
            while self._listeners:
                # Taken before looking: a ring during the look is then not missed.
                ring = self._next_ring()
                self.now()
                while self._behind:
                    for _ in range(min(AT_A_TIME, len(self._behind))):
                        self._catch_up(self._behind.popleft())
                    gevent.sleep(0)
                    if ring.ready():
                        ring = self._next_ring()
                        self.now()
                if time.monotonic() >= due:
                    due = time.monotonic() + TICK
                    self._send_away()
                    for listener in self._listeners:
                        listener.owed = True
                    self._turn_for(self._listeners)
                else:
                    ring.wait(max(0.0, min(self._pace, due - time.monotonic())))
        finally:
            self._speaking = None
            for listener in [*self._listeners]:
                self._drop(listener)

    def _turn_for(self, listeners: Any) -> None:
        for listener in listeners:
            if not listener.behind and listener.writable is None:
                listener.behind = True
                self._behind.append(listener)

    def _send_away(self) -> None:
        for listener in [listener for listener in self._listeners if not listener.may()]:
            self._end(listener)

    def _catch_up(self, listener: Listener) -> None:
        """Send what this listener lacks, as far as its socket takes it."""
        listener.behind = False
        if listener not in self._listeners:
            return
        data = listener.rest or self._unsaid(listener)
        try:
            bytes_taken = listener.line.send(data) if data else 0
        except BlockingIOError:
            bytes_taken = 0
        except OSError:
            self._drop(listener)
            return
        if bytes_taken and not listener.rest:
            # A message begun is finished before a newer one, or the page would read a mixture of both.
            listener.had = self._now.whole
            listener.owed = False
        listener.rest = data[bytes_taken:] if bytes_taken or listener.rest else b""
        if bytes_taken < len(data):
            self._watch(listener)
        elif listener.writable is not None:
            self._unwatch(listener)
            self._catch_up(listener)

    def _unsaid(self, listener: Listener) -> bytes:
        """Return what this listener lacks, framed."""
        return self._news_for(listener) + (self._frame(SIGN_OF_LIFE, listener.packed) if listener.owed else b"")

    def _news_for(self, listener: Listener) -> bytes:
        """Return the newest message, framed; only its `step` if the listener had the one before."""
        message = self._now
        if listener.had is message.whole:
            return b""
        if message.step and listener.had is message.since:
            return self._frame(message.step, listener.packed)
        return self._frame(message.whole, listener.packed) if message.whole else b""

    def _frame(self, text: bytes, packed: bool) -> bytes:
        frame = self._framed.get((text, packed))
        if frame is None:
            frame = self._framed[text, packed] = framed(pack(text) if packed else text)
        return frame

    def _watch(self, listener: Listener) -> None:
        if listener.writable is None:
            listener.writable = gevent.get_hub().loop.io(listener.line.fileno(), _WRITABLE)
            listener.writable.start(self._catch_up, listener)

    def _unwatch(self, listener: Listener) -> None:
        if listener.writable is not None:
            listener.writable.stop()
            listener.writable.close()
            listener.writable = None

    def _end(self, listener: Listener) -> None:
        """Tell a listener that another phone has the page now, and drop it."""
        if listener.writable is None:  # else a message is half sent, and nothing may come in between
            with suppress(OSError):
                # The empty chunk ends the body (RFC 9112): the browser sees an answer that is complete.
                listener.line.send(self._frame(NOT_YOURS, listener.packed) + b"0\r\n\r\n")
        self._drop(listener)

    def _drop(self, listener: Listener) -> None:
        if listener in self._listeners:
            del self._listeners[listener]
            self._unwatch(listener)
            listener.left(listener.line)
            listener.line.close()


class Stream:
    """The body of a streamed answer: its feed's current state, then every change.

    A server without feeds sends the first message only, and the page asks again every second.
    """

    def __init__(self, feed: Feed, may: Callable[[], bool], had: bytes = b"", *, packed: bool = False):
        """`had` is the message that the client has already."""
        self.feed = feed
        self._may = may
        self._had = had
        self._packed = packed

    def __iter__(self) -> Iterator[bytes]:
        """Yield the first message."""
        whole = self.feed.now().whole
        first = NOT_YOURS if not self._may() else SIGN_OF_LIFE if whole == self._had else whole
        self._had = whole
        yield _GZIP + pack(OPENING) + pack(first) if self._packed else OPENING + first

    def go_on(self, line: socket.socket, left: Callable[[socket.socket], None]) -> None:
        """Have the feed send the rest on this socket; `left` is called when it is dropped."""
        line.setblocking(False)
        listener = Listener(line, self._may, left)
        listener.packed = self._packed
        listener.had = self._had
        self.feed.add(listener)


@functools.lru_cache(64)
def pack(text: bytes) -> bytes:
    """Compress a message so that it can follow any others in one deflate stream."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(text) + packer.flush(zlib.Z_FULL_FLUSH)


def framed(data: bytes) -> bytes:
    """Frame data as one chunk of a chunked answer (RFC 9112)."""
    return b"%x\r\n%b\r\n" % (len(data), data)
