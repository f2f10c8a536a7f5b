"""Which trials there are: every module of this folder that has a function `trial`."""

import importlib
import pkgutil

from tests import trust
from tests.trust.findings import Trial

TRIALS: dict[str, Trial] = {
    found.name: module.trial
    for found in pkgutil.iter_modules(trust.__path__)
    if not found.name.startswith(("_", "test_")) and found.name not in {"trials", "page"}
    if hasattr(module := importlib.import_module(f"tests.trust.{found.name}"), "trial")
}
