"""`make trust`: try to break what the table promises, print what came of it, and keep it in results.jsonl.

    python -m tests.trust [--quick] [--only NAME]

`--quick` takes seconds a trial and keeps nothing. The exit status is 1 where a promise was broken. results.md shows the
latest of each trial, and of each planted bug.
"""

import sys
import time

from tests import report
from tests.trust.findings import HEAD, Finding
from tests.trust.page import PAGE, RESULTS, page
from tests.trust.trials import TRIALS


def main(args: list[str]) -> int:
    asked = report.parsed_options("tests.trust", "Try to break it; keep what came of it.", TRIALS, args)
    run = report.run_now("tests.trust", args)
    print(run.heading + HEAD, end="", flush=True)
    began = time.monotonic()
    broken = 0
    try:
        for name in asked.only or TRIALS:
            findings = list[Finding]()
            try:
                for finding in TRIALS[name](asked.quick):
                    findings.append(finding)
                    print(finding.row, end="", flush=True)
            finally:  # what was found stays found where a trial itself breaks
                if not asked.quick:
                    report.keep(RESULTS, run, name, findings)
            broken += sum(finding.broken for finding in findings)
    finally:
        print(f"\nIt took {(time.monotonic() - began) / 60:.0f} minutes.")
        if not asked.quick:
            report.write_page(PAGE, page())
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
