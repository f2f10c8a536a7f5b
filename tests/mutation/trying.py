"""One mutant, tried by some tests in a process of its own.

The process is a fork of this one, which has loaded what is heavy and none of the project's own modules: it loads those
anew, the mutated one among them. A test that itself starts a process shows nothing: that one has the module as it is.
"""

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import resource
import select
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NoReturn

import msgspec
import pytest
from hypothesis import Phase, settings

from tests.mutation.wings import Tests

HEAVY = (
    *("flask", "jinja2", "gevent", "gevent.event", "gevent.pywsgi", "playwright.sync_api", "segno", "click", "serial"),
    *("sqlite3", "hypothesis.strategies", "hypothesis.internal.conjecture.engine", "_hypothesis_pytestplugin"),
)
"""Not the project's own, and slow to load."""
PASSED = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
MEMORY = 4 * 2**30
"""Bytes: a mutant may well collect without end."""


class Verdict(StrEnum):
    """What came of a mutant."""

    KILLED = "killed"
    SURVIVED = "survived"
    TIMED_OUT = "timed out"


class Trial(msgspec.Struct, frozen=True):
    """A verdict, the test that failed first, and what it took."""

    verdict: Verdict
    killer: str = ""
    processor: float = 0.0
    """Seconds."""
    wall: float = 0.0
    """Seconds."""
    status: int = 0
    """What pytest ended with."""
    loaded: bool = True
    """Whether the tests loaded the module at all."""
    said: str = ""
    """The end of what pytest printed."""


@dataclass(frozen=True, slots=True)
class Limit:
    """Seconds after which a mutant counts as one that never ends."""

    processor: float = 600.0
    wall: float = 600.0


class NotTried(Exception):
    """Nothing can be learnt: the tests could not be run as they should."""


def warm_up() -> None:
    """Load what is heavy, and have hypothesis draw the same examples each time, and not look for the smallest."""
    for name in HEAVY:
        try:
            importlib.import_module(name)
        except ImportError:
            continue
    settings.register_profile(
        "mutation",
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.explicit, Phase.generate),
    )
    settings.load_profile("mutation")  # what the tests' own profiles build on


def trial(module: str, code: Callable[[], CodeType], tests: Tests, limit: Limit) -> Trial:
    """Run tests with another code for one module; `code` is called in the process that runs them."""
    loaded_before = {name for name in sys.modules if name.split(".")[0] == module.split(".")[0]}
    if loaded_before:
        raise NotTried(f"already loaded: {', '.join(sorted(loaded_before))}")
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        reading, writing = os.pipe()
        began = time.monotonic()
        child = os.fork()
        if not child:
            os.close(reading)
            _run(module, code, tests, limit, Path(folder), writing)
        os.close(writing)
        output, in_time = output_until(reading, began + limit.wall)
        for kill in (lambda: os.kill(child, signal.SIGKILL), lambda: os.killpg(child, signal.SIGKILL)):
            try:
                kill()
            except ProcessLookupError:
                continue
        _, how, used = os.wait4(child, 0)
        wall = time.monotonic() - began
        processor = used.ru_utime + used.ru_stime
        printed = (Path(folder) / "said").read_text(errors="replace")[-2000:]
    if output:
        status, killer, loaded = msgspec.json.decode(output, type=tuple[int, str, bool])
        verdict = (
            Verdict.SURVIVED if status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) else Verdict.KILLED
        )
        return Trial(verdict, killer, processor, wall, status, loaded, printed)
    if not in_time or (os.WIFSIGNALED(how) and os.WTERMSIG(how) == signal.SIGXCPU):
        return Trial(Verdict.TIMED_OUT, "", processor, wall)
    return Trial(Verdict.KILLED, f"its process ended with {how}", processor, wall, how, said=printed)


def output_until(pipe: int, until: float) -> tuple[bytes, bool]:
    """What the process wrote before it ended, and whether it did so in time."""
    output = b""
    with os.fdopen(pipe, "rb", buffering=0) as file:
        while select.select([file], [], [], max(0.0, until - time.monotonic()))[0]:
            if not (more := file.read(65536)):
                return output, True
            output += more
    return output, False


def _run(module: str, code: Callable[[], CodeType], tests: Tests, limit: Limit, folder: Path, writing: int) -> NoReturn:
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(os.open(folder / "said", os.O_WRONLY | os.O_CREAT), 1)
    os.dup2(1, 2)
    resource.setrlimit(resource.RLIMIT_CPU, (int(limit.processor) + 1, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    finder = _Finder(module, code)
    first = _First()
    sys.meta_path.insert(0, finder)
    try:
        status = int(pytest.main(_arguments(tests, folder), plugins=[first]))
        os.write(writing, msgspec.json.encode((status, first.failed, module in sys.modules)))
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(0)


def _arguments(tests: Tests, folder: Path) -> list[str]:
    return [
        *("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-profile=mutation"),
        *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # hypothesis is loaded already
        *("-m", "not browser and not trial", f"--basetemp={folder / 'pytest'}"),
        *(("-k", tests.chosen) if tests.chosen else ()),
        *tests.paths,
    ]


class _First:
    """Which test failed first."""

    def __init__(self) -> None:
        self.failed = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or (report.nodeid if report.failed else "")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.failed = self.failed or (f"{report.nodeid} (not even loaded)" if report.failed else "")


class _Finder(importlib.abc.MetaPathFinder):
    """Finds one module with another code in it, and leaves all others to whoever comes next."""

    def __init__(self, module: str, code: Callable[[], CodeType]):
        self.module = module
        self.code = code

    def find_spec(self, name: str, path: Any, target: ModuleType | None = None) -> Any:
        if name != self.module:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.origin is None:
            raise NotTried(f"there is no {name}")
        loader = _Loader(name, spec.origin)
        loader.code = self.code
        return importlib.util.spec_from_file_location(
            name, spec.origin, loader=loader, submodule_search_locations=spec.submodule_search_locations
        )


class _Loader(importlib.machinery.SourceFileLoader):
    code: Callable[[], CodeType]

    def get_code(self, name: str) -> CodeType:
        return self.code()
