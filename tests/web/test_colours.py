"""Ink on every game colour can be read: WCAG AA, 4.5 to 1; and no two colours have the same shape."""

import re
from collections import Counter
from pathlib import Path

STATIC = Path(__file__).parents[2] / "web/static"
GAMES = STATIC.parents[1] / "companion/games"
LITERAL = re.compile(r"#[0-9a-f]{3,8}\b|rgb\([^()]*\)")
NAMED = dict(
    re.findall(rf"--([\w-]+): ({LITERAL.pattern});", (STATIC / "tokens.css").read_text().partition("@media")[0])
)


def in_a_line(sheet: Path) -> str:
    """Return a style sheet with every colour written out."""
    whole = " ".join(sheet.read_text().split())
    return re.sub(r"var\(--([\w-]+)\)", lambda name: NAMED.get(name[1], name[0]), whole)


CSS, FRAME, HISTORY, LOBBY, PHONE, TOKENS = (
    in_a_line(STATIC / f"{name}.css") for name in ("companion", "frame", "history", "lobby", "phone", "tokens")
)
STOP_IT = in_a_line(GAMES / "stop_it/pages/style.css")
COLOURS = re.findall(r"(?<=[}/]) \.(c-\w+|special) \{ --c: (#\w+); --on: (#\w+); --shape: ([^;]*); \}", CSS)


def test_a_colour_that_is_used_twice_has_a_name() -> None:
    sheets = [*STATIC.glob("*.css"), *GAMES.glob("*/pages/style.css")]
    used = Counter(
        colour
        for sheet in sheets
        if sheet.stem != "tokens"
        for declared in re.findall(r":([^;{}]+);", re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL))
        for colour in LITERAL.findall(declared)
    )
    assert {colour for colour, times in used.items() if times > 1} == set()


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(ink: str, other: str) -> float:
    dark, light = sorted((luminance(ink), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_ink_on_every_colour() -> None:
    assert len(COLOURS) == 12
    for name, fill, ink, _ in COLOURS:
        assert contrast(fill, ink) >= 4.5, name


def test_a_turn_is_told_from_waiting_also_in_the_colour_of_the_felt() -> None:
    (ground, ink), *_ = re.findall(r'c-green\[data-state="turn"\] \{ --me: (#\w+); --on-me: (#\w+);', PHONE)
    assert contrast(ground, ink) >= 4.5
    assert all(contrast(ground, felt) >= 3 for felt in re.findall(r"--felt(?:-hi)?: (#\w+);", TOKENS))


def test_ink_on_both_backgrounds() -> None:
    pages = re.findall(r"--page: (#\w+);", TOKENS)
    backgrounds = re.findall(r"--paper: (#\w+); --ink: ([^;]+); --soft: (#\w+);", FRAME)
    assert len(backgrounds) == len(pages) == 2
    for bg, (paper, ink, soft) in zip(pages, backgrounds, strict=True):
        ink = re.findall(r"--card-ink: (#\w+);", TOKENS)[0] if ink == "var(--card-ink)" else ink
        assert min(contrast(paper_colour, other) for paper_colour in (bg, paper) for other in (ink, soft)) >= 4.5


def test_ink_on_a_slip_in_the_dark() -> None:
    ((paper, declarations),) = re.findall(r"\.phone \.slip \{ --card: (#\w+);([^}]*)\}", PHONE)
    (gold,) = re.findall(r"--gold: (#\w+);", TOKENS)
    inks = dict(re.findall(r"--(ink|soft|figure|alarm-ink|focus): ([^;]+);", declarations))
    assert len(inks) == 5
    inks["figure"] = inks["figure"].replace("var(--gold)", gold)
    (ruler,) = re.findall(r"\{ (--paper: #22342c; [^}]*)\}", STOP_IT)
    assert {name: ink for name, ink in inks.items() if contrast(paper, ink) < 4.5} == {}
    on_it = dict(re.findall(r"--(\w+): (#\w+);", ruler))
    assert contrast(on_it["paper"], on_it["ink"]) >= 4.5
    assert contrast(on_it["beech"], on_it["notch"]) >= 4.5


def test_the_way_on_stands_out_from_the_break_that_it_ends() -> None:
    ((ground, button, ink),) = re.findall(
        r"\.news\.break \{[^}]* background: (#\w+);.*? & button \{ background: (#\w+); color: (#\w+);", FRAME
    )
    assert contrast(ground, button) >= 3
    assert contrast(button, ink) >= 4.5


def test_a_name_at_the_table_can_be_read_where_it_reaches_over_the_rim() -> None:
    ((ground, ink),) = re.findall(r"\.round-table b \{[^}]* background: (#\w+); color: (#\w+);", LOBBY)
    assert contrast(ground, ink) >= 4.5


def test_every_colour_has_its_own_shape() -> None:
    assert len({shape for *_, shape in COLOURS}) == len(COLOURS)


def test_every_player_can_be_told_apart_on_both_backgrounds() -> None:
    """Every line and mark is edged in ink, whatever its colour; dashes tell them apart without one."""
    assert "stroke: var(--ink)" in re.findall(r"\.chart \.under \{[^}]*\}", HISTORY)[0]
    assert "stroke: var(--ink)" in re.findall(r"\.chart \.mark \{[^}]*\}", HISTORY)[0]
    dashes = re.findall(r"--dash: ([^;]+);", HISTORY)
    assert len(set(dashes)) == 5  # the first player's line is whole


def test_nothing_new_fades_in_from_nowhere_but_on_the_stage() -> None:
    """What has just been said can be read from its first moment on; only a game's stage makes one wait."""
    assert not re.findall(r"from[^{]*\{[^}]*opacity: 0", FRAME)
