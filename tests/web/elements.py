"""Of many rendered pages, few on which all stands that stands on any: to look at each in a browser takes its time."""

import re
from collections.abc import Iterable
from html.parser import HTMLParser

from companion.kit.in_chromium import Rendered


class Elements(HTMLParser):
    """What a page is made of, to axe: every element with the three it stands in, however often, with whatever words.

    Which of the game's colours it has is all the same: `test_colours.py` compares those.
    """

    EMPTY = frozenset({"meta", "link", "input", "img", "br", "hr"})
    TELLING = ("role", "type", "href", "alt", "hidden", "lang", "disabled")

    def __init__(self, html: str):
        super().__init__()
        self.found: set[tuple[str, ...]] = set()
        self._above: tuple[str, ...] = ()
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        names = dict(attributes)
        look = re.sub(r"\bc-\w+|\d+", "#", names.get("class") or "")
        telling = sorted(name for name in names if name in self.TELLING or name.startswith("aria-"))
        look_here = " ".join((tag, names.get("role") or "", names.get("type") or "", *telling)) + f" | {look}"
        self.found.add((*self._above[-3:], look_here))
        if tag not in self.EMPTY:
            self._above += (look_here,)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.EMPTY:
            self._above = self._above[:-1]

    def handle_data(self, text: str) -> None:
        if text.strip():
            self.found.add((*self._above[-4:], "text"))

    @property
    def roles(self) -> set[tuple[str, ...]]:
        """What everything is, without how it looks."""
        return {tuple(each.partition(" | ")[0] for each in path) for path in self.found}

    @property
    def inks(self) -> set[tuple[str, ...]]:
        """Words, with their element and the one around it: what they are written in, and on."""
        return {path[-3:] for path in self.found if path[-1] == "text"}


def with_all(pages: Iterable[tuple[set[tuple[str, ...]], Rendered]]) -> list[Rendered]:
    """Return few pages on which all stands that stands on any: axe takes its time."""
    made_of = [*pages]
    left = set[tuple[str, ...]]().union(*(paths for paths, _ in made_of))
    few = list[Rendered]()
    while left:
        left_path, state = max(made_of, key=lambda candidate: len(candidate[0] & left))
        left -= left_path
        few.append(state)
    return few
