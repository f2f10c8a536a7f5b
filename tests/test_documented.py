"""What no document names does not exist: settings, drivers, event kinds, games' options. (Commands: test_reference.)"""

import re
from pathlib import Path

import msgspec
import pytest
from babel import Locale

from companion import config, games
from companion.cli import main
from companion.devices import drivers
from companion.events import KINDS
from companion.game import AnyGame
from companion.games import places
from companion.languages import LANGUAGES, TRANSLATED, language
from tests.reference import commands_below

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
TABLE = (ROOT / "hardware/table.toml").read_text(encoding="utf-8") + (ROOT / "hardware/README.md").read_text("utf-8")
DOCUMENTS = (*ROOT.glob("*.md"), *ROOT.glob("[cfhw]*/**/*.md"))
BESIDE = {"companion/game_to_copy/record.md", "hardware/wiring/cables.md"}
"""Documents that others show, or that are copied."""
RECORD = (ROOT / "companion/record.md").read_text(encoding="utf-8")

SETTINGS = {
    *(name for kind in (config.FileSettings, *config.SECTIONS.values()) for name in kind.__struct_fields__),
    *(
        name
        for section in ("reader", "buzzers")
        for module in drivers.find(section).values()
        for name in getattr(module, section.capitalize()).__struct_fields__
    ),
}


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("file", "tongue"), [("README.md", "en"), ("README.fr.md", "fr")])
def test_each_readme_says_every_language_of_the_pages(code: str, file: str, tongue: str) -> None:
    name = Locale(code).get_display_name(tongue)
    assert name in (ROOT / file).read_text(encoding="utf-8")


def test_the_readme_says_which_languages_no_native_has_read() -> None:
    unread = [Locale(code).get_display_name("en") for code in TRANSLATED if not language(code).is_read_by_a_native]
    sentence = re.search(r"Pages speak\s.*?; (.*?), not yet read by a native", README, re.DOTALL)
    assert re.findall(r"[A-Z]\w+", sentence[1] if sentence else "") == sorted(unread)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("file", ["table.toml", "settings.md"])
def test_the_setting_of_the_language_says_every_code(code: str, file: str) -> None:
    lines = (ROOT / "hardware" / file).read_text(encoding="utf-8").splitlines()
    assert f'"{code}"' in next(line for line in lines if re.match(r"(\| `)?language\b", line))


@pytest.mark.parametrize("setting", sorted(SETTINGS))
def test_every_setting_is_in_the_example_table(setting: str) -> None:
    assert re.search(rf"\b{setting}\b", TABLE)


@pytest.mark.parametrize("section", ["reader", "buzzers"])
def test_every_driver_is_documented(section: str) -> None:
    settings = (ROOT / "hardware/settings.md").read_text(encoding="utf-8")
    for name in drivers.find(section):
        assert f'## `[[{section}]]` with `driver = "{name}"`' in settings


@pytest.mark.parametrize("word", [*KINDS, *places()[:1], *places()[6:]])
def test_every_kind_and_place_is_in_the_contract(word: str) -> None:
    assert f"`{word}`" in RECORD


@pytest.mark.parametrize("game", games.known().values(), ids=games.known().keys())
def test_every_option_is_in_its_games_contract(game: AnyGame) -> None:
    contract = (game.folder / "record.md").read_text(encoding="utf-8")
    for field in msgspec.structs.fields(game.options):
        assert f"`{field.name}`" in contract


def test_the_example_table_is_good(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text((ROOT / "hardware/table.toml").read_text(encoding="utf-8"), encoding="utf-8")
    assert len(config.load(path).sensors) == 6


def test_its_variants_are_good(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    variants = re.findall(r"^# (\[\[\w+\]\]|\w+ = .*)$", TABLE.partition("# Or readers")[2], re.MULTILINE)
    path.write_text("\n".join(variants), encoding="utf-8")
    assert len(config.load(path).sensors) == 4


def test_the_make_targets_of_the_readme_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`make (\w+)", README):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_commands_of_the_readme_exist() -> None:
    command_names = {name for name, _ in commands_below(main)}
    for command in re.findall(r"`companion ([a-z-]+(?: [a-z]+)?)", README):
        assert {command, command.partition(" ")[0]} & command_names, command


def test_links_in_the_documents_lead_somewhere() -> None:
    for document in DOCUMENTS:
        for link in re.findall(r"(?:\]\(|src=\")([^)#\"]+)", document.read_text(encoding="utf-8")):
            assert link.startswith("http") or (document.parent / link).exists(), f"{document.name}: {link}"


def test_every_row_of_a_table_has_as_many_cells_as_its_head() -> None:
    for document in DOCUMENTS:
        text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
        for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
            head, *rows = (len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines())
            assert rows, f"{document}: a row without a head: {table}"
            assert {*rows} == {head}, f"{document}: {table}"


def test_every_file_that_the_shape_of_a_game_names_is_in_the_one_that_authors_copy() -> None:
    shape = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("| file | holds |")[2].partition("\n\n")[0]
    for cell in re.findall(r"^\| (`.*?) \|", shape, re.MULTILINE):
        for file in re.findall("`(.+?)`", cell):
            assert (ROOT / "companion/game_to_copy" / file).exists(), file


def test_every_document_but_those_of_examples_has_its_place_on_the_site() -> None:
    places = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    named = {str(document.relative_to(ROOT)) for document in DOCUMENTS if f": {document.relative_to(ROOT)}\n" in places}
    assert {str(document.relative_to(ROOT)) for document in DOCUMENTS} - named == BESIDE


def test_the_site_lets_pictures_and_its_themes_style_sheets_through() -> None:
    site = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pictures = {
        Path(picture).suffix
        for document in DOCUMENTS
        for picture in re.findall(r"(?:src=\"|!\[[^\]]*\]\()([^)\"]+)", document.read_text(encoding="utf-8"))
    }
    assert pictures
    assert {suffix for suffix in pictures if f"  !*{suffix}\n" not in site} == set()
    assert "  !/assets/**\n" in site
