"""A match that is over, even one of last month, is still a match: what was misread can be put right."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion import games
from companion.access.people import People
from companion.club import results
from companion.club.payloads import MatchResult
from companion.devices.sensing import Buzzed
from companion.errors import NotKept
from companion.events import Event, Player, Pressed, Retracted, Said, Tapped
from companion.history import cache
from companion.history.archive import Archive, NotInLog
from companion.history.standings import Result
from companion.judge import corrections
from companion.judge.match import Match, judge
from companion.judge.taken_back import standing
from companion.kit.random_matches import play
from companion.live.judging import BeingPlayed
from companion.live.pause import Why
from companion.live.table import Live
from companion.storage.decisions import Decided
from companion.storage.entries import Played
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from tests.live.table import refusing
from tests.web.table import Clock

PEOPLE = (Player(1, "Ana"), Player(2, "Bo"))
NAMES = ("Ana", "Bo")
BEGAN = "2026-11-20T20:00:00+01:00"
RIGHT = ("red-1", "red-2a", "red-3", "blue-3", "red-boss", "blue-boss", "green-boss", "orange-boss")
"""Moves of two in turn, before the fifth boss ends the match."""


class Evening:
    """A table that can be switched off between any two steps."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "log.sqlite"
        self.clock = Clock()
        self.open()

    def open(self) -> None:
        self.log = Log(self.path, writes=True)
        self.clock.now = max(self.clock.now, self.log.last_at())
        self.live = Live(self.log, self.clock, Decks(None), simulated=True)
        self.live.start()

    def close(self) -> None:
        self.live.stop()
        self.log.close()

    def restart(self) -> None:
        self.close()
        self.open()

    def tap(self, seat: int, card: str) -> None:
        self.clock.now += 10
        self.live.enter(tapped(seat, card))

    def play(self, *cards: str) -> int:
        """Play a match of Kartel with these moves, in turn."""
        number = self.live.begin("kartel", PEOPLE, {})
        for turn, card in enumerate(cards):
            self.tap(1 + turn % 2, card)
        return number

    def begin_the_next(self) -> int:
        self.clock.now += 100
        number = self.live.begin("stop-it", PEOPLE, {})
        self.live.enter(Pressed(0, 0.0, 1))
        return number

    def take_back_the_end(self, number: int) -> None:
        def plan(match: Match, at: float) -> tuple[Event, ...]:
            return (Retracted(0, at, match.verdicts[-1].seq, by="phone"),)

        self.live.act_afterwards(number, plan, NAMES)

    def enter(self, number: int, event: Event) -> None:
        self.live.act_afterwards(number, lambda _, at: (replace(event, at=at),), NAMES)

    @property
    def archive(self) -> Archive:
        return Archive(self.path)


def tapped(seat: int, card: str) -> Tapped:
    return Tapped(0, 0.0, f"seat-{seat}", card, by="phone")  # type: ignore[arg-type]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path)
    yield evening
    evening.close()


def ended_by_mistake(evening: Evening) -> int:
    """Yellow's boss was read where a blue token was meant: that made five bosses, and an end."""
    number = evening.play(*RIGHT, "yellow-boss")
    assert evening.live.snapshot.under_way is None
    return number


def test_the_act_that_ended_an_earlier_match_is_taken_back_and_the_match_played_to_its_true_end(
    evening: Evening,
) -> None:
    number = ended_by_mistake(evening)
    evening.begin_the_next()
    archive = evening.archive
    result_before = archive.results()[0]
    for step in (
        lambda: evening.take_back_the_end(number),
        lambda: evening.enter(number, tapped(1, "blue-1")),
        lambda: evening.enter(number, tapped(2, "yellow-boss")),
    ):
        step()
        evening.restart()
    result_after = archive.results()[0]
    assert (result_before.over, result_before.put_right) == (True, False)
    assert (result_after.over, result_after.put_right) == (True, True)
    assert {player.seat: player.points for player in result_after.players} != {
        player.seat: player.points for player in result_before.players
    }
    assert archive.season(True).results[0] == result_after
    assert evening.live.snapshot.under_way == number + 1


def test_what_is_put_right_later_leaves_the_match_in_play_alone(evening: Evening) -> None:
    number = ended_by_mistake(evening)
    following = evening.begin_the_next()
    lines_before = evening.log.lines(following)
    evening.take_back_the_end(number)
    assert evening.log.lines(following) == lines_before
    assert evening.live.snapshot.in_play == following


