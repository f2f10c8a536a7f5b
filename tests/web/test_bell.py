"""Who is woken when something is new, and in which order."""

import gevent

from companion.web.bell import Bell


def test_pages_for_all_are_woken_before_those_of_seats_whoever_waited_first() -> None:
    bell = Bell()
    woken: list[str] = []

    def draw(page: str) -> None:
        ring = bell.next_ring_for_seats() if page.startswith("seat") else bell.next_ring()
        ring.wait()
        woken.append(page)

    pages = ("seat-1", "score", "seat-2", "big")
    drawing = [gevent.spawn(draw, page) for page in pages]
    gevent.sleep(0)
    bell.ring()
    gevent.joinall(drawing, raise_error=True)
    assert woken == ["score", "big", "seat-1", "seat-2"]


def test_every_ring_is_heard_once() -> None:
    bell = Bell()
    for wait in (bell.next_ring, bell.next_ring_for_seats):
        ring = wait()
        assert not ring.ready()
        bell.ring()
        assert ring.wait(10)
        assert not wait().ready()
