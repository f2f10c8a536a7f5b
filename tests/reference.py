"""Write what the code itself says into documents and schemas: `python -m tests.reference`.

Of some a part alone is written, between two marks; the rest is by hand.
"""

import ast
import inspect
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec

from companion import config, games, words
from companion.act_cards import ACT_CARDS
from companion.cli import main
from companion.devices import drivers
from companion.field_meanings import meanings
from companion.game import (
    Card,
    Chart,
    Game,
    GameMoves,
    GameState,
    Heard,
    HowSaid,
    Knowing,
    KnownCards,
    Misplay,
    Now,
    Outcome,
    Pieces,
    Presses,
    Ruling,
    RulingKind,
    Staging,
    Taps,
    Wait,
    Word,
    fewest_points,
    leaders,
    most_points,
    shared_rules,
    simulated_hands,
    turn_order,
    with_gains,
)
from companion.game.simulated_world import Move, Physics, Sight
from companion.games import places
from companion.judge.record_schema import schema
from companion.kit import table_for_tests
from companion.kit.table_for_tests import AtTable
from companion.measuring.assumptions import ASSUMPTIONS, Section, bounds
from companion.settings import bounds_of
from companion.web.render.words import PageWords
from tests import table_schema
from tests.acts import consent
from tests.club import contract
from tests.web import template_names

ROOT = Path(__file__).parent.parent
REWARD_TOKENS = 10
"""In a box of `stop-me-go`; of which values, its owner says."""
SPARE_STICKERS = 20
_PART = re.compile(r"(?<=<!-- written by `make reference` -->\n\n).*(?=\n<!-- end -->)", re.DOTALL)


def commands() -> str:
    """Return the table of all commands."""
    rows = ["| command | does | exit status |", "|---|---|---|", *map(_row, commands_below(main))]
    return "\n".join(rows) + "\n"


def settings() -> str:
    """Return a table for each section of table.toml, and for each driver that may stand in it."""
    parts = [
        f"Every `[[reader]]` names its `place`: {', '.join(f'`{place}`' for place in places())}.\n",
        _section("Before the first section", config.FileSettings, without=config.REPEATED),
        *(_section(f"`[{name}]`", kind) for name, kind in config.SECTIONS.items()),
        _section("`[[webhook]]`", config.WebhookSettings),
    ]
    for section in ("reader", "buzzers"):
        for name, module in drivers.find(section).items():
            about = str(module.__doc__).partition(": ")[2].split("\n")[0]
            kind = getattr(module, section.capitalize())
            parts.append(_section(f'`[[{section}]]` with `driver = "{name}"`', kind, about))
    return "\n".join(parts)


def stickers() -> str:
    """Return how many stickers each game's usual box or deck takes, of which kinds of card, and all together."""
    rows = ["| game | stickers | of which |", "|---|---|---|"]
    all_of_them = REWARD_TOKENS + SPARE_STICKERS
    for slug, pieces in games.with_tags().items():
        if slug == ACT_CARDS.slug:
            continue
        cards = pieces.cards_of(pieces.box())
        kinds = Counter(pieces.deck[card].kind for card in cards)
        of_which = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) if len(kinds) > 1 else ""
        rows.append(f"| `{slug}` | {len(cards)} | {of_which} |")
        all_of_them += len(cards)
    rows.append(f"| the reward tokens of `stop-me-go` | {REWARD_TOKENS} |  |")
    rows.append(f"| one on each game's box, and to spare | {SPARE_STICKERS} |  |")
    packs = math.ceil(all_of_them / 100)
    return "\n".join([*rows, f"| all | {all_of_them} | {packs} packs of 100 |"]) + "\n"


GAME_VALUES = (
    *(
        Pieces,
        Game,
        Card,
        GameState,
        Now,
        Ruling,
        RulingKind,
        Staging,
        Misplay,
        Heard,
        GameMoves,
        Taps,
        Presses,
        Word,
        HowSaid,
        Wait,
        Outcome,
        Chart,
        KnownCards,
        Knowing,
    ),
    *(Physics, Move, Sight),
)
"""What a game is made of, in the order in which its author meets it."""


