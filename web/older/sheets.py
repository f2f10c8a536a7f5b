"""A style sheet, rewritten for browsers without nested rules, `:has()` and container queries."""

import re
from collections.abc import Iterator
from typing import Any

import tinycss2
from msgspec import Struct

from companion.web.older import declarations, selectors
from companion.web.older.selectors import Complex, MarkRule

NOT_AS_IT_WAS = re.compile(r"not\s*\((\(.*\))\)|not\s*(?=\()")
WITH_A_SCRIPT = re.compile(r"\(scripting: enabled\)")
WITHOUT_A_SCRIPT = re.compile(r"\(scripting: none\)")
KNOWN_STATES = re.compile(
    r":(active|checked|disabled|enabled|empty|(first|last|only|nth|nth-last)-(child|of-type)(\(.*\))?|focus|hover|"
    r"invalid|link|not\(.*\)|root|target|valid|visited)|::(before|after)"
)
"""The pseudo-classes that all older browsers know. A browser drops the whole rule if it does not know one."""
LISTED = "list-item"
CONDITION = re.compile(r"\(\s*([a-z-]+)\s*:\s*([^)]+?)\s*\)")


class Sized(Struct, frozen=True, array_like=True):
    """A container whose size others refer to, or an element with an aspect ratio."""

    selector: str
    value: str
    wraps: tuple[str, ...]
    weight: selectors.Weight
    other: bool = False
    """Whether the height is given, and the width follows."""


class Within(Struct, frozen=True, array_like=True):
    """A mark for elements in a container that meets all conditions, each a feature and its value."""

    name: str
    matches: str
    conditions: tuple[tuple[str, str], ...]


class ForScript(Struct, frozen=True):
    """Everything that a script must set on a page for such a sheet."""

    marks: tuple[MarkRule, ...]
    """In the order in which they are set: a later one may depend on an earlier one."""
    within: tuple[Within, ...]
    containers: tuple[Sized, ...]
    ratios: tuple[Sized, ...]


class Older(Struct, frozen=True):
    """A sheet for older browsers."""

    css: str
    for_script: ForScript


class Surroundings(Struct, frozen=True):
    """The rules around a rule."""

    around: tuple[Complex, ...] = ()
    wraps: tuple[str, ...] = ()
    """`@media …` and `@supports …`, from the outside."""
    conditions: tuple[tuple[str, str], ...] = ()


