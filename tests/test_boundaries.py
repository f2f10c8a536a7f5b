"""Who may import whom, read from the code's own imports."""

import ast
import re
from functools import cache
from pathlib import Path

from companion import games
from companion.catalogue import entries_of
from companion.game.playing_cards import DECK, SUITS
from companion.history.cache import judged_by
from companion.languages import SOURCE

ROOT = Path(__file__).parent.parent
SOURCES = sorted(
    path
    for folder in ("companion", "companion/web")  # a link, which `rglob` does not follow
    for path in (ROOT / folder).rglob("*.py")
    if path.name != "secrets.py"
)
"""But what a game tells its tests alone."""

STOREYS = (
    "companion.spelling companion.client",
    "companion.compiled companion.errors companion.events companion.field_meanings companion.languages "
    "companion.player_names companion.plugins companion.progress companion.threads companion.toml_editing "
    "companion.wall_clock",
    "companion.settings companion.catalogue",
    "companion.broker_settings",
    "companion.club_settings",
    "companion.game companion.devices",
    "companion.act_cards",
    "companion.games",
    "companion.judge companion.words companion.translating",
    "companion.storage companion.versions",
    "companion.house_settings",
    "companion.free_table companion.config companion.tags companion.access companion.history companion.measuring",
    "companion.acts companion.setup companion.network",
    "companion.live",
    "companion.club",
    "companion.backups companion.report",
    "companion.first_aid",
    "companion.web.older",
    "companion.web.bell companion.web.feed companion.web.room companion.web.fair_queue",
    "companion.web.render",
    "companion.web.site",
    "companion.web.http",
    "companion.web.routes",
    "companion.web.hub companion.web.setup companion.web.first_aid",
    "companion.web",
    "companion.house companion.machine",
    "companion.voice",
    "companion.cli companion.kit companion.game_to_copy",
    "companion.__main__",
)
"""From the ground up: a wing imports only wings of the storeys below its own, and itself."""

KEPT_OUT = {
    "companion.game": "sqlite3 flask gevent serial click time datetime secrets os threading",
    "companion.games": "sqlite3 flask gevent serial click time datetime random secrets os threading",
    "companion.game_to_copy": "sqlite3 flask gevent serial click time datetime os threading",
    "companion.devices": "companion.game companion.games sqlite3 flask gevent",
    "companion.judge": "companion.devices sqlite3 flask gevent time datetime random secrets os threading",
    "companion.club": "flask gevent click",
    "companion.web": "companion.devices.drivers companion.devices.listening companion.storage companion.config "
    "sqlite3 serial",
    "companion.web.render": "flask.request",
}
"""What may not be imported though it lies below, or is nobody's wing."""

BROUGHT = {
    "companion.devices.drivers": "Reader Buzzers",
    "companion.games": "Box Options Phase State World",
    "companion.game_to_copy": "Options Phase State",
}
"""The classes that every driver, and every game, brings under one name."""


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def imports(path: Path) -> frozenset[str]:
    """Every module a file imports, with names taken from a package spelt out."""
    modules: set[str] = set()
    for node in nodes(path):
        match node:
            case ast.Import(names=names):
                modules |= {name.name for name in names}
            case ast.ImportFrom(module=str(module), names=names):
                modules |= {module, *(f"{module}.{name.name}" for name in names)}
    return frozenset(modules)


def within(module: str, *roots: str) -> bool:
    return any(module == root or module.startswith(f"{root}.") for root in roots)


WINGS = {wing: number for number, line in enumerate(STOREYS) for wing in line.split()}


def wing_of(module: str) -> str:
    return max((wing for wing in WINGS if within(module, wing)), key=len)


def test_a_wing_imports_only_wings_below_it() -> None:
    modules = {module_of(path) for path in SOURCES} - {"companion"}  # the version alone
    for path in SOURCES:
        for imported in modules & imports(path):
            module = module_of(path)
            wing = wing_of(module)
            imported_wing = wing_of(imported)
            assert wing == imported_wing or WINGS[imported_wing] < WINGS[wing], (
                f"{module} imports {imported}, which is not below it"
            )


