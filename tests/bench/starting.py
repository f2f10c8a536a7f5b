"""How long the commands take from nothing, and how much memory the table keeps."""

import random
import subprocess
import sys
import time
from collections.abc import Iterator

from companion import games
from companion.judge import record_file
from companion.kit.random_matches import play
from tests.bench.figures import Budget, Figure
from tests.bench.phones import Phones
from tests.bench.resting import SETTLED
from tests.bench.rig import GAME, ROOT, environment, folder, rig, virtual

RESIDENT = Budget(most_at_most=50)
EVENTS = 2000


def replay(quick: bool) -> Iterator[Figure]:
    """In turn with an empty Python, so that both meet the same noise; the first run of each only compiles modules."""
    ours = []
    empty = []
    with folder() as directory:
        short = directory / "short.jsonl"
        events = play(games.known()[GAME], random.Random(1), {})
        short.write_bytes(b"".join(record_file.encode_line(event) + b"\n" for event in events))
        for _ in range(1 + (3 if quick else 30)):
            ours.append(_seconds("-m", "companion", "replay", str(short)))
            empty.append(_seconds("-c", "pass"))
    yield Figure(f"companion replay, {len(events)} events, cold", "s", ours[1:], Budget(median_at_most=0.25))
    yield Figure("beside it: python -c pass", "s", empty[1:])


def _seconds(*command: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, *command], cwd=ROOT, env=environment(), check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def start(quick: bool) -> Iterator[Figure]:
    """The first run of each only compiles modules."""
    budget = Budget(median_at_most=0.4)
    played = []
    ran = []
    with folder() as directory, rig() as table:
        for _ in range(1 + (2 if quick else 15)):
            with virtual(directory / "log") as program:
                played.append(program.first_page())
            with table.running() as program:
                ran.append(program.first_page())
    yield Figure("start to first page, companion play", "s", played[1:], budget)
    yield Figure("start to first page, companion run: 5 readers, a box", "s", ran[1:], budget, emulated=True)


def memory(quick: bool) -> Iterator[Figure]:
    """The first start only compiles modules and templates."""
    events = 50 if quick else EVENTS
    with rig() as table:
        with table.running() as program:
            program.first_page()
            time.sleep(0.5 if quick else SETTLED)
        with table.running() as program:
            program.first_page()
            memories = [program.memory()]
            program.start_match()
            with Phones(program.port, 50):
                memories.append(program.memory())
                program.enter_many(events)
                memories.append(program.memory())
    for when, megabytes in zip(
        ("after the start", "with 50 phones", f"then after {events} events"), memories, strict=True
    ):
        yield Figure(f"resident, companion run, {when}", "MB", [megabytes], RESIDENT, emulated=True)
