"""House rules in hindsight: the other options and how the match would have ended, in words."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from companion.history.under_other_rules import Otherwise, played_by
from companion.judge.match import Match
from companion.web.render.words import PageWords
from companion.words import decimal, figure


class Variant(Struct, frozen=True):
    """How the match would have ended under other options."""

    rules: tuple[str, ...]
    """Each option that differs, and its value."""
    verdict: str
    differs: bool
    """Whether others win."""
    notes: tuple[str, ...]
    """How reliable that is."""
    points: Mapping[int, tuple[str, str]]
    """By seat, as played and under the other options."""
    alike: bool
    """Whether everybody would have had the same points."""


class Wish(Struct, frozen=True):
    """An option that can be chosen for a finished match."""

    option: str
    label: str
    choices: tuple[tuple[str, str, bool], ...]
    """Value, label, and whether it is chosen."""


def fitting(outcomes: Iterable[Otherwise]) -> list[Otherwise]:
    """Return the options under which every move was legal and somebody wins: the others show nothing."""
    return [outcome for outcome in outcomes if outcome.over and not outcome.broken]


def told(match: Match, outcome: Otherwise, words: PageWords) -> Variant:
    """Put into words how the match would have ended."""
    played = match.outcome
    notes = []
    if outcome.broken:
        notes.append(words.say("otherwise-broken", {"number": outcome.broken}))
    if outcome.over and outcome.unused:
        notes.append(words.say("otherwise-unused", {"number": outcome.unused}))
    differs = outcome.over and outcome.winners != played.winners
    sentence = "otherwise-other" if len(outcome.winners) == 1 else "otherwise-other-shared"
    points = {seat: (figure(played.scores[seat]), figure(outcome.scores[seat])) for seat in match.seats}
    alike = all(as_played == otherwise for as_played, otherwise in points.values())
    code = sentence if differs else "otherwise-same" if outcome.over else "otherwise-on"
    return Variant(
        tuple(rule(option, value, words) for option, value in outcome.changed.items()),
        words.say(code, {"seats": outcome.winners}),
        differs,
        tuple(notes),
        points,
        alike,
    )


def rule(option: str, value: Any, words: PageWords) -> str:
    """Name an option and its value."""
    return words.say("otherwise-rule", {"option": _label(option, words), "choice": choice(option, value, words)})


def _label(option: str, words: PageWords) -> str:
    """Return an option's label without its unit, which stands beside the figures here."""
    return words.say(f"option-{option}").removesuffix(_in_seconds(words))


def _in_seconds(words: PageWords) -> str:
    """Return the end of the label of an option typed in seconds."""
    return f" ({words.say('option-seconds')})"


def choice(option: str, value: Any, words: PageWords) -> str:
    """Name an option's value."""
    if isinstance(value, bool):
        return words.say("option-yes" if value else "option-no")
    if isinstance(value, str):
        return words.say(f"option-{option}-{value}")
    spans = words.say(f"option-{option}").endswith(_in_seconds(words))
    text = f"{1000 * value:g}\u00a0ms" if spans else f"{value:g}"
    return decimal(text, words.language)


def wishes(match: Match, chosen: Mapping[str, Any], fit: Iterable[Otherwise], words: PageWords) -> tuple[Wish, ...]:
    """Return the options with several values that fit the moves, each with the chosen one marked."""
    played = played_by(match)
    fitting_rules = (rule for outcome in fit for rule in outcome.changed.items())
    possible = {*played.items(), *chosen.items(), *fitting_rules}
    values_by_option = {
        option: [value for value in match.game.variants[option] if (option, value) in possible] for option in played
    }
    return tuple(
        Wish(
            option,
            _label(option, words),
            tuple((f"{value}", choice(option, value, words), value == chosen[option]) for value in values),
        )
        for option, values in values_by_option.items()
        if len(values) > 1
    )
