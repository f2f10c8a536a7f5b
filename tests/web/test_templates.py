"""What a template may use is declared, documented and used."""

import re
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from jinja2 import DictLoader, Environment, FunctionLoader, pass_context
from jinja2.runtime import Context

from companion.live.table import Live
from companion.web.render.compiled_templates import Compiled
from companion.web.render.page_names import Page
from tests.web.table import app_of
from tests.web.template_names import MACROS, declared, macros

ROOT = Path(__file__).parents[2]
OWN = [*(ROOT / "web/templates").glob("*.html")]
NAMES = {name.name for _, names in declared() for name in names}
WIDTH = 160
TOO_WIDE = 70
"""Lines that are wider: they have no place where a line's end would not be rendered. It may only become less."""

LOOKING_INSIDE = 100
"""Selectors with `:has()`; it may only become less."""


def test_every_name_has_a_meaning() -> None:
    assert [name.name for _, names in declared() for name in names if not name.meaning] == []


def test_few_lines_of_templates_are_wider_than_a_screen() -> None:
    files = [*OWN, *(ROOT / "companion").glob("game*/**/pages/*.html")]
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    assert len([line for line in lines if len(line) > WIDTH]) <= TOO_WIDE


def test_what_takes_the_focus_of_what_is_gone_is_no_paragraph() -> None:
    """Of a paragraph that has the focus, the screen reader Orca reads the first line twice."""
    paragraph = re.compile(r'<p [^>]*id="now(-ended|-over)?"')
    assert [file.name for file in OWN if paragraph.search(file.read_text(encoding="utf-8"))] == []


def test_few_selectors_look_into_what_an_element_holds() -> None:
    """What the page's template knows, it says as a class: a browser would look again at every change."""
    sheets = [*(ROOT / "web/static").glob("*.css"), *(ROOT / "companion").glob("game*/**/pages/*.css")]
    assert sum(sheet.read_text(encoding="utf-8").count(":has(") for sheet in sheets) <= LOOKING_INSIDE


def test_every_macro_that_a_game_takes_has_a_meaning() -> None:
    meanings = {template: {macro.name: macro.meaning for macro in macros(template)[1]} for template in MACROS}
    pages = [
        page for folder in ("games", "game_to_copy") for page in (ROOT / "companion" / folder).rglob("pages/*.html")
    ]
    uses = {
        (template, name)
        for page in pages
        for template, names in re.findall(r'from "([a-z-]+)\.html" import (.+?) with', page.read_text(encoding="utf-8"))
        for name in names.split(", ")
        if template in meanings and name in meanings[template]  # or it is a value
    }
    assert ("parts", "act") in uses
    assert [use for use in sorted(uses) if not meanings[use[0]][use[1]]] == []


def test_a_page_has_the_names_that_are_declared(live: Live) -> None:
    app = app_of(live)
    context = app.extensions["companion"].screens.frame(Page("score"), "en")
    *about_a_page, about_all = ({name.name for name in names} for _, names in declared())
    assert sorted(context) == sorted(name for names in about_a_page for name in names)
    assert about_all <= app.jinja_env.globals.keys()


def test_every_name_is_used() -> None:
    texts = "".join(path.read_text(encoding="utf-8") for path in OWN)
    assert [name for name in sorted(NAMES) if not re.search(rf"\b{name}\b", texts)] == []


def test_macros_are_made_once_a_page_for_all_of_its_parts(live: Live) -> None:
    env = app_of(live).jinja_env
    part = '{% from "macros" import name with context %}{{ name() }} '
    env.loader = DictLoader({"macros": "{% set at = made() %}{% macro name() %}{{ who }}{{ at }}{% endmacro %}"})
    env.loader.mapping |= {"page": part + '{% include "part" %}', "part": part}
    counter = count(1).__next__
    assert [env.get_template("page").render(made=counter, who=visitor) for visitor in "ab"] == ["a1 a1 ", "b2 b2 "]


def test_a_template_is_compiled_again_where_a_filter_asks_for_other_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", False)

    def page(aloud: Callable[..., str]) -> str:
        loader = FunctionLoader(lambda _: ("{{ 'Ana'|aloud }}", "page.html", lambda: True))
        env = Environment(loader=loader, bytecode_cache=Compiled(tmp_path))
        env.filters["aloud"] = aloud
        return env.get_template("page.html").render(language="en")

    @pass_context
    def in_its_language(context: Context, name: str) -> str:
        return f"{name} ({context['language']})"

    assert [page(str.upper), page(in_its_language)] == ["ANA", "Ana (en)"]


def test_a_template_is_compiled_once_and_again_where_its_file_is_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "kept"
    at = "/any/where/web/templates/page.html"
    definition = '{% set never = "said" %}'
    monkeypatch.setenv("CACHE_DIRECTORY", str(cache))
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    compiled: list[str] = []

    def page() -> str:
        env = Environment(
            loader=FunctionLoader(lambda _: (f"{definition}page", at, lambda: True)), bytecode_cache=Compiled(tmp_path)
        )
        monkeypatch.setattr(env, "compile", lambda *how, of=env.compile: compiled.append("once") or of(*how))
        return env.get_template("page.html").render()

    assert [page(), page(), len(compiled)] == ["page", "page", 1]
    (file,) = cache.iterdir()
    for whole in (file.read_bytes(), b""):
        file.write_bytes(whole[:40])
        assert page() == "page"
    kept_nowhere = tmp_path / "nowhere"
    kept_nowhere.write_bytes(b"")
    monkeypatch.setenv("CACHE_DIRECTORY", str(kept_nowhere))
    assert page() == "page"
    assert len(compiled) == 4
