"""Every small slip that a module could hold: one place of its syntax tree each, changed as a tired hand might.

A mutant is known again by its key: what its function does (its docstrings, its types and its place in the file aside),
which slip it is, and the how-manieth of that kind there. So the same mutants can be tried after the tests have changed.
"""

import ast
import copy
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec


class Mutant(msgspec.Struct, frozen=True):
    """What names a mutant."""

    path: str
    line: int
    column: int
    slip: str
    key: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column} {self.slip} #{self.key}"


@dataclass(frozen=True, slots=True)
class Site:
    """Where in a syntax tree a mutant changes what into what."""

    mutant: Mutant
    tree: ast.Module
    parent: ast.AST
    field: str
    index: int | None
    instead: ast.AST

    def mutated(self) -> ast.Module:
        """Change the tree itself: for a process that wants this mutant and no other."""
        if self.index is None:
            setattr(self.parent, self.field, self.instead)
        else:
            getattr(self.parent, self.field)[self.index] = self.instead
        return ast.fix_missing_locations(self.tree)


def sites(path: str, text: str) -> Iterator[Site]:
    """Every mutant of a module, in the order of its text."""
    tree = ast.parse(text)
    times: Counter[tuple[ast.AST, str]] = Counter()
    sources: dict[ast.AST, str] = {}
    for spot in _spots(tree, tree, ""):
        for slip, instead in _slips(spot):
            times[spot.scope, slip] += 1
            if spot.scope not in sources:
                sources[spot.scope] = _source(spot.scope)
            description = f"{spot.name}\n{sources[spot.scope]}\n{slip}\n{times[spot.scope, slip]}"
            key = hashlib.sha256(description.encode()).hexdigest()[:10]
            line = spot.node.lineno
            column = spot.node.col_offset + 1
            yield Site(
                Mutant(path, line, column, slip, key),
                tree,
                spot.parent,
                spot.field,
                spot.index,
                ast.copy_location(instead, spot.node),
            )


@dataclass(frozen=True, slots=True)
class _Spot:
    """An expression or a statement, what it hangs on, and the function it is in (or, in none, the statement)."""

    node: ast.expr | ast.stmt
    parent: ast.AST
    field: str
    index: int | None
    scope: ast.AST
    name: str


ASIDE = {"annotation", "returns", "decorator_list", "bases", "format_spec", "type_params"}
"""Fields that say of what type something is, or what is made of a function."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _spots(node: ast.AST, scope: ast.AST, name: str) -> Iterator[_Spot]:
    for field, value in ast.iter_fields(node):
        if field in ASIDE or (isinstance(node, ast.ClassDef) and field == "keywords"):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else ((None, value),):
            if not isinstance(child, ast.AST) or _speaks_of_types(child) or _is_docstring(child):
                continue
            within = scope
            called = name
            if isinstance(child, (*FUNCTIONS, ast.ClassDef)):
                called = f"{name}.{child.name}"
            if isinstance(child, FUNCTIONS) or (isinstance(child, ast.stmt) and not isinstance(scope, FUNCTIONS)):
                within = child
            if isinstance(child, ast.expr | ast.stmt):
                yield _Spot(child, node, field, index, within, called)
            yield from _spots(child, within, called)


def _speaks_of_types(node: ast.AST) -> bool:
    match node:
        case ast.Subscript(value=ast.Name("Literal" | "Annotated")):
            return True
        case ast.Call(func=ast.Name("cast" | "TypeVar" | "NewType")):
            return True
        case ast.If(test=ast.Name("TYPE_CHECKING")):
            return True
    return False


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _source(scope: ast.AST) -> str:
    """What it does, without docstrings, types, comments and layout."""
    scope = copy.deepcopy(scope)
    for node in ast.walk(scope):
        if isinstance(body := getattr(node, "body", None), list):
            body[:] = [part for part in body if not _is_docstring(part)] or [ast.Pass()]
        match node:
            case ast.arg():
                node.annotation = None
            case ast.FunctionDef():
                node.returns = None
            case ast.AnnAssign():
                node.annotation = ast.Name("object")
    return ast.unparse(scope)


OTHER: dict[type[ast.AST], tuple[str, type[ast.AST]]] = {
    ast.Lt: ("< to <=", ast.LtE),
    ast.LtE: ("<= to <", ast.Lt),
    ast.Gt: ("> to >=", ast.GtE),
    ast.GtE: (">= to >", ast.Gt),
    ast.Eq: ("== to !=", ast.NotEq),
    ast.NotEq: ("!= to ==", ast.Eq),
    ast.In: ("in to not in", ast.NotIn),
    ast.NotIn: ("not in to in", ast.In),
    ast.Is: ("is to is not", ast.IsNot),
    ast.IsNot: ("is not to is", ast.Is),
    ast.Add: ("+ to -", ast.Sub),
    ast.Sub: ("- to +", ast.Add),
    ast.And: ("and to or", ast.Or),
    ast.Or: ("or to and", ast.And),
}
OTHER_NAME = {"min": "max", "max": "min", "any": "all", "all": "any"}

Slip = tuple[str, ast.AST]


def _slips(spot: _Spot) -> Iterator[Slip]:
    if isinstance(spot.node, ast.stmt):
        yield from _left_out(spot.node)
    elif spot.field in ("test", "guard", "ifs") and not isinstance(spot.node, ast.Constant):
        yield "if False", ast.Constant(False)
        if not isinstance(spot.parent, ast.While):  # it would only turn for ever
            yield "if True", ast.Constant(True)
    yield from _otherwise(spot.node)


def _left_out(statement: ast.stmt) -> Iterator[Slip]:
    match statement:
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield "assignment left out", ast.Pass()
        case ast.AugAssign(target=ast.Attribute() | ast.Subscript()):
            yield "assignment left out", ast.Pass()
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()):
            yield "call left out", ast.Pass()
        case ast.Raise():
            yield "raise left out", ast.Pass()
        case ast.Return(value=None):
            yield "return left out", ast.Pass()
        case ast.Return(value=value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield "return None", ast.Return(ast.Constant(None))


def _otherwise(node: ast.AST) -> Iterator[Slip]:
    match node:
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            for n, op in enumerate(ops):
                slip, other = OTHER[type(op)]
                yield slip, ast.Compare(left, [*ops[:n], other(), *ops[n + 1 :]], comparators)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OTHER:
            slip, other = OTHER[type(op)]
            yield slip, ast.BinOp(left, other(), right)
        case ast.AugAssign(target=target, op=op, value=value) if type(op) in OTHER:
            slip, other = OTHER[type(op)]
            yield slip, ast.AugAssign(target, other(), value)
        case ast.BoolOp(op=op, values=values):
            slip, other = OTHER[type(op)]
            yield slip, ast.BoolOp(other(), values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not left out", operand
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords) if name in OTHER_NAME:
            other = OTHER_NAME[name]
            yield f"{name} to {other}", ast.Call(ast.Name(other, ast.Load()), args, keywords)
        case ast.Constant(value=bool(value)):
            yield f"{value} to {not value}", ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield f"{value} to {value + 1}", ast.Constant(value + 1)
            yield f"{value} to {value - 1}", ast.Constant(value - 1)
        case ast.Constant(value=float(value)):
            yield f"{value} to {value + 1}", ast.Constant(value + 1)
        case ast.Constant(value=str(value)) if value:
            yield "text to nothing", ast.Constant("")
