"""Laws of words: everything told has words in every language; headlines and tasks are short. Part of `laws.py`."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import msgspec
from hypothesis import given

from companion import act_cards
from companion.catalogue import Wording, english, read_po, translation
from companion.game import AnyGame, HowSaid, Ruling
from companion.judge.match import Match, judge
from companion.kit.games_to_test import every_game, seeds, waits
from companion.kit.random_matches import random_match
from companion.languages import LANGUAGES
from companion.words import FOLLOWING, Words, catalogue


@every_game
@given(seed=seeds)
def test_everything_told_has_words_in_every_language(game: AnyGame, seed: int) -> None:
    match = judge(random_match(game, seed, noise=0.4))
    for language in LANGUAGES:
        words = Words(game.slug, language, match.names)
        for verdict in match.verdicts:
            see_that_it_is_said(words, verdict.code, verdict.facts, match, verdict.seq)


def see_that_it_is_said(words: Words, code: str, facts: Any, match: Match, seq: int) -> None:
    """Assert that a code has words in a language, and that the facts are enough for them."""
    try:
        words.say(code, facts)
    except KeyError as missing:
        when = _waits_at(match, seq)
        assert words.has(code), f"{code!r} has no words {when}: write it into locale/words.pot"
        raise AssertionError(
            f"{code!r} of locale/words.pot needs {missing} {when}: give that fact, or leave it out"
        ) from None


def _waits_at(match: Match, seq: int) -> str:
    """Where a match stood after this event. To judge it again is dear: only what has failed asks for it."""
    return waits(judge(match.events[:seq]))


@every_game
def test_the_words_are_complete(game: AnyGame) -> None:
    for code, entry in catalogue(game.slug).items():
        orders = {text.count("|") for text in entry.texts}
        assert orders in ({0}, {1}), f"{code!r} says in some of its forms alone what to do now, after |"


@every_game
def test_a_translation_keeps_facts_figures_and_what_to_do_now(game: AnyGame) -> None:
    assert not list(odd_translations(game.folder))


def odd_translations(folder: Path) -> Iterator[str]:
    """Yield faults of translations: facts that their English lacks, or other marks than in it."""
    for file in sorted((folder / "locale").glob("*.po")):
        for message in read_po(file):
            meant = "".join(english(message))
            for text in translation(message) if message.id else ():
                strange = {*FACT.findall(text)} - {*FACT.findall(meant), *FOLLOWING}
                if strange:
                    yield f"{file}: {message.context!r} names {sorted(strange)}, which its English does not"
                if any(text.count(mark) != english(message)[0].count(mark) for mark in "*|"):
                    yield f"{file}: {message.context!r} has other marks, * or |, than its English"


@every_game
def test_every_word_can_be_said_at_the_table_or_is_asked_for_on_a_phone(game: AnyGame) -> None:
    assert all(game.moves.ways.values()), "say in `Word.ways` how each word is said"
    in_presses = {
        word_name for word_name, word in game.moves.words.items() if word.in_press and HowSaid.PRESS not in word.ways
    }
    assert not in_presses, f"{sorted(in_presses)} are heard in a press: say so in their `ways`"
    match = judge(random_match(game, 1, most=1))
    places = [(card, seat) for card in act_cards.IDS for seat in (*match.seats, None)]
    words_on_cards = [game.moves.word_on(match.state, card, seat) for card, seat in places]
    on_cards = {word.what for word in words_on_cards if word is not None}
    assert on_cards == {word for word, ways in game.moves.ways.items() if HowSaid.CARD in ways}
    # What a laid card says by itself needs no sentence of how to say it: laying it is the act.
    codes = {
        f"way-{word}-{way.value}" for word, ways in game.moves.ways.items() for way in ways if way is not HowSaid.LAID
    }
    common = {f"way-{act}-{way.value}" for act, ways in act_cards.WAYS.items() for way in ways}
    words = {code for code in catalogue(game.slug) if code.startswith("way-")}
    assert words == codes | common, "write a sentence for each way into locale/words.pot, and for no other"


@every_game
def test_what_everybody_reads_of_a_refused_card_says_nothing_of_the_card(game: AnyGame) -> None:
    """Everybody sees the red lamp; only the player's phone may say more."""
    for code, entry in catalogue(game.slug).items():
        if code.endswith("-for-all"):
            facts = {fact for text in entry.texts for fact in FACT.findall(text)}
            assert facts <= {"seat"}, f"[{code}] is read by everybody: {facts - {'seat'}} may say too much"
            plain = code.removesuffix("-for-all")
            assert plain in catalogue(game.slug) or plain in ("refused", "press-refused"), f"[{code}] is never said"


