"""The house is told what the big screen tells: all of it, in its order, not before it, and nothing else."""

import re
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from companion import web
from companion.access.people import People
from companion.access.player_looks import of_seat
from companion.events import Retracted
from companion.game import DECISIVE_S, END, PODIUM
from companion.house import happenings
from companion.house_settings import HouseEvent, event_names
from companion.judge import record_file, views
from companion.judge.match import judge
from companion.live.pause import Why
from companion.live.snapshot import Snapshot
from companion.storage.ailments import Ailment, AilmentCode
from tests.house.told import RECORDS, events_due, played, public_snapshot

STATIC = Path(web.__file__).parent / "static"
ONE_OF_EACH = [record for record in RECORDS if record.stem == "match-clean"]
"""A whole match of each game."""


def nothing_is_taken_back(record: Path) -> bool:
    return not any(isinstance(event, Retracted) for event in record_file.decode(record.read_bytes()))


each_record = pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
each_game = pytest.mark.parametrize("record", ONE_OF_EACH, ids=lambda record: record.parts[-3])


@pytest.mark.parametrize(
    "record", [record for record in RECORDS if nothing_is_taken_back(record)], ids=lambda it: it.stem
)
def test_what_the_big_screen_tells_of_a_match_is_told_once_and_in_its_order(record: Path) -> None:
    newest = [views.newest(snapshot.views[None]) for snapshot in played(record)]
    on_screen = {(news.entry, news.code): None for news in newest if news and news.kind != END}
    entries = [(due.entry, due.happening.event_type) for due in events_due(*played(record))]
    of_game = [(entry, event) for entry, event in entries if event not in {*HouseEvent}]
    assert entries[0] == (None, "match-begins")
    assert [news for news in of_game if news in on_screen] == [*on_screen]
    assert len(of_game) - len(on_screen) in (0, 1)  # and what decided the match, which comes with its end


@each_game
def test_the_winners_are_told_last_with_the_colours_they_wear(record: Path) -> None:
    *_, last = played(record)
    view = last.views[None]
    end = events_due(*played(record))[-1].happening
    assert end.event_type == "winner"
    assert [winner.seat for winner in end.players] == view["winners"]
    assert end.seat == view["winners"][0]
    assert end.rgb == happenings.LAMP_COLOURS[end.colour]
    assert end.name in end.text


@each_game
def test_a_winner_waits_until_the_big_screen_has_shown_what_decided_and_then_the_podium(record: Path) -> None:
    *_, last = played(record)
    decisive = views.decided(last.views[None])
    end = events_due(*played(record))[-1]
    assert end.after == PODIUM.seconds + (DECISIVE_S[decisive.kind.weight] if decisive else 0)


def test_winners_wait_as_long_as_the_style_sheets_of_the_big_screen_have_it() -> None:
    tokens = (STATIC / "tokens.css").read_text(encoding="utf-8")
    weighty, podium = (float(re.findall(rf"--{name}: ([\d.]+)s;", tokens)[0]) for name in ("act", "steps"))
    (light,) = re.findall(r'\[data-shows~="briefly"\] {\s+--act: ([\d.]+)s;', (STATIC / "big.css").read_text())
    assert {1: float(light), 2: weighty, 3: weighty} == DECISIVE_S
    assert podium == PODIUM.seconds


@each_record
def test_what_is_staged_is_told_when_the_big_screen_has_played_it(record: Path) -> None:
    match = judge(record_file.decode(record.read_bytes()))
    for due in events_due(*played(record)):
        stage = match.game.kind_of(due.happening.event_type).stage
        if stage and due.happening.event_type not in {*HouseEvent}:
            assert due.after == stage.lasts(len(match.started.players))


@each_game
def test_a_table_that_is_started_again_repeats_nothing(record: Path) -> None:
    *_, last = played(record)
    already_told = happenings.begin(last)
    assert happenings.happened(already_told, last, People(), "en")[1] == ()


def test_everybody_who_plays_is_named_as_a_match_begins() -> None:
    of_three = next(record for record in RECORDS if record.parts[-3] == "go")
    first = events_due(played(of_three)[0])[0].happening
    assert [player.seat for player in first.players] == [1, 2, 3]
    assert [player.colour for player in first.players] == [of_seat(seat).colour for seat in (1, 2, 3)]
    assert first.seat is None


@each_game
def test_what_comes_to_light_again_as_something_is_taken_back_is_no_news(record: Path) -> None:
    snapshots = [*played(record)]
    told_so_far = [events_due(*snapshots[:number]) for number in range(1, len(snapshots) + 1)]
    for number in range(2, len(snapshots)):
        if len(told_so_far[number]) > len(told_so_far[number - 1]):
            back = events_due(*snapshots[: number + 1], snapshots[number - 1])
            assert len(back) == len(told_so_far[number]), number


@each_game
def test_news_that_is_taken_back_while_the_big_screen_plays_it_is_left_untold(record: Path) -> None:
    snapshots = [*played(record)]
    for earlier, later in pairwise(snapshots):
        for due in events_due(earlier, later)[len(events_due(earlier)) :]:
            assert happenings.still_stands(due, later)
            if due.entry is not None:
                assert not happenings.still_stands(due, earlier)
                assert happenings.still_stands(due, Snapshot(match=2, views=later.views))


def test_a_break_and_an_early_end_are_told() -> None:
    going = played(RECORDS[0])[0]
    on_break = msgspec.structs.replace(going, pause=Why.BREAK)
    ended = msgspec.structs.replace(going, pause=Why.ENDED)
    events_told = [due.happening.event_type for due in events_due(going, on_break, going, ended, going)]
    assert events_told == ["match-begins", "break", "goes-on", "match-ended", "goes-on"]


def test_a_table_that_can_t_record_is_told_though_nobody_plays() -> None:
    full = Snapshot(trouble=Ailment(AilmentCode.PORT_TAKEN, "the disk is full", {}))
    happenings_told = [due.happening for due in events_due(full, full, Snapshot())]
    assert [happening.event_type for happening in happenings_told] == ["not-recording", "recording"]
    assert happenings_told[0].match is None


@each_game
def test_what_only_one_seat_knows_changes_nothing_that_is_told(record: Path) -> None:
    events = record_file.decode(record.read_bytes())
    publicly = events_due(*played(record))
    match = [judge(events[:number]) for number in range(1, len(events) + 1)]
    with_seats = [
        Snapshot(
            match=1,
            views={observer: views.view(match_then, observer) for observer in (None, *match_then.names)},
            hurried={"seat-1": number},
        )
        for number, match_then in enumerate(match)
    ]
    assert events_due(*with_seats) == publicly


def test_every_event_that_is_told_has_a_name_that_programs_can_choose() -> None:
    events_told = {due.happening.event_type for record in RECORDS for due in events_due(*played(record))}
    assert events_told <= event_names()
    assert {"winner", "match-begins"} < events_told


def test_a_demonstration_is_told_as_one() -> None:
    demo = msgspec.structs.replace(public_snapshot(judge(record_file.decode(RECORDS[0].read_bytes())[:1])), demo=True)
    assert [due.happening.demo for due in events_due(demo)] == [True]
