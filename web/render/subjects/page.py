"""The page itself, in one language: what every page shows, even where there is no match."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion import games
from companion.game import Game, Pieces
from companion.languages import LANGUAGES
from companion.languages import language as rules_of
from companion.live.snapshot import Snapshot
from companion.web.render.page_names import Page
from companion.web.render.words import PageWords

Context = dict[str, Any]
"""What a template may use, by name."""


@dataclass(frozen=True, eq=False)
class AboutPage:
    """Every page of a table, and a game's part of it, has all the names below; a hub's page has these, and those about
    the match and a virtual table.
    """

    page: Page
    """Which page this is."""
    words: PageWords
    """Sentences and names in the page's language and the game's words."""
    snapshot: Snapshot
    """How the table stands; on a page of a past match only its devices, its stickers and the disk."""

    @property
    def seat(self) -> int | None:
        """Whose page it is, or for whom the host enters; None: nobody in particular."""
        return self.page.seat

    @property
    def language(self) -> str:
        """The code of the page's language, for example "en"."""
        return self.words.language

    @property
    def languages(self) -> Mapping[str, str]:
        """Each language by its own name."""
        return {code: rules_of(code).name for code in LANGUAGES}

    def say(self, code: str, **facts: Any) -> str:
        """Return a sentence by its code, with facts by name."""
        return self.words.say(code, facts)

    @property
    def games(self) -> Mapping[str, Game[Any, Any]]:
        """All games, by slug."""
        return games.known()

    @property
    def with_tags(self) -> Mapping[str, Pieces]:
        """Whose cards may bear tags: every game, and the table's own."""
        return games.with_tags()

    def played_with(self, slug: str) -> tuple[str, ...]:
        """Return what the games are called that are played with the cards whose tags are kept under this slug."""
        return tuple(game.title for game in games.played_with(slug))

    def of_game(self, slug: str) -> PageWords:
        """Return the words of a game, which need not be the match's."""
        return PageWords(slug, self.language)


def names_in_templates(*subjects: object) -> Context:
    """Return what a template may use of these subjects: all their public members."""
    return {name: getattr(subject, name) for subject in subjects for name in _public_members(subject)}


def _public_members(subject: object) -> tuple[str, ...]:
    kind = type(subject)
    if kind not in _MEMBERS:
        _MEMBERS[kind] = tuple(name for name in dir(subject) if not name.startswith("_"))
    return _MEMBERS[kind]


_MEMBERS: dict[type, tuple[str, ...]] = {}
"""The names of each class's public members, cached: finding them takes longer than reading their values."""
