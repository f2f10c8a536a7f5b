"""What the trial of cables goes by."""

import pytest

from tests.emulators.time import Time
from tests.trust.cables.truth import NOTHING, Card, Place, disagreements


@pytest.mark.parametrize(
    ("empty", "told", "late"), [((3.3,), 3.6, False), ((3.3,), 4.1, False), ((3.3, 3.8), 4.1, True)]
)
def test_a_card_may_be_told_one_poll_after_it_was_lifted_and_no_later(
    empty: tuple[float, ...], told: float, late: bool
) -> None:
    """However late others on the bus make that poll, and however long the bus itself."""
    time = Time()
    place = Place("seat-1", time.monotonic)
    for at, cards in ((1.0, {"red-1"}), (1.5, NOTHING)):
        time.now = at
        place.now_lies(frozenset(cards), lambda: None)
        for poll in (at, at + 0.4) if cards else empty:
            time.now = poll
            place.looked(frozenset(cards))
    said = [Card(told, "tapped", "seat-1", "red-1"), Card(told + 1, "lifted", "seat-1", "red-1")]
    assert [wrong.partition(":")[0] for wrong in disagreements(place, said, (), 0.7)] == ["never lay there"] * late


def test_what_goes_on_side_by_side_waits_for_nobody() -> None:
    time = Time()
    done = list[tuple[str, float]]()

    def nap(name: str, seconds: float) -> None:
        for _ in range(2):
            time.sleep(seconds)
            done.append((name, time.now))

    time.side_by_side([lambda: nap("a", 1.0), lambda: nap("b", 0.6)])
    assert [name for name, _ in done] == ["b", "a", "b", "a"]
    assert [at for _, at in done] == pytest.approx([1.6, 2.0, 2.2, 3.0])


def test_what_strikes_one_ends_all() -> None:
    time = Time()
    ended = list[str]()

    def waits() -> None:
        try:
            time.sleep(9.0)
        finally:
            ended.append("waits")

    def fails() -> None:
        time.sleep(1.0)
        raise KeyError

    with pytest.raises(KeyError):
        time.side_by_side([waits, fails])
    assert (ended, time.now) == (["waits"], 2.0)
