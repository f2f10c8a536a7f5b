"""Laws that hold for every game with a `secrets.py`: those of this tree, or of packages.

A package's tests import all of them: `from companion.kit.laws import *`.
"""

import json
import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion import games
from companion.events import (
    SEATS,
    Lifted,
    Place,
    Player,
    Pressed,
    Retracted,
    Started,
    Tapped,
    seat_at,
)
from companion.game import AnyGame, Misplay, Ruling
from companion.game.shared_rules import WINS
from companion.history.charts import charts
from companion.judge import press_meanings, record_file
from companion.judge.match import Match, judge
from companion.kit import golden, phase_diagram
from companion.kit.feat_laws import *  # noqa: F403
from companion.kit.games_to_test import every_game, observers, seeds, seen, waits
from companion.kit.hint_laws import *  # noqa: F403
from companion.kit.misplay_laws import *  # noqa: F403
from companion.kit.random_matches import begun, beside, random_match, renumbered, secrets, under_test
from companion.kit.sealing_laws import *  # noqa: F403
from companion.kit.wording import *  # noqa: F403
from companion.kit.wording import see_that_it_is_said
from companion.languages import LANGUAGES
from companion.words import Words


def test_there_is_a_game_to_try() -> None:
    """In a package: it is installed, and its entry point names the game beside which `secrets.py` lies."""
    assert under_test(), f"no game with a secrets.py is installed; left out: {[*map(str, games.left_out())]}"


def judgement(match: Match) -> dict[str, Any]:
    """Return the outcome of a match, in the form of an example's `.expected.json`."""
    outcome = match.outcome
    return {
        "over": match.over,
        "scores": {str(seat): points for seat, points in outcome.scores.items()},
        "winners": sorted(outcome.winners),
        "misplays": [(misplay.seq, misplay.code) for misplay in match.misplays],
    }


def everything(match: Match) -> tuple[Any, ...]:
    """Return the whole state of a match, to be compared."""
    told_of_it = match.verdicts, match.told, match.told_with, match.public, match.opened
    taps = [match.taps_of(seat) for seat in match.seats]
    return match.state, match.unit, *told_of_it, taps, match.standing(), seen(match), judgement(match)


@every_game
@given(seed=seeds)
def test_replay_equals_live(game: AnyGame, seed: int) -> None:
    """Also with acts taken back, whether judged on from where the match stood or from its beginning."""
    events = random_match(game, seed, undo=0.1)
    live = Match(events[0])
    for event in events[1:]:
        live.add(event)
        if isinstance(event, Retracted):
            whole = judge(live.events)
            is_alike = (live.state, live.told, live.opened) == (whole.state, whole.told, whole.opened)
            assert is_alike, f"taken back, it is a different match {waits(live)}: {PURE}"
    judged_again = judge(record_file.decode(record_file.encode(events)))
    assert everything(judged_again) == everything(live), f"judged again, it is a different match {waits(live)}: {PURE}"


PURE = "let the rules look at nothing but the state and the event"


@every_game
@given(seed=seeds)
def test_looking_back_is_judging_what_there_was(game: AnyGame, seed: int) -> None:
    events = random_match(game, seed, undo=0.2, most=60)
    match = judge(events)
    seq = random.Random(seed).randrange(1, len(events))
    looked_back = everything(match.as_of(seq)) == everything(judge(events[:seq]))
    assert looked_back, f"looked back to event {seq}, it is a different match {waits(match)}: {PURE}"
    gone_on_with = match.before(seq + 1)
    gone_on_with.add_all(match.standing(seq + 1))
    gone_on = (gone_on_with.state, gone_on_with.told, gone_on_with.opened) == (match.state, match.told, match.opened)
    assert gone_on, f"gone on with from event {seq}, it is a different match {waits(match)}: {PURE}"


@every_game
@given(seed=seeds, data=st.data())
def test_a_retracted_event_never_happened(game: AnyGame, seed: int, data: st.DataObject) -> None:
    events = random_match(game, seed, undo=0.0, most=60)
    target = data.draw(st.integers(2, max(2, len(events))))
    if target > len(events):
        return
    at = events[-1].at
    retracted = judge([*events, Retracted(len(events) + 1, at, target)])
    without = judge(renumbered([event for event in events if event.seq != target]))
    message = (
        f"event {target} was taken back, and shows {waits(without)}: make the state of acts alone, not of their `seq`"
    )
    assert seen(retracted) == seen(without), message
    assert [m.code for m in retracted.misplays] == [m.code for m in without.misplays], message
    restored = judge([*retracted.events, Retracted(len(events) + 2, at, len(events) + 1)])
    assert seen(restored) == seen(judge(events)), f"event {target} is back, and is different {waits(without)}: {PURE}"