def test_the_digests_of_a_match_that_was_put_right_still_agree(evening: Evening) -> None:
    number = ended_by_mistake(evening)
    log_before = evening.log.chained(number)
    evening.begin_the_next()
    evening.take_back_the_end(number)
    assert evening.log.chained(number).startswith(log_before)
    assert len(evening.log.verified(number)) == log_before.count(b"\n") + 1


def test_a_match_lasts_no_longer_because_it_is_put_right_days_later(evening: Evening) -> None:
    number = ended_by_mistake(evening)
    evening.begin_the_next()
    evening.clock.now += 3 * 86_400
    archive = evening.archive
    seconds_before = archive.results()[0].seconds
    evening.take_back_the_end(number)
    evening.enter(number, tapped(1, "yellow-boss"))
    seconds_after = archive.results()[0].seconds
    assert seconds_before is not None
    assert seconds_after is not None
    assert seconds_after <= seconds_before


def test_nothing_is_put_right_where_it_can_not_be_stored(evening: Evening) -> None:
    number = ended_by_mistake(evening)
    evening.begin_the_next()
    lines_before = evening.log.lines(number)
    with refusing(evening.log, "append", "try_to_write"), pytest.raises(NotKept):
        evening.take_back_the_end(number)
    assert evening.log.lines(number) == lines_before
    assert evening.log.match(number).decisions == ()  # type: ignore[union-attr]


def test_who_put_it_right_and_when_is_kept_beside_the_match(evening: Evening) -> None:
    number = ended_by_mistake(evening)
    evening.begin_the_next()
    evening.take_back_the_end(number)
    entry = evening.log.match(number)
    assert entry is not None
    (decision,) = entry.decisions
    assert (decision.what, decision.names) == (Decided.PUT_RIGHT, NAMES)


def test_a_match_that_is_not_in_the_log_can_not_be_put_right(evening: Evening) -> None:
    with pytest.raises(NotInLog):
        evening.take_back_the_end(17)


def test_a_match_that_was_ended_early_is_brought_to_its_end_at_the_table(evening: Evening) -> None:
    number = evening.play(*RIGHT)
    evening.live.pause(Why.ENDED)
    following = evening.begin_the_next()
    with pytest.raises(BeingPlayed):
        evening.live.take_up(number, NAMES)
    evening.live.pause(Why.ENDED)
    evening.live.take_up(number, NAMES)
    assert evening.live.snapshot.in_play == number
    evening.restart()
    assert evening.live.snapshot.in_play == number
    evening.tap(1, "yellow-boss")
    first, second = evening.archive.results()
    assert (first.over, second.over) == (True, False)
    assert evening.begin_the_next() == following + 1
    evening.restart()
    assert evening.live.snapshot.in_play == following + 1


def test_a_press_from_before_a_match_was_taken_up_again_is_not_of_it(evening: Evening) -> None:
    number = evening.live.begin("stop-it", PEOPLE, {})
    evening.live.pause(Why.ENDED)
    evening.clock.now += 10
    evening.play("red-1")
    evening.live.pause(Why.ENDED)
    evening.clock.now += 10
    evening.live.take_up(number, NAMES)
    evening.live.tell(Buzzed(1, 5.0, 0.0, "late"))
    assert len(evening.log.events(number)) == 1
    evening.live.tell(Buzzed(1, evening.clock.now, 0.0, "new"))
    assert len(evening.log.events(number)) == 2


def test_a_match_that_is_left_out_counts_nowhere_until_it_is_counted_again(evening: Evening) -> None:
    number = evening.play(*RIGHT, "yellow-boss")
    archive = evening.archive
    assert archive.season(True).played == 1
    evening.live.leave_out(number, NAMES)
    evening.restart()
    assert archive.season(True).played == 0
    assert [result.left_out for result in archive.results()] == [True]
    assert club_result(evening, number).demo
    evening.live.count_again(number, NAMES)
    assert archive.season(True).played == 1
    assert not club_result(evening, number).demo


def test_a_match_that_is_being_played_can_not_be_left_out(evening: Evening) -> None:
    number = evening.play(*RIGHT)
    with pytest.raises(BeingPlayed):
        evening.live.leave_out(number, NAMES)