def test_what_is_kept_out_of_a_wing() -> None:
    for path in SOURCES:
        module = module_of(path)
        for place, kept_out in KEPT_OUT.items():
            if within(module, place):
                for imported in imports(path):
                    assert not within(imported, *kept_out.split()), f"{module} imports {imported}"


def test_only_what_nobody_reads_is_outside_the_family_of_errors() -> None:
    outside = set()
    for path in SOURCES:
        for node in nodes(path):
            if isinstance(node, ast.ClassDef) and any("Exception" in ast.unparse(base) for base in node.bases):
                outside.add(node.name)
    assert outside == {"CompanionError", "CantReach", "Unfit", "Wrong", "_Other"}


def test_no_class_name_stands_twice() -> None:
    """But for what each brings to an interface; and firmware, which runs on another machine, speaks the same words."""
    places: dict[str, list[str]] = {}
    for path in (*SOURCES, *sorted((ROOT / "hardware").rglob("*.py"))):
        brought = {name for wing, names in BROUGHT.items() if within(module_of(path), wing) for name in names.split()}
        for node in nodes(path):
            if isinstance(node, ast.ClassDef) and node.name not in brought:
                places.setdefault(node.name, []).append(module_of(path))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_no_game_is_known_by_name_outside_its_folder() -> None:
    folders = [path.parent for path in (ROOT / "companion/games").glob("*/__init__.py")]
    assert folders
    pages = (path for kind in ("html", "js", "css", "toml") for path in (ROOT / "web").rglob(f"*.{kind}"))
    for path in (*SOURCES, *pages):
        text = re.sub(r"^ *(>>>|\.\.\.) .*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)  # but examples
        for folder in folders:
            if folder in path.parents or path.name == "deck.py":
                continue
            slug = folder.name.replace("_", "-")
            assert not re.search(rf"games[./]{folder.name}\b", text), f"{path} names {slug}"
            # A game has words of its own: a card may be a "go", and a suit is "hearts", without being the game.
            if ROOT / "companion/games" not in path.parents and slug not in SUITS:
                assert not re.search(rf"""["'](virtual:)?({folder.name}|{slug})["'/]""", text), f"{path} names {slug}"


MEAN_OTHERWISE = {"stop", "token"}
"""Kinds of card that are words of the machinery too: a command, and what names a phone."""


def test_no_place_or_card_of_a_game_is_known_outside_its_folder() -> None:
    """Nor is there a sentence about one."""
    known_games = games.known().values()
    pads = {pad for game in known_games for pad in game.moves.taps.own_pads}
    of_one_game = [card for game in known_games for card in game.deck.values() if card.id not in DECK]
    cards = {name for card in of_one_game for name in (card.id, card.kind)} - MEAN_OTHERWISE
    for path in SOURCES:
        if within(module_of(path), "companion.games", "companion.game_to_copy", "companion.kit"):
            continue
        texts = {node.value for node in nodes(path) if isinstance(node, ast.Constant)}
        assert not texts & (pads | cards), f"{path} names {texts & (pads | cards)}"
    for folder in ("companion", "web"):
        codes = {code for code in entries_of(ROOT / folder, SOURCE) if code.rpartition("-")[2] in pads}
        assert not codes, f"{folder} has the words {codes}"


def test_results_are_judged_again_when_any_code_is_other_that_they_come_from() -> None:
    """What games, judge and results import, and what that imports, is in the edition of what is remembered."""
    files = {module_of(path): path for path in SOURCES}
    judging = {"companion.history.standings", *(module for module in files if within(module, "companion.games"))}
    while (
        more := {module for module_judging in judging for module in imports(files[module_judging]) & files.keys()}
        - judging
    ):
        judging |= more
    assert {"companion.game.shared_rules", "companion.judge.match"} < judging
    assert {files[module] for module in judging} <= {*judged_by()}


def test_rules_open_no_file() -> None:
    for path in (ROOT / "companion/games").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "open(" not in text, path
        assert "import_module" not in text or path.parent.name == "games", path