SHARED = (
    *(most_points, fewest_points, leaders, with_gains),
    *(shared_rules.won, turn_order.next_seat),
    *(simulated_hands.physics, simulated_hands.moved, simulated_hands.cards_in),
)
"""The functions that many games share."""


def game_values() -> str:
    """Return the table of each value that a game is made of, what games share, and the facts that sentences know."""
    facts = inspect.cleandoc(str(words.__doc__)).partition("\n\n")[2]
    hands = " ".join(inspect.cleandoc(str(simulated_hands.__doc__)).split())
    shared = ["## What games share", "", "| function | does |", "|---|---|", *map(_shared, SHARED), ""]
    simulated = ["## Cards in hands", "", hands, ""]
    return "\n".join(
        (*map(_game_value, GAME_VALUES), *shared, *simulated, *_language_of_tests(), "## Sentences\n", facts, "")
    )


def _language_of_tests() -> list[str]:
    """Return the table of what a game's tests say: `AtTable`, method by method."""
    rows = [
        f"| `{name}` | {docstring_in_one_line(member)} |"
        for name, member in vars(AtTable).items()
        if _is_documented(name, member)
    ]
    text = " ".join(inspect.cleandoc(str(table_for_tests.__doc__)).split())
    return [f"## The language of tests\n\n{text}\n\n| `AtTable` | does, or is |\n|---|---|", *rows, ""]


def _is_documented(name: str, member: Any) -> bool:
    return not name.startswith("_") and bool(getattr(member, "__doc__", None)) and not isinstance(member, str | float)


def docstring_in_one_line(member: Any) -> str:
    return " ".join(inspect.cleandoc(str(member.__doc__)).split()).replace("|", "¦")


def _shared(function: Callable[..., Any]) -> str:
    module = str(function.__module__).replace("companion.game.standing", "companion.game")
    does = " ".join(inspect.cleandoc(str(function.__doc__)).partition(">>>")[0].split())
    arguments = ", ".join(inspect.signature(function).parameters)
    return f"| `{module}.{function.__name__}({arguments})` | {does.replace('|', '¦')} |"


def _game_value(kind: type[Any]) -> str:
    lines = [f"## {kind.__name__}", "", " ".join(inspect.cleandoc(str(kind.__doc__)).split()), ""]
    if not issubclass(kind, Enum | msgspec.Struct):
        return "\n".join(lines)
    lines += ["| name | type | default | meaning |", "|---|---|---|---|"]
    for cells in _as_written(kind):
        lines.append(f"| {' | '.join(cell.replace('|', '¦') for cell in cells)} |")
    return "\n".join([*lines, ""])


