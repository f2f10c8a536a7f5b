"""`make trust`: try to break what the table promises, print what came of it, and keep it in results.md.

    python -m tests.trust [--quick] [--only NAME]

`--quick` takes seconds a trial and keeps nothing. The exit status is 1 where a promise was broken.
"""

import sys
import time
from pathlib import Path

from tests import report
from tests.trust.findings import HEAD
from tests.trust.trials import TRIALS

RESULTS = Path(__file__).parent / "results.md"


def main(args: list[str]) -> int:
    asked = report.asked("tests.trust", "Try to break it; keep what came of it.", TRIALS, args)
    written = report.heading("tests.trust", args) + HEAD
    print(written, end="", flush=True)
    began, broken = time.monotonic(), 0
    try:
        for name in asked.only or TRIALS:
            for finding in TRIALS[name](asked.quick):
                print(finding, end="", flush=True)
                written += str(finding)
                broken += finding.broken
    finally:  # what was found stays found where a trial itself breaks
        took = f"\nIt took {(time.monotonic() - began) / 60:.0f} minutes.\n"
        print(took, end="")
        if not asked.quick:
            report.keep(RESULTS, written + took)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
