"""Selectors as values: parsed, and lowered to what older browsers understand.

What those can't express (`:has()`, most of `:is()`) becomes an attribute, a mark, which `static/older.js` sets.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from itertools import product
from typing import Any

import tinycss2
from msgspec import Struct

Token = Any
"""One of tinycss2's."""
Weight = tuple[int, int, int]
"""A selector's specificity: ids, classes, types."""

LISTS = {"is", "where", "not", "has", "nest"}
"""Pseudo-classes that take selectors; `nest`, for `&`, takes those of the rule around it."""
OLD_ELEMENTS = {"before", "after", "first-line", "first-letter"}


class Kind(Enum):
    """The kinds of parts of a compound selector, in the order in which they are written."""

    TYPE = 0
    PLAIN = 1
    LIST = 2
    STATE = 3
    ELEMENT = 4


class Simple(Struct, frozen=True):
    """A part of a compound: `.card`, or `:is(…)` with its list."""

    kind: Kind
    text: str
    weight: Weight = (0, 0, 0)
    inner: tuple["Complex", ...] = ()


Compound = tuple[Simple, ...]


class Complex(Struct, frozen=True):
    """Compounds, each with the combinator before it: "" for the first, if it has none."""

    steps: tuple[tuple[str, Compound], ...]

    @property
    def text(self) -> str:
        """The selector as a style sheet has it."""
        written = ""
        for combinator, compound in self.steps:
            between = " " if combinator == " " else f"{combinator}" if combinator == "" else f" {combinator} "
            written += (between if written or combinator.strip() else "") + _written(compound)
        return written.strip()

    @property
    def weight(self) -> Weight:
        """Its specificity; a list counts as much as the heaviest selector in it."""
        return _sum(_weight(simple) for _, compound in self.steps for simple in compound)


class MarkRule(Struct, frozen=True):
    """An attribute that a script sets on every element that `matches`, or, of those, that `has` something."""

    name: str
    matches: str
    has: tuple[str, ...] = ()


NewMark = Callable[[str, tuple[str, ...]], str]
"""Returns the name of the mark for elements that match the first, and have one of the others."""


def split(tokens: Iterable[Token], mark: str = ",") -> Iterator[list[Token]]:
    """Split at every comma."""
    part: list[Token] = []
    for token in tokens:
        if token.type == "literal" and token.value == mark:
            yield part
            part = []
        else:
            part.append(token)
    yield part


def read(tokens: Iterable[Token]) -> tuple[Complex, ...]:
    """Read a list of selectors."""
    return tuple(_complex([token for token in part if token.type != "comment"]) for part in split(tokens))


def nested(inner: Complex, outer: Sequence[Complex]) -> Complex:
    """Return a nested rule's selector with the selectors of the rule around it filled in."""
    if not outer:
        return inner
    around = Simple(Kind.LIST, "is", inner=tuple(outer))
    filled = tuple((combinator, _fill(compound, around)) for combinator, compound in inner.steps)
    if filled == inner.steps:
        first = (inner.steps[0][0] or " ", inner.steps[0][1])
        filled = (("", (around,)), first, *inner.steps[1:])
    return Complex(filled)


def lowered(whole: Complex, new_mark: NewMark) -> list[Complex]:
    """Return selectors for older browsers that together match the same, each with the specificity of the whole."""
    return [_as_heavy(lowered, whole.weight) for lowered in _lowered(whole, new_mark)]


def states(selector: Complex) -> frozenset[str]:
    """Return the pseudo-classes and -elements in it: a browser drops a rule with one that it does not know."""
    return frozenset(
        simple.text
        for _, compound in selector.steps
        for simple in compound
        if simple.kind in (Kind.STATE, Kind.ELEMENT)
    )


def without_element(selector: Complex) -> tuple[Complex, str]:
    """Return the selector of the element itself, and the pseudo-element that it names."""
    *earlier_steps, (combinator, compound) = selector.steps
    own_parts = tuple(simple for simple in compound if simple.kind is not Kind.ELEMENT)
    element = "".join(simple.text for simple in compound if simple.kind is Kind.ELEMENT)
    return Complex((*earlier_steps, (combinator, own_parts))), element