@every_game
@given(seed=seeds)
def test_a_word_heard_in_a_press_counts_and_the_press_itself_would_not(game: AnyGame, seed: int) -> None:
    match = Match(random_match(game, seed, most=1)[0])
    for event in random_match(game, seed, noise=0.0, undo=0.0, most=60)[1:]:
        match.add(event)
        for seat in match.seats:
            press = Pressed(len(match.events) + 1, match.events[-1].at + 2.0, seat)
            word = press_meanings.word_in(match, press)
            if word is None:
                continue
            heard = f"{word.what!r} is heard in a press {waits(match)}"
            rulings = [
                verdict.code for verdict in game.moves.judge(match.state, press)[1] if isinstance(verdict, Ruling)
            ]
            assert not rulings, f"{heard}, which itself brings about {rulings}: a press can't be both"
            misplays = [
                verdict.code for verdict in game.moves.judge(match.state, word)[1] if isinstance(verdict, Misplay)
            ]
            assert not misplays, f"{heard}, and is the misplay {misplays}: hear it only where it counts"


@every_game
@given(seed=seeds)
def test_no_state_is_changed_in_place(game: AnyGame, seed: int) -> None:
    match = Match(random_match(game, seed, most=1)[0])
    state = match.state
    as_it_was = repr(match.state)
    for event in random_match(game, seed, undo=0.0, most=60)[1:]:
        match.add(event)
        assert repr(state) == as_it_was, f"a state is changed in place {waits(match)}: make a new one with `replace`"
        state = match.state
        as_it_was = repr(match.state)


@every_game
@given(seed=seeds)
def test_a_unit_never_comes_back(game: AnyGame, seed: int) -> None:
    match = Match(random_match(game, seed, most=1)[0])
    units = [game.unit(match.state)]
    for event in random_match(game, seed, undo=0.0)[1:]:
        match.add(event)
        unit = game.unit(match.state)
        if unit != units[-1]:
            assert unit not in units, f"`unit` is {unit!r} once more {waits(match)}: count something that only grows"
            units.append(unit)


@every_game
@given(seed=seeds, often=st.floats(0.1, 1))
def test_a_card_read_twice_where_it_lies_is_one_act(game: AnyGame, seed: int, often: float) -> None:
    """Whatever it did, the misplay included; lifted in between or not."""
    once = random_match(game, seed, undo=0.0)
    chance = random.Random(seed)
    readings: list[list[Any]] = []
    for event in once:
        readings_after: list[Any] = []
        if isinstance(event, Tapped) and chance.random() < often:
            lifted = [Lifted(0, event.at, event.place, event.card)] if chance.random() < 0.5 else []
            readings_after = [*lifted, event]
        readings.append([event, *readings_after])
    first = judge(once)
    second = judge(renumbered([event for readings_of_event in readings for event in readings_of_event]))
    alike = seen(second) == seen(first) and [m.code for m in second.misplays] == [m.code for m in first.misplays]
    if not alike:
        raise AssertionError(_read_twice(readings))


def _read_twice(readings: list[list[Any]]) -> str:
    """Describe the first card that, read twice, was two acts."""
    first = begun(readings[0])
    second = begun(readings[0])
    for event, *readings_after in readings[1:]:
        where = waits(first)
        first.add(event)
        for reading in (event, *readings_after):
            second.add(replace(reading, seq=len(second.events) + 1))
        if seen(first) != seen(second):
            return f"{event}, read twice, is two acts {where}: give `unit` another value only with what is new"
    return "a misplay that is read twice is told twice: give `unit` another value only with what is new"


@every_game
@given(seed=seeds)
def test_every_chart_is_whole_and_has_words(game: AnyGame, seed: int) -> None:
    match = judge(random_match(game, seed, noise=0.05, most=400))
    drawn = charts(match)
    codes = [chart.code for chart in drawn]
    assert len(set(codes)) == len(codes), (
        f"of the charts {codes} two have one code {waits(match)}: the table draws 'points' itself, name yours otherwise"
    )
    for chart in drawn:
        assert chart.rows.keys() == set(match.seats), (
            f"the chart {chart.code!r} lacks a seat {waits(match)}: give each player a row"
        )
        assert {len(row) for row in chart.rows.values()} == {len(chart.columns)}, (
            f"a row of the chart {chart.code!r} is too short or too long {waits(match)}: give each a value, or None"
        )
        for language in LANGUAGES:
            words = Words(game.slug, language, match.names)
            for part in ("", "-why"):
                assert words.say(f"chart-{chart.code}{part}")
            for column in chart.columns:
                assert words.say(f"chart-{chart.code}-column", column)


def as_json(view: object, match: Match) -> Any:
    """Return a view as a page's script reads it."""
    try:
        return json.loads(json.dumps(view))
    except TypeError as wrong:
        raise AssertionError(f"{wrong} {waits(match)}: `view` shows plain values, a phase by its `.value`") from wrong


