"""`make bench`: measure, print a table, and keep it in results.jsonl; results.md shows the latest of each.

    python -m tests.bench [--quick] [--only NAME]

`--quick` takes seconds, tells only whether everything can be measured, and keeps nothing.
"""

import sys
import time
import traceback
from pathlib import Path

import msgspec

from tests import report
from tests.bench.buzzers import buzzers
from tests.bench.clubs import clubs
from tests.bench.disks import disks
from tests.bench.engines import engines
from tests.bench.evenings import evenings
from tests.bench.figures import HEAD, Measured, Measurement, asked, instead, measured, medians, row
from tests.bench.hostile import hostile
from tests.bench.judging import judging, taking_back
from tests.bench.particulars import particulars
from tests.bench.pixels import press, tap
from tests.bench.presses import press_shown
from tests.bench.readers import plain, turns
from tests.bench.resting import at_rest
from tests.bench.small import small
from tests.bench.speeding import full_speed
from tests.bench.stamps import stamps
from tests.bench.starting import memory, replay, start
from tests.bench.streams import hardly_read, one_more, streams
from tests.bench.views import views
from tests.bench.way import way

RESULTS = Path(__file__).parent / "results.jsonl"
PAGE = RESULTS.with_suffix(".md")
EVERY: tuple[Measurement, ...] = (
    *(press, press_shown, tap, way, disks, views, stamps, plain, turns, judging, taking_back, engines, particulars),
    *(
        replay,
        start,
        memory,
        at_rest,
        streams,
        one_more,
        full_speed,
        hardly_read,
        evenings,
        hostile,
        buzzers,
        clubs,
        small,
    ),
)
MEASUREMENTS = {measurement.__name__: measurement for measurement in EVERY}
TELLING_WITHOUT_BUDGET = ("stamps", "plain", "at_rest", "full_speed", "buzzers", "clubs", "small")
"""Whose figures without a budget the page shows too; those of the others are details of figures that have one."""


def main(args: list[str]) -> None:
    options = report.parsed_options("tests.bench", "Measure; keep it in results.jsonl.", MEASUREMENTS, args)
    run = report.run_now("tests.bench", args)
    print(run.heading + HEAD, end="", flush=True)
    began = time.monotonic()
    every = list[Measured]()
    failed = list[str]()
    for name in options.only or MEASUREMENTS:
        alone = time.monotonic()
        lines = list[Measured]()
        try:
            for figure in MEASUREMENTS[name](options.quick):
                lines.append(measured(figure))
                print(row(lines[-1]), end="", flush=True)
        except Exception:  # the others are measured all the same
            traceback.print_exc()
            failed.append(name)
        every += lines
        if not options.quick:
            report.keep(RESULTS, run, name, lines)
        print(f"{name}: {time.monotonic() - alone:.0f} s", file=sys.stderr)
    print(f"\n{instead(every)}\nIt took {(time.monotonic() - began) / 60:.0f} minutes.")
    if not options.quick:
        report.write_page(PAGE, page())
    if failed:
        sys.exit(f"Not measured to the end: {', '.join(failed)}")


def page() -> str:
    """Write the latest of each measurement."""
    kept = report.latest(RESULTS, MEASUREMENTS)
    by_part = {part.part: msgspec.convert(part.rows, list[Measured]) for part in kept}
    lines = [line for part in by_part.values() for line in part]
    without_budget = [line for name in TELLING_WITHOUT_BUDGET for line in by_part.get(name, ())]
    return (
        f"## What the design asks\n\n{asked(lines)}\n"
        f"## Ours over what people would use instead\n\n{instead(lines)}\n"
        f"## Medians of what has no budget\n\n{medians(without_budget)}\n"
        f"## Taken\n\n{report.runs_of(kept)}"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
