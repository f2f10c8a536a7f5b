"""A law, read from the routes' own code: whoever posts a form says an act, and its route decides nothing about it.

Who may do what is decided in `companion/acts`, where a table shows it. So a route that changes anything reads its form
into an act, has it done, and shows what came of it. It neither refuses (but for a form that can't be read: status 400),
nor has any part of the table do something itself.

What people hold, and who is there, no page looks at to decide, whether or not there is a table.

Where there is no table (at a club's hub, in the setup, in first aid) a route can say no act: nobody sits there who
could be asked. Each is named here with what it does, and refuses only what a rule that is named here forbids.
"""

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from textwrap import dedent

import pytest
from flask import Flask

from companion.acts.act import ACTS
from companion.club.hub import club_toml
from companion.club.hub.hub import opened
from companion.live.table import Live
from companion.network.page_address import fixed
from companion.web.http.access import RIGHTS
from companion.web.hub import create_hub
from companion.web.setup import create_setup
from tests.first_aid.bed import Bed
from tests.web.setting_up import unconfigured
from tests.web.table import app_of

PAGES = Path(create_setup.__code__.co_filename).parent.parent
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
WITHOUT_A_TABLE: Mapping[str, str] = {
    "wall.switch": "a cookie of this phone: its language",
    "keeping.claim": "makes the phone that typed the club's code the keeper's, and is no table's business",
    "keeping.renew_code": "draws the club a new keeper's code, which no table knows",
    "keeping.scene": "what the club's screens show: the hub's, and no table's",
    "keeping.call": "what a member of the club is called at the hub; tables keep their own names",
    "keeping.part": "takes that back",
    "keeping.ask": "asks every table for its results again; no table changes by it",
    "keeping.forget": "which tables the hub shows; the table hears nothing of it",
    "keeping.back_up": "sends the hub's file, and changes nothing",
    "keeping.invite": "shows a code, and changes nothing",
    "tournament.new": "the club's tournament is its keeper's, across all tables",
    "tournament.enter": "who plays in it, before anybody sits at a table",
    "tournament.leave": "who plays in it no longer, wherever they sit",
    "tournament.draw": "who meets whom at which table, across all of them",
    "tournament.places": "a pod's result from paper, which no table has recorded",
    "tournament.end": "puts it away at the hub; what was played stays at the tables",
    "bracket.new": "the club's duels are its keeper's, across all tables",
    "bracket.leave": "who duels no longer, wherever they sit",
    "bracket.won": "a duel's result from paper, which no table has recorded",
    "bracket.end": "puts it away at the hub; what was played stays at the tables",
    "schedule.times": "when the club's rounds begin, at whichever table",
    "schedule.call": "calls people to a table on the club's screens; the table hears nothing of it",
    "schedule.move": "at which table people are to play; neither table hears of it",
    "setup.switch": "a cookie of this phone: its language",
    "setup.claim": "makes a phone the one that sets the table up; before that nobody could say an act",
    "setup.take_over": "the same, where the phone that began has gone",
    "setup.begin": "the name of a table that is yet to be",
    "setup.bring_back": "makes the table what a backup holds; acts begin after it",
    "setup.look_again": "looks for devices; there is no table that they belong to",
    "setup.walk": "how many seats there are to be",
    "setup.skip": "a step of the plan, which is no table's until it is written",
    "setup.back": "a step of the plan, which is no table's until it is written",
    "setup.again": "a step of the plan, which is no table's until it is written",
    "setup.take": "a step of the plan, which is no table's until it is written",
    "setup.write": "makes the table; acts begin after it",
    "first_aid.switch": "a cookie of this phone: its language",
    "first_aid.prove": "makes the phone that typed the code the host's; of the seats perhaps nothing can be read",
    "first_aid.again": "only looks again at what ails a table that can't start",
    "first_aid.cure": "the table can't start, so its acts can't be kept; `FirstAid.may` says who may",
    "first_aid.bring_back": "the table can't start, so nobody sits at it; its host alone brings it back",
}
"""Routes of pages that are no table's, and what each does that is no act of one."""
FOR_ANYBODY = {"wall.switch", "setup.switch", "first_aid.switch", "setup.claim", "first_aid.prove", "first_aid.again"}
"""Those that anybody may use: for a cookie, to type a code, or to look again."""
ASK_WHO_MAY = {"for_keeper", "changed", "_for_keeper", "whose_setup.take_over", "is_host"}
"""One of these is asked by all others; `changed` asks for the hub's keeper."""
RULES: Mapping[str, tuple[str, ...]] = {
    "hub-keepers": ("_is_keeper()",),
    "hub-forget-there": ("except TableIsThere",),
    "hub-wrong-code": ("keeper.claim(",),
    "setup-others": ("sets_up(work().phones.rights, phone())",),
    "setup-backup-later": ("is_new(of.setup.table)",),
    "setup-still-there": ("except StillThere",),
    "setup-nothing": ("except NothingToWrite",),
    "setup-not-written": ("except NotWritten",),
    "aid-host-only": ("is_host()",),
    "wrong-code": ("aid.prove(", "except (NoSuchCode, Held)"),
}
"""What these refuse, and the rule below that says so, or one for each of the pages."""
WHO_HOLDS_WHAT = {"rights", "holders", "presence"}
LOOKS_WHO_HOLDS_WHAT: Mapping[str, str] = {
    "http/phone.py": "who may see which page, by the rights that `access.py` names",
    "render/players.py": "whose name is crossed out, since somebody else plays on",
    "routes/matches.py": "where the host is led once a match has begun",
}
"""Modules of pages that compare such a thing, and what for."""
ACT_NAMES = {act.__name__ for act in ACTS}
HAVE_IT_DONE = {"done", "done_at_seat", "carried_out"}
LOOKS = {"get", "ring"}
"""What may be called of the table's parts: a look into a mapping, and the bell by which pages are shown anew."""


