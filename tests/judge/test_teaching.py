"""What has been met follows from the whole match, however often it is looked at meanwhile."""

import pytest

from companion.judge import teaching
from companion.kit.random_matches import begun, random_match, under_test


@pytest.mark.parametrize("slug", under_test())
def test_what_is_met_is_the_same_looked_at_after_each_act_or_once(slug: str) -> None:
    events = random_match(under_test()[slug], 7, undo=0.0, most=200)
    match = begun(events)
    met_so_far = teaching.nothing_met(match.game)
    for event in events[1:]:
        match.add(event)
        met_so_far = teaching.met_before_newest(match, met_so_far)
        assert teaching.met_with_newest(met_so_far, match) == teaching.met(match)
    assert met_so_far.verdicts > 0
