"""Whose turn it is where one waits for the other."""

import gevent
import pytest
from gevent import Greenlet

from companion.access.address_holder import holder_of
from companion.access.rights_file import Phones
from companion.live.table import Live
from companion.web import fair_queue
from companion.web.fair_queue import MANY, STRETCH, PageTurns, Turns, breathe, turn_under_way
from companion.web.http.phone import asker_of
from tests.web.table import ANAS, BOS, CLEOS, PEOPLE, app_of, client_of, phones_of


def asking(turns: Turns, order: list[str], *names: str) -> list[Greenlet]:
    """Have each ask, in this order; "a2" is the second page that phone "a" asks for."""

    def ask(name: str) -> None:
        with turns.of(name[0]):
            order.append(name)
            gevent.sleep(0)

    greenlets = [gevent.spawn(ask, name) for name in names]
    gevent.sleep(0)  # the first is served, and the others wait
    return greenlets


def test_each_phone_has_its_turn_however_often_another_asks() -> None:
    order: list[str] = []
    gevent.joinall(asking(Turns(), order, "a1", "a2", "a3", "a4", "b1", "b2", "c1"), raise_error=True)
    assert order == ["a1", "b1", "c1", "a2", "b2", "a3", "a4"]


@pytest.mark.parametrize("at_once", [True, False])
def test_who_waits_no_more_holds_nobody_up(at_once: bool) -> None:
    turns = Turns()
    order = list[str]()
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


HOSTILE = "192.168.4.66"
GUEST = "192.168.4.10"


class Page:
    """A page whose time passes by hand; remembers what it did."""

    def __init__(self) -> None:
        self.at = 100.0
        self.did: list[str] = []
        self.turns = PageTurns(lambda: self.at, self._sleep)

    def answer(self, address: str, takes: float = 0.02) -> None:
        with self.turns.of(address):
            self.did.append(address)
            gevent.sleep(0)
            self.at += takes

    def _sleep(self, seconds: float) -> None:
        self.did.append(f"rests {seconds:.3f}")
        self.at += seconds
        gevent.sleep(0)


def test_an_addresss_requests_come_one_after_the_other_and_others_between_them() -> None:
    page = Page()
    page.answer(GUEST)
    greenlets = [gevent.spawn(page.answer, HOSTILE) for _ in range(5)]
    gevent.sleep(0)
    greenlets.append(gevent.spawn(page.answer, GUEST))
    gevent.joinall(greenlets, raise_error=True)
    answered = [did for did in page.did[1:] if not did.startswith("rests")]
    assert answered.index(GUEST) <= 2


def test_an_address_rests_three_times_as_long_as_it_took_while_others_ask() -> None:
    page = Page()
    for _ in range(3):
        page.answer(GUEST)
    assert page.did == [GUEST] * 3  # nobody else asks
    page.answer(HOSTILE, 0.1)
    page.answer(HOSTILE)
    assert page.did[3:] == [HOSTILE, "rests 0.300", HOSTILE]


def test_a_phone_that_asks_now_and_then_never_rests() -> None:
    page = Page()
    for _ in range(5):
        page.answer(HOSTILE)
        page.answer(GUEST)
        page.at += 0.2
    assert page.did == [HOSTILE, GUEST] * 5


def test_what_waits_for_the_table_does_not_count() -> None:
    page = Page()
    page.answer(GUEST)
    with page.turns.of(HOSTILE) as turn:
        page.at += 0.01
        with turn.waiting(), turn.waiting():
            page.at += 30.0
        page.at += 0.01
    assert turn.spent == pytest.approx(0.02)


def test_others_come_first_once_a_page_was_worked_on_for_a_stretch() -> None:
    page = Page()

    def long() -> None:
        with page.turns.of(HOSTILE):
            for part in range(3):
                page.at += STRETCH
                page.did.append(f"part {part}")
                breathe()

    gevent.joinall([gevent.spawn(long), gevent.spawn(page.answer, GUEST)], raise_error=True)
    assert page.did[:3] == ["part 0", "rests 0.001", GUEST]


def test_what_others_do_between_two_stretches_does_not_count() -> None:
    page = Page()
    with page.turns.of(HOSTILE) as turn:
        page.at += STRETCH
        gevent.spawn(page.answer, GUEST, 1.0)
        breathe()
    assert turn.spent == pytest.approx(STRETCH)


def test_outside_of_a_turn_nobody_comes_first() -> None:
    breathe()
    assert turn_under_way() is None


def test_what_may_take_seconds_holds_up_no_other_request_of_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_queue, "HELD", 0.0)
    page = Page()
    with page.turns.of(HOSTILE) as turn, turn.waiting():
        gevent.spawn(page.answer, HOSTILE).join()
    assert HOSTILE in page.did


def test_addresses_that_ask_no_more_are_forgotten() -> None:
    page = Page()
    for number in range(3 * MANY):
        page.answer(f"192.168.{number}")
        page.at += 1.0
    assert len(page.turns._lines) <= MANY + 1


@pytest.mark.parametrize(
    ("address", "holder"),
    [
        ("192.168.4.1", "192.168.4.1"),
        ("::ffff:192.168.4.1", "192.168.4.1"),
        ("2001:db8:1:2::7", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::7", "2001:db8:1:2::/64"),
        ("fe80::7%wlan0", "fe80::7"),
        ("::1", "::1"),
        ("", ""),
    ],
)
def test_an_ipv6_address_is_its_network_because_each_holder_has_all_of_it(address: str, holder: str) -> None:
    assert holder_of(address) == holder


def holders(phones: Phones, *addresses: str, cookie: str = "") -> set[str]:
    asker = asker_of(phones)
    return {asker({"REMOTE_ADDR": address, "HTTP_COOKIE": cookie}) for address in addresses}


def test_a_phone_with_a_part_has_turns_of_its_own_wherever_it_asks_from(live: Live) -> None:
    phones = phones_of(live, {0: ANAS, 1: ANAS, 3: BOS})
    ana = holders(phones, GUEST, HOSTILE, cookie=f"language=en; phone={ANAS}")
    assert len(ana) == 1
    assert ana != holders(phones, GUEST, cookie=f"phone={BOS}")
    assert not ana & {GUEST, HOSTILE}


@pytest.mark.parametrize("cookie", ["", f"phone={CLEOS}", f"phone={ANAS}0", f"xphone={ANAS}", "phone=", "\xff;;="])
def test_every_other_phone_has_those_of_its_address(live: Live, cookie: str) -> None:
    phones = phones_of(live, {0: ANAS, 1: ANAS})
    assert holders(phones, GUEST, HOSTILE, cookie=cookie) == {GUEST, HOSTILE}


@pytest.mark.parametrize("path", ["/story", "/how/kartel", "/results/1", "/not-there"])
def test_others_are_answered_while_a_page_is_being_rendered(
    live: Live, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    live.begin("stop-it", PEOPLE, {})
    app = app_of(live)
    monkeypatch.setattr(fair_queue, "STRETCH", 0.0)
    answered: list[str] = []

    def ask(where: str, address: str) -> None:
        client_of(app, None).get(where, environ_overrides={"REMOTE_ADDR": address})
        answered.append(where)

    gevent.joinall([gevent.spawn(ask, path, HOSTILE), gevent.spawn(ask, "/api/1/public", GUEST)], raise_error=True)
    assert answered == ["/api/1/public", path]