class _Writer:
    """Writes one sheet; `stem` tells its marks from other sheets'."""

    def __init__(self, stem: str):
        self._stem = stem
        self.written: list[str] = []
        self.marks: dict[tuple[str, tuple[str, ...]], MarkRule] = {}
        self.within: dict[tuple[str, tuple[tuple[str, str], ...]], Within] = {}
        self.containers: list[Sized] = []
        self.ratios: list[Sized] = []

    def write(self, nodes: list[Any], place: Surroundings) -> None:
        declared: list[declarations.Declared] = []
        for node in nodes:
            if node.type == "declaration":
                important = " !important" if node.important else ""
                declared.append((node.name, declarations.value_of(node.value) + important))
                continue
            self._rule(declared, place)
            declared = []
            if node.type == "qualified-rule":
                selectors_here = tuple(
                    selectors.nested(selector, place.around) for selector in selectors.read(node.prelude)
                )
                self.write(_inside(node), Surroundings(selectors_here, place.wraps, place.conditions))
            elif node.type == "at-rule":
                self._at_rule(node, place)
        self._rule(declared, place)

    def _at_rule(self, node: Any, place: Surroundings) -> None:
        prelude = tinycss2.serialize(node.prelude).strip()
        match node.lower_at_keyword:
            case "media":
                if not WITHOUT_A_SCRIPT.search(prelude):
                    wraps = (*place.wraps, *(f"@media {query}" for query in [_media(prelude)] if query))
                    self.write(_inside(node), Surroundings(place.around, wraps, place.conditions))
            case "supports":
                self.write(
                    _inside(node), Surroundings(place.around, (*place.wraps, f"@supports {prelude}"), place.conditions)
                )
            case "container":
                conditions = (*place.conditions, *CONDITION.findall(prelude))
                self.write(_inside(node), Surroundings(place.around, place.wraps, conditions))
            case "keyframes":
                self._emit(f"@keyframes {prelude}{{{''.join(_frames(node))}}}", place)
            case "property":
                pass  # registering a property only lets it be animated
            case name:
                self._emit(f"@{name} {prelude}{{{tinycss2.serialize(node.content)}}}", place)

    def _rule(self, declared: list[declarations.Declared], place: Surroundings) -> None:
        if not declared:
            return
        body = ";".join(f"{name}:{value}" for name, value in declarations.lowered(declared))
        # A browser drops a rule for one selector that it does not know, so those with newer states get their own.
        by_states: dict[frozenset[str], list[str]] = {}
        for whole in place.around:
            lowered = selectors.lowered(whole, self._mark)
            for selector in self._in_container(lowered, place) if place.conditions else lowered:
                self._measured(selector, declared, place)
                newer = frozenset(state for state in selectors.states(selector) if not KNOWN_STATES.fullmatch(state))
                by_states.setdefault(newer, []).append(selector.text)
        for same in by_states.values():
            if body:
                self._emit(f"{','.join(dict.fromkeys(same))}{{{body}}}", place)
            if dict(declared).get("display", LISTED) != LISTED:
                for marker in filter(None, map(_marker, dict.fromkeys(same))):
                    self._emit(f"{marker}{{display:none}}", place)

    def _emit(self, rule: str, place: Surroundings) -> None:
        for wrap in reversed(place.wraps):
            rule = f"{wrap}{{{rule}}}"
        self.written.append(rule)

    def _mark(self, matches: str, has: tuple[str, ...]) -> str:
        name = f"data-older-{self._stem}-{len(self.marks)}"
        return self.marks.setdefault((matches, has), MarkRule(name, matches, has)).name

    def _in_container(self, lowered: list[Complex], place: Surroundings) -> Iterator[Complex]:
        by_element: dict[str, list[str]] = {}
        for low in lowered:
            itself, element = selectors.without_element(low)
            by_element.setdefault(element, []).append(itself.text)
        for element, texts in by_element.items():
            key = (",".join(texts), place.conditions)
            name = f"data-older-{self._stem}-in-{len(self.within)}"
            within = self.within.setdefault(key, Within(name, *key))
            yield selectors.marked(within.name, lowered[0].weight, element)

    def _measured(self, selector: Complex, declared: list[declarations.Declared], place: Surroundings) -> None:
        values = dict(declared)
        if "container-type" in values:
            self.containers.append(Sized(selector.text, values["container-type"], place.wraps, selector.weight))
        if "aspect-ratio" in values:
            high = values.get("height", "auto") != "auto" and "width" not in values
            self.ratios.append(Sized(selector.text, values["aspect-ratio"], place.wraps, selector.weight, high))


def older(css: str, stem: str) -> Older:
    """Rewrite a sheet; `stem` names it among those of a page."""
    writer = _Writer(stem)
    # Before `:where()` only `*` weighed nothing, and a page for older browsers had rather weigh right than be quick.
    css = css.replace(":where(:not(:first-child))", "* + *")
    writer.write(tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True), Surroundings())
    if any("var(--cq" in rule for rule in writer.written):
        # Where no container is around, the units are the screen's, as in newer browsers.
        writer.written.insert(0, ":root{--cqw:1vw;--cqh:1vh;--cqmin:1vmin}")
    for_script = ForScript(
        tuple(writer.marks.values()), tuple(writer.within.values()), tuple(writer.containers), tuple(writer.ratios)
    )
    return Older("\n".join(writer.written), for_script)


def _marker(summary: str) -> str:
    """Return the selector of a summary's triangle, which older WebKit shows however the summary is displayed, or ""."""
    last = re.split(r"[ >+~]", summary)[-1]
    return f"{summary}::-webkit-details-marker" if re.match(r"summary\b", last) and "::" not in last else ""


def _inside(node: Any) -> list[Any]:
    return tinycss2.parse_blocks_contents(node.content, skip_comments=True, skip_whitespace=True)  # type: ignore[no-any-return]


def _media(prelude: str) -> str:
    """Return a media query in the syntax of before 2020, as if scripts ran: without them these sheets are not used."""
    parts = [part for part in re.split(r"\s+and\s+(?![^(]*\)\))", prelude) if not WITH_A_SCRIPT.fullmatch(part.strip())]
    return NOT_AS_IT_WAS.sub(lambda match: f"not all and {match[1] or ''}", " and ".join(parts))


def _frames(node: Any) -> Iterator[str]:
    for frame in tinycss2.parse_rule_list(node.content, skip_comments=True, skip_whitespace=True):
        declared = [
            (declaration.name, declarations.value_of(declaration.value))
            for declaration in _inside(frame)
            if declaration.type == "declaration"
        ]
        body = ";".join(f"{name}:{value}" for name, value in declarations.lowered(declared))
        yield f"{tinycss2.serialize(frame.prelude).strip()}{{{body}}}"