@every_game
@given(seed=seeds)
def test_every_ruling_is_declared_and_what_is_news_or_sounds_is_told_to_everybody(game: AnyGame, seed: int) -> None:
    match = judge(random_match(game, seed, noise=0.2, undo=0.0))
    for ruling in (verdict for verdict in match.verdicts if isinstance(verdict, Ruling)):
        assert ruling.code in game.rulings, (
            f"{ruling.code!r} is brought about {_waits_at(match, ruling.seq)}: declare it in `rulings`"
        )
        kind = game.rulings[ruling.code]
        for_all = kind.weight or kind.sound
        assert ruling.to is None or not for_all, (
            f"{ruling.code!r} is told to one seat alone {_waits_at(match, ruling.seq)}: "
            "give it neither weight nor sound, or tell everybody"
        )


@every_game
def test_every_declared_ruling_has_words(game: AnyGame) -> None:
    wordless = game.rulings.keys() - catalogue(game.slug).keys()
    assert not wordless, f"`rulings` declares {sorted(wordless)}, which no words tell: is that how `judge` spells it?"


@every_game
def test_every_pad_of_its_own_has_words(game: AnyGame) -> None:
    wanted_codes = {
        f"{code}-{pad}" for pad in game.moves.taps.own_pads for code in ("place", "setup-lay", "setup-place")
    }
    wordless = wanted_codes - catalogue(game.slug).keys()
    assert not wordless, f"`taps` names pads of its own, and the words lack {sorted(wordless)}"


FACT = re.compile(r"{\+?(\w+)}")
MOST = {"news": 9, "now": 8}
"""Most words in a headline, and in a task; a player's name counts as one."""


@every_game
def test_every_moment_has_a_headline_and_no_headline_is_left_over(game: AnyGame) -> None:
    entries = catalogue(game.slug)
    named = {code for code in entries if code.startswith("news-")}
    moments = {code for code, kind in game.rulings.items() if kind.weight}
    assert {f"news-{code}" for code in moments} <= named, "write these headlines into locale/words.pot"
    for code in named - catalogue(None).keys():
        longest_first = sorted(game.rulings, key=len, reverse=True)
        ruling = next((ruling for ruling in longest_first if code.startswith(f"news-{ruling}")), None)
        assert ruling in moments or code.endswith("-more"), f"[{code}] is the headline of no moment"


@every_game
def test_a_headline_for_those_whose_moment_it_is_is_one_of_theirs(game: AnyGame) -> None:
    longest_first = sorted(game.rulings, key=len, reverse=True)
    for code in catalogue(game.slug).keys() - catalogue(None).keys():
        ruling = next((ruling for ruling in longest_first if code.startswith(f"news-{ruling}-")), None)
        kind = game.kind_of(ruling or "")
        match code.removeprefix(f"news-{ruling}-").split("-")[0]:
            case "me":
                assert kind.who, f"nobody reads [{code}]: let `who` of {ruling!r} name the fact that holds their seat"
            case "own":
                assert kind.own, (
                    f"nobody reads [{code}]: let `own` of {ruling!r} name the fact that holds their figures"
                )


@every_game
@given(seed=seeds)
def test_whose_moment_it_is_stands_in_its_facts(game: AnyGame, seed: int) -> None:
    match = judge(random_match(game, seed, noise=0.2, undo=0.0))
    for ruling in (verdict for verdict in match.verdicts if isinstance(verdict, Ruling)):
        kind = game.kind_of(ruling.code)
        missing = {fact for fact in (kind.who, kind.own) if fact and fact not in ruling.facts}
        assert not missing, f"{ruling.code!r} lacks {sorted(missing)} {_waits_at(match, ruling.seq)}: give it that fact"


@every_game
def test_headlines_and_tasks_are_short(game: AnyGame) -> None:
    for language in LANGUAGES:
        see_that_they_are_short(catalogue(game.slug, language))


def see_that_they_are_short(entries: Mapping[str, Wording]) -> None:
    """Assert that headlines and tasks are short, with at most one figure between `*`."""
    for code, entry in entries.items():
        kind = code.partition("-")[0]
        if kind in MOST and not code.endswith("-more") and code != "now-unshown":
            for text in entry.texts:
                words = re.findall(r"[^\s!?:;.,…*]+", text)
                assert len(words) <= MOST[kind], f"[{code}] has {len(words)} words, {MOST[kind]} at most: {text!r}"
                assert ";" not in text, code
                assert text.count("*") in (0, 2), code


def _choices(kind: Any) -> Iterator[str]:
    """Yield the choices of an option of this type."""
    if get_origin(kind) is Literal:
        yield from get_args(kind)
    else:  # what is chosen for each seat has the seats for keys
        for part in get_args(kind)[get_origin(kind) is Mapping :]:
            yield from _choices(part)


@every_game
def test_every_option_has_words_and_each_of_its_choices(game: AnyGame) -> None:
    entries = catalogue(game.slug)
    for option in msgspec.structs.fields(game.options):
        code = f"option-{option.name}"
        assert {code, f"{code}-why"} <= entries.keys(), code
        for choice in _choices(option.type):
            assert {f"{code}-{choice}", f"colour-{choice}"} & entries.keys(), f"{code}-{choice}"