@every_game
@given(seed=seeds)
def test_what_is_waited_for_has_words_and_can_be_done(game: AnyGame, seed: int) -> None:
    events = random_match(game, seed, undo=0.0, noise=0.1)
    match = Match(events[0])
    looked_at = set[str]()
    for event in events:
        if event.seq > 1:
            match.add(event)
        waited_for = game.now(match.state)
        facts = {"seats": waited_for.seats or match.seats, **waited_for.facts}
        for language in LANGUAGES:
            see_that_it_is_said(Words(game.slug, language, match.names), waited_for.code, facts, match, event.seq)
        if waited_for.code not in looked_at:
            looked_at.add(waited_for.code)
            for observer in observers(match):
                assert as_json(game.view(match.state, observer), match), (
                    f"`view` shows nothing {waits(match)}: show the table"
                )
        for act in game.moves.likely(match.state):
            assert not isinstance(act, Tapped) or spot_of(act.place) in game.moves.taps.at, (
                f"{act.place!r} is likely {waits(match)}, but no card counts there: name it in `Taps.at`"
            )
        assert match.over or game.moves.likely(match.state), (
            f"nothing in `moves` is likely {waits(match)}: name what may come next, or end the match"
        )


LONGEST = 4000
"""Acts within which every match must end if nobody makes a mistake."""


@every_game
@given(seed=seeds)
def test_every_match_comes_to_its_end_without_a_misplay_if_nobody_makes_one(game: AnyGame, seed: int) -> None:
    match = judge(random_match(game, seed, noise=0.0, undo=0.0, most=LONGEST))
    assert match.over, f"after {LONGEST} acts it goes on, {waits(match)}: does what `acts` names move it on?"
    assert match.misplays == [], f"`acts` names what the rules refuse, {waits(match)}: {match.misplays[0]}"
    assert match.outcome.winners, f"it is over and nobody has won, {waits(match)}: name a winner in `outcome`"
    assert set(match.outcome.winners) <= set(match.seats), f"a winner must play, {waits(match)}: see `outcome`"
    ends = [verdict for verdict in match.public if WINS.keys() <= game.rulings.keys() and verdict.code in WINS]
    seats_told = [{*verdict.facts["seats"]} for verdict in ends]
    assert all(seats == {*match.outcome.winners} for seats in seats_told), (
        f"the rules tell that {seats_told} have won, and `outcome` says {match.outcome.winners}: work it out once"
    )


@every_game
@given(seed=seeds)
def test_nobody_wins_before_the_end(game: AnyGame, seed: int) -> None:
    match = judge(random_match(game, seed, most=30))
    assert match.over or match.outcome.winners == (), (
        f"somebody has won already {waits(match)}: name nobody in `outcome` before the state is over"
    )


def spot_of(place: Place) -> str:
    """Return a place as a game's `Taps.at` names it."""
    return place if seat_at(place) is None else "seat"


def may_begin(game: AnyGame, options: dict[str, Any], *seats: int) -> bool:
    """Return whether a record that begins with these options and seats is accepted."""
    people = tuple(Player(seat, f"P{seat}") for seat in seats or range(1, game.fewest_players + 1))
    try:
        record_file.decode(record_file.encode([Started(1, 100.0, game.slug, people, options)]))
    except record_file.Damaged:
        return False
    return True


@every_game
def test_only_an_option_that_the_game_knows_is_taken(game: AnyGame) -> None:
    for options in secrets(game).OPTIONS:
        assert may_begin(game, options), f"{options} of secrets.OPTIONS are refused: mend the options, or name others"
    for options in (*secrets(game).NO_OPTIONS, {"colour": True}, {"": True}):
        assert not may_begin(game, options), f"{options} of secrets.NO_OPTIONS are taken: refuse them in the options"


@every_game
def test_as_many_play_as_the_box_says(game: AnyGame) -> None:
    numbers = [number for number in SEATS if may_begin(game, {}, *range(1, number + 1))]
    assert numbers == [*range(game.fewest_players, game.most_players + 1)]


@every_game
def test_example_records_are_judged_as_expected(game: AnyGame) -> None:
    records = sorted((beside(game) / "records").glob("*.jsonl"))
    assert records, "a game needs example records"
    for path in records:
        match = judge(record_file.decode(path.read_bytes()))
        expected = json.loads(path.with_suffix("").with_suffix(".expected.json").read_text())
        got = judgement(match) | {"misplay_seqs": [misplay.seq for misplay in match.misplays]}
        keys = ["over", "scores", "winners", *({"misplay_seqs"} & expected.keys())]
        judged = {key: got[key] for key in keys}
        assert judged == {key: expected[key] for key in keys}, (
            f"{path.name} is judged otherwise; if that is meant, {path.stem}.expected.json is now {json.dumps(judged)}"
        )


@every_game
def test_golden_transcripts_are_current(game: AnyGame) -> None:
    transcripts = golden.transcripts_of(game)
    assert 1 <= len(transcripts) <= 2, "see golden.py"
    for path in transcripts:
        written = golden.transcript(golden.record_of(path))
        assert written == path.read_text(encoding="utf-8"), (
            f"{path.name}: if that is meant, python -m companion.kit.golden {game.slug}, and read the diff"
        )


@every_game
def test_the_phases_are_drawn_as_matches_went_through_them(game: AnyGame) -> None:
    assert phase_diagram.drawing(game) == phase_diagram.drawn_in(game), (
        f"python -m companion.kit.phase_diagram {game.slug}"
    )
