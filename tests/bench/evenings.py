"""Whether a table stays as it was when it was new: an evening of 6,000 events, with 1,000 matches in its log.

Beside it a new table, whose log holds one match, plays what is a tenth of that evening. Each is measured in turn with
the other, so that what the machine does meanwhile hits both; the ratios are old over new.
"""

import cProfile
import random
import statistics
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from flask.testing import FlaskClient

from companion import games
from companion.kit.random_matches import play
from companion.live.background_judging import Recount
from companion.storage.files import results_of
from companion.storage.log import Log
from companion.wall_clock import Reading, Trust
from companion.web.http import form_answers
from companion.web.site import archive_of
from tests.bench.figures import Budget, Figure, compared
from tests.bench.phones import Phones
from tests.bench.rig import Program, folder, virtual
from tests.bench.speeding import entered, match
from tests.web.table import app_of, living

FLAT = Budget(median_at_most=1.1)
PHONES = 50
MATCHES = 1_000
EVENTS = 6_000
ACTS = match(2, 52)
"""Of one match of the evening."""
A_WEEK = 10
"""Matches of one evening in the log; there is one evening a week."""
AT_ONCE = SimpleNamespace(threadpool=SimpleNamespace(apply=lambda call, args: call(*args)))
"""Does in this thread, where it is counted, what pages have done in others."""
PAGES = {"the last match": "/results/{}", "the evening": "/results", "the season": "/season", "the score": "/"}


def evenings(quick: bool) -> Iterator[Figure]:
    matches, phones, rounds, times = (20, 3, 2, 2) if quick else (MATCHES, PHONES, EVENTS // 10 // len(ACTS), 10)
    with folder() as directory:
        old = directory / "old.sqlite"
        new = directory / "new.sqlite"
        fill(old, matches)
        fill(new, A_WEEK)
        yield from _starts(old, new, times)
        yield from _firsts(old, new, matches)
        yield from _work((old, matches), (new, A_WEEK))
        with virtual(old) as aged, virtual(new) as fresh:
            aged.first_page()
            fresh.first_page()
            yield from _pages((aged, matches), (fresh, A_WEEK), 2 * times)
            yield from _evening(aged, fresh, phones, rounds)
        yield from _starts(old, new, times, "after that evening")


def fill(log: Path, matches: int) -> None:
    """Write whole random matches of every game into a new log; the last evening is always the same."""
    evening_matches = played_matches()
    began = datetime(2026, 1, 1, 20).astimezone()  # earlier ones have no date: no table existed then
    to = Log(log, writes=True)
    for number in range(matches):
        first, *later_events = evening_matches[(number - matches) % len(evening_matches)]
        evening, of_it = divmod(number, A_WEEK)
        at = began + timedelta(weeks=evening, minutes=20 * of_it)
        reading = Reading(f"run {evening}", f"boot {evening}", 1200.0 * of_it, at.timestamp(), _zone(at), Trust.CERTAIN)
        to.append(
            to.open_match(at.isoformat("T", "seconds"), True, first, reading), [(event, "") for event in later_events]
        )
    to.close()


def _zone(at: datetime) -> int:
    """Return by how many seconds local time is ahead of UTC then."""
    offset = at.utcoffset()
    assert offset is not None
    return round(offset.total_seconds())


@cache
def played_matches() -> list[list[Any]]:
    return [play(game, random.Random(seed), {}, most=400) for seed in range(10) for game in games.known().values()]


def _starts(old: Path, new: Path, times: int, when: str = "") -> Iterator[Figure]:
    """The first of each only compiles modules."""
    samples: list[list[float]] = [[], []]
    for _ in range(1 + times):
        for log, seconds_of_log in zip((old, new), samples, strict=True):
            with virtual(log) as program:
                seconds_of_log.append(program.first_page() * 1000)
    yield from _aging(f"start to first page{when and ', '}{when}", "ms", [milliseconds[1:] for milliseconds in samples])


def _firsts(old: Path, new: Path, matches: int) -> Iterator[Figure]:
    """The season, when nobody has ever asked for it, which waits for the newest matches alone, and then after a start;
    in between, until all are judged in the background.
    """
    for when in ("ever", "after a start"):
        firsts = []
        for log in (old, new):
            with virtual(log) as program:
                program.first_page()
                firsts.append([program.get("/season") * 1000])
                began = time.monotonic()
                while log is old and not results_of(old).exists():
                    time.sleep(0.1)
                judged = time.monotonic() - began
            if log is old and when == "ever":
                yield Figure(f"{matches:,} matches judged in the background, from then on", "s", [judged])
        yield from _aging(f"the first look at the season {when}", "ms", firsts, None)


def _work(*tables: tuple[Path, int]) -> Iterator[Figure]:
    """Count the calls of functions that each page takes when it is asked for again: no busy machine changes these."""
    counts: list[dict[str, int]] = []
    for log, last in tables:
        with living(log.parent, name=log.name) as live:
            app = app_of(live)
            Recount(live, archive_of(app)).judge_all()
            client = app.test_client()
            with patch.object(form_answers.gevent, "get_hub", lambda: AT_ONCE):
                counts.append({name: _calls(client, path.format(last)) for name, path in PAGES.items()})
    for name in PAGES:
        old, new = (counts_of_log[name] for counts_of_log in counts)
        yield Figure(f"the page of {name}: calls of functions, old over new", "×", [old / new], FLAT)


def _calls(client: FlaskClient, path: str) -> int:
    for _ in range(2):
        counting = cProfile.Profile()
        assert counting.runcall(client.get, path).status_code == 200
    return sum(entry.callcount for entry in counting.getstats())


def _pages(aged: tuple[Program, int], fresh: tuple[Program, int], times: int) -> Iterator[Figure]:
    """Pages that look back, of tables with so many matches; the first look judges what it tells of."""
    for name, path in PAGES.items():
        samples: list[list[float]] = [[], []]
        for _ in range(1 + times):
            for (program, last), milliseconds in zip((aged, fresh), samples, strict=True):
                milliseconds.append(program.get(path.format(last)) * 1000)
        yield from _aging(f"the page of {name}", "ms", [each[1:] for each in samples])


def _evening(aged: Program, fresh: Program, count: int, rounds: int) -> Iterator[Figure]:
    lags: list[list[list[float]]] = [[], []]
    resident: list[list[float]] = [[], []]
    with Phones(aged.port, count) as old, Phones(fresh.port, count) as new:
        for _ in range(9 * rounds):
            for _ in entered(aged, ACTS):
                pass
        for _ in range(rounds):
            for program, phones, late, megabytes in zip((aged, fresh), (old, new), lags, resident, strict=True):
                phones.take()
                late.append(list(_played(program, phones)))
                megabytes.append(program.memory())
    medians = [[statistics.median(match) for match in late] for late in lags]
    yield from _aging("an act to the bytes at a phone, each match's median", "ms", medians)
    slowest = [[statistics.quantiles(match, n=100)[98] for match in late] for late in lags]
    yield from _aging("an act to the bytes at a phone, each match's 99 %", "ms", slowest)
    yield from _aging("resident", "MB", resident)


def _played(program: Program, phones: Phones) -> Iterator[float]:
    """Play a match, and wait for every phone after each act; give each phone's milliseconds."""
    acts = entered(program, ACTS)
    for began in acts:
        for updates in phones.take_all():
            yield (updates[-1].at - began) * 1000


def _aging(label: str, unit: str, samples: list[list[float]], budget: Budget | None = FLAT) -> Iterator[Figure]:
    old, new = samples
    yield from compared(label, unit, {"an old table": old, "a new one": new}, "old over new", budget)
