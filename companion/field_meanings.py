"""What a type's fields mean, read from the code itself: the text that stands below each in its class.

So what people and programs are told about a field (in settings, in schemas) is written once, where the field is.
"""

import ast
import inspect
import textwrap
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import msgspec


@cache
def meanings(kind: type) -> dict[str, str]:
    """Return the docstring of each field or member, inherited ones included; {} if the source is not available."""
    return {name: text for ancestor in reversed(kind.__mro__) for name, text in _own_meanings(ancestor)}


def _own_meanings(kind: type) -> Iterator[tuple[str, str]]:
    try:
        (class_node,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    except (OSError, TypeError):  # built in, or only its bytecode is installed
        return
    assert isinstance(class_node, ast.ClassDef)
    for field, below in zip(class_node.body, class_node.body[1:], strict=False):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(name)) | ast.Assign(targets=[ast.Name(name)]),
                ast.Expr(ast.Constant(str(text))),
            ):
                yield name, " ".join(text.split())


def schemas(kinds: Sequence[Any], where: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the JSON schema (2020-12) of each type, and the schemas they refer to by name, with each field's meaning.

    `where` is the pointer for such references, with "{name}" in it. No two types may share a name.
    """
    schemas_wanted, named = msgspec.json.schema_components(kinds, ref_template=where)
    for kind in _classes(msgspec.inspect.multi_type_info(kinds)):
        properties = named[kind.__name__].get("properties", {})
        for field, text in meanings(kind).items():
            if field in properties:
                properties[field]["description"] = text
    return list(schemas_wanted), named


def _classes(described: Any) -> Iterator[type]:
    """Yield the types with fields within a description of types."""
    match described:
        case tuple() | list():
            for part in described:
                yield from _classes(part)
        case msgspec.inspect.Type() | msgspec.inspect.Field():
            if isinstance(described, msgspec.inspect.StructType | msgspec.inspect.TypedDictType):
                yield described.cls
            yield from _classes(msgspec.structs.astuple(described))
