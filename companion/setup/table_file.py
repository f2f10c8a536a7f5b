"""Writes the setup's result into `table.toml`: handwritten parts and comments stay, removed devices become comments.

Pure: a text and a plan in, a text out.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

import tomlkit
from msgspec import Struct
from msgspec.structs import asdict, fields, replace

from companion import toml_editing
from companion.devices import drivers
from companion.devices.buttons.gpio_source import Wiring
from companion.devices.check.walk import Act
from companion.devices.drivers import pn532_uart
from companion.devices.sensing import reads
from companion.events import SEATS, seat_at
from companion.setup.table_plan import Attached, TablePlan, buttons_of

NEW = """\
# The table, as its setup wrote it. All settings: hardware/settings.md. Write here what you like: the setup keeps it.

log = "log.sqlite"             # every match ever played here; relative to this file
tags = "tags.toml"             # which sticker is on which card
"""
OUT = "# taken out by the setup:"
"""The line above a section that no longer belongs to the table."""


_KINDS = ("reader", "buzzers")


class Draft(Struct, frozen=True):
    """A settings file to be written."""

    text: str
    sensors: tuple[Any, ...]
    """The devices that reading it back must give."""
    out: tuple[str, ...] = ()
    """Names of the devices whose sections became comments."""


def drafted(old: str, plan: TablePlan) -> Draft:
    """Return a plan's settings file; `old` is the present text, "" if there is none yet."""
    in_file = {_identity(settings) for settings in _devices_in(old)}
    sensors = tuple(_with_resets([*wired(plan)], in_file, plan.reset_pins))
    unwritten = {_identity(settings): settings for settings in sensors}
    head, *sections = toml_editing.sections(old or NEW)
    out: list[str] = []
    phones = {"in_play": None if plan.phones_in_play else False}
    written = [_with_devices_in_head(toml_editing.edited(head, _head_settings(plan, old or NEW)), unwritten, out)]
    for section in sections:
        kind, values = toml_editing.values_of(section)
        if kind == "phones":
            written.append(toml_editing.edited(section, phones))
            phones = {}
            continue
        if kind not in _KINDS:
            written.append(section)
            continue
        settings = _settings(kind, values)
        wired_settings = unwritten.pop(_identity(settings), None) if settings is not None else None
        if wired_settings is None:
            written.append(_commented_out(section))
            out.append(kind if settings is None else _identity(settings))
        else:
            written.append(toml_editing.edited(section, _changed(settings, wired_settings)))
    # Devices without a section in the file are new, and come after all others.
    text = "".join(written).rstrip("\n") + "\n"
    if phones and not plan.phones_in_play:
        text += f"\n{toml_editing.as_section('phones', phones)}"
    text += "".join(f"\n{device_section(settings)}" for settings in unwritten.values())
    return Draft(text, sensors, tuple(out))


def _devices_in(old: str) -> Iterator[Any]:
    values = tomllib.loads(old)
    for kind in _KINDS:
        for device in values.get(kind, ()):
            if (settings := _settings(kind, device)) is not None:
                yield settings


def _with_resets(wired_sensors: Sequence[Any], in_file: Set[str], pins: Mapping[str, int]) -> Iterator[Any]:
    """Set the reset pin of each new reader on a serial port as the build guide wires it, if the pin is free.

    Readers that are in the file already are left alone: they may have no reset wire.
    """
    used = {claim for settings in wired_sensors for _, claim, *_ in getattr(settings, "claims", ())}
    for settings in wired_sensors:
        pin = pins.get(settings.place) if isinstance(settings, pn532_uart.Reader) else None
        is_new = _identity(settings) not in in_file
        yield replace(settings, reset=pin) if pin and is_new and (f"GPIO {pin}",) not in used else settings


def _with_devices_in_head(head: str, unwritten: dict[str, Any], out: list[str]) -> str:
    """Change devices that are written as `reader = [{ … }]` before all sections; new ones of that kind are added there.

    Devices written here are removed from `unwritten`; those that leave the table are added to `out`.
    """
    document = tomlkit.parse(head)
    for kind in _KINDS:
        if kind not in document:
            continue
        array = document[kind]
        for device in [*array]:
            settings = _settings(kind, device.unwrap())
            wired_settings = unwritten.pop(_identity(settings), None) if settings is not None else None
            if wired_settings is None:
                for line in (OUT.removeprefix("# "), *f"{kind} = {device.as_string()}".splitlines()):
                    document.add(tomlkit.comment(line))
                array.remove(device)
                out.append(kind if settings is None else _identity(settings))
            else:
                toml_editing.edit_table(device, _changed(settings, wired_settings))
        for identity, settings in [*unwritten.items()]:
            if _kind_of(settings) == kind:
                array.append(toml_editing.as_item(_values_of(settings)))
                del unwritten[identity]
    return document.as_string()


