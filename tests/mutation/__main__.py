"""Whether the tests see a slip in the code: put one in, run the tests, and look whether any fails.

    python -m tests.mutation [--only PATH] [--sample N] [--seed S] [--keep FILE]
    python -m tests.mutation --again FILE [--only PATH]

The first draws mutants, and adds what came of each to FILE; those that are there are not tried again. The second tries
again those of FILE that were killed; the exit status is 1 where one now survives.
"""

import argparse
import functools
import hashlib
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import CodeType

import msgspec
import pytest

from tests import report
from tests.mutation.mutants import Mutant, Site, sites
from tests.mutation.trying import Limit, NotTried, Trial, Verdict, trial, warm_up
from tests.mutation.wings import WINGS, Tests, Wing

ROOT = Path(__file__).parent.parent.parent
HEAD = """\
| code | places for a slip | tried | killed | of these, never ended | survived | score |
|---|--:|--:|--:|--:|--:|--:|
"""

EASY = ("text to nothing", "return None")
"""Almost any test kills them, so they tell little: they are drawn a third as often."""

LEAST = 3.0
"""Seconds of the processor's time that any mutant is given."""

FREE = "/likely_acts.py"
"""What demonstrations choose from: most slips there lead to a match that is as good. Drawn a third as often too."""


class Kept(msgspec.Struct, frozen=True):
    """A line of the file: a mutant and what came of it."""

    mutant: Mutant
    verdict: Verdict
    killer: str


def main(args: list[str], root: Path = ROOT, wings: Sequence[Wing] = WINGS) -> int:
    options = _asked(args)
    os.chdir(root)
    sys.path.insert(0, str(root))
    warm_up()
    only = tuple(options.only or [""])
    chosen = [wing for wing in wings if any(_within(wing.path, path) or _within(path, wing.path) for path in only)]
    if not chosen:
        print(f"No code there that tests are named for: {', '.join(only)}", file=sys.stderr)
        return 2
    try:
        if options.again:
            return _again(options.again, chosen, only)
        _draw(options, chosen, only, args)
    except NotTried as problem:
        print(f"\nNOTHING LEARNT: {problem}", file=sys.stderr)
        return 2
    return 0


def _asked(args: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description="Whether the tests see a slip.")
    parser.add_argument("--only", action="append", metavar="PATH", help="code under this path; may be repeated")
    parser.add_argument("--sample", type=int, metavar="N", help="so many of each wing (else as many as wings.py says)")
    parser.add_argument("--seed", default="1", metavar="S", help="which ones are drawn")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="add what came of each")
    parser.add_argument("--again", type=Path, metavar="FILE", help="try again what was killed")
    return parser.parse_args(args)


def _within(path: str, folder: str) -> bool:
    return not folder or path == folder or path.startswith(folder.rstrip("/") + "/")


def _draw(options: argparse.Namespace, wings: Iterable[Wing], only: tuple[str, ...], args: list[str]) -> None:
    print(report.run_now("tests.mutation", args).heading + HEAD, end="")
    verdicts = {record.mutant.key: record.verdict for record in read_records(options.keep)}
    for wing in map(_still_there, wings):
        every = [site for site in _sites(wing) if any(_within(site.mutant.path, path) for path in only)]
        every.sort(key=lambda site: _lot(site.mutant, options.seed))
        for site in every[: wing.sample if options.sample is None else options.sample]:
            if site.mutant.key not in verdicts:
                tried = _tried(site, wing)
                verdicts[site.mutant.key] = tried.verdict
                print_trial(site.mutant, tried)
                _keep(options.keep, Kept(site.mutant, tried.verdict, tried.killer))
        came = Counter(verdicts[site.mutant.key] for site in every if site.mutant.key in verdicts)
        row = _row(wing.path, len(every), came)
        print(f"\n{row}", flush=True)


def _lot(mutant: Mutant, seed: str) -> float:
    """The lowest are drawn; by the key alone, so that a change in the code leaves the others drawn."""
    lot = int.from_bytes(hashlib.sha256(f"{seed} {mutant.key}".encode()).digest()[:8], "big")
    return lot * (3 if mutant.slip in EASY or mutant.path.endswith(FREE) else 1)


