"""What a table says to the broker, and when."""

import time

import msgspec

from companion.access.people import People
from companion.club.payloads import KINDS, read
from companion.club.topics import placed
from companion.judge import views
from companion.judge.match import judge
from tests.club.broker import Follower
from tests.club.member import Member
from tests.waiting import until


def test_a_table_that_comes_says_so_and_what_it_is(member: Member, follower: Follower) -> None:
    table = member.joined()
    until(lambda: follower.of("public"))
    assert follower.of("status")[-1] == {"state": "ready", "birth": 1}
    assert follower.of("about")[-1]["name"] == "Window table"
    assert follower.of("public")[-1].items() >= {"match": None, "view": None}.items()
    for message in follower.said:
        spot = placed(message.topic)
        assert spot is not None
        assert (spot.club, spot.table) == ("wednesday", table)
        assert read(message.raw, KINDS[spot.what])
    assert [message.expires for message in follower.said if message.what == "public"][-1] == 3600


def begin_match(member: Member, slug: str = "stop-it") -> int:
    number = member.begin(slug)
    member.press(1)
    return number


def replayed(member: Member) -> dict[str, object]:
    """What `companion replay --view public` prints."""
    return msgspec.json.decode(msgspec.json.encode(views.view(judge(member.events), None)))


def test_the_public_view_is_what_replay_prints_of_it(member: Member, follower: Follower) -> None:
    member.joined()
    number = begin_match(member)
    until(lambda: follower.of("public")[-1:] and follower.of("public")[-1]["view"] == replayed(member))
    assert follower.of("public")[-1]["match"] == number
    raw = [message.raw for message in follower.said if message.what == "public"][-1]
    assert raw.endswith(b'"view":' + msgspec.json.encode(views.view(judge(member.events), None)) + b"}")


def test_many_changes_are_at_most_two_views_a_second_and_the_newest_in_the_end(
    member: Member, follower: Follower
) -> None:
    member.joined()
    until(lambda: follower.of("public"))
    heard = len(follower.of("public"))
    began = time.monotonic()
    for _ in range(10):
        begin_match(member)
    until(lambda: follower.of("public")[-1]["view"] == replayed(member))
    assert len(follower.of("public")) - heard <= 2 + 2 * (time.monotonic() - began)


def test_another_snapshot_of_the_same_view_says_nothing(member: Member, follower: Follower) -> None:
    member.joined()
    begin_match(member)
    until(lambda: follower.of("public")[-1:] and follower.of("public")[-1]["view"] == replayed(member))
    heard = len(follower.said)
    for _ in range(20):
        member.lay("seat-1", "040404FF")  # no card of this table's deck
        member.lift("seat-1", "040404FF")
    member.publisher.look()
    follower.say("table-companion/1/wednesday/x/marker", "{}")
    until(lambda: follower.said[-1].topic.endswith("marker"))
    assert len(follower.said) == heard + 1


def test_a_match_that_was_ended_is_a_result_and_a_correction_a_new_revision(member: Member, follower: Follower) -> None:
    table = member.joined()
    first = begin_match(member)
    member.begin()  # the next one ends it
    until(lambda: follower.of("result"))
    result = follower.of("result")[-1]
    assert result.items() >= {"match": first, "revision": 1, "over": False, "game": "stop-it", "demo": False}.items()
    assert result["players"] == [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Bo"}]
    member.people = People(corrected={first: {2: "Bob"}})
    member.publisher.look()
    until(lambda: len(follower.of("result")) == 2)
    assert follower.of("result")[-1] == {
        **result,
        "revision": 2,
        "players": [*result["players"][:1], {"seat": 2, "name": "Bob"}],
    }
    member.settled()
    follower.say(f"table-companion/1/wednesday/{table}/ask", '{"since": 0}')
    until(lambda: len(follower.of("result")) == 3)
    assert follower.of("result")[-1] == follower.of("result")[-2]