def wired(plan: TablePlan) -> Iterator[Any]:
    """Yield the settings of every device with a place, readers first."""
    for step, (name, _) in sorted(plan.belongs.items(), key=lambda belonging: plan.steps.index(belonging[0])):
        device = plan.device(name)
        if step.act is Act.LAY and device is not None:
            yield replace(device.settings, place=step.place)
    for device in plan.devices:
        if not device.reads and (buttons := buttons_of(plan, device)):
            yield seated(device, buttons)


def seated(device: Attached, buttons: Mapping[int, int]) -> Any:
    """Return a set of buttons with its seats, by number; on the header only the wired pins are kept."""
    settings = device.settings
    if isinstance(settings, Wiring):
        by_number = dict(zip(settings.seats, settings.lines, strict=True))
        seats = sorted((seat, by_number[number]) for number, seat in buttons.items())
        return replace(settings, seats=tuple(seat for seat, _ in seats), lines=tuple(line for _, line in seats))
    # A box's seats are a list by button, so unwired buttons below the highest get seats that are not in use.
    spare = iter(seat for seat in SEATS if seat not in buttons.values())
    return replace(settings, seats=tuple(buttons.get(number) or next(spare) for number in range(1, max(buttons) + 1)))


def _head_settings(plan: TablePlan, old: str) -> dict[str, Any]:
    """Return the settings before the first section.

    `tags` is added because without a file there would be no stickers; `seats` where the devices alone do not imply it.
    """
    old_values = tomllib.loads(old)
    answers = {"name": plan.name, "language": plan.language}
    sensed = sorted({seat for step in plan.belongs if (seat := seat_at(step.place))})
    tags = {} if "tags" in old_values else {"tags": "tags.toml"}
    seats = {"seats": plan.seats} if "seats" in old_values or sensed != [*range(1, plan.seats + 1)] else {}
    return {key: value for key, value in answers.items() if value} | tags | seats


def _identity(settings: Any) -> str:
    """Identify a device by its driver and connection; buttons on the header by their driver alone."""
    claims = () if isinstance(settings, Wiring) else next(iter(getattr(settings, "claims", ())), ("", ()))[1]
    return ", ".join((type(settings).__module__.rpartition(".")[2], *claims))


def _settings(kind: str, values: Mapping[str, Any]) -> Any | None:
    """Return the driver's settings of a section; None if they are invalid."""
    try:
        module = drivers.find(kind)[values["driver"]]
        settings = {key: _frozen(value) for key, value in values.items() if key != "driver"}
        return getattr(module, kind.capitalize())(**settings)
    except (ValueError, KeyError, TypeError):
        return None


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _changed(old_settings: Any, new_settings: Any) -> dict[str, Any]:
    old_values = asdict(old_settings)
    return {key: value for key, value in asdict(new_settings).items() if value != old_values.get(key)}


def _commented_out(section: str) -> str:
    lines = (f"# {line}" if line.strip() and not line.startswith("#") else line for line in section.split("\n"))
    return "\n".join((OUT, *lines))


def device_section(settings: Any) -> str:
    """Write a device's section, without defaults."""
    return toml_editing.as_section(_kind_of(settings), _values_of(settings), repeated=True)


def _kind_of(settings: Any) -> str:
    return "reader" if reads(settings) else "buzzers"


def _values_of(settings: Any) -> dict[str, Any]:
    place = {"place": settings.place} if reads(settings) else {}
    driver = {"driver": type(settings).__module__.rpartition(".")[2].replace("_", "-")}
    names = [field.name for field in fields(settings) if field.name != "place"]
    defaults = {field.name: field.default for field in fields(settings)}
    values = {name: getattr(settings, name) for name in names if getattr(settings, name) != defaults[name]}
    return place | driver | values
