"""Whom an act concerns: whose it is, and what else would fall with it."""

from typing import Any

import pytest
from msgspec.structs import replace

from companion.events import Event, Player, Pressed, Said, Started, Tapped
from companion.judge.attribution import did, disturbs, doers
from companion.judge.match import Match, judge
from tests.games.stop_me_go.table import won

ALL = {1, 3, 5}
PEOPLE = (Player(1, "Ana"), Player(3, "Bo"), Player(5, "Cléo"))


def played(game: str, *events: Event, **options: object) -> Match:
    later_events = [replace(event, seq=seq, at=float(10 * seq)) for seq, event in enumerate(events, 2)]
    return judge([Started(1, 0.0, game, PEOPLE, options), *later_events])


def press(seat: int) -> Pressed:
    return Pressed(0, 0.0, seat)


def tap(place: str, card: str) -> Tapped:
    return Tapped(0, 0.0, place, card)  # type: ignore[arg-type]


def word_of(seat: int | str, word: str, value: object) -> Said:
    return Said(0, 0.0, seat, word, value)  # type: ignore[arg-type]


COUNTING = (press(1), press(3), tap("seat-3", "red-stop-1"))


@pytest.mark.parametrize(
    ("event", "doers_expected"),
    [
        (press(3), {3}),
        (tap("seat-5", "red-1"), {5}),
        (word_of(1, "count", 2), {1}),
        (word_of("host", "flip", None), {"host"}),
    ],
)
def test_what_names_a_seat_is_that_seats(event: Event, doers_expected: set[object]) -> None:
    assert doers(played("stop-it"), event) == doers_expected


@pytest.mark.parametrize(
    ("game", "earlier", "tapped", "doers_expected"),
    [
        ("stop-it", (press(1), press(3)), tap("centre", "red-stop-1"), {3}),
        ("stop-it", COUNTING, tap("centre", "red-1"), set()),
        ("stop-me-go", (), tap("centre", "gangster-7"), ALL),
        ("stop-me-go", (tap("seat-3", "red-go-1"),), tap("centre", "red-stop"), {3}),
        ("stop-me-go", (), tap("centre", "blue-stop"), set()),
        ("kartel", (), tap("centre", "red-1"), {1}),
        ("kartel", (tap("centre", "red-1"),), tap("prison", "red-boss"), {3}),
        ("go", (press(1),), tap("row", "grey-1"), ALL),
        ("go", (press(1), tap("row", "grey-1"), press(5)), tap("centre", "red-1"), {5}),
        ("go", (press(1), tap("row", "grey-1")), tap("centre", "red-1"), set()),
    ],
)
def test_at_a_shared_pad_the_game_says_whose_it_is(
    game: str, earlier: tuple[Event, ...], tapped: Tapped, doers_expected: set[int]
) -> None:
    assert doers(played(game, *earlier), tapped) == doers_expected


def test_a_token_is_the_winners() -> None:
    assert doers(won(2).match, tap("centre", "token-2-1")) == {2}


def test_a_discard_is_the_active_players() -> None:
    opening = (tap("discard", "red-1"), tap("row", "grey-1"))
    turn_begun = played("go", *opening, tracking="turns")
    assert doers(played("go", tracking="turns"), tap("discard", "red-1")) == ALL
    assert doers(turn_begun, tap("seat-1", "red-1")) == {1}
    assert doers(played("go", *opening, tap("seat-1", "red-1"), tracking="turns"), tap("discard", "blue-2")) == {1}


def test_whose_an_act_was_is_asked_of_the_time_when_it_came() -> None:
    match = played("kartel", tap("centre", "red-1"), tap("centre", "red-2a"))
    assert did(match, [2, 3]) == {2: {1}, 3: {3}}


def test_the_latest_act_disturbs_nobody() -> None:
    assert not disturbs(played("stop-it", *COUNTING, word_of(1, "count", 4)), [5])


def test_ones_count_does_not_disturb_the_others_counts() -> None:
    assert not disturbs(played("stop-it", *COUNTING, word_of(1, "count", 4), word_of(5, "count", 1)), [5])


def test_an_act_on_which_others_rest_disturbs_them() -> None:
    assert disturbs(played("stop-it", *COUNTING, word_of(1, "count", 4)), [3])
    assert disturbs(played("kartel", tap("centre", "red-1"), tap("centre", "red-2a")), [2])


def test_a_scored_count_disturbs_the_score() -> None:
    scored = played("stop-it", *COUNTING, word_of(1, "count", 4), word_of(3, "count", 2), word_of(5, "count", 1))
    assert disturbs(scored, [5])


def test_what_is_sealed_plays_no_part() -> None:
    """Another's tap of the same card is refused in secret; taking the first one back would let it count."""
    taps = (tap("seat-1", "red-4"), tap("seat-3", "red-4"))
    assert not disturbs(played("stop-it", *COUNTING, *taps), [5])


@pytest.mark.parametrize("changed", [(), (tap("seat-1", "red-stop"),)])
def test_that_a_laid_card_was_changed_in_secret_plays_no_part(changed: tuple[Event, ...]) -> None:
    lays = (tap("seat-1", "red-go-1"), *changed, tap("seat-3", "blue-go-1"), tap("seat-5", "green-go-1"))
    assert disturbs(played("stop-me-go", tap("centre", "gangster-7"), *lays), [3])


def test_to_begin_again_leaves_the_counts_before_as_they_are() -> None:
    first = (*COUNTING, tap("seat-1", "red-4"), word_of(1, "count", 1), word_of(3, "count", 0), word_of(5, "count", 1))
    second = (press(3), press(1), tap("seat-1", "blue-stop-1"), tap("seat-1", "blue-7"))
    assert played("stop-it", *first, *second).taps_of(1) == [12]


@pytest.mark.parametrize(("game", "hook"), [("stop-it", "whose"), ("kartel", "now")])
def test_where_a_games_code_raises_an_act_at_a_shared_pad_is_nobodys(game: str, hook: str) -> None:
    def raises(*about: Any) -> Any:
        raise ZeroDivisionError

    match = played(game)
    moves = match.game.moves
    whose_act = raises if hook == "whose" else None
    match.game = replace(match.game, moves=replace(moves, taps=replace(moves.taps, whose=whose_act)), now=raises)
    assert doers(match, tap("centre", next(iter(match.game.deck)))) == set()
    assert len(match.faults) == 1
