"""Fragments: what one observer may see on one page, in one language, as bytes.

Rendered once per snapshot however many phones ask: five hundred phones cost one rendering.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from jinja2 import Environment
from msgspec.structs import replace

from companion import games
from companion.live import Live, Snapshot
from web.fields import Field, fields
from web.names import Page
from web.ports import Demo, Hand
from web.sentences import Sentences
from web.speech import NAMES, PageWords

_BETWEEN_LINES = re.compile(rb"\s*\n\s*")


class Screens:
    """Renders pages from the newest snapshot. Use it from the page's thread."""

    def __init__(self, env: Environment, live: Live, hand: Hand | None, demo: Demo | None, address: str):
        self._env = env
        self._live = live
        self._hand = hand
        self._demo = demo
        self._address = address
        self._of: tuple[Snapshot | None, bool] = (None, False)
        self._made: dict[tuple[Page, str], bytes] = {}

    def fragment(self, page: Page, language: str) -> bytes:
        """Give the page's live part as it should look now."""
        snapshot, playing_itself = self._live.snapshot, self._playing_itself()
        if self._of[0] is not snapshot or self._of[1] != playing_itself:
            self._of = snapshot, playing_itself
            self._made = {}
        made = self._made.get((page, language))
        if made is None:
            made = self._made[page, language] = self._render(page, language, snapshot)
        return made

    def frame(self, page: Page, language: str) -> dict[str, Any]:
        """Give what a page's template needs around the live part."""
        return self._context(page, language, self._live.snapshot)

    def rendered(self, template: str, context: Mapping[str, Any]) -> str:
        """Give a live part that no snapshot tells of."""
        return self._env.get_template(template).render(context)

    def past(self, page: Page, language: str, view: Mapping[str, Any] | None) -> dict[str, Any]:
        """Give what a template needs to show another match than the one on the table, or none."""
        return self._around(page, language, self._live.snapshot, view)

    def words(self, language: str) -> PageWords:
        """Give the words for the match as it stands."""
        return _words(self._live.snapshot.views.get(None), language)

    def _render(self, page: Page, language: str, snapshot: Snapshot) -> bytes:
        kind = "score" if page.kind == "big" else page.kind
        text = self._env.get_template(f"live-{kind}.html").render(self._context(page, language, snapshot))
        return _BETWEEN_LINES.sub(b"\n", text.encode()).strip()

    def _context(self, page: Page, language: str, snapshot: Snapshot) -> dict[str, Any]:
        return self._around(page, language, snapshot, snapshot.views.get(page.observer) or snapshot.views.get(None))

    def _around(self, page: Page, language: str, snapshot: Snapshot, view: Mapping[str, Any] | None) -> dict[str, Any]:
        words = _words(view, language)
        return {
            "page": page,
            "seat": page.seat,
            "snapshot": snapshot,
            "broken": {name: device for name, device in snapshot.devices.items() if not device.works},
            "view": view,
            "table": view["table"] if view else None,
            "slug": view["game"] if view else None,
            "game": games.known()[view["game"]] if view else None,
            "games": games.known(),
            "seats": {player["seat"]: words.name(player["seat"]) for player in view["players"]} if view else {},
            "words": words,
            "say": lambda code, **facts: words.say(code, facts),
            "told": Sentences(view["told"] if view else [], words, page.seat),
            "hand": self._hand,
            "demo": self._demo,
            "playing_itself": self._playing_itself(),
            "address": self._address,
            "language": language,
            "languages": NAMES,
            "decks": lambda: dict(_suits(view["game"], games.known()[view["game"]].deck, words)) if view else {},
            "stickers": snapshot.stickers,
            "of_game": lambda slug: PageWords(slug, language),
            "box": lambda slug: _box(slug, snapshot.stickers.stock[slug].box, PageWords(slug, language)),
            "suits": lambda slug, cards: dict(_suits(slug, cards, PageWords(slug, language))),
        }

    def _playing_itself(self) -> bool:
        return self._demo is not None and self._demo.running


def _words(view: Mapping[str, Any] | None, language: str) -> PageWords:
    if view is None:
        return PageWords(None, language)
    return PageWords(view["game"], language, {player["seat"]: player["name"] for player in view["players"]})


def _suits(slug: str, ids: Iterable[str], words: PageWords) -> Iterator[tuple[str | None, list[tuple[str, str]]]]:
    """Give cards of a game by colour: each card's id, and what its chip says."""
    cards = [games.known()[slug].deck[card] for card in ids]
    for colour in dict.fromkeys(card.colour for card in cards):
        suit = [card for card in cards if card.colour == colour]
        yield colour, [(card.id, words.card(card.id) if card.value is None else str(card.value)) for card in suit]


def _box(slug: str, box: msgspec.Struct, words: PageWords) -> Iterator[Field]:
    """Give what an owner tells of his box, as it was told last."""
    for field in fields(type(box), f"{slug}.box", words):
        yield replace(field, default=getattr(box, field.key.rpartition(".")[2]))
