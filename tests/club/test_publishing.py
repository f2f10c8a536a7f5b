"""What a table says to the broker, and when."""

from companion.club.payloads import KINDS, read
from companion.club.topics import placed
from tests.club.broker import Follower
from tests.club.member import Member
from tests.waiting import until


def test_a_table_that_comes_says_so_and_what_it_is(member: Member, follower: Follower) -> None:
    table = member.joined()
    until(lambda: follower.of("public"))
    assert follower.of("status")[-1] == {"state": "ready", "birth": 1}
    assert follower.of("about")[-1]["name"] == "Window table"
    assert follower.of("public")[-1].items() >= {"match": None, "view": None}.items()
    for one in follower.said:
        spot = placed(one.topic)
        assert spot is not None
        assert (spot.club, spot.table) == ("wednesday", table)
        assert read(one.raw, KINDS[spot.what])
    assert [one.expires for one in follower.said if one.what == "public"][-1] == 3600