def marked(name: str, weight: Weight, element: str) -> Complex:
    """Return a selector of that specificity for the elements with a mark."""
    mark = Simple(Kind.PLAIN, f"[{name}]", (0, 1, 0))
    parts = (mark, Simple(Kind.ELEMENT, element, (0, 0, 1))) if element else (mark,)
    return _as_heavy(Complex((("", parts),)), weight)


def _complex(tokens: list[Token]) -> Complex:
    steps: list[tuple[str, Compound]] = []
    combinator = ""
    parts = list[Simple]()
    position = 0
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if token.type == "whitespace" or (token.type == "literal" and token.value in ">+~"):
            if parts:
                steps.append((combinator, tuple(parts)))
                combinator = " "
                parts = []
            if token.type == "literal":
                combinator = token.value
        else:
            simple, position = _simple(tokens, position - 1)
            parts.append(simple)
    if parts:
        steps.append((combinator, tuple(parts)))
    return Complex(tuple(steps))


def _simple(tokens: list[Token], position: int) -> tuple[Simple, int]:
    token = tokens[position]
    match token.type:
        case "ident":
            return Simple(Kind.TYPE, token.value, (0, 0, 1)), position + 1
        case "hash":
            return Simple(Kind.PLAIN, f"#{token.value}", (1, 0, 0)), position + 1
        case "[] block":
            return Simple(Kind.PLAIN, tinycss2.serialize([token]), (0, 1, 0)), position + 1
    match token.value:
        case ".":
            return Simple(Kind.PLAIN, f".{tokens[position + 1].value}", (0, 1, 0)), position + 2
        case "*":
            return Simple(Kind.TYPE, "*"), position + 1
        case "&":
            return Simple(Kind.LIST, "nest"), position + 1
    if tokens[position + 1].type == "literal":
        return Simple(Kind.ELEMENT, "::" + tinycss2.serialize([tokens[position + 2]]), (0, 0, 1)), position + 3
    state = tokens[position + 1]
    if state.type == "function" and state.lower_name in LISTS:
        return Simple(Kind.LIST, state.lower_name, inner=read(state.arguments)), position + 2
    if state.type == "ident" and state.lower_value in OLD_ELEMENTS:
        return Simple(Kind.ELEMENT, f"::{state.lower_value}", (0, 0, 1)), position + 2
    return Simple(Kind.STATE, ":" + tinycss2.serialize([state]), (0, 1, 0)), position + 2


def _fill(compound: Compound, around: Simple) -> Compound:
    return tuple(around if simple.text == "nest" and simple.kind is Kind.LIST else simple for simple in compound)


def _weight(simple: Simple) -> Weight:
    if simple.kind is not Kind.LIST:
        return simple.weight
    return (0, 0, 0) if simple.text == "where" else max((inner.weight for inner in simple.inner), default=(0, 0, 0))


def _sum(weights: Iterable[Weight]) -> Weight:
    ids = 0
    classes = 0
    types = 0
    for weight in weights:
        ids += weight[0]
        classes += weight[1]
        types += weight[2]
    return ids, classes, types


def _written(compound: Compound) -> str:
    parts = sorted(compound, key=lambda simple: simple.kind.value)
    if len(parts) > 1 and parts[0].text == "*":
        parts = parts[1:]
    return "".join(simple.text for simple in parts)


def _as_heavy(selector: Complex, weight: Weight) -> Complex:
    """Add parts that match everything to the last compound, until the selector has this specificity."""
    missing = [max(0, want - have) for want, have in zip(weight, selector.weight, strict=True)]
    # No element has such an id, class or type, so each of these matches all, and counts as what it negates.
    nothing = (":not(#_)", (1, 0, 0)), (":not(._)", (0, 1, 0)), (":not(_)", (0, 0, 1))
    added = tuple(
        Simple(Kind.STATE, text, weight)
        for (text, weight), times in zip(nothing, missing, strict=True)
        for _ in range(times)
    )
    *earlier_steps, (combinator, compound) = selector.steps
    return Complex((*earlier_steps, (combinator, (*compound, *added))))


