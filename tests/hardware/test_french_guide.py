"""The French guide says what the English one does: the same sections, tables, steps, figures and code."""

import re
from collections import Counter

import pytest

from tests.hardware.wiring import ROOT

_CODE = re.compile(r"^ *```.*?^ *```$|`[^`\n]+`", re.M | re.S)
_OWN_LINK = re.compile(r"\]\((#[^)]*|README(\.fr)?\.md)\)")


def sections(name: str) -> list[tuple[str, str]]:
    """Return each section's depth and text, without the comments that mark what is generated."""
    guide = re.sub(r"<!--.*?-->\n*", "", (ROOT / "hardware" / name).read_text(encoding="utf-8"), flags=re.S)
    parts_of_guide = re.split(r"^(#+) (.*)$", guide, flags=re.M)
    return [
        (depth, f"{title}\n{text}")
        for depth, title, text in zip(*(parts_of_guide[n::3] for n in (1, 2, 3)), strict=True)
    ]


def shape(text: str) -> dict[str, object]:
    """Return what a translation leaves as it is."""
    code = [re.sub(r"^ +", "", block, flags=re.M) for block in _CODE.findall(text)]
    plain = _OWN_LINK.sub("]", re.sub(r' alt="[^"]*"', "", _CODE.sub("", text)))
    prose = re.sub(r"\]\([^)]*\)|<img[^>]*>", "", plain)
    return {
        "code": Counter(code),
        "links and pictures": re.findall(r'\]\(([^)]*)\)|src="([^"]*)"', plain),
        "figures": Counter(re.findall(r"\d+(?:\.\d+)*", re.sub(r"(?<=\d),(?=\d)", ".", prose))),
        "rows": [line.count("|") for line in text.splitlines() if line.startswith("|")],
        "checks": text.count("✓"),
        "points": re.findall(r"^(- \[ \]|-|\d+\.) ", text, flags=re.M),
        "paragraphs": len(re.findall(r"\n\n(?=\S)", text)),
    }


ENGLISH = sections("README.md")
FRENCH = sections("README.fr.md")


def test_it_has_the_same_sections() -> None:
    assert [depth for depth, _ in FRENCH] == [depth for depth, _ in ENGLISH]


@pytest.mark.parametrize("number", range(len(ENGLISH)), ids=[text.partition("\n")[0] for _, text in ENGLISH])
def test_a_section_keeps_its_figures_code_tables_and_checks(number: int) -> None:
    assert shape(FRENCH[number][1]) == shape(ENGLISH[number][1])
