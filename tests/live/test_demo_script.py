"""What a demonstration shows, and for how long."""

import pickle
import random
import re
from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion import games
from companion.events import Player, Pressed, Said, Started, Tapped
from companion.game import COUNTING, REVEAL, AnyGame, Misplay, Ruling, Verdict
from companion.games.kartel.cards import TOKENS
from companion.games.kartel.rulings import JAIL
from companion.games.stop_me_go.rulings import ROUND_REVEAL
from companion.judge.game_code_fault import Fault
from companion.judge.match import Match
from companion.live.demo import ABOUT, HOW, PEOPLE, PICTURE
from companion.live.demo_script import (
    APART,
    CALLS,
    CLOSE,
    DECIDES,
    FEW,
    KNOWN,
    LONGEST,
    NEAR,
    PASSING,
    PODIUM,
    READ,
    READING,
    REST,
    ROUTINE,
    SEEN,
    SHOUTS,
    TOGETHER,
    UNHURRIED,
    Story,
    best,
    rehearse,
    rest_after,
    to_show,
)

ROOT = Path(__file__).parents[2]
every_game = pytest.mark.parametrize("game", games.known())
Told = Callable[[str], Story]


def begun(game: str) -> Started:
    players = tuple(Player(seat, name) for seat, name in PEOPLE.items())[: games.known()[game].most_on_show]
    return Started(1, 0.0, game, players, dict(games.known()[game].on_show))


def see_none(faults: Iterable[Fault]) -> None:
    assert not [*faults]


@cache
def _read(path: Path) -> Story:
    story: Story = pickle.loads(path.read_bytes())
    return story


@pytest.fixture
def story(once: Callable[[str, Callable[[Path], None]], Path]) -> Told:
    """A game's story, rehearsed once for all workers."""

    def told(game: str) -> Story:
        def keep(path: Path) -> None:
            path.write_bytes(pickle.dumps(best([begun(game)], random.Random(1), see_none)))

        return _read(once(f"story-{game}", keep))

    return told


@every_game
def test_a_story_takes_one_to_two_minutes_or_little_more(game: str, story: Told) -> None:
    long = LONGEST / 2 if to_show(games.known()[game]) else 0  # one that is soon over is soon told
    assert long <= story(game).seconds <= LONGEST * 1.15


@every_game
def test_a_story_has_one_winner(game: str, story: Told) -> None:
    assert story(game).winners == 1


@every_game
def test_a_story_shows_what_the_game_is_about(game: str, story: Told) -> None:
    assert to_show(games.known()[game]) <= story(game).weights.keys()


@every_game
def test_what_is_told_is_looked_at_by_its_weight(game: str) -> None:
    match = Match(begun(game))
    for code, moment in match.game.rulings.items():
        if moment.weight and not moment.stage:
            verdicts = [Ruling(code, 2)]
            seconds_known = PASSING if moment.passing else KNOWN[moment.weight]
            new = REST[moment.weight] + moment.explained
            assert (rest_after(match, verdicts), rest_after(match, verdicts, [code])) == (new, seconds_known)


@every_game
def test_what_came_of_a_staged_moment_stands_until_it_is_read(game: str) -> None:
    match = Match(begun(game))
    for code, moment in match.game.rulings.items():
        if moment.stage:
            stage = moment.stage
            played = stage.lasts(len(PEOPLE)) - stage.settles if stage.again is None else stage.again
            assert rest_after(match, [Ruling(code, 2)], [code]) >= played + READ[moment.weight]


def test_a_finish_that_was_not_close_is_seen_at_a_glance() -> None:
    match = Match(begun("stop-it"))
    near, clear = (
        rest_after(match, [Ruling("shouted-later", 2, {"lead": lead})], ["shouted-later"]) for lead in (900, 90_000)
    )
    assert 2 <= clear <= 3
    assert near > clear


def test_counts_that_nobody_hears_are_told_together_and_what_ends_the_match_is_played(story: Told) -> None:
    counts = [episode for episode in story("stop-it").episodes if isinstance(episode.act, Said)]
    assert {later.after for earlier, later in pairwise(counts) if later.before == earlier.before + 1} == {TOGETHER}
    assert story("stop-it").decided


def test_what_decides_is_read_before_the_act_that_only_ends_the_match(story: Told) -> None:
    story_told = story("stop-me-go")
    assert not story_told.decided
    assert story_told.episodes[-1].after >= REVEAL.lasts(4) + READ[3] + DECIDES