def _lowered(whole: Complex, new_mark: NewMark) -> list[Complex]:
    complexes: list[Complex] = [Complex(())]
    for combinator, compound in whole.steps:
        complexes = [
            Complex((*left.steps, *_joined(combinator, right)))
            for left, right in product(complexes, _lowered_compound(compound, new_mark, first=combinator == ""))
        ]
    return complexes


def _joined(combinator: str, right: Complex) -> tuple[tuple[str, Compound], ...]:
    """Return the steps that replace a compound; only the first of a selector may have become several."""
    return right.steps if len(right.steps) > 1 else ((combinator, right.steps[0][1]),)


def _lowered_compound(compound: Compound, new_mark: NewMark, *, first: bool) -> list[Complex]:
    plain = tuple(simple for simple in compound if simple.kind is not Kind.LIST)
    complexes = [Complex((("", plain),))]
    lists = [simple for simple in compound if simple.kind is Kind.LIST]
    # `:has()` comes last: a script must look for it, and then only in elements that match the rest.
    for simple in sorted(lists, key=lambda simple: simple.text == "has"):
        complexes = [
            both
            for left in complexes
            for right in _choices(simple, left, new_mark, first=first)
            if (both := _merged(left, right)) is not None
        ]
    return complexes


def _choices(simple: Simple, left: Complex, new_mark: NewMark, *, first: bool) -> Iterator[Complex]:
    """Yield the selectors that together replace a list; `left` is the rest of its compound."""
    match simple.text:
        case "is" | "where":
            for part in simple.inner:
                for low in _lowered(part, new_mark):
                    yield low if len(low.steps) == 1 or first else _own(new_mark(low.text, ()))
        case "not":
            parts: list[Simple] = []
            for part in simple.inner:
                for low in _negated(part, left, new_mark):
                    is_simple = len(low.steps) == 1 and len(low.steps[0][1]) == 1
                    inner = low.text if is_simple else f"[{new_mark(low.text, ())}]"
                    parts.append(Simple(Kind.STATE, f":not({inner})", low.weight if is_simple else (0, 1, 0)))
            yield Complex((("", tuple(parts)),))
        case "has":
            *_, (_, compound) = left.steps
            among = _written(tuple(part for part in compound if part.kind in (Kind.TYPE, Kind.PLAIN))) or "*"
            inside = tuple(low.text for part in simple.inner for low in _lowered(part, new_mark))
            yield _own(new_mark(among, inside))
        case _:
            yield Complex((("", ()),))


def _negated(selector: Complex, left: Complex, new_mark: NewMark) -> Iterable[Complex]:
    """Return the lowered selectors to negate; `:has()` is looked for only in elements that match the rest."""
    if len(selector.steps) == 1 and [simple.text for simple in selector.steps[0][1]] == ["has"]:
        return _choices(selector.steps[0][1][0], left, new_mark, first=False)
    return _lowered(selector, new_mark)


def _own(mark: str) -> Complex:
    return Complex((("", (Simple(Kind.PLAIN, f"[{mark}]", (0, 1, 0)),)),))


def _merged(left: Complex, right: Complex) -> Complex | None:
    """Return the selector for elements that match both; None if none can, or if both have several steps."""
    longer, shorter = (left, right) if len(left.steps) > 1 else (right, left)
    if len(shorter.steps) > 1:
        return None
    *earlier_steps, (combinator, compound) = longer.steps
    types = {part.text for part in (*compound, *shorter.steps[0][1]) if part.kind is Kind.TYPE and part.text != "*"}
    if len(types) > 1:
        return None
    own_parts = [*compound]
    own_parts += [part for part in shorter.steps[0][1] if part.kind is not Kind.TYPE or part not in own_parts]
    return Complex((*earlier_steps, (combinator, tuple(own_parts))))
