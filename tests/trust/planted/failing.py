"""Ordinary tests, where these are what finds a bug: the first that fails, and the few events that show why."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from companion.events import Event, Retracted
from companion.judge import record_file, views
from companion.judge.match import Match, judge
from tests.trust.findings import small


class _First:
    """The first test that fails."""

    def __init__(self) -> None:
        self.found: tuple[str, int | None] | None = None
        self.matches: deque[Match] = deque(maxlen=20)

    def pytest_runtest_setup(self) -> None:
        self.matches.clear()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and self.found is None:
            self.found = report.nodeid, len(self.matches[-1].events) if self.matches else None

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and self.found is None:
            self.found = f"{report.nodeid} (not even loaded)", None


def looks(record: bytes) -> str:
    """Return all that is judged of a record, to be compared with what another tree judges."""
    match = judge(record_file.decode(record))
    seen = [views.view(match, who) for who in (None, *match.seats)]
    return repr((seen, match.verdicts, match.told, match.delay))


def failing(paths: list[str], looks_there: Callable[[bytes], str]) -> tuple[str, int | None] | None:
    """Return which of these tests fails, None: none does; and how many events are left of a match that it judged where
    everything is left out that plays no part in its being judged otherwise than by another tree, by `looks_there`.
    """
    first = _First()
    begin = Match.__init__

    def noted(match: Match, *args: Any) -> None:
        first.matches.append(match)
        begin(match, *args)

    Match.__init__ = noted  # type: ignore[method-assign]
    how = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=1"]
    how += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # hypothesis is loaded already
    pytest.main([*how, *paths], plugins=[first])
    if first.found is None:
        return None

    def differ(events: Sequence[Event]) -> bool:
        record = record_file.encode([events[0], *_numbered(events[1:])])
        return looks(record) != looks_there(record)

    judged = next((match.events for match in [*first.matches] if differ(match.events)), None)
    if judged is None:
        return first.found
    return first.found[0], 1 + len(small(judged[1:], lambda rest: differ([judged[0], *rest])))


def _numbered(events: Sequence[Event]) -> Iterator[Event]:
    """Number what is left anew; what takes back an event that is gone takes back nothing, and goes as well."""
    numbers: dict[int, int] = {}
    for event in events:
        seq = len(numbers) + 2
        if isinstance(event, Retracted):
            if event.target not in numbers:
                continue
            event = replace(event, target=numbers[event.target])
        numbers[event.seq] = seq
        yield replace(event, seq=seq)