def test_what_was_counted_before_a_correction_is_not_believed_after_it(evening: Evening) -> None:
    """Results are kept beside the log: neither those in memory nor those on disk may outlive a revision."""
    number = ended_by_mistake(evening)
    evening.begin_the_next()
    archive = evening.archive
    archive.season(True)
    assert number in cache.load(evening.path)
    evening.take_back_the_end(number)
    assert not archive.results()[0].over
    assert not evening.archive.results()[0].over
    archive.season(True)
    assert cache.load(evening.path)[number][1].over is False


def club_result(evening: Evening, number: int) -> MatchResult:
    entry = evening.log.match(number)
    assert entry is not None
    result = results.judged(evening.log, entry, People())
    assert result is not None
    return result


def true_match(slug: str, seed: int) -> list[Event] | None:
    """A match played to its end, without what was taken back; None: this seed has none."""
    match = judge(play(games.known()[slug], random.Random(seed), {}, most=1500))
    return [replace(event, seq=seq) for seq, event in enumerate(standing(match.events), 1)] if match.over else None


def misread(truth: list[Event], chance: random.Random) -> tuple[list[Event], int, str] | None:
    """Return the match with one card misread, the entry that tells of it, and the card that it was."""
    deck = [*judge(truth).game.deck]
    taps = [event for event in truth if isinstance(event, Tapped) and event.card in deck]
    for tap in chance.sample(taps, min(12, len(taps))):
        slip = [replace(event, card=chance.choice(deck)) if event is tap else event for event in truth]
        match = judge(slip)
        for entry, verdict in enumerate(match.public):
            wrong = slip[tap.seq - 1].card  # type: ignore[union-attr]
            if verdict.seq == tap.seq and wrong != tap.card and wrong in corrections.cards(match, entry):
                return slip, entry, tap.card
    return None


def with_one_too_many(truth: list[Event], chance: random.Random) -> tuple[list[Event], int]:
    """Return the match with an act that nobody did, and the number of that act."""
    at = chance.randrange(1, len(truth))
    seats = judge(truth).seats
    deck = [*judge(truth).game.deck]
    extra = chance.choice(
        (
            Tapped(0, truth[at].at, "centre", chance.choice(deck)),
            Tapped(0, truth[at].at, f"seat-{chance.choice(seats)}", chance.choice(deck)),  # type: ignore[arg-type]
            Pressed(0, truth[at].at, chance.choice(seats)),  # type: ignore[arg-type]
            Said(0, truth[at].at, chance.choice(seats), "count", 3),  # type: ignore[arg-type]
        )
    )
    return [replace(event, seq=seq) for seq, event in enumerate((*truth[:at], extra, *truth[at:]), 1)], at + 1


def stored(evening: Evening, events: list[Event]) -> int:
    number = evening.log.open_match(BEGAN, Played.BY_HAND, events[0])
    evening.log.append(number, [(event, "") for event in events[1:]])
    return number


def what_counts(evening: Evening, number: int) -> tuple[Result, object, MatchResult]:
    archive = evening.archive
    result = next(each for each in archive.results() if each.match == number)
    alone = replace(result, match=1, put_right=False)
    season = archive.season(True)
    return alone, season.tables, replace(club_result(evening, number), match=1)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("slug", games.known())
def test_a_slip_that_is_put_right_after_the_end_leaves_no_trace_in_what_counts(
    slug: str, seed: int, tmp_path: Path
) -> None:
    truth = next(slip_and_card for base in range(50) if (slip_and_card := true_match(slug, 1000 * seed + base)))
    chance = random.Random(seed)
    for folder in ("true", "slip"):
        (tmp_path / folder).mkdir()
    true = Evening(tmp_path / "true")
    wrong = Evening(tmp_path / "slip")
    stored(true, truth)
    slip_and_card = misread(truth, chance) if seed % 2 else None
    if slip_and_card is None:
        slip, extra = with_one_too_many(truth, chance)
        number = stored(wrong, slip)
        plan = lambda match, at: (Retracted(0, at, extra, by="phone"),)  # noqa: E731
    else:
        slip, entry, card = slip_and_card
        number = stored(wrong, slip)
        misread_card = slip[judge(slip).public[entry].seq - 1].card  # type: ignore[union-attr]
        plan = lambda match, at: corrections.correction(  # noqa: E731
            match, corrections.cards(match, entry)[misread_card], card, at
        )
    wrong.restart()
    wrong.begin_the_next()
    wrong.archive.season(True)
    wrong.live.act_afterwards(number, plan, NAMES)
    wrong.restart()
    wrong.live.pause(Why.ENDED)
    assert what_counts(wrong, number) == what_counts(true, 1)
    true.close()
    wrong.close()
