"""What was misread is put right at its own place in time."""

import pytest
from msgspec.structs import replace

from companion.events import Event, Lifted, Pressed, Retracted, Said, Started, Tapped
from companion.judge import corrections
from companion.judge.match import Match, judge
from companion.judge.record_file import decode, encode_line
from tests.web.table import PEOPLE


def played(game: str, *events: tuple[float, Event], **options: object) -> Match:
    later_events = [replace(event, seq=seq, at=at) for seq, (at, event) in enumerate(events, 2)]
    return judge([Started(1, 0.0, game, PEOPLE, options), *later_events])


def press(seat: int) -> Pressed:
    return Pressed(0, 0.0, seat)


def tap(place: str, card: str) -> Tapped:
    return Tapped(0, 0.0, place, card)  # type: ignore[arg-type]


def count(seat: int, cards: int) -> Said:
    return Said(0, 0.0, seat, "count", cards)


def entry(match: Match, code: str) -> int:
    return [verdict.code for verdict in match.public].index(code)


def put_right(match: Match, code: str, wrong: str, right: str) -> Match:
    """Put it right, and see that what is then recorded is a record."""
    events = corrections.correction(match, corrections.cards(match, entry(match, code))[wrong], right, 99.0)
    numbered = [replace(event, seq=seq) for seq, event in enumerate(events, len(match.events) + 1)]
    record = b"".join(encode_line(event) + b"\n" for event in (*match.events, *numbered))
    return judge(decode(record))


def call(card: str, *then: tuple[float, Event]) -> Match:
    """Start, shout at 20 s, show a stop card at 22 s, and whatever comes then."""
    return played("stop-it", (10, press(1)), (20, press(1)), (20.004, press(3)), (22, tap("centre", card)), *then)


SCORED = ((30.0, count(1, 4)), (31.0, count(3, 2)), (32.0, count(5, 1)))


def test_a_stop_card_that_was_misread_is_judged_as_if_it_had_been_read_well() -> None:
    """Red was read, violet was shown. Bo tapped their two violet cards one by one: as red ones they were none."""
    taps = ((30.0, tap("seat-3", "violet-4")), (31.0, tap("seat-3", "violet-9")), (32.0, press(3)))
    later_acts = (*taps, (33.0, count(1, 4)), (34.0, count(5, 1)), (40.0, press(1)))
    wrong = call("red-stop-1", *later_acts)
    well = call("violet-stop-1", *later_acts)
    assert wrong.state.history[0].counts == {1: 4, 3: 0, 5: 1}
    right = put_right(wrong, "stop-shown-first", "red-stop-1", "violet-stop-1")
    assert right.state.history[0].counts == {1: 4, 3: 2, 5: 1}
    assert right.outcome == well.outcome
    assert [(match.code, match.facts) for match in right.told] == [(match.code, match.facts) for match in well.told]


def test_the_times_of_what_came_after_stay() -> None:
    """Within a second after the stop card a press is an echo; it is still one when everything is entered again."""
    echo = (22.5, press(3))
    right = put_right(call("red-stop-1", echo, *SCORED), "stop-shown-first", "red-stop-1", "violet-stop-1")
    assert right.state.history[0].counts == {1: 4, 3: 2, 5: 1}
    assert right.events[max(right.told_with) - 1].at == 32.0


def test_the_latest_reading_is_only_replaced() -> None:
    match = call("red-stop-1")
    events = corrections.correction(match, 5, "blue-stop-1", 99.0)
    assert events == (
        Retracted(0, 99.0, 5, by="phone"),
        Tapped(0, 22.0, "centre", "blue-stop-1", by="phone"),
    )


def test_a_card_that_was_lifted_stays_lifted() -> None:
    match = call("red-stop-1", (23, Lifted(0, 0.0, "centre", "red-stop-1")))
    assert len(corrections.correction(match, 5, "blue-stop-1", 99.0)) == 2


def test_a_second_reading_of_the_wrong_card_goes_with_it() -> None:
    match = call("red-stop-1", (23, tap("seat-1", "red-stop-1")), *SCORED)
    right = put_right(match, "stop-shown-first", "red-stop-1", "violet-stop-1")
    assert right.misplays == []
    assert right.state.history[0].card == "violet-stop-1"


def test_a_misread_card_that_meant_nothing_can_be_put_right_too() -> None:
    match = call("red-7")
    right = put_right(match, "not-a-stop", "red-7", "red-stop-2")
    assert right.misplays == []
    assert right.state.stop == "red-stop-2"


def test_putting_right_can_make_a_later_act_a_misplay() -> None:
    """Under a special stop all colours count: more than seventeen of violet there can not be."""
    match = call("special-stop-1", (30.0, count(1, 40)), (31.0, count(3, 2)))
    right = put_right(match, "stop-shown-first", "special-stop-1", "violet-stop-1")
    assert [misplay.code for misplay in right.misplays] != []
    assert set(right.state.counts) == {3}


COLOURS = {"colours": {"1": "red", "3": "yellow", "5": "blue"}}


