"""A seat's page as a listener meets it: its sentences, and its buttons by their names in the accessibility tree."""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

ANNOUNCED_FROM = 2
"""Which sentences the wish "normal" asks for, as `web/templates/spoken-lines.html` counts them."""
ASKED = frozenset({"card", "news", "why"})
"""What "Where do I stand?" leaves out, as `web/static/speaking.js` does."""
VOID = frozenset({"input", "img", "br", "hr", "use", "path", "circle", "rect"})
LINE = re.compile(r'<li data-says="(\d)" data-of="([^"]*)"(?: data-mark="([^"]*)")?>(.*?)</li>', re.DOTALL)
"""As `web/templates/spoken-lines.html` writes each."""
ANNOUNCED = re.compile(r"<p [^>]*\bdata-announced\b[^>]*>(.*?)</p>", re.DOTALL)
"""What a game's page announces besides."""
TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class Line:
    """What the page has to say, as `web/static/saying.js` reads it."""

    says: int
    of: str
    """"": it is announced, and no part of what one may ask for."""
    mark: str
    text: str


@dataclass(frozen=True, slots=True)
class Button:
    """A button, and what its form sends."""

    name: str
    fields: tuple[tuple[str, str], ...]


def lines(page: str) -> list[Line]:
    """Return what a page has to say, in its order."""
    spoken = [_line(says, kind, mark, content) for says, kind, mark, content in LINE.findall(page)]
    return [*spoken, *(_line("1", "", "", content) for content in ANNOUNCED.findall(page))]


def _line(says: str, kind: str, mark: str, content: str) -> Line:
    text = " ".join(html.unescape(TAG.sub("", content)).split())
    return Line(int(says), kind, f"{kind} {html.unescape(mark) or text}", text)


def buttons(page: str) -> Sequence[Button]:
    """Return the buttons that can be pressed, in their order."""
    return _Reader(page).buttons


@dataclass(slots=True)
class _Open:
    tag: str
    attributes: dict[str, str | None]
    texts: list[str] = field(default_factory=list)


class _Reader(HTMLParser):
    """Names each element by what it holds, as browsers do: a label stands in place of all within, and what is hidden is
    left out.
    """

    def __init__(self, page: str):
        super().__init__()
        self.buttons: list[Button] = []
        self._open: list[_Open] = []
        self._fields: list[tuple[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        named = dict(attributes)
        if tag == "form":
            self._fields = []
        if tag == "input" and named.get("type") == "hidden":
            self._fields.append((named["name"] or "", named["value"] or ""))
        if tag not in VOID:
            self._open.append(_Open(tag, named))

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        pass

    def handle_data(self, text: str) -> None:
        if self._open:
            self._open[-1].texts.append(text)

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open[-1].tag != tag:
            return
        element = self._open.pop()
        attributes = element.attributes
        name = " ".join((attributes.get("aria-label") or "".join(element.texts)).split())
        if tag == "button" and "disabled" not in attributes:
            self.buttons.append(Button(name, tuple(self._fields)))
        if self._open and attributes.get("aria-hidden") != "true":
            self._open[-1].texts.append(name if tag in ("i", "b", "strong", "text") else f" {name} ")


@dataclass(slots=True)
class Ears:
    """What a page says to who does not look."""

    known: set[str] | None = None
    """The marks of what the page said last; None: it has just been opened, and is asked what happened and how things
    stand."""
    standing: Sequence[str] = ()
    """What the page would answer to "Where do I stand?"."""

    def listen(self, page: str) -> Sequence[str]:
        """Return the sentences that are new."""
        page_lines = lines(page)
        self.standing = [*_sentences([line for line in page_lines if line.of and line.of not in ASKED])]
        earlier = self.known
        self.known = {line.mark for line in page_lines}
        if earlier is None:
            news = [line for line in page_lines if line.of == "news"]
            return [*_sentences(news[-3:]), *self.standing]
        return [*_sentences([line for line in page_lines if line.mark not in earlier and line.says <= ANNOUNCED_FROM])]


def _sentences(page_lines: Sequence[Line]) -> Iterator[str]:
    """Cards of a hand that come together are one sentence."""
    cards: list[str] = []
    for line in page_lines:
        if line.of == "hand":
            cards.append(line.text)
            continue
        if cards:
            yield ", ".join(cards)
            cards = []
        yield line.text
    if cards:
        yield ", ".join(cards)
