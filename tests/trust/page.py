"""The page of results: the latest of each trial, and what came of the planted bugs."""

from collections.abc import Sequence
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
    sections = (f"## {part.part}, {part.at[:10]}\n\n{table(part)}\n" for part in kept)
    return f"{''.join(sections)}## Planted bugs\n\n{came.table()}"


def table(part: report.Kept) -> str:
    """Write a line for each promise: how often it was tried, and in what; what broke it."""
    promises = dict[str, list[Finding]]()
    for row in part.rows:
        finding = msgspec.convert(row, Finding)
        _, promise = _subject_and_promise(finding.what)
        promises.setdefault(promise, []).append(finding)
    lines = (_line(promise, findings, part.part) for promise, findings in promises.items())
    return f"{TABLE_HEAD}{''.join(lines)}"


def _subject_and_promise(what: str) -> tuple[str, str]:
    """Part "6 readers on SPI: all is well" and "access: looking changes nothing, at a real table"."""
    subject, _, promise = what.partition(": ")
    promise, _, kind_of_table = promise.partition(", at a ")
    return (f"a {kind_of_table}" if kind_of_table else subject), promise or subject


def _line(promise: str, findings: Sequence[Finding], trial: str) -> str:
    if len(findings) == 1:
        promise = findings[0].what.removeprefix(f"{trial}: ")
        tried = f"{findings[0].tried:,}"
    else:
        tried = "; ".join(f"{_subject_and_promise(finding.what)[0]}: {finding.tried:,}" for finding in findings)
    broken = "; ".join(_broken(finding) for finding in findings if finding.broken or finding.untried)
    return f"| {promise} | {tried} | {broken or 0} |\n"


def _broken(finding: Finding) -> str:
    return finding.untried or f"{finding.broken:,}: {finding.besides}"
