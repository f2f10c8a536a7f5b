"""The drivers: one module each, named in `table.toml` by its name with dashes for underscores.

A driver module defines `Reader`, `Buzzers` or both (see `companion.devices.sensing`).
"""

import functools
import importlib
import pkgutil
from collections.abc import Mapping
from types import ModuleType
from typing import Any


@functools.cache
def known(section: str) -> Mapping[str, ModuleType]:
    """Return the drivers that may stand in `[[reader]]` or `[[buzzers]]`, by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    modules = {name.replace("_", "-"): importlib.import_module(f"{__name__}.{name}") for name in names}
    return {name: module for name, module in modules.items() if hasattr(module, section.capitalize())}


def is_virtual(settings: Any) -> bool:
    """Whether these settings are of the virtual table."""
    return type(settings).__module__ == f"{__name__}.virtual"