def test_what_lies_face_down_is_not_offered() -> None:
    match = played("stop-me-go", (1, tap("centre", "gangster-7")), (2, tap("seat-1", "red-go-1")), **COLOURS)
    offered = {card for at in range(len(match.public)) for card in corrections.cards(match, at)}
    assert offered == {"gangster-7"}
    assert corrections.offered(match) == {entry(match, "round-begins")}


def test_what_was_told_before_a_card_was_drawn_is_not_offered() -> None:
    """A take of that very card would be one from the discard pile: whoever puts right could try what was drawn."""
    opened = (1, tap("discard", "red-9"))
    told_before, told_after = (
        played("go", *acts, tracking="turns") for acts in ([opened], [opened, (2, tap("seat-1", "red-3"))])
    )
    assert (corrections.offered(told_before), corrections.cards(told_before, 0)) == ({0}, {"red-9": 2})
    assert (corrections.offered(told_after), corrections.cards(told_after, 0)) == (set(), {})


def test_sealed_counts_are_not_offered() -> None:
    match = call("red-stop-1", (30, tap("seat-3", "red-4")), (31, press(3)))
    assert corrections.offered(match) == {entry(match, "stop-shown-first")}
    assert corrections.cards(match, entry(match, "counted")) == {}


def test_a_gangster_that_was_misread_leaves_the_laid_cards_where_they_lie() -> None:
    laid = ((2, tap("seat-1", "red-go-1")), (3, tap("seat-3", "yellow-stop")))
    match = played("stop-me-go", (1, tap("centre", "gangster-7")), *laid, **COLOURS)
    right = put_right(match, "round-begins", "gangster-7", "gangster-9")
    well = played("stop-me-go", (1, tap("centre", "gangster-9")), *laid, **COLOURS)
    assert views_of_all(right) == views_of_all(well)


def views_of_all(match: Match) -> object:
    from companion.judge import views

    return [views.view(match, observer) for observer in (None, *match.seats)]


CALLER = ["pink-1", *(f"violet-{n}" for n in range(1, 12))]
BO = ["red-5", *(f"blue-{n}" for n in range(1, 12))]
CLEO = ["red-1", *(f"green-{n}" for n in range(1, 12))]


def hands(*more: tuple[int, list[str]]) -> Match:
    read = [(float(20 + at), tap(f"seat-{seat}", card)) for seat, hand in more for at, card in enumerate(hand)]
    return played("go", (10, press(1)), (11, tap("row", "grey-1")), *read, caller_series="auto")


def test_a_sealed_hand_is_not_offered_and_an_open_one_is() -> None:
    """The caller's hand is open as soon as it is complete; the others' when the round is scored."""
    first = hands((3, BO), (1, CALLER))
    offered = {card for at in range(len(first.public)) for card in corrections.cards(first, at)}
    assert offered == {"grey-1", *CALLER}
    scored = hands((3, BO), (1, CALLER), (5, CLEO))
    last = corrections.cards(scored, len(scored.public) - 1)
    assert set(last) == {*BO, *CLEO}
    assert not corrections.cards(scored, entry(scored, "hand-complete"))


def test_a_hand_in_which_one_card_was_misread_is_divided_anew() -> None:
    scored = hands((3, BO), (1, CALLER), (5, CLEO))
    well = hands((3, ["red-6", *BO[1:]]), (1, CALLER), (5, CLEO))
    events = corrections.correction(scored, corrections.cards(scored, len(scored.public) - 1)["red-5"], "red-6", 99.0)
    numbered = [replace(event, seq=seq) for seq, event in enumerate(events, len(scored.events) + 1)]
    assert views_of_all(judge([*scored.events, *numbered])) == views_of_all(well)


def test_anothers_secret_try_with_a_card_of_an_open_hand_is_not_taken_for_its_reading() -> None:
    """Cléo tapped Bo's red 5 too: that is a misplay which only she knows of."""
    match = hands((1, CALLER), (3, BO), (5, ["red-5", *CLEO]))
    opened = corrections.cards(match, len(match.public) - 1)
    assert match.events[opened["red-5"] - 1].place == "seat-3"  # type: ignore[union-attr]


@pytest.mark.parametrize("number", [-1, 99])
def test_an_entry_that_is_not_there_has_no_card(number: int) -> None:
    assert corrections.cards(call("red-stop-1"), number) == {}


def test_what_is_read_after_another_act_is_no_second_reading_of_the_misread_card() -> None:
    """Ana's discard was read as grey-9, and then Bo discards the real grey-9."""
    match = played(
        "go",
        *((1.0, tap("discard", "red-1")), (2.0, tap("row", "red-2"))),
        *((3.0, tap("seat-1", "blue-1")), (4.0, tap("discard", "grey-9"))),
        *((5.0, tap("seat-3", "red-2")), (6.0, tap("discard", "grey-9"))),
        tracking="turns",
    )
    match = put_right(match, "discarded", "grey-9", "blue-5")
    assert match.state.turn.discards == ("red-1", "blue-5", "grey-9")
    assert match.state.turn.active == 5
