"""`make bench`: measure, print a table, and keep it in results.md.

    python -m tests.bench [--quick] [--only NAME]

`--quick` takes seconds, tells only whether everything can be measured, and keeps nothing.
"""

import argparse
import sys
from datetime import datetime
from pathlib import Path

from tests.bench.engines import engines
from tests.bench.figures import HEAD, Measurement, row
from tests.bench.judging import judging
from tests.bench.machine import machine
from tests.bench.particulars import particulars
from tests.bench.pixels import press, tap
from tests.bench.polls import polls
from tests.bench.servers import servers
from tests.bench.stamps import stamps
from tests.bench.starting import memory, replay, start
from tests.bench.streams import streams
from tests.bench.turns import turns

RESULTS = Path(__file__).parent / "results.md"
EVERY: tuple[Measurement, ...] = (
    *(press, tap, stamps, polls, turns, judging, engines, particulars),
    *(replay, start, memory, streams, servers),
)
MEASUREMENTS = {measurement.__name__: measurement for measurement in EVERY}


def main(args: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure; keep it in results.md.")
    parser.add_argument("--quick", action="store_true", help="a smoke test: few samples, nothing is kept")
    parser.add_argument("--only", action="append", choices=MEASUREMENTS, help="measure only this; may be repeated")
    asked = parser.parse_args(args)
    head = f"\n## {datetime.now():%Y-%m-%d %H:%M}\n\n{machine()}  \n`python -m tests.bench {' '.join(args)}".rstrip()
    written = f"{head}`\n\n{HEAD}"
    print(written, end="", flush=True)
    for name in asked.only or MEASUREMENTS:
        for figure in MEASUREMENTS[name](asked.quick):
            line = row(figure)
            print(line, end="", flush=True)
            written += line
    if not asked.quick:
        with RESULTS.open("a", encoding="utf-8") as results:
            results.write(written)


if __name__ == "__main__":
    main(sys.argv[1:])
