"""Whose turn it is where one waits for the other."""

import gevent
import pytest
from gevent import Greenlet

from companion.web.fair_queue import Turns


def asking(turns: Turns, order: list[str], *names: str) -> list[Greenlet]:
    """Have each ask, in this order; "a2" is the second page that phone "a" asks for."""

    def ask(name: str) -> None:
        with turns.of(name[0]):
            order.append(name)
            gevent.sleep(0)

    asked = [gevent.spawn(ask, name) for name in names]
    gevent.sleep(0)  # the first is served, and the others wait
    return asked


def test_each_phone_has_its_turn_however_often_another_asks() -> None:
    order: list[str] = []
    gevent.joinall(asking(Turns(), order, "a1", "a2", "a3", "a4", "b1", "b2", "c1"), raise_error=True)
    assert order == ["a1", "b1", "c1", "a2", "b2", "a3", "a4"]


@pytest.mark.parametrize("at_once", [True, False])
def test_who_waits_no_more_holds_nobody_up(at_once: bool) -> None:
    turns, order = Turns(), list[str]()
    with turns.of("a"):
        first, second = asking(turns, order, "b1", "c1")
        first.kill(block=at_once)  # or it is called before it hears that
    second.get()
    assert order == ["c1"]
    assert turns.now is None


def test_what_fails_ends_its_turn() -> None:
    turns = Turns()
    with pytest.raises(KeyError), turns.of("a"):
        raise KeyError
    assert turns.now is None
