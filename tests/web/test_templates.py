"""What a template may use is declared, documented and used."""

import re
from itertools import count
from pathlib import Path

from jinja2 import DictLoader

from companion.live.table import Live
from companion.web.render.page_names import Page
from tests.web.table import app_of
from tests.web.template_names import PAGE, declared, written

ROOT = Path(__file__).parents[2]
OWN = [*(ROOT / "web/templates").glob("*.html")]
NAMES = {one.name for _, names in declared() for one in names}


def test_the_page_of_names_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == written(), "python -m tests.web.template_names"


def test_every_name_has_a_meaning() -> None:
    assert [one.name for _, names in declared() for one in names if not one.meaning] == []


def test_a_page_has_the_names_that_are_declared(live: Live) -> None:
    app = app_of(live)
    context = app.extensions["companion"].screens.frame(Page("score"), "en")
    (about_a_page, about_all) = ({one.name for one in names} for _, names in declared())
    assert context.keys() == about_a_page
    assert about_all <= app.jinja_env.globals.keys()


def test_every_name_is_used() -> None:
    texts = "".join(path.read_text(encoding="utf-8") for path in OWN)
    assert [name for name in sorted(NAMES) if not re.search(rf"\b{name}\b", texts)] == []


def test_macros_are_made_once_a_page_for_all_of_its_parts(live: Live) -> None:
    env = app_of(live).jinja_env
    part = '{% from "macros" import name with context %}{{ name() }} '
    env.loader = DictLoader({"macros": "{% set at = made() %}{% macro name() %}{{ who }}{{ at }}{% endmacro %}"})
    env.loader.mapping |= {"page": part + '{% include "part" %}', "part": part}
    made = count(1).__next__
    assert [env.get_template("page").render(made=made, who=who) for who in "ab"] == ["a1 a1 ", "b2 b2 "]
