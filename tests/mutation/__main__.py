"""Whether the tests see a slip in the code: put one in, run the tests, and look whether any fails.

    python -m tests.mutation [--only PATH] [--sample N] [--seed S] [--keep FILE]
    python -m tests.mutation --again FILE [--only PATH]

The first draws mutants, and adds what came of each to FILE and a table to results.md. The second tries again those of
FILE that were killed; the exit status is 1 where one now survives.
"""

import argparse
import hashlib
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import CodeType

import msgspec
from msgspec.structs import replace

from tests import report
from tests.mutation.mutants import Mutant, Site, sites
from tests.mutation.trying import Limit, NotTried, Trial, Verdict, trial, warm_up
from tests.mutation.wings import WINGS, Tests, Wing

ROOT = Path(__file__).parent.parent.parent
RESULTS = Path(__file__).parent / "results.md"
HEAD = "| code | places for a slip | tried | killed | of these, never ended | survived | score |\n|---|--:|--:|--:|--:|--:|--:|\n"

EASY = ("text to nothing", "return None")
"""Almost any test kills them, so they tell little: they are drawn a third as often."""


class Kept(msgspec.Struct, frozen=True):
    """A line of the file: a mutant and what came of it."""

    mutant: Mutant
    verdict: Verdict
    killer: str


def main(args: list[str], root: Path = ROOT, wings: Sequence[Wing] = WINGS) -> int:
    asked = _asked(args)
    os.chdir(root)
    sys.path.insert(0, str(root))
    warm_up()
    only = tuple(asked.only or [""])
    chosen = [wing for wing in wings if any(_within(wing.path, path) or _within(path, wing.path) for path in only)]
    if not chosen:
        print(f"No code there that tests are named for: {', '.join(only)}", file=sys.stderr)
        return 2
    try:
        if asked.again:
            return _again(asked.again, root, chosen, only)
        _draw(asked, root, chosen, only, args)
    except NotTried as problem:
        print(f"\nNOTHING LEARNT: {problem}", file=sys.stderr)
        return 2
    return 0


def _asked(args: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description="Whether the tests see a slip.")
    parser.add_argument("--only", action="append", metavar="PATH", help="code under this path; may be repeated")
    parser.add_argument("--sample", type=int, metavar="N", help="so many of each wing (else as many as wings.py says)")
    parser.add_argument("--seed", default="1", metavar="S", help="which ones are drawn")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="add what came of each; a table to results.md")
    parser.add_argument("--again", type=Path, metavar="FILE", help="try again what was killed")
    return parser.parse_args(args)


def _within(path: str, folder: str) -> bool:
    return not folder or path == folder or path.startswith(folder.rstrip("/") + "/")


def _draw(asked: argparse.Namespace, root: Path, wings: Iterable[Wing], only: tuple[str, ...], args: list[str]) -> None:
    written = report.heading("tests.mutation", args) + HEAD
    for wing in wings:
        every = [site for site in _sites(root, wing) if any(_within(site.mutant.path, path) for path in only)]
        drawn = sorted(every, key=lambda site: _lot(site.mutant, asked.seed))
        drawn = drawn[: wing.sample if asked.sample is None else asked.sample]
        limited = _limited(wing, root)
        came: Counter[Verdict] = Counter()
        for site in drawn:
            tried = _tried(site, limited)
            came[tried.verdict] += 1
            _say(site.mutant, tried)
            if asked.keep:
                _keep(asked.keep, Kept(site.mutant, tried.verdict, tried.killer))
        row = _row(wing.path, len(every), came)
        print(f"\n{row}", flush=True)
        written += row
    if asked.keep:
        report.keep(RESULTS, written)


def _lot(mutant: Mutant, seed: str) -> float:
    """The lowest are drawn; by the key alone, so that another slip in the code does not change which ones the others are."""
    lot = int.from_bytes(hashlib.sha256(f"{seed} {mutant.key}".encode()).digest()[:8], "big")
    return lot * (3 if mutant.slip in EASY else 1)


