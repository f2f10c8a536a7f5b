"""A match that is over, judged under other options."""

import random
from itertools import count

import pytest

from companion import games
from companion.events import Event, Player, Pressed, Said, Started, Tapped
from companion.history.under_other_rules import Otherwise, each, otherwise
from companion.judge.match import Match, judge
from companion.kit.random_matches import play


def played_out(slug: str, seed: int = 0) -> Match:
    match = judge(play(games.known()[slug], random.Random(seed), {}, most=3000, noise=0.02, undo=0.01))
    assert match.over
    return match


def outcomes_of(match: Match) -> dict[str, Otherwise]:
    return {"{}={}".format(*next(iter(outcome.changed.items()))): outcome for outcome in each(match)}


@pytest.mark.parametrize("slug", games.known())
def test_by_the_options_it_was_played_by_it_ends_as_it_did(slug: str) -> None:
    match = played_out(slug)
    same = otherwise(match, {})
    assert (same.over, same.scores, same.winners) == (True, match.outcome.scores, match.outcome.winners)
    assert (same.broken, same.unused) == (0, 0)


def test_with_more_points_to_win_a_match_goes_on_and_nobody_has_won() -> None:
    outcomes = outcomes_of(played_out("go"))
    assert (outcomes["target=5"].over, outcomes["target=5"].winners) == (False, ())
    assert outcomes["target=2"].over
    assert outcomes["target=2"].unused > 0


def test_what_breaks_the_other_rules_is_counted() -> None:
    outcomes = outcomes_of(played_out("kartel"))
    assert outcomes["money=False"].broken > 0
    assert outcomes["free_gang=zero"].broken == 0


def test_a_game_whose_other_rules_would_tell_what_is_sealed_has_none() -> None:
    assert outcomes_of(played_out("stop-me-go")) == {}


def test_what_was_told_after_the_end_is_never_looked_at() -> None:
    """It was answered like any other, and nobody knows what it was: another option must not tell it."""

    def ended(then: int) -> list[Event]:
        seqs = count(2)
        people = (Player(1, "Ana"), Player(2, "Bo"))
        events: list[Event] = [Started(1, 0.0, "stop-it", people, {"empty": "end-now"})]
        events += [Pressed(next(seqs), 1.0, 1), Pressed(next(seqs), 9.0, 2)]
        events += [Tapped(next(seqs), 10.0, "seat-2", "red-stop-1")]
        events += [Said(next(seqs), 11.0, seat, "count", seat) for seat in (1, 2)]
        events += [Pressed(next(seqs), 20.0, 2), Said(next(seqs), 30.0, "host", "piles-empty")]
        events += [Pressed(next(seqs), 31.0, 2), Tapped(next(seqs), 32.0, "seat-2", "blue-stop-1")]
        return [*events, *(Said(next(seqs), 33.0, seat, "count", then * (seat - 1)) for seat in (1, 2))]

    match = judge(ended(1))
    other = judge(ended(9))
    assert match.over
    assert [*each(match)] == [*each(other)]


def test_what_was_refused_is_never_looked_at() -> None:
    """In a wider window Bo could have shown a stop, and counts that nobody knows would be told."""

    def refused(number: int) -> list[Event]:
        seqs = count(2)
        events: list[Event] = [Started(1, 0.0, "stop-it", (Player(1, "Ana"), Player(2, "Bo")), {"empty": "end-now"})]
        events += [Pressed(next(seqs), 1.0, 1), Pressed(next(seqs), 9.0, 1), Pressed(next(seqs), 9.002, 2)]
        events += [Tapped(next(seqs), 10.0, "seat-2", "red-stop-1"), Said(next(seqs), 11.0, 2, "count", number)]
        events += [Tapped(next(seqs), 12.0, "seat-1", "blue-stop-1")]
        events += [Said(next(seqs), 13.0, seat, "count", seat) for seat in (1, 2)]
        return [*events, Pressed(next(seqs), 20.0, 1), Said(next(seqs), 30.0, "host", "piles-empty")]

    match = judge(refused(0))
    other = judge(refused(9))
    assert match.over
    assert [*each(match)] == [*each(other)]
