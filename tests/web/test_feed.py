"""What many are told at once: the same bytes for all, whole messages, the newest for who is slow."""

import socket
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress

import gevent
import pytest
from gevent.event import Event

from companion.live.table import Live
from companion.web import feed as feeds
from companion.web.feed import NOT_YOURS, SIGN_OF_LIFE, Feed, Message, Stream
from tests.web.hearing import hearing
from tests.web.table import ANAS, BOS, app_of, app_with, phones_of, serving, to_count

TEXTS = [b"data: %b\n\n" % (bytes([letter]) * 200_000) for letter in b"abcd"]
"""Each more than a connection holds that nobody reads."""


class Told:
    """A feed whose messages a test chooses, and phones at the other ends of its connections."""

    def __init__(self) -> None:
        self.says = Message(b"data: first\n\n")
        self.rights = object()
        self.gone = 0
        self._ring = Event()
        self._stack = ExitStack()
        self.feed = Feed(lambda: self.says, lambda: self._ring, lambda: self.rights)

    def phone(self, may: Callable[[], bool] = lambda: True, *, packed: bool = False) -> socket.socket:
        """Come in as a phone does: it has got the first message."""
        server_end, phone_end = (self._stack.enter_context(end) for end in socket.socketpair())
        phone_end.setblocking(False)
        server_end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 14)
        stream = Stream(self.feed, may, packed=packed)
        server_end.sendall(b"".join(feeds.framed(first) for first in stream))
        stream.go_on(server_end, self._left)
        phone_end.recv(1 << 20)
        return phone_end

    def say(self, message: Message) -> None:
        self.says = message
        rung = self._ring
        self._ring = Event()
        rung.set()
        settle()

    def _left(self, _: socket.socket) -> None:
        self.gone += 1

    def close(self) -> None:
        self.feed.close()
        settle()
        self._stack.close()


def settle() -> None:
    for _ in range(3):
        gevent.sleep(0.001)  # with no time at all nobody would look at connections


@pytest.fixture
def listeners() -> Iterator[Told]:
    feed = Told()
    yield feed
    feed.close()


def read(phone: socket.socket) -> bytes:
    """Return all that has come, without the lengths of its chunks."""
    got = b""
    with suppress(BlockingIOError):
        while more := phone.recv(1 << 20):
            got += more
            settle()
    return b"".join(line for line in got.splitlines(keepends=True) if not line.endswith(b"\r\n"))


def test_what_is_packed_is_the_same_bytes_for_everybody_whenever_they_came() -> None:
    hears = Feed(lambda: Message(TEXTS[says]), Event)
    packed_rest = b"".join(map(feeds.pack, TEXTS[2:]))
    for says in (0, 1):
        head = b"".join(Stream(hears, lambda: True, packed=True))
        assert (
            zlib.decompressobj(31).decompress(head + packed_rest)
            == b"retry: 1000\n" + TEXTS[says] + TEXTS[2] + TEXTS[3]
        )


def test_who_is_slow_gets_whole_messages_and_the_newest_last_and_holds_up_nobody(listeners: Told) -> None:
    slow = listeners.phone()
    quick = listeners.phone()
    for text in TEXTS:
        listeners.say(Message(text))
        assert read(quick) == text
    assert read(slow) == TEXTS[0] + TEXTS[-1], "what it had begun to take, and then the newest"
    assert not listeners.gone


def test_a_step_is_for_who_had_what_it_builds_upon(listeners: Told) -> None:
    slow = listeners.phone()
    quick = listeners.phone()
    listeners.say(Message(TEXTS[0]))
    read(quick)
    listeners.say(Message(TEXTS[1]))
    read(quick)
    listeners.say(Message(TEXTS[2], b"data: step\n\n", TEXTS[1]))
    assert read(quick) == b"data: step\n\n"
    assert read(slow) == TEXTS[0] + TEXTS[2]


def test_who_is_gone_is_let_go_and_who_may_hear_it_no_more_is_told_so(listeners: Told) -> None:
    may = [True]
    gone = listeners.phone()
    lost = listeners.phone(lambda: may[0])
    other = listeners.phone()
    gone.close()
    may[0], listeners.rights = False, object()
    listeners.say(Message(TEXTS[0]))
    listeners.say(Message(TEXTS[1]))
    assert read(lost) == NOT_YOURS
    assert read(other) == TEXTS[0] + TEXTS[1]
    assert listeners.gone == 2


def test_where_nothing_can_be_made_all_are_cut_and_come_back(
    listeners: Told, capfd: pytest.CaptureFixture[str]
) -> None:
    phone = listeners.phone()
    listeners.says = None  # type: ignore[assignment]
    listeners.say(listeners.says)
    assert phone.recv(1) == b""
    assert listeners.gone == 1
    assert "AttributeError" in capfd.readouterr().err
    listeners.says = Message(b"data: again\n\n")
    assert read(listeners.phone()) == b""
    listeners.say(Message(TEXTS[1]))


def test_signs_of_life_come_though_nothing_is_new(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "TICK", 0.01)
    with serving(app_of(live)) as port, hearing(port, "/stream/score", packed=True) as stream:
        next(stream)
        assert [next(stream) for _ in range(3)] == [SIGN_OF_LIFE] * 3


def test_each_phone_hears_its_own_seat_alone(live: Live) -> None:
    app = app_with(live, phones_of(live, {1: ANAS, 3: BOS}))
    with (
        serving(app) as port,
        hearing(port, "/stream/seat-1", ANAS, packed=True) as anas,
        hearing(port, "/stream/seat-3", BOS, packed=True) as bos,
    ):
        next(anas), next(bos)
        to_count(live)
        for stream, own_seat, other in ((anas, b"seat-1", b"seat-3"), (bos, b"seat-3", b"seat-1")):
            assert b'value="%b"' % own_seat in (heard := next(stream))
            assert b'value="%b"' % other not in heard
