"""Sentences for people, in the languages that there are, from the catalogue of a game and of the companion itself.

A sentence is named by a code and filled from facts that know no language. A fact's key says what it is: `seat`,
`caller`, `other`, `fastest`, `runner_up` are seats shown by name, `seats` several, `card` a card id, `cards` several,
`colour` a colour, `colours` several, `game` a slug, `gain` a change of points, `gains` pairs of seat and change,
`margin`, `lead`, `window` and `behind` microseconds, `head_start` too, `head_starts` by seat, `sure` microseconds
too (None: unknown), `nth` a place in a row; pairs of seat and number are shown by name, and anything else as it is.
Some follow from these: `value` is a card's, `coloured` are cards of the colour, `waiting` are the seats, or, where they
are many, how many; `each` is said of several seats, and of one nothing.
`{+FACT}` shows any number as a change of points.

What stands between two `*` is the figure of a sentence; what stands after `|` is what to do now, which is left out
where somebody quotes it or the story tells it.
"""

import functools
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from companion import act_cards, games
from companion.catalogue import Wording, entries_of
from companion.game import Card, Game
from companion.game.playing_cards import SIGNS
from companion.languages import SOURCE
from companion.languages import language as rules_of
from companion.player_names import is_drawn, legible

_STOPS = (".", "!", "?")
_PLACE = re.compile(r"{(\+?\w+)}")
MANY = 3
"""From so many on, seats are counted rather than named."""
FOLLOWING = ("value", "coloured", "waiting", "each")
"""Facts that follow from others."""


@functools.cache
def catalogue(slug: str | None, language: str = SOURCE) -> Mapping[str, Wording]:
    """Return every entry a match of this game may need: its own, and the companion's."""
    common = entries_of(Path(__file__).parent, language)
    if slug is None:
        return common
    pieces = games.pieces()[slug]
    fewest = {"counts": common["fewest-count"]} if isinstance(pieces, Game) and pieces.fewest_win else {}
    return {**common, **fewest, **entries_of(pieces.folder, language)}


def figure(number: float | None) -> str:
    """Write a number with a real minus; a dash where there is none.

    >>> figure(-3), figure(None)
    ('−3', '–')
    """
    return "–" if number is None else f"{number:g}".replace("-", "−")


def decimal(text: str, language: str) -> str:
    """Write a number, or a text with one, with the language's decimal mark.

    >>> decimal("2.4 s", "fr"), decimal("2.4 s", "en")
    ('2,4 s', '2.4 s')
    """
    return text.replace(".", rules_of(language).decimal_mark)


def mean(number: float, language: str) -> str:
    """Write a mean to one decimal place, with a real minus.

    >>> mean(1.75, "fr"), mean(-1.75, "en")
    ('1,8', '−1.8')
    """
    return decimal(f"{number:.1f}".replace("-", "−"), language)


def signed(change: int) -> str:
    """Write a change with its sign.

    >>> signed(3), signed(0), signed(-3)
    ('+3', '0', '−3')
    """
    return f"+{change}" if change > 0 else figure(change)


@functools.lru_cache(4096)
def places_of(template: str) -> tuple[str, ...]:
    """Return the names of the places in a sentence where facts are put.

    >>> places_of("{seat} has {+gain}")
    ('seat', '+gain')
    """
    return tuple(dict.fromkeys(_PLACE.findall(template)))


def _are_figures(fact: Any) -> bool:
    """Return whether a fact is pairs of seat and number, or none of them."""
    return isinstance(fact, list | tuple) and all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in fact)