def _as_written(kind: type[Any]) -> Iterator[tuple[str, str, str, str]]:
    """Yield each field's or member's name, type, default and meaning, as the source has them."""
    (written,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(written, ast.ClassDef)
    meaning_of = meanings(kind)
    for statement in written.body:
        match statement:
            case ast.AnnAssign(target=ast.Name(name), annotation=annotation, value=value):
                default = f"`{ast.unparse(value)}`" if value else "required"
                yield f"`{name}`", f"`{ast.unparse(annotation)}`", default, meaning_of.get(name, "")
            case ast.Assign(targets=[ast.Name(name)], value=ast.Constant(value)):
                yield f"`{name}`", "", "", meaning_of.get(name, str(value))


def assumptions() -> str:
    """Return what an owner measures, a table for each section of the page `/measure`."""
    page_words = PageWords(None, "en")
    lines = []
    for section in Section:
        lines += [f"## {page_words.say(f'measure-in-{section}')}", "", page_words.say(f"measure-before-{section}"), ""]
        lines += ["| measure | assumed until now | why |", "|---|---|---|"]
        for assumption in ASSUMPTIONS:
            if assumption.section is section:
                basis = page_words.say(f"measure-by-{assumption.basis}")
                lines.append(f"| {page_words.say(f'measure-{assumption.name}')} | {bounds(assumption)} | {basis} |")
        lines.append("")
    return "\n".join(lines).replace("\xa0", " ")


DOCUMENTS: dict[str, Callable[[], str]] = {
    "companion/cli/README.md": commands,
    "companion/game/game.md": game_values,
    "hardware/README.md": stickers,
    "hardware/measure.md": assumptions,
    "hardware/settings.md": settings,
}
"""Each document, and what stands between its marks."""


def renewed(document: str) -> str:
    """Return a document's whole text as it should be."""
    text, parts = _PART.subn(lambda _: DOCUMENTS[document](), (ROOT / document).read_text(encoding="utf-8"))
    assert parts == 1, f"{document} has {parts} parts between marks"
    return text


def commands_below(group: click.Group) -> Iterator[tuple[str, click.Command]]:
    """Yield every command with its full name, "tags list"."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from ((f"{name} {inner}", subcommand) for inner, subcommand in commands_below(command))
        elif command is not None:
            yield name, command


def _row(named: tuple[str, click.Command]) -> str:
    name, command = named
    arguments = [piece for piece in command.collect_usage_pieces(click.Context(command)) if piece != "[OPTIONS]"]
    options = [
        f"`{' '.join(filter(None, (max(option.opts, key=len), option.metavar)))}`"
        for option in command.params
        if isinstance(option, click.Option)
    ]
    does = " ".join(inspect.cleandoc(command.help or "").split())
    status = (command.epilog or "").removeprefix("Exit status: ").rstrip(".")
    return (
        f"| `{' '.join(('companion', name, *arguments))}` | {' '.join((does, ', '.join(options))).strip()} | {status} |"
    )


def _section(title: str, kind: type[msgspec.Struct], about: str = "", without: tuple[str, ...] = ()) -> str:
    meaning_of = meanings(kind)
    about = about or _sentence(str(kind.__doc__).rpartition("`: ")[2])
    lines = [f"## {title}", "", _sentence(about), "", "| setting | value | default | meaning |", "|---|---|---|---|"]
    for field in msgspec.structs.fields(kind):
        if field.name not in without:
            value = ", ".join(filter(None, (_value(field.type), bounds_of(kind, field.name))))
            default = "required" if field.required else _default(field.default)
            lines.append(f"| `{field.name}` | {value} | {default} | {meaning_of[field.name]} |")
    return "\n".join(lines) + "\n"


def _value(kind: Any) -> str:
    """Return what people write for a setting."""
    return _kind(msgspec.inspect.type_info(kind))


def _kind(kind: msgspec.inspect.Type) -> str:
    match kind:
        case msgspec.inspect.Metadata(type=inner):
            return _kind(inner)
        case msgspec.inspect.UnionType(types=types):
            return _kind(next(type_ for type_ in types if not isinstance(type_, msgspec.inspect.NoneType)))
        case msgspec.inspect.StrType():
            return "text"
        case msgspec.inspect.LiteralType(values=values):
            return " or ".join(f"`{msgspec.json.encode(value).decode()}`" for value in values)
        case msgspec.inspect.IntType():
            return "whole number"
        case msgspec.inspect.FloatType():
            return "number"
        case msgspec.inspect.BoolType():
            return "true or false"
        case msgspec.inspect.VarTupleType(item_type=msgspec.inspect.IntType()):
            return "list of whole numbers"
        case msgspec.inspect.VarTupleType(item_type=msgspec.inspect.StrType()):
            return "list of texts"
    raise TypeError(f"no words for a setting of {kind}")


def _default(value: Any) -> str:
    return "–" if value is None else f"`{msgspec.json.encode(value).decode()}`"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def record_schema() -> str:
    """Return the record's schema as its file has it."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


FILES: dict[str, Callable[[], str]] = {
    **{document: partial(renewed, document) for document in DOCUMENTS},
    "companion/record.schema.json": record_schema,
    "companion/acts/consent.md": consent.written,
    "hardware/table.schema.json": table_schema.written,
    "web/templates.md": template_names.written,
    **{str((contract.FOLDER / name).relative_to(ROOT)): partial(contract.document, name) for name in contract.FILES},
}
"""Every file that is written, and what it is to say: worked out only when it is asked for."""


if __name__ == "__main__":
    for file, written in FILES.items():
        (ROOT / file).write_text(written(), encoding="utf-8")
