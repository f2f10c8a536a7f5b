"""Laws of hints: each has words, comes up in play, ends with its act, and reveals nothing sealed. Part of `laws.py`."""

import random
import re
from collections.abc import Iterator

from hypothesis import given

from companion.events import Event, Player
from companion.game import AnyGame
from companion.judge import teaching, views
from companion.judge.match import Match, judge
from companion.kit.games_to_test import every_game, seeds, waits
from companion.kit.random_matches import begun, play, random_match, secrets
from companion.kit.simulated_matches import PLAYABLE, moments
from companion.languages import LANGUAGES
from companion.words import Words, catalogue

LONGEST = 24
"""Most words in a hint: it is read while others wait."""
TRIED = 12
"""Matches within which every hint must come up."""


@every_game
def test_every_hint_is_one_short_sentence_or_two_in_every_language(game: AnyGame) -> None:
    entries = catalogue(game.slug)
    codes = {f"hint-{code}" for code in game.hints}
    forms = {f"{code}{form}" for code in codes for form in ("", "-me", "-dealt")}
    assert codes <= entries.keys(), f"write {sorted(codes - entries.keys())} into locale/words.pot"
    left_over = {code for code in entries if code.startswith("hint-")} - forms
    assert not left_over, f"{sorted(left_over)} are no hints of the game"
    for code in forms & entries.keys():
        for language in LANGUAGES:
            words = re.findall(r"[\w’'¡-]+", catalogue(game.slug, language)[code].text)
            assert len(words) <= LONGEST, f"[{code}] has {len(words)} words in {language}, {LONGEST} at most"


@every_game
def test_hints_hang_on_rulings_that_everybody_is_told(game: AnyGame) -> None:
    rulings = {ruling for hint in game.hints.values() for ruling in (*hint.after, *hint.done)}
    assert rulings <= game.rulings.keys(), f"{sorted(rulings - game.rulings.keys())} are no rulings of the game"
    idle = [code for code, hint in game.hints.items() if not (hint.done if hint.at else hint.after)]
    assert not idle, f"{idle}: say which rulings tell that its act was done"


@every_game
def test_every_hint_comes_up_and_goes_once_its_act_is_done(game: AnyGame) -> None:
    due_codes: set[str] = set()
    done_codes: set[str] = set()
    for match in _stages(game):
        view = views.view(match, None)
        met = teaching.met(match)
        for seat in match.seats:
            due = teaching.due_hint(game, view, seat, met.get(seat, ()))
            if due is not None:
                due_codes.add(due.code)
                for language in LANGUAGES:
                    Words(game.slug, language, match.names).say(f"hint-{due.code}", due.facts)
            done_codes.update(met.get(seat, ()))
    never_told = sorted(game.hints.keys() - due_codes)
    assert not never_told, f"never told in {TRIED} matches: {never_told}"
    lasting = sorted(due_codes - done_codes)
    assert not lasting, f"told, and never done in {TRIED} matches: {lasting}"


@every_game
@given(seed=seeds)
def test_no_hint_tells_what_is_sealed(game: AnyGame, seed: int) -> None:
    hidden = secrets(game)
    events = random_match(game, seed, undo=0.0, noise=0.05, enough=hidden.sealed)
    match = judge(events)
    if not hidden.sealed(match) or hidden.mended(events):
        return
    disguised_match = judge(hidden.disguised(events, random.Random(seed + 1)))
    assert teaching.met(match) == teaching.met(disguised_match), (
        f"who has met which hint tells what is sealed {waits(match)}"
    )


def _stages(game: AnyGame) -> Iterator[Match]:
    """Yield matches after every event: at a real table with each of the options, and at a simulated one."""
    for seed in range(TRIED):
        chance = random.Random(seed)
        options = secrets(game).OPTIONS
        number = min(max(game.fewest_players, chance.choice((2, 3))), game.most_players)
        people = tuple(Player(seat, f"P{seat}") for seat in range(1, number + 1))
        chosen = options[seed % len(options)]
        yield from _replayed(play(game, chance, chosen, most=400, noise=0.0, undo=0.0, people=people))
        if game.slug in PLAYABLE:
            seats = tuple(player.seat for player in people)
            yield from (moment.match for moment in moments(game, seats, seed, most=400))


def _replayed(events: list[Event]) -> Iterator[Match]:
    match = begun(events)
    yield match
    for event in events[1:]:
        match.add(event)
        yield match