def _again(file: Path, root: Path, wings: Iterable[Wing], only: tuple[str, ...]) -> int:
    kept = [msgspec.json.decode(line, type=Kept) for line in file.read_bytes().splitlines() if line.strip()]
    survive = 0
    for wing in wings:
        mine = [k for k in kept if _within(k.mutant.path, wing.path) and any(_within(k.mutant.path, o) for o in only)]
        killed = [k for k in mine if k.verdict != Verdict.SURVIVED]
        there: dict[str, list[Site]] = {}
        for site in _sites(root, wing):
            there.setdefault(site.mutant.key, []).append(site)
        limited = _limited(wing, root) if killed else []
        came: Counter[str] = Counter()
        for before in killed:
            if not (same := there.get(before.mutant.key)):
                came["gone: their code is another now"] += 1
                continue
            site = min(same, key=lambda site: site.mutant.path != before.mutant.path)
            tried = _tried(site, [*_killer(before, limited), *limited])
            came[tried.verdict] += 1
            if tried.verdict == Verdict.SURVIVED:
                _say(site.mutant, tried)
                line = Path(site.mutant.path).read_text(encoding="utf-8").splitlines()[site.mutant.line - 1]
                print(f"    NOW SURVIVES; was killed by {before.killer or 'time'}\n    {line.strip()}", flush=True)
        survive += came[Verdict.SURVIVED]
        counts = ", ".join(f"{many} {what}" for what, many in came.items()) or "nothing to try"
        print(f"{wing.path}: {counts}; {len(mine) - len(killed)} survived before, not tried", flush=True)
    print(f"{survive} that were killed now survive")
    return 1 if survive else 0


def _sites(root: Path, wing: Wing) -> Iterator[Site]:
    place = root / wing.path
    for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
        yield from sites(str(file.relative_to(root)), file.read_text(encoding="utf-8"))


Limited = list[tuple[Tests, Limit]]


def _limited(wing: Wing, root: Path) -> Limited:
    """The tests that are there, each with its limit, from a run without a mutant: it must pass, and load the wing."""
    limited: Limited = []
    loaded = False
    any_site = next(_sites(root, wing))
    for tests in wing.tests:
        there = tuple(path for path in tests.paths if (root / path).exists())
        for path in set(tests.paths) - set(there):
            print(f"\n*** {path} IS NOT THERE: mend tests/mutation/wings.py ***\n", file=sys.stderr, flush=True)
        if not there:
            continue
        tests = Tests(there, tests.chosen)
        plain = trial(_module(any_site), lambda: compile(any_site.tree, any_site.mutant.path, "exec"), tests, Limit())
        print(f"without a mutant: {plain.processor:.1f} s, {plain.wall:.0f} s by the clock, {tests}", flush=True)
        if plain.verdict != Verdict.SURVIVED:
            raise NotTried(f"without any mutant {plain.killer or there} fails:\n{plain.said}")
        loaded = loaded or plain.loaded
        limited.append((tests, Limit(10 + 3 * plain.processor, 60 + 4 * plain.wall)))
    if not loaded:
        raise NotTried(f"no test of {wing.path} loads {any_site.mutant.path}")
    return limited


def _killer(before: Kept, limited: Limited) -> Limited:
    """The test that killed it, first: where it is still there, most are decided by it alone."""
    if not Path(before.killer.split("::")[0]).is_file():
        return []
    return [(Tests((before.killer,)), limited[0][1])]


def _tried(site: Site, limited: Limited) -> Trial:
    """Run the tests until some fail."""
    processor = wall = 0.0
    tried = Trial(Verdict.SURVIVED)
    for tests, limit in limited:
        tried = trial(_module(site), lambda: _code(site), tests, limit)
        processor, wall = processor + tried.processor, wall + tried.wall
        if tried.verdict != Verdict.SURVIVED:
            break
    return replace(tried, processor=processor, wall=wall)


def _code(site: Site) -> CodeType:
    return compile(site.mutated(), site.mutant.path, "exec")


def _module(site: Site) -> str:
    return ".".join(Path(site.mutant.path).with_suffix("").parts).removesuffix(".__init__")


def _say(mutant: Mutant, tried: Trial) -> None:
    print(f"{tried.verdict:9} {tried.processor:5.1f} s {tried.wall:4.0f} s  {mutant}  {tried.killer}", flush=True)


def _keep(file: Path, kept: Kept) -> None:
    with file.open("ab") as out:
        out.write(msgspec.json.encode(kept) + b"\n")


def _row(path: str, places: int, came: Counter[Verdict]) -> str:
    tried, never, survived = came.total(), came[Verdict.TIMED_OUT], came[Verdict.SURVIVED]
    score = f"{100 * (tried - survived) / tried:.0f} %" if tried else "–"
    return f"| {path} | {places:,} | {tried} | {tried - survived} | {never} | {survived} | {score} |\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
