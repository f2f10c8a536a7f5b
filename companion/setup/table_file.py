"""`table.toml` as the setup writes it: handwritten parts and comments stay; what is removed stays as a comment.

Pure: a text and a plan in, a text out.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, fields, replace

from companion.devices import drivers
from companion.devices.buttons.gpio_source import Wiring
from companion.devices.check.walk import Act
from companion.devices.sensing import reads
from companion.events import SEATS
from companion.setup.table_plan import Attached, TablePlan, buttons_of

NEW = """\
# The table, as its setup wrote it. All settings: hardware/settings.md. Write here what you like: the setup keeps it.

log = "log.sqlite"             # every match ever played here; relative to this file
tags = "tags.toml"             # which sticker is on which card
"""
OUT = "# taken out by the setup:"
"""The line above a section that no longer belongs to the table."""

_HEADER = re.compile(r"\s*\[\[?\s*([\w-]+)\s*\]\]?\s*(#.*)?$")


class Draft(Struct, frozen=True):
    """The file as it would be written."""

    text: str
    sensors: tuple[Any, ...]
    """What reading it back must give."""
    out: tuple[str, ...] = ()
    """The sections kept as comments: where the device was."""


class _Part(Struct, frozen=True):
    """A section with its lines, header included; what comes before the first header has no name."""

    name: str
    lines: tuple[str, ...]

    @property
    def found(self) -> dict[str, Any]:
        """Its settings."""
        read: dict[str, Any] = tomllib.loads("\n".join(self.lines[1:]))
        return read


def drafted(old: str, plan: TablePlan) -> Draft:
    """Write a plan's table into the text of a file; `text` is "" if there is none yet."""
    sensors = tuple(wired(plan))
    wanted = {_identity(one): one for one in sensors}
    head, *sections = _parts(old or NEW)
    written = [_with(head.lines, _told(plan, old or NEW))]
    out: list[str] = []
    for part in sections:
        if part.name not in ("reader", "buzzers"):
            written.append(part.lines)
            continue
        settings = _settings(part)
        mine = wanted.pop(_identity(settings), None) if settings is not None else None
        if mine is None:
            written.append(_out(part.lines))
            out.append(_identity(settings) if settings is not None else part.name)
        else:
            written.append((part.lines[0], *_with(part.lines[1:], _changed(settings, mine))))
    written += [("", *section(one)) for one in wanted.values()]
    text = "\n".join(line for lines in written for line in lines).rstrip("\n") + "\n"
    return Draft(text, sensors, tuple(out))


def wired(plan: TablePlan) -> Iterator[Any]:
    """Yield the settings of every device that has a place, readers first."""
    for step, (name, _) in sorted(plan.belongs.items(), key=lambda one: plan.steps.index(one[0])):
        device = plan.device(name)
        if step.act is Act.LAY and device is not None:
            yield replace(device.settings, place=step.place)
    for device in plan.devices:
        if not device.reads and (buttons := buttons_of(plan, device)):
            yield seated(device, buttons)


def seated(device: Attached, buttons: Mapping[int, int]) -> Any:
    """Return a set of buttons with the seats they belong to, by number; one on the header has only those."""
    settings = device.settings
    if isinstance(settings, Wiring):
        by_number = dict(zip(settings.seats, settings.lines, strict=True))
        seats = sorted((seat, by_number[number]) for number, seat in buttons.items())
        return replace(settings, seats=tuple(seat for seat, _ in seats), lines=tuple(line for _, line in seats))
    spare = iter(seat for seat in SEATS if seat not in buttons.values())
    return replace(settings, seats=tuple(buttons.get(number) or next(spare) for number in range(1, max(buttons) + 1)))


def _told(plan: TablePlan, old: str) -> dict[str, Any]:
    """Return what comes before the first section; without a tags file there would be no stickers."""
    told = {"name": plan.name, "language": plan.language}
    tags = {} if "tags" in tomllib.loads(old) else {"tags": "tags.toml"}
    return {key: value for key, value in told.items() if value} | tags


def _identity(settings: Any) -> str:
    """Name a device by its driver and what it is connected to; buttons on the header by their driver alone."""
    claims = () if isinstance(settings, Wiring) else next(iter(getattr(settings, "claims", ())), ("", ()))[1]
    return ", ".join((type(settings).__module__.rpartition(".")[2], *claims))


def _parts(text: str) -> list[_Part]:
    """Split a file at its headers; what comes before the first has no name."""
    parts: list[tuple[str, list[str]]] = [("", [])]
    for line in text.removesuffix("\n").split("\n"):  # and nowhere else: a comment may hold other line ends
        header = _HEADER.match(line)
        if header:
            parts.append((header[1], []))
        parts[-1][1].append(line)
    return [_Part(name, tuple(lines)) for name, lines in parts]


def _settings(part: _Part) -> Any | None:
    """Return what a section sets; None if it can't be read by itself."""
    try:
        found = part.found
        module = drivers.known(part.name)[found.pop("driver")]
        settings: Any = getattr(module, part.name.capitalize())(**{k: _frozen(v) for k, v in found.items()})
    except (ValueError, KeyError, TypeError):
        return None
    return settings


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _changed(before: Any, after: Any) -> dict[str, Any]:
    old = asdict(before)
    return {key: value for key, value in asdict(after).items() if value != old.get(key)}


def _with(lines: Iterable[str], values: Mapping[str, Any]) -> tuple[str, ...]:
    """Replace the values that are already there, and put the others on top."""
    left, kept = dict(values), list[str]()
    for line in lines:
        key = re.match(r"\s*([\w-]+)\s*=", line)
        if key and key[1] in left:
            comment = re.search(r"\s+#[^\"']*$", line)
            line = f"{key[1]} = {_toml(left.pop(key[1]))}{comment[0] if comment else ''}"
        kept.append(line)
    top = next((n for n, line in enumerate(kept) if line.strip() and not line.startswith("#")), len(kept))
    return (*kept[:top], *(f"{key} = {_toml(value)}" for key, value in left.items()), *kept[top:])


def _out(lines: Iterable[str]) -> tuple[str, ...]:
    return (OUT, *(f"# {line}" if line.strip() and not line.startswith("#") else line for line in lines))


def section(settings: Any) -> Iterator[str]:
    """Write a device's section, line by line; defaults are left out."""
    kind = "reader" if reads(settings) else "buzzers"
    name = type(settings).__module__.rpartition(".")[2].replace("_", "-")
    yield f"[[{kind}]]"
    if kind == "reader":
        yield f"place = {_toml(settings.place)}"
    yield f"driver = {_toml(name)}"
    for field in fields(settings):
        value = getattr(settings, field.name)
        if field.name != "place" and value != field.default:
            yield f"{field.name} = {_toml(value)}"


def _toml(value: Any) -> str:
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_toml, value))}]"
    return quoted(value) if isinstance(value, str) else json.dumps(value)


def quoted(text: str) -> str:
    """Return a text in TOML's spelling; half a character, which a terminal may pass on, becomes what TOML refuses."""
    plain = json.dumps(text, ensure_ascii=False).replace("\x7f", r"\u007f")
    return plain.encode(errors="backslashreplace").decode()
