"""Who may hold a connection, and which is cut where places run out."""

import socket

import pytest

from companion.web.connections import A_MINUTE, RESERVED, Connections
from tests.web.table import Clock

MOST = RESERVED + 4
ANAS, BOS, HERE = "192.168.4.10", "192.168.4.11", "127.0.0.1"


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


def test_refusals_are_told_once_a_minute_with_their_number(
    connections: Connections, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(52):
        answered(connections, ANAS)
    clock.now += A_MINUTE
    answered(connections, ANAS)
    assert [record.args and record.args[0] for record in caplog.records] == [1, 50]  # type: ignore[index]