class Words:
    """The words of one game (or of none), in one language, for one set of players."""

    def __init__(self, slug: str | None, language: str, names: Mapping[int, str] | None = None):
        """`names` gives each seat's player."""
        self.slug = slug
        self.language = language
        self.names = names or {}
        self.rules = rules_of(language)
        self._entries = catalogue(slug, language)

    @property
    def title(self) -> str:
        """The name of this game or deck: in its own words if it has any, or else the same in every language."""
        return self.say("deck") if self.has("deck") else games.pieces()[self.slug or ""].title

    def say(self, code: str, facts: Mapping[str, Any] | None = None) -> str:
        """Return the sentence. Raises KeyError for an unknown code or fact (tests ensure there is none)."""
        return "".join(self.parts(code, facts))

    def past(self, code: str, facts: Mapping[str, Any] | None = None) -> str:
        """Return a sentence without its part on what to do now."""
        facts = facts or {}
        entry = self._entries[code]
        tells, order, _ = self._form(entry, facts).partition("|")
        stop = "." if order and not tells.endswith(_STOPS) else ""
        return "".join(self._filled(tells, facts)) + stop

    def quote(self, code: str, facts: Mapping[str, Any] | None = None) -> str:
        """Return a sentence without its part on what to do now and without its full stop."""
        return self.past(code, facts).removesuffix(".")

    def parts(self, code: str, facts: Mapping[str, Any] | None = None) -> tuple[str, ...]:
        """Return the sentence in parts; every second one is a figure."""
        facts = facts or {}
        try:
            entry = self._entries[code]
            return self._filled(self._form(entry, facts).replace("|", ""), facts)
        except KeyError as missing:
            if self.has(code):
                missing.add_note(
                    f"{code!r} of locale/words.pot asks for it; its facts are {', '.join(facts) or 'none'}"
                )
            raise

    def _filled(self, template: str, facts: Mapping[str, Any]) -> tuple[str, ...]:
        """Put the facts into a sentence, and return its parts."""
        filled = {key: self._filled_in(key, facts) for key in places_of(template)}
        return tuple(part.format_map(filled) for part in self.rules.fitted(template, filled).split("*"))

    def _filled_in(self, key: str, facts: Mapping[str, Any]) -> str:
        """Return what stands in a sentence's place of this name."""
        if key.startswith("+"):
            return signed(facts[key.removeprefix("+")])
        if key in FOLLOWING:
            return self._following(key, facts)
        return self._in_words(key, facts[key])

    def _form(self, entry: Wording, facts: Mapping[str, Any]) -> str:
        if not entry.by:
            return entry.text
        face = self._face(facts) if entry.by == "colour" and entry.by not in facts else None
        fact = face.colour if face else facts[entry.by]
        return entry.form(fact if isinstance(fact, int | str) or fact is None else len(fact))

    def _following(self, key: str, facts: Mapping[str, Any]) -> str:
        """Return the texts that follow from the facts."""
        face = self._face(facts)
        match key:
            case "value" if "value" not in facts:
                return str(face.value) if face else ""
            case "coloured":
                return self.say(f"coloured-{facts.get('colour', face and face.colour)}")
            case "each":
                return self.say("each") if len(facts["seats"]) > 1 else ""
            case "waiting":
                seats = facts["seats"]
                return (
                    self._in_words("seats", seats) if len(seats) < MANY else self.say("players", {"number": len(seats)})
                )
        return str(facts[key])

    def _face(self, facts: Mapping[str, Any]) -> Card | None:
        """Return the card that the sentence is about, or None."""
        return games.face(self.slug, facts["card"]) if self.slug and "card" in facts else None

    def rule(self, code: str) -> str:
        """Return the rule that a verdict rests on, or ""."""
        return self._entries[code].rule

    def has(self, code: str) -> bool:
        """Whether there are words for this code."""
        return code in self._entries

    def says_what_to_do(self, code: str) -> bool:
        """Whether this sentence, in any of its forms, has a part on what to do now."""
        return any("|" in text for text in self._entries[code].texts)

    def turns_on(self, code: str) -> str:
        """Return the fact by which this sentence has several forms; "" if it has only one."""
        return self._entries[code].by

    def tells(self, code: str, key: str) -> bool:
        """Whether this sentence, in any of its forms, uses a fact."""
        return any(f"{{{key}}}" in text for text in self._entries[code].texts)

    def name(self, seat: int) -> str:
        """Return the name of a seat's player; the seat's number where that can't be read, or none was given."""
        name = self.names.get(seat)
        if name and (self.language == SOURCE or not is_drawn(name)):
            return legible(name)
        number = self.say("seat-number", {"number": seat})
        return f"{name} ({number})" if name else number

    def card(self, card: str) -> str:
        """Name a card: "red 7", "stop rouge"."""
        face = games.face(self.slug, card) if self.slug else None
        if face is None:
            return card
        if self.slug == act_cards.SLUG and face.kind == act_cards.BOX:
            return self.say("card-box", {"game": act_cards.whose_box(card)})
        return self.say(f"card-{face.kind}", {"colour": face.colour, "value": face.value})

    def short_card(self, card: str) -> str:
        """Write a card of an ordinary deck as its corner shows it: "K♠", "10♥"; any other by its name."""
        face = games.face(self.slug, card) if self.slug else None
        if face is None or face.colour not in SIGNS:
            return self.card(card)
        rank = str(face.value) if face.kind == "pip" else self.say(f"face-{face.kind}")
        return rank + SIGNS[face.colour]

    def names_of(self, seats: Iterable[int]) -> str:
        """Return these players by name."""
        return self.several([self.name(seat) for seat in seats])

    def several(self, parts: list[str]) -> str:
        """Join names as people do: "Ana, Bo and Cléo"."""
        if len(parts) < 2:
            return "".join(parts)
        return self.rules.joined(", ".join(parts[:-1]), self._entries["and"].text, parts[-1])

    def _in_words(self, key: str, fact: Any) -> str:
        match key:
            case "seat" | "caller" | "other" | "fastest" | "runner_up":
                return self.name(fact)
            case "seats":
                return self.names_of(fact)
            case "card":
                return self.card(fact)
            case "cards":
                return self.several([self.card(card) for card in fact])
            case "hands":
                return self.several([self._hand(seat, cards) for seat, cards in fact])
            case "colour":
                return "" if fact is None else self.say(f"colour-{fact}")
            case "colours":
                return self.several([self.say(f"colour-{colour}") for colour in fact])
            case "game":
                return Words(fact, self.language).title
            case "head_starts":
                return self.several([f"{self.name(seat)} {self._agreed(span)}" for seat, span in fact])
            case "head_start":
                return self._agreed(fact)
            case "gain":
                return signed(fact)
            case "gains":
                return self.several([f"{self.name(seat)} {signed(change)}" for seat, change in fact])
            case "margin" | "lead" | "window" | "behind" if isinstance(fact, int):
                return self.span(fact)
            case "nth":
                return self.say(f"nth-{fact}")
            case "sure":
                return self.say("not-exact") if fact is None else f"±{self.span(fact)}"
        if _are_figures(fact):
            return self.several([f"{self.name(seat)} {number}" for seat, number in fact])
        return figure(fact) if isinstance(fact, int) else str(fact)

    def _hand(self, seat: int, cards: Iterable[str]) -> str:
        """Write a hand that lies open: "Bo K♠ 4♥"."""
        return " ".join((self.name(seat), *map(self.short_card, cards)))

    def _agreed(self, microseconds: int) -> str:
        """Show a span that people have agreed on, as they would type it: "0.12 s"."""
        return decimal(f"{microseconds / 1_000_000:g} s", self.language)

    def span(self, microseconds: int) -> str:
        """Show a span of time: "0.30 ms", "18.2 ms", "0.34 s", "2.4 s"; with the language's decimal mark."""
        size = abs(microseconds)
        if size < 10_000:
            text = f"{size / 1000:.2f} ms"
        elif size < 100_000:
            text = f"{size / 1000:.1f} ms"
        elif size < 1_000_000:
            text = f"{size / 1_000_000:.2f} s"
        else:
            text = f"{size / 1_000_000:.1f} s"
        return decimal(text, self.language)
