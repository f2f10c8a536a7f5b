"""How many slips the bottle alone finds: `python -m tests.bottle.finding random --seed 7 --number 50`; see README.md.

Slips are drawn by a seed from all code that an evening runs through, whatever it does there; or they are the planted
bugs of a kind. Each is put into a copy of the tree, and evenings are played there until a promise is broken; then, if
none is, a fault comes between two steps of every act. With `--evenings 0` there is only the latter.
"""

import argparse
import ast
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.bottle.machine import folder_in_memory
from tests.mutation.mutants import sites
from tests.trust.planted.bugs import ROOT, bugs

ASIDE = shutil.ignore_patterns("__pycache__", ".*", "node_modules")
WINGS = ("access", "acts", "judge", "live", "storage", "club")
"""The wings of whose modules slips are drawn."""
BESIDE = ("simulat", "demo", "bots", "kept_simulated", "link.py", "served_client", "home_assistant", "invitation")
"""Parts of names of modules that no evening runs through."""
LONGEST = 120
"""Seconds of processor for one slip; beyond, that evenings never end is what is found."""

Changed = Mapping[str, str]
"""By path, the text of each file that a slip changes."""


def drawn(seed: int, number: int) -> Iterator[tuple[str, Changed]]:
    """Yield slips by lot, each with its name."""
    paths = [path for wing in WINGS for path in sorted((ROOT / "companion" / wing).rglob("*.py"))]
    texts = {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
        for path in paths
        if not any(part in path.name for part in BESIDE) and ("club/hub" not in str(path) or _is_of_hub(path))
    }
    places = [(path, at) for path, text in texts.items() for at, _ in enumerate(sites(path, text))]
    for path, at in random.Random(seed).sample(places, number):
        site = [*sites(path, texts[path])][at]
        name = str(site.mutant)
        yield name, {path: ast.unparse(site.mutated())}


def _is_of_hub(path: Path) -> bool:
    return path.stem in ("follower", "known_table", "result_intake", "result_requests", "store", "table_messages")


def planted(wanted: Sequence[str]) -> Iterator[tuple[str, Changed]]:
    """Yield the planted bugs of these kinds or names."""
    for name, bug in bugs().items():
        if bug.kind in wanted or name in wanted:
            yield name, {str(path.relative_to(ROOT)): text for path, text in bug.applied(ROOT).items()}


def found(changed: Changed, evenings: int) -> str:
    """Return what of the bottle finds this slip; "" if nothing does."""
    with folder_in_memory() as folder:
        for part in ("companion", "web", "firmware", "tests"):
            shutil.copytree(ROOT / part, folder / part, symlinks=True, ignore=ASIDE)
        for path, text in changed.items():
            (folder / path).write_text(text, encoding="utf-8")
        evenings_by_lot = ("run", "--seed", "1", "--large", "--first", "--pairs", "--evenings", str(evenings))
        law_of_acts = ("law", "--each", "1", "--first")
        by_evenings = _broken(evenings_by_lot, folder) if evenings else ""
        return by_evenings or _broken(law_of_acts, folder)


def _broken(asked: Sequence[str], folder: Path) -> str:
    """Return what the bottle in a copy of the tree tells of; "" if nothing is broken."""
    command = (sys.executable, "-m", "tests.bottle", *asked)
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    came = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, preexec_fn=_limited, check=False
    )
    if came.returncode == -signal.SIGXCPU:
        return "it never ends"
    if came.returncode == 0:
        return ""
    said = [line for line in came.stdout.splitlines() if line.startswith(("seed", "pair", "act"))]
    return said[0] if said else came.stderr.strip().splitlines()[-1]


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST + 5))


def main(args: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bottle.finding")
    parser.add_argument("what", nargs="+", help="`random`, or kinds and names of planted bugs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--number", type=int, default=50)
    parser.add_argument("--evenings", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args(args)
    slips = [*(drawn(asked.seed, asked.number) if asked.what == ["random"] else planted(asked.what))]
    hits = 0
    with ThreadPoolExecutor(asked.jobs) as pool:
        for (name, _), by in zip(slips, pool.map(lambda slip: found(slip[1], asked.evenings), slips), strict=True):
            hits += bool(by)
            print(f"{'found' if by else 'NOT  '} {name}  {by[:160]}", flush=True)
    print(f"{hits} of {len(slips)} found by the bottle alone")


if __name__ == "__main__":
    main(sys.argv[1:])
