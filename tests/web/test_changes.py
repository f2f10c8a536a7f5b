"""What judging again changed, as everybody was told it."""

from concurrent.futures import ThreadPoolExecutor

from companion.events import Retracted, Said, Tapped
from companion.judge.changed_by_correction import Change
from companion.live.table import Live
from tests.web.table import acts, count, scored, to_count


def seq(live: Live, code: str) -> int:
    return live.ask(lambda match: next(verdict.seq for verdict in match.public if verdict.code == code))


def test_a_count_that_is_taken_back_takes_its_points_along(live: Live) -> None:
    scored(live)
    scores_before = live.snapshot.views[None]["scores"]
    live.enter(Retracted(0, 0.0, acts(live)))
    changed = {int(seat): (points, 0) for seat, points in scores_before.items() if points}
    assert changed
    change = live.snapshot.change
    assert change
    assert change.act
    assert change.act.code == "scored"
    assert change == Change(changed, 1, 0, act_of=5, act=change.act)


def test_it_is_told_until_the_judge_says_something_new_to_everybody(live: Live) -> None:
    scored(live)
    live.enter(Retracted(0, 0.0, acts(live)))
    live.enter(Tapped(0, 0.0, "seat-5", "red-4"))
    assert live.snapshot.change
    count(live, 5, 3)
    assert live.snapshot.change is None


def test_what_is_sealed_is_taken_back_in_silence(live: Live) -> None:
    to_count(live)
    live.enter(Tapped(0, 0.0, "seat-5", "red-4"))
    live.enter(Retracted(0, 0.0, acts(live)))
    assert live.snapshot.change is None


def test_a_changed_lay_is_taken_back_in_silence(live: Live) -> None:
    """Whether a card lay under another one is nobody's business."""
    live.begin("stop-me-go", live.ask(lambda match: match.started.players), {"colours": {"1": "red", "3": "yellow"}})
    for place, card in (("centre", "gangster-7"), ("seat-1", "red-go-1"), ("seat-1", "red-stop")):
        live.enter(Tapped(0, 0.0, place, card))  # type: ignore[arg-type]
    live.enter(Retracted(0, 0.0, 4))
    assert live.snapshot.change is None


def test_acts_that_become_misplays_are_counted(live: Live) -> None:
    scored(live)
    live.enter(Retracted(0, 0.0, seq(live, "stop-shown")))
    change = live.snapshot.change
    assert change
    assert change.misplays == 3


def test_what_else_happened_at_the_same_moment_is_no_part_of_it(live: Live) -> None:
    """Acts that come together are stored together; a sealed retraction among them must not show."""
    to_count(live)
    live.enter(Tapped(0, 0.0, "seat-5", "red-4"))
    last_act = acts(live)
    with ThreadPoolExecutor(2) as people:
        list(people.map(live.enter, (Retracted(0, 0.0, last_act), Said(0, 0.0, 3, "count", 2))))
    assert live.snapshot.change is None
