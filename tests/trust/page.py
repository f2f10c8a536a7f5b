"""The page of results: the latest of each trial, and what came of the planted bugs."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from tests import report
from tests.trust.findings import Finding
from tests.trust.planted import came
from tests.trust.trials import TRIALS

RESULTS = Path(__file__).parent / "results.jsonl"
PAGE = RESULTS.with_suffix(".md")


TABLE_HEAD = "| what must hold | tried | broken |\n|---|---|---|\n"


def page() -> str:
    """Write it, from what is kept of every run."""
    kept = report.latest(RESULTS, TRIALS)
    sections = (f"## {part.part}\n\n{table(part)}\n" for part in kept)
    return f"{''.join(sections)}## Planted bugs\n\n{came.table()}\n## Taken\n\n{report.runs_of(kept)}"


def table(part: report.Kept) -> str:
    """Write a line for each promise: how often it was tried, and in what; what broke it."""
    promises = dict[str, list[Finding]]()
    for row in part.rows:
        finding = msgspec.convert(row, Finding)
        subject, _, promise = finding.what.partition(": ")
        promises.setdefault(promise or subject, []).append(finding)
    lines = (
        _line(findings[0].what.removeprefix(f"{part.part}: "), f"{findings[0].tried:,}", findings)
        if len(findings) == 1
        else _line(promise, "; ".join(f"{_subject(finding)}: {finding.tried:,}" for finding in findings), findings)
        for promise, findings in promises.items()
    )
    return f"{TABLE_HEAD}{''.join(lines)}"


def _subject(finding: Finding) -> str:
    return finding.what.partition(": ")[0]


def _line(promise: str, tried: str, findings: Iterable[Finding]) -> str:
    broken = "; ".join(_broken(finding) for finding in findings if finding.broken or finding.untried)
    return f"| {promise} | {tried} | {broken or 0} |\n"


def _broken(finding: Finding) -> str:
    return finding.untried or f"{finding.broken:,}: {finding.besides}"
