"""The words of a page: those of the companion and of the game, and the page's own beside them."""

import functools
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from companion import games
from companion.catalogue import Wording, entries_of, prepare_entries
from companion.events import seat_at
from companion.languages import LANGUAGES, SOURCE
from companion.languages import language as rules_of
from companion.words import Words, catalogue, decimal, places_of

NO_BREAK = "\u202f"
"""A thin one, as before a unit."""
_ISOLATE = "\u2068"
_ISOLATE_ENDS = "\u2069"


def capitalised(sentence: str) -> str:
    """Return a sentence with a capital first letter, and the rest as it is."""
    return sentence[:1].upper() + sentence[1:]


@functools.lru_cache(1024)
def _in_print(sentence: str, language: str) -> tuple[str, ...]:
    """Return the typeset parts of a sentence without facts, cached: a page has dozens, and they never change."""
    rules = rules_of(language)
    return tuple(rules.typeset(part) for part in rules.fitted(sentence, {}).split("*"))


@functools.lru_cache(256)
def _apart(name: str) -> str:
    """Return a name that does not reorder the text after it, even if it is written from right to left."""
    return f"{_ISOLATE}{name}{_ISOLATE_ENDS}" if any(map(_runs_left, name)) else name


def _runs_left(letter: str) -> bool:
    return unicodedata.bidirectional(letter) in ("R", "AL")


def page_entries(language: str = SOURCE) -> Mapping[str, Wording]:
    """Return the page's own catalogue."""
    return entries_of(Path(__file__).parents[1], language)


@functools.cache
def _entries(slug: str | None, language: str, form: str) -> Mapping[str, Wording]:
    """Return a game's words and the page's own; a form replaces a sentence, but not the rule that it rests on."""
    entries = {**page_entries(language), **catalogue(slug, language)}
    formed = ((code.removesuffix(f"-{form}"), code) for code in entries if form and code.endswith(f"-{form}"))
    return entries | {
        plain: replace(entries[code], rule=entries[plain].rule if plain in entries else "") for plain, code in formed
    }


def to_read() -> Iterator[Callable[[], object]]:
    """Yield functions that prepare one file of sentences each, so that no language's first page waits for that."""
    web = Path(__file__).parents[1]
    folders = dict.fromkeys((web.parent, web, *(pieces.folder for pieces in games.pieces().values())))
    return (functools.partial(prepare_entries, folder, language) for language in LANGUAGES for folder in folders)


class PageWords(Words):
    """The words of a match, or of none, with the page's own."""

    def __init__(self, slug: str | None, language: str, names: Mapping[int, str] | None = None, form: str = ""):
        """Where there is a sentence `CODE-FORM`, it replaces `CODE`."""
        super().__init__(slug, language, names)
        self._entries = _entries(slug, language, form)

    def _filled(self, template: str, facts: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the sentence's parts, typeset."""
        if not places_of(template):
            return _in_print(template, self.language)
        return tuple(self.rules.typeset(part) for part in super()._filled(template, facts))

    def name(self, seat: int) -> str:
        """Return the name at a seat; one written from right to left keeps the figure after it on its right."""
        return _apart(super().name(seat))

    def rule(self, code: str) -> str:
        """Return the rule a verdict rests on, typeset."""
        return self.rules.typeset(super().rule(code).replace("'", "’"))

    def _form(self, entry: Wording, facts: Mapping[str, Any]) -> str:
        """Return a sentence's form with typographic apostrophes; those in a name stay as typed."""
        return super()._form(entry, facts).replace("'", "’")

    def span(self, microseconds: int) -> str:
        """Show a span of time without a line break in it."""
        return super().span(microseconds).replace(" ", NO_BREAK)

    def date(self, day: str) -> str:
        """Put an ISO 8601 date into words."""
        year, month, number = day.split("-")
        ordinal = self.rules.first_of_month if number == "01" else str(int(number))
        return self.say("date", {"number": ordinal, "month": self.say(f"month-{int(month)}"), "year": year})

    def moment(self, when: str) -> str:
        """Put an ISO 8601 date and time into words; any other text stays as it is."""
        try:
            moment = datetime.fromisoformat(when)
        except ValueError:
            return when
        return self.say("moment", {"date": self.date(f"{moment:%Y-%m-%d}"), "clock": f"{moment:%H:%M}"})

    def roughly(self, microseconds: int) -> str:
        """Show a span of time as people say it; the big screen and the judge's own sentence are exact."""
        size = abs(microseconds)
        if size < 10_000:
            return self.say("hairs-breadth")
        # span() would still give milliseconds, which nobody says.
        text = f"{size / 1_000_000:.2f}{NO_BREAK}s" if size < 100_000 else self.span(size)
        return decimal(text, self.language)

    def scored(self, points: int = 2) -> str:
        """Name the unit of this many points: points, or what the game's words call them."""
        return self.say("scored-points", {"number": points})

    def unit(self, points: int) -> str:
        """Name the unit of this many points as it stands behind their figure."""
        return self.rules.within(self.scored(points))

    def place(self, place: str) -> str:
        """Name a place: "seat 3", "the centre"."""
        seat = seat_at(place)
        if seat is not None:
            return self.say("seat-number", {"number": seat})
        return self.of_pad("place", place)

    def of_pad(self, code: str, place: str) -> str:
        """Return sentence `CODE-PLACE` for a pad in the middle; for any but the centre, in its own game's words."""
        sentence = f"{code}-{place}"
        owner = games.of_pad(place)
        speech = self if owner in (None, self.slug) else type(self)(owner, self.language)
        return speech.say(sentence) if speech.has(sentence) else place

    def whose(self, place: str) -> str:
        """Name a place by its player: "Ana"; where nobody plays, by itself: "the centre"."""
        seat = seat_at(place)
        return self.name(seat) if seat is not None and seat in self.names else self.place(place)

    def device(self, name: str) -> str:
        """Name a device: a reader by its place ("reader seat-3"), any other by its kind and where it is plugged in."""
        kind, _, place = name.partition(" ")
        if kind == "reader":
            return self.say("device-reader", {"place": self.place(place)})
        if not self.has(f"device-{kind}"):
            return name
        port = "" if place == "default" else place
        return " ".join(filter(None, (self.say(f"device-{kind}"), port)))
