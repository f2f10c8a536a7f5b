"""A law, read from the routes' own code: whoever posts a form says an act, and its route decides nothing about it.

Who may do what is decided in `companion/acts`, where a table shows it. So a route that changes anything reads its form
into an act, has it done, and shows what came of it. It neither refuses (but for a form that can't be read: status 400),
nor has any part of the table do something itself.
"""

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from textwrap import dedent

import pytest
from flask import Flask

from companion.acts.act import ACTS
from companion.live.table import Live
from companion.web.http.access import RIGHTS
from tests.web.table import app_of

CHANGES_NOTHING: Mapping[str, str] = {
    "pages.switch": "a cookie of this phone: its language",
    "reading_aloud.choose": "a cookie of this phone: how much it reads aloud",
    "agreement.answer": "answers what others are asked; `decide.may_answer` says who may",
}
"""Routes that say no act, and why."""
BESIDES: Mapping[str, str] = {
    "backups.hand_out": "backups.pack",
    "backups.choose": "backups.choose_sent(sent.stream)",
    "people.hide": "profile(",
}
"""What routes do themselves besides: carry a file to this phone, or from it, once the act is done; look up a name."""
ACT_NAMES = {act.__name__ for act in ACTS}
HAVE_IT_DONE = {"done", "done_at_seat", "carried_out"}
LOOKS = {"get", "ring"}
"""What may be called of the table's parts: a look into a mapping, and the bell by which pages are shown anew."""


def posts(app: Flask) -> list[str]:
    return sorted({rule.endpoint for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())})


def faults_of(source: str, view: str) -> list[str]:
    """What a view does that is not a route's business."""
    functions = _defined(ast.parse(source))
    reached = [functions[name] for name in sorted(_reached(view, functions))]
    calls = [node for function in reached for node in ast.walk(function) if isinstance(node, ast.Call)]
    named = {call.func.id for call in calls if isinstance(call.func, ast.Name)}
    faults = [fault for function in reached for fault in _decided(function)]
    if not named & ACT_NAMES:
        faults.append("says no act")
    if not named & HAVE_IT_DONE:
        faults.append("has no act done")
    return faults


def _defined(module: ast.Module) -> dict[str, ast.stmt]:
    """A module's functions, and its tables of them."""
    defined: dict[str, ast.stmt] = {}
    for node in module.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                defined[name] = node
            case ast.Assign(targets=[ast.Name(id=name)]):
                defined[name] = node
    return defined


def _reached(view: str, functions: Mapping[str, ast.stmt]) -> set[str]:
    """The view, and all in its module that it uses."""
    reached: set[str] = set()
    todo = [view]
    while todo:
        name = todo.pop()
        if name not in reached:
            reached.add(name)
            used = {node.id for node in ast.walk(functions[name]) if isinstance(node, ast.Name)}
            todo += used & functions.keys()
    return reached


def _decided(function: ast.stmt) -> Iterator[str]:
    parts = _parts_of_the_table(function)
    for node in ast.walk(function):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id == "Refused" and ast.unparse(node.args[0]) != "400":
            yield f"refuses: {ast.unparse(node)}"
        if isinstance(node.func, ast.Name) and node.func.id in ("at_table", "abort"):
            yield f"does it itself: {ast.unparse(node)}"
        if isinstance(node.func, ast.Attribute) and node.func.attr not in LOOKS and _root(node.func.value) in parts:
            yield f"does it itself: {ast.unparse(node)}"


def _parts_of_the_table(function: ast.stmt) -> set[str]:
    """The names that stand for a part of the table."""
    parts = {"site", "there"}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and _root(node.value) in parts:
            parts |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return parts


def _root(node: ast.expr) -> str:
    """The name at the beginning of `site().phones.change`."""
    while isinstance(node, ast.Attribute | ast.Call):
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return node.id if isinstance(node, ast.Name) else ""


@pytest.fixture
def app(live: Live) -> Flask:
    return app_of(live)


def test_every_route_that_changes_something_says_an_act_and_decides_nothing(app: Flask) -> None:
    decided = {}
    for endpoint in posts(app):
        assert endpoint in RIGHTS
        if endpoint in CHANGES_NOTHING:
            continue
        view = inspect.unwrap(app.view_functions[endpoint])
        faults = faults_of(inspect.getsource(sys.modules[view.__module__]), view.__name__)
        faults = [fault for fault in faults if endpoint not in BESIDES or BESIDES[endpoint] not in fault]
        if faults:
            decided[endpoint] = faults
    assert decided == {}


def test_only_routes_that_are_there_are_exempt(app: Flask) -> None:
    assert CHANGES_NOTHING.keys() | BESIDES.keys() <= {*posts(app)}


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("site().phones.change(step)\n    return done(End())", "does it itself: site().phones.change(step)"),
        ("live = site().live\n    live.go_on()\n    return done(End())", "does it itself: live.go_on()"),
        ("at_table(call)\n    return done(End())", "does it itself: at_table(call)"),
        ("if late:\n        raise Refused(409, 'late')\n    return done(End())", "refuses: Refused(409, 'late')"),
        ("return answered(words().say('ended'))", "says no act"),
    ],
)
def test_a_new_route_that_decides_is_found(body: str, fault: str) -> None:
    source = dedent("def end():\n    " + body)
    assert fault in faults_of(source, "end")