def posts(app: Flask) -> list[str]:
    return sorted({rule.endpoint for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())})


def source_of(app: Flask, endpoint: str) -> tuple[str, str]:
    """A view's module as text, and its name there."""
    view = inspect.unwrap(app.view_functions[endpoint])
    return inspect.getsource(sys.modules[view.__module__]), view.__name__


def faults_of(source: str, view: str) -> list[str]:
    """What a view does that is not a route's business."""
    reached = _functions_of(source, view)
    named = called(source, view)
    faults = [fault for function in reached for fault in _decided(function)]
    if not named & ACT_NAMES:
        faults.append("says no act")
    if not named & HAVE_IT_DONE:
        faults.append("has no act done")
    return faults


def called(source: str, view: str) -> set[str]:
    """The names of the functions that a view calls, with their modules where it names these."""
    calls = [node for part in _functions_of(source, view) for node in ast.walk(part) if isinstance(node, ast.Call)]
    return {ast.unparse(call.func) for call in calls}


def unruled(source: str, view: str) -> list[str]:
    """What a view without a table refuses although no rule that is named here says so."""
    statements = [part for function in _functions_of(source, view) for part in getattr(function, "body", ())]
    return [
        ast.unparse(refusal)
        for statement in statements
        for refusal in _refusals(statement)
        if not any(rule in ast.unparse(statement) for rule in RULES.get(_code(refusal), ()))
    ]


def _refusals(statement: ast.stmt) -> Iterator[ast.Call]:
    """What is refused for another reason than that a form can't be read."""
    for node in ast.walk(statement):
        match node:
            case ast.Call(func=ast.Name(id="Refused"), args=[ast.Constant(value=400), *_]):
                continue
            case ast.Call(func=ast.Name(id="Refused")):
                yield node


def _code(refusal: ast.Call) -> str:
    match refusal.args:
        case [_, ast.Constant(value=str(code)), *_]:
            return code
    return ""


