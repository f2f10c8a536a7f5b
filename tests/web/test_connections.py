"""Who may hold a connection, and which is cut where places run out."""

import socket

import pytest

from companion.web.connections import (
    A_MINUTE,
    A_PHONES,
    ANSWERED,
    MEMORY,
    RESERVED,
    SHARES_TOGETHER,
    Connections,
)
from tests.web.table import Clock

MOST = RESERVED + 4
ANAS = "192.168.4.10"
BOS = "192.168.4.11"
HERE = "127.0.0.1"


class Line(socket.socket):
    """A connection that leads nowhere; says whether it was cut."""

    cut = False

    def shutdown(self, how: int) -> None:
        self.cut = True


@pytest.fixture
def connections(clock: Clock) -> Connections:
    return Connections(MOST, 2, clock)


def come(connections: Connections, address: str) -> Line | None:
    with Line() as line:
        return line if connections.admits(line, address) else None


def answered(connections: Connections, address: str) -> Line | None:
    line = come(connections, address)
    if line:
        connections.is_answered(line)
    return line


def test_an_address_holds_no_more_than_its_share(connections: Connections) -> None:
    assert [bool(answered(connections, ANAS)) for _ in range(3)] == [True, True, False]
    assert answered(connections, BOS)


def test_whoever_has_its_share_gives_up_what_it_says_nothing_over(connections: Connections) -> None:
    elsewhere, first, second, third = (come(connections, address) for address in (BOS, ANAS, ANAS, ANAS))
    assert [line and line.cut for line in (elsewhere, first, second, third)] == [False, True, False, False]


def test_a_share_is_given_back_with_each_connection_that_ends(connections: Connections) -> None:
    for _ in range(9):
        line = answered(connections, ANAS)
        assert line
        connections.left(line)


def test_where_no_place_is_left_the_longest_silent_is_cut(connections: Connections) -> None:
    lines = [come(connections, f"192.168.4.{number}") for number in range(4)]
    assert lines[0]
    connections.waits(lines[0])  # it was answered only now
    assert come(connections, BOS)
    assert [line and line.cut for line in lines] == [False, True, False, False]


def test_what_is_being_answered_is_cut_for_nobody(connections: Connections) -> None:
    lines = [answered(connections, f"192.168.4.{number}") for number in range(4)]
    assert come(connections, BOS) is None
    assert not any(line and line.cut for line in lines)


def test_this_machine_itself_has_places_of_its_own_and_no_share(connections: Connections) -> None:
    for number in range(4):
        answered(connections, f"192.168.4.{number}")
    assert come(connections, BOS) is None
    assert all(answered(connections, address) for address in [HERE, "::1", "::ffff:127.0.0.1", "127.0.0.2"] * 4)


def test_where_no_place_is_left_the_address_that_holds_most_gives_one_up(connections: Connections) -> None:
    guest = come(connections, BOS)
    first = come(connections, ANAS)
    second = come(connections, ANAS)
    answered(connections, "192.168.4.13")
    assert come(connections, "192.168.4.12")
    assert [line and line.cut for line in (guest, first, second)] == [False, True, False]


def test_what_is_being_answered_is_cut_of_an_address_that_holds_many_but_no_stream(clock: Clock) -> None:
    connections = Connections(RESERVED + A_PHONES + 2, 100, clock)
    stream, *unread = (answered(connections, ANAS) for _ in range(A_PHONES + 2))
    assert stream
    connections.streams(stream, stream)
    assert answered(connections, BOS)
    assert [line and line.cut for line in (stream, *unread)] == [False, True, *[False] * A_PHONES]


def in_one_network(number: int) -> str:
    return f"2001:db8:1:2::{number}"


def test_each_ipv6_address_has_a_share_of_its_own(connections: Connections) -> None:
    held = [answered(connections, in_one_network(number)) for number in (1, 1, 1, 2, 2)]
    assert [bool(line) for line in held] == [True, True, False, True, True]


def test_all_addresses_of_one_ipv6_network_together_have_a_few_shares(clock: Clock) -> None:
    connections = Connections(RESERVED + 100, 2, clock)
    held = [answered(connections, in_one_network(number)) for number in range(2 * SHARES_TOGETHER + 1)]
    assert [bool(line) for line in held] == [*[True] * 2 * SHARES_TOGETHER, False]
    assert answered(connections, "2001:db8:1:3::1")


def test_the_address_that_holds_most_of_its_network_gives_one_up_for_another_of_it(clock: Clock) -> None:
    connections = Connections(RESERVED + 100, 4, clock)
    guest = come(connections, in_one_network(99))
    first, *later_lines = (come(connections, in_one_network(number % SHARES_TOGETHER)) for number in range(15))
    assert come(connections, in_one_network(50))
    assert [line and line.cut for line in (guest, first, *later_lines)] == [False, True, *[False] * len(later_lines)]


def test_a_proxys_connection_counts_for_whoever_asks_by_it_until_it_waits(clock: Clock) -> None:
    connections = Connections(MOST, 2, clock, is_proxy=lambda address: address == HERE)
    lines = [come(connections, HERE) for _ in range(4)]
    assert [bool(line and connections.asks_for(line, ANAS)) for line in lines] == [True, True, False, False]
    assert lines[0]
    assert lines[3]
    assert connections.asks_for(lines[3], BOS)
    connections.waits(lines[0])
    assert connections.asks_for(lines[0], ANAS)


def test_a_stream_by_a_proxy_counts_for_whoever_listens_until_it_ends(clock: Clock) -> None:
    connections = Connections(MOST, 1, clock, is_proxy=lambda address: address == HERE)
    stream = come(connections, HERE)
    other = come(connections, HERE)
    assert stream
    assert other
    assert connections.asks_for(stream, ANAS)
    connections.streams(stream, stream)
    assert not connections.asks_for(other, ANAS)
    connections.left(stream)
    assert connections.asks_for(other, ANAS)


def test_a_proxy_has_no_share(clock: Clock) -> None:
    connections = Connections(MOST, 2, clock, is_proxy=lambda address: address == ANAS)
    assert all(answered(connections, ANAS) for _ in range(4))


def test_all_connections_together_stay_within_the_memory_that_the_service_has(clock: Clock) -> None:
    connections = Connections(8000, 100, clock)
    admitted = [number for number in range(8000) if answered(connections, f"10.0.{number // 90}.1")]
    assert len(connections._open) * ANSWERED <= MEMORY
    assert 60_000 + MEMORY < 256_000
    assert answered(connections, BOS)
    assert len(admitted) > 2000  # whoever holds most gave them up


def test_refusals_are_told_once_a_minute_with_their_number(
    connections: Connections, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(52):
        answered(connections, ANAS)
    clock.now += A_MINUTE
    answered(connections, ANAS)
    assert [record.args and record.args[0] for record in caplog.records] == [1, 50]  # type: ignore[index]