def test_within_three_quarters_of_a_minute_a_boss_in_prison_turns_minus_into_plus(story: Told) -> None:
    assert story("kartel").peak < 45


def test_a_boss_whose_gang_nobody_has_is_jailed_sooner() -> None:
    match = Match(begun("kartel"))
    alone, felt = (rest_after(match, [Ruling(code, 2)], [code]) for code in ("boss-jailed-alone", "boss-jailed"))
    assert JAIL.seconds < alone < felt


def test_a_turn_that_only_brings_a_token_is_over_soon_and_kartel_has_its_winner_within_two_minutes(story: Told) -> None:
    kartel = story("kartel")
    since = [episode.after for episode in kartel.episodes if episode.before > len(TOKENS) + 8]
    assert min(since) == PASSING
    assert PASSING + UNHURRIED < 5
    assert ABOUT + len(HOW) * PICTURE + kartel.seconds - PODIUM + JAIL.seconds < 125


def test_two_press_within_a_hairs_breadth_once_at_most(story: Told) -> None:
    assert sum(episode.rival is not None and episode.behind < NEAR[0] for episode in story("stop-it").episodes) <= 1


def test_arrests_that_nobody_feels_tell_against_a_story() -> None:
    stories = [rehearse([begun("kartel")], random.Random(seed), see_none) for seed in range(8)]
    assert {(rehearsed.dull > 0, "boss-jailed-alone" in rehearsed.weights) for rehearsed in stories} == {
        (True, True),
        (False, False),
    }


def test_a_story_waits_for_what_the_big_screen_plays() -> None:
    tokens = " ".join((ROOT / "web/static/tokens.css").read_text().split())
    timed = r"--plays: ([\d.]+)s; --counts: ([\d.]+)s; --counts-again: ([\d.]+)s;"
    assert [JAIL.seconds, COUNTING.seconds, COUNTING.again] == [*map(float, re.findall(timed, tokens)[0])]
    reveal = " ".join((ROOT / "companion/games/stop_me_go/pages/style.css").read_text().split())
    timed = r"--all: \d; --step: (\d+)ms; .*?--end: calc\((\d+)ms .*?--more: (\d+)ms;"
    (step, end, more) = map(int, re.findall(timed, reveal)[0])
    rounds = int(re.findall(r"round-won-by-one\"\]\) \{ --more: (\d+)ms;", reveal)[0])
    for players in range(2, 7):
        shown = end + (players - 1) * step
        assert shown + more <= REVEAL.lasts(players) * 1000
        assert shown + rounds <= ROUND_REVEAL.lasts(players) * 1000


@every_game
def test_what_is_no_news_is_routine(game: str) -> None:
    match = Match(begun(game))
    code = next(code for code, kind in match.game.rulings.items() if kind.weight)
    for verdicts in ([], [Misplay(code, 2)], [Ruling(code, 2, to=1)], [Ruling("no-moment", 2)]):
        assert rest_after(match, verdicts) == ROUTINE


@every_game
def test_what_was_told_before_is_not_hurried_past_where_there_is_time(game: str, story: Told) -> None:
    passed = {READING, TOGETHER, ROUTINE, APART, PASSING}
    short = {episode.after for episode in story(game).episodes if episode.after < KNOWN[2]} - passed
    assert not short or story(game).seconds == pytest.approx(LONGEST, rel=0.15)


def test_hands_are_read_within_a_second_the_callers_first(story: Told) -> None:
    acts = [(episode.act, episode.after) for episode in story("go").episodes]
    (at, call) = next((at, act) for at, (act, _) in enumerate(acts) if isinstance(act, Pressed))
    hand = acts[at + 1 : at + 13]
    assert {act.place for act, _ in hand if isinstance(act, Tapped)} == {f"seat-{call.seat}"}
    assert sum(delay for _, delay in hand[1:]) < 1


def test_what_the_last_card_made_of_a_hand_is_seen_before_the_call(story: Told) -> None:
    acts = [(episode.act, episode.after) for episode in story("go").episodes]
    calls = [delay for act, delay in acts if isinstance(act, Pressed)]
    assert calls
    assert min(calls) >= CALLS