def _again(file: Path, wings: Iterable[Wing], only: tuple[str, ...]) -> int:
    survive = 0
    for wing in map(_still_there, wings):
        records = [k for k in read_records(file) if _within(k.mutant.path, wing.path)]
        records = [k for k in records if any(_within(k.mutant.path, path) for path in only)]
        killed = [k for k in records if k.verdict != Verdict.SURVIVED]
        sites_by_key = {site.mutant.key: site for site in _sites(wing)}
        came: Counter[str] = Counter()
        for record in killed:
            site = sites_by_key.get(record.mutant.key)
            if site is None:
                came["not found: the code itself changed"] += 1
                continue
            tried = _by_its_killer(site, record) or _tried(site, wing)
            came[tried.verdict] += 1
            print_trial(site.mutant, tried)
            if tried.verdict == Verdict.SURVIVED:
                line = Path(site.mutant.path).read_text(encoding="utf-8").splitlines()[site.mutant.line - 1]
                print(f"    NOW SURVIVES; was killed by {record.killer or 'time'}\n    {line.strip()}", flush=True)
        survive += came[Verdict.SURVIVED]
        counts = ", ".join(f"{many} {verdict}" for verdict, many in came.items()) or "nothing to try"
        print(f"\n{wing.path}: {counts}; {len(records) - len(killed)} survived before, not tried", flush=True)
    print(f"{survive} that were killed now survive")
    return 1 if survive else 0


def _files(wing: Wing) -> list[str]:
    place = Path(wing.path)
    return sorted(map(str, place.rglob("*.py"))) if place.is_dir() else [wing.path]


def _sites(wing: Wing) -> Iterator[Site]:
    for path in _files(wing):
        yield from sites(path, Path(path).read_text(encoding="utf-8"))


def _still_there(wing: Wing) -> Wing:
    """The wing without the paths of tests that are gone."""
    tests_there = []
    for tests in wing.tests:
        for path in tests.paths:
            if not Path(path).exists():
                print(f"\n*** {path} IS NOT THERE: mend tests/mutation/wings.py ***\n", file=sys.stderr, flush=True)
        if paths := tuple(path for path in tests.paths if Path(path).exists()):
            tests_there.append(Tests(paths, tests.chosen))
    if not tests_there:
        raise NotTried(f"no tests are left for {wing.path}")
    return replace(wing, tests=tuple(tests_there))


@functools.cache
def _limit(wing: Wing, tests: Tests) -> Limit:
    """From a run without a mutant, which must load the wing's code, and pass."""
    path = _files(wing)[0]
    code = functools.partial(compile, Path(path).read_text(encoding="utf-8"), path, "exec")
    plain = trial(_module(path), code, tests, Limit())
    print(f"without a mutant: {plain.processor:.1f} s, {plain.wall:.0f} s by the clock: {tests}", flush=True)
    if plain.verdict != Verdict.SURVIVED:
        raise NotTried(f"without any mutant {plain.killer or tests} fails:\n{plain.said}")
    if not plain.loaded:
        raise NotTried(f"{tests} never loads {path}")
    return Limit(LEAST + 3 * plain.processor, 60 + 4 * plain.wall)


def _by_its_killer(site: Site, record: Kept) -> Trial | None:
    """Run only the test that killed it, which decides most; None where it is gone, or fails no longer."""
    if not Path(record.killer.partition("::")[0]).is_file():
        return None
    alone = trial(_module(site.mutant.path), lambda: _code(site), Tests((record.killer,)), Limit())
    return alone if alone.status in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED) else None


def _tried(site: Site, wing: Wing) -> Trial:
    """Run the wing's tests until some fail."""
    processor = wall = 0.0
    tried = Trial(Verdict.SURVIVED)
    for tests in wing.tests:
        tried = trial(_module(site.mutant.path), lambda: _code(site), tests, _limit(wing, tests))
        processor = processor + tried.processor
        wall = wall + tried.wall
        if tried.verdict != Verdict.SURVIVED:
            break
    return msgspec.structs.replace(tried, processor=processor, wall=wall)


def _code(site: Site) -> CodeType:
    return compile(site.mutated(), site.mutant.path, "exec")


def _module(path: str) -> str:
    return ".".join(Path(path).with_suffix("").parts).removesuffix(".__init__")


def print_trial(mutant: Mutant, tried: Trial) -> None:
    print(f"{tried.verdict:9} {tried.processor:5.1f} s {tried.wall:4.0f} s  {mutant}  {tried.killer}", flush=True)


def read_records(file: Path | None) -> list[Kept]:
    lines = file.read_bytes().splitlines() if file and file.exists() else []
    return [msgspec.json.decode(line, type=Kept) for line in lines]


def _keep(file: Path | None, record: Kept) -> None:
    if file:
        with file.open("ab") as out:
            out.write(msgspec.json.encode(record) + b"\n")


def _row(path: str, places: int, came: Counter[Verdict]) -> str:
    tried = came.total()
    never = came[Verdict.TIMED_OUT]
    survived = came[Verdict.SURVIVED]
    score = f"{100 * (tried - survived) / tried:.0f} %" if tried else "–"
    return f"| {path} | {places:,} | {tried} | {tried - survived} | {never} | {survived} | {score} |\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
