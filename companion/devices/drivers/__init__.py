"""The drivers: one module each, named in `table.toml` by its name with dashes for underscores.

A driver module defines `Reader`, `Buzzers` or both (see `companion.devices.sensing`). Installed packages bring more to
the entry point `table_companion.drivers`: there the module's `CONTRACT` says which interface it was written for.
"""

import functools
import importlib
import pkgutil
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from companion.devices.drivers import virtual
from companion.devices.sensing import CONTRACT
from companion.plugins import Candidate, LeftOut, Unfit, gathered, installed, see_contract

GROUP = "table_companion.drivers"
_NEEDED = {"Reader": ("place", "open"), "Buzzers": ("seats", "apart", "open")}
"""What the settings of each kind of device have; see `companion.devices.sensing`."""


def find(section: str) -> Mapping[str, ModuleType]:
    """Return the drivers that may stand in `[[reader]]` or `[[buzzers]]`, by name."""
    return {name: module for name, module in _found()[0].items() if hasattr(module, section.capitalize())}


def left_out() -> tuple[LeftOut, ...]:
    """Return what should be a driver but can't be used."""
    return _found()[1]


def is_virtual(settings: Any) -> bool:
    """Whether these settings are of the virtual table."""
    return isinstance(settings, virtual.Reader | virtual.Buzzers)


@functools.cache
def _found() -> tuple[Mapping[str, ModuleType], tuple[LeftOut, ...]]:
    packaged = (
        Candidate(f"{__name__}.{name}", name, functools.partial(importlib.import_module, f"{__name__}.{name}"), False)
        for name in sorted(module.name for module in pkgutil.iter_modules(__path__))
    )
    return gathered([*packaged, *installed(GROUP)], _fit)


def _fit(candidate: Candidate, module: Any) -> tuple[str, ModuleType]:
    see_contract(candidate, getattr(module, "CONTRACT", None), CONTRACT)
    kinds = {name: getattr(module, name) for name in _NEEDED if hasattr(module, name)}
    if not kinds:
        raise Unfit("it defines neither Reader nor Buzzers")
    for name, kind in kinds.items():
        config = getattr(kind, "__struct_config__", None)
        if config is None or not (config.frozen and config.forbid_unknown_fields):
            raise Unfit(f"its {name} is not a msgspec.Struct with frozen=True, forbid_unknown_fields=True")
        if missing := [attribute for attribute in _NEEDED[name] if not hasattr(kind, attribute)]:
            raise Unfit(f"its {name} has no {' and no '.join(missing)}")
    return candidate.name.replace("_", "-"), module
