"""Streams: a message for many is made, packed and framed once, and sent by one system call per phone.

A phone that only listens needs no greenlet: the server hands its connection over to a feed, and the feed writes to all
of its listeners. One that does not take what is written to it is skipped; when it can take more it gets the newest, and
never all that it has missed.

Bytes are packed so that they may follow any others: each message ends in a full flush of deflate, as if the stream
restarted after it. So a message is the same bytes for everybody.
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
"""Seconds between signs of life; fixed, so that they tell nothing."""
SIGN_OF_LIFE = b"event: tick\ndata\n\n"
NOT_YOURS = b"event: not-yours\ndata\n\n"
"""Sent last when the seat has gone to another phone: the page must be loaded again."""
OPENING = b"retry: 1000\n"
LOAD_AGAIN = OPENING + NOT_YOURS
"""A whole stream that only has its page load itself again."""
AT_A_TIME = 64
"""Listeners served before others get a turn: other feeds, and requests for pages."""

_GZIP = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
"""How what is packed begins (RFC 1952); a stream never ends, so nothing follows its last message."""
_WRITABLE = 2


class Message(Struct, frozen=True, eq=False):
    """What a feed says."""

    whole: bytes
    step: bytes = b""
    """The same for whoever had `since`, in fewer bytes; b"" if not available."""
    since: bytes = b""


class Listener:
    """A connection that only listens."""

    __slots__ = ("behind", "had", "left", "line", "may", "owed", "packed", "rest", "writable")

    def __init__(self, line: socket.socket, may: Callable[[], bool], left: Callable[[socket.socket], None]):
        self.line = line
        self.may = may
        """Whether it may still hear this feed."""
        self.left = left
        """Called when it has gone."""
        self.packed = False
        self.had = b""
        """What it was told last."""
        self.behind = False
        """Whether it waits for its turn."""
        self.owed = False
        """Whether a sign of life is due."""
        self.rest = b""
        """The rest of a message that it has begun to take."""
        self.writable: Any = None
        """Watches whether it can take more; None: it can, as far as is known."""


class Feed:
    """What everybody looking at one page in one language hears. Use it from the page's thread."""

    def __init__(
        self,
        look: Callable[[], Message],
        next_ring: Callable[[], Event],
        rights: Callable[[], object] = lambda: None,
        pace: float = math.inf,
    ):
        """`look` returns the current state, and is called with every ring, and at the latest after `pace` seconds.

        Who may hear it changes only if `rights` returns a different object.
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
        """Those that say the same, changed, by what for."""

    def now(self) -> Message:
        """Look at the current state; whoever listens will be told."""
        fresh = self._look()
        if fresh.whole != self._now.whole:
            self._now = fresh
            self._framed = {}
            self._turn_for(listener for listener in self._listeners if listener.had is not fresh.whole)
        # Only now: what was made before is for those who could hear it then.
        if (rights := self._rights()) is not self._rights_then:
            self._rights_then = rights
            self._send_away()
        return self._now

    @property
    def heard(self) -> bool:
        """Whether anybody listens."""
        return bool(self._listeners) or any(feed.heard for feed in self._changed.values())

    def changed(self, key: str, change: Callable[[bytes], bytes]) -> "Feed":
        """Return the one feed that says the same as this, changed so; `key` tells changes apart."""
        if key not in self._changed:
            look = self._look
            self._changed[key] = Feed(lambda: Message(change(look().whole)), self._next_ring, self._rights, self._pace)
        return self._changed[key]

    def add(self, listener: Listener) -> None:
        """From now on, send it whatever differs from what it `had`."""
        self._listeners[listener] = None
        if not listener.may():
            self._end(listener)
        elif listener.had is not self._now.whole:
            self._catch_up(listener)
        if self._speaking is None:
            self._speaking = gevent.spawn(self._speak)

    def close(self) -> None:
        """Hang up on all."""
        for listener in [*self._listeners]:
            self._drop(listener)
        if self._speaking is not None:
            self._speaking.kill(block=False)

    def _speak(self) -> None:
        """Send what is new, as long as somebody listens. If that fails, all are cut off and come back by themselves."""
        due = time.monotonic() + TICK
        try:
            while self._listeners:
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
        """Send it what it does not have yet, as far as it can take that."""
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
            listener.had = self._now.whole
            listener.owed = False
        listener.rest = data[bytes_taken:] if bytes_taken or listener.rest else b""
        if bytes_taken < len(data):
            self._watch(listener)
        elif listener.writable is not None:
            self._unwatch(listener)
            self._catch_up(listener)

    def _unsaid(self, listener: Listener) -> bytes:
        """Return what there is to say to it, framed."""
        return self._news_for(listener) + (self._frame(SIGN_OF_LIFE, listener.packed) if listener.owed else b"")

    def _news_for(self, listener: Listener) -> bytes:
        """Return the newest message, framed: only the step to it where the one before was heard."""
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
        """Tell it, if it can take that, that the page now belongs to another phone, and hang up."""
        if listener.writable is None:
            with suppress(OSError):
                listener.line.send(self._frame(NOT_YOURS, listener.packed) + b"0\r\n\r\n")
        self._drop(listener)

    def _drop(self, listener: Listener) -> None:
        if listener in self._listeners:
            del self._listeners[listener]
            self._unwatch(listener)
            listener.left(listener.line)
            listener.line.close()


class Stream:
    """The body of a streamed answer: the state of its feed, and then whatever is new.

    A server that knows no feeds sends the first message alone, and the page asks again every second.
    """

    def __init__(self, feed: Feed, may: Callable[[], bool], had: bytes = b"", *, packed: bool = False):
        """`had` is the message that need not be sent again."""
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
        """Have the feed send the rest; `left` is called when that is over."""
        line.setblocking(False)
        listener = Listener(line, self._may, left)
        listener.packed = self._packed
        listener.had = self._had
        self.feed.add(listener)


@functools.lru_cache(64)
def pack(text: bytes) -> bytes:
    """Pack a message so that it can be unpacked behind any others."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(text) + packer.flush(zlib.Z_FULL_FLUSH)


def framed(data: bytes) -> bytes:
    """Write it as one chunk of an answer."""
    return b"%x\r\n%b\r\n" % (len(data), data)
