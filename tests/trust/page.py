"""The page of results: the latest of each trial, and what came of the planted bugs."""

from pathlib import Path

import msgspec

from tests import report
from tests.trust.findings import DATED_HEAD, Finding
from tests.trust.planted import came
from tests.trust.trials import TRIALS

RESULTS = Path(__file__).parent / "results.jsonl"
PAGE = RESULTS.with_suffix(".md")


def page() -> str:
    """Write it, from what is kept of every run."""
    kept = report.latest(RESULTS, TRIALS)
    rows = (msgspec.convert(row, Finding).dated_row(part.at[:10]) for part in kept for row in part.rows)
    return f"{DATED_HEAD}{''.join(rows)}{report.runs_of(kept)}\n## Planted bugs\n\n{came.table()}"