@every_game
def test_who_plays_a_story_plays_by_the_rules(game: str, story: Told) -> None:
    match = Match(begun(game))
    for episode in story(game).episodes:
        for act, delay in ((episode.act, episode.after), (episode.rival, episode.behind)):
            at = match.events[-1].at + delay
            verdicts = match.add(replace(act, seq=len(match.events) + 1, at=at)) if act else ()
            assert not [verdict for verdict in verdicts if isinstance(verdict, Misplay)]


def test_once_people_have_waited_one_that_fits_is_enough() -> None:
    rehearsed = 0

    def late() -> bool:
        nonlocal rehearsed
        rehearsed += 1
        return True

    quick = best([begun("kartel")], random.Random(1), see_none, late)
    assert rehearsed == 1
    assert LONGEST / 2 <= quick.seconds <= LONGEST


def test_the_first_finish_is_clear_to_everybody(story: Told) -> None:
    finishes = [episode.behind for episode in story("stop-it").episodes if episode.rival]
    assert len(finishes) > 1
    assert finishes[0] >= CLOSE > min(finishes)


def test_what_there_is_to_shout_at_is_seen_before_the_first_shout(story: Told) -> None:
    episodes = story("stop-it").episodes
    shouts = [
        shout.after
        for go, shout in pairwise(episodes)
        if isinstance(go.act, Pressed) and isinstance(shout.act, Pressed)
    ]
    assert shouts
    assert min(shouts) >= SHOUTS


@every_game
def test_whoever_presses_next_is_followed_and_then_whoever_wins(game: str, story: Told) -> None:
    episodes = story(game).episodes
    for episode, following in pairwise(episodes):
        assert episode.followed == (episode.act.seat if isinstance(episode.act, Pressed) else following.followed)
    assert episodes[-1].followed is not None


def test_each_stop_and_the_first_go_that_the_winner_lays_are_seen_before_the_next_act(story: Told) -> None:
    episodes = story("stop-me-go").episodes
    winner = episodes[-1].followed
    laid = [
        (episode.sealed, following.after)
        for episode, following in pairwise(episodes)
        if episode.sealed and isinstance(episode.act, Tapped) and episode.act.place == f"seat-{winner}"
    ]
    stops = [delay for sealed, delay in laid if sealed == "stop"]
    assert len(stops) > 1
    assert min(*stops, next(delay for sealed, delay in laid if sealed == "go")) >= SEEN
    assert min(delay for _, delay in laid) == ROUTINE


def test_a_story_that_a_tie_break_decides_is_told_only_if_there_is_no_other() -> None:
    assert best([begun("kartel")], random.Random(4), see_none).level == 1


def test_of_what_is_counted_somebody_has_two_at_least() -> None:
    match = Match(begun("stop-it"))
    verdicts: list[Verdict] = []
    for episode in best([begun("stop-it")], random.Random(2), see_none).episodes:
        for act, delay in ((episode.act, episode.after), (episode.rival, episode.behind)):
            verdicts += (
                match.add(replace(act, seq=len(match.events) + 1, at=match.events[-1].at + delay)) if act else ()
            )
    counts = [[number for _, number in verdict.facts["counts"]] for verdict in verdicts if verdict.code == "scored"]
    assert len(counts) > 2
    assert min(map(max, counts)) >= FEW


def broken(*_: Any) -> Any:
    raise ZeroDivisionError("a fault in the game's code")


def with_broken(part: str, game: AnyGame) -> AnyGame:
    """Return the game with a part of its code broken that a demonstration asks."""
    match part:
        case "likely":  # asked where nobody knows what lies where
            taps = replace(game.moves.taps, likely=broken)
            return replace(game, physics=None, moves=replace(game.moves, taps=taps))
        case "knows":
            return replace(game, knows=broken)
    return replace(game, physics=replace(game.physics, **{part: broken}))


@pytest.mark.parametrize("part", ["likely", "knows", "begin", "can", "choose", "do"])
def test_what_a_games_code_raises_ends_a_rehearsal_and_is_noted_as_its_fault(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known_games = {**games.known(), "kartel": with_broken(part, games.known()["kartel"])}
    monkeypatch.setattr(games, "known", lambda: known_games)
    noted: list[Fault] = []
    rehearse([begun("kartel")], random.Random(1), noted.extend)
    assert {fault.game for fault in noted} == {"kartel"}
    assert all("a fault in the game's code" in fault.trace for fault in noted)