def _functions_of(source: str, view: str) -> list[ast.stmt]:
    """The view, and all in its module that it uses."""
    functions = _defined(ast.parse(source))
    return [functions[name] for name in sorted(_reached(view, functions))]


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
    for refusal in _refusals(function):
        yield f"refuses: {ast.unparse(refusal)}"
    for node in ast.walk(function):
        if not isinstance(node, ast.Call):
            continue
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


@pytest.fixture
def apps_without_a_table(tmp_path: Path) -> Iterator[Sequence[Flask]]:
    """The pages of a hub, of the setup and of first aid."""
    file = tmp_path / "CLUB.toml"
    file.write_text('[club]\nbroker = "mqtt://127.0.0.1:1"\nclub = "wednesday"\n')
    work = unconfigured(tmp_path)
    with ExitStack() as end:
        end.enter_context(closing(work.setup))
        hub = end.enter_context(opened(club_toml.load(file), fixed("http://hub.lan/")))
        yield create_hub(hub), create_setup(work), Bed(tmp_path).app()


def test_every_route_that_changes_something_says_an_act_and_decides_nothing(app: Flask) -> None:
    decided = {}
    for endpoint in posts(app):
        assert endpoint in RIGHTS
        if endpoint in CHANGES_NOTHING:
            continue
        faults = faults_of(*source_of(app, endpoint))
        faults = [fault for fault in faults if endpoint not in BESIDES or BESIDES[endpoint] not in fault]
        if faults:
            decided[endpoint] = faults
    assert decided == {}


def test_only_routes_that_are_there_are_exempt(app: Flask) -> None:
    assert CHANGES_NOTHING.keys() | BESIDES.keys() <= {*posts(app)}


def test_every_route_without_a_table_is_named(apps_without_a_table: Sequence[Flask]) -> None:
    """Whoever adds one says here why it is no act, and none is named that is not there."""
    assert sorted(WITHOUT_A_TABLE) == sorted(endpoint for app in apps_without_a_table for endpoint in posts(app))


def test_a_route_without_a_table_asks_who_may_use_it(apps_without_a_table: Sequence[Flask]) -> None:
    asks_nobody = {
        endpoint
        for app in apps_without_a_table
        for endpoint in posts(app)
        if not called(*source_of(app, endpoint)) & ASK_WHO_MAY
    }
    assert asks_nobody == FOR_ANYBODY


def test_a_route_without_a_table_refuses_only_what_a_rule_forbids(apps_without_a_table: Sequence[Flask]) -> None:
    refused = {}
    for app in apps_without_a_table:
        for endpoint in posts(app):
            if refusals := unruled(*source_of(app, endpoint)):
                refused[endpoint] = refusals
    assert refused == {}


def compares_who_holds_what(source: str) -> bool:
    compared = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Compare))
    questions = (node for node in compared if not isinstance(node.ops[0], ast.Is | ast.IsNot))
    return any(
        isinstance(part, ast.Attribute) and part.attr in WHO_HOLDS_WHAT for node in questions for part in ast.walk(node)
    )


def test_no_page_decides_by_who_holds_what() -> None:
    modules = {path.relative_to(PAGES).as_posix(): path.read_text() for path in PAGES.rglob("*.py")}
    deciding = {name for name, source in modules.items() if compares_who_holds_what(source)}
    assert deciding == LOOKS_WHO_HOLDS_WHAT.keys()


@pytest.mark.parametrize(
    ("body", "refusal"),
    [
        ("if late:\n        raise Refused(409, 'late')", "Refused(409, 'late')"),
        ("if late:\n        raise Refused(403, 'setup-others')", "Refused(403, 'setup-others')"),
        ("if late:\n        raise Refused(*why)", "Refused(*why)"),
    ],
)
def test_a_new_route_without_a_table_that_decides_is_found(body: str, refusal: str) -> None:
    source = dedent("def end():\n    " + body)
    assert unruled(source, "end") == [refusal]


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
