"""What the house is told of a record while it is played, act by act."""

from functools import cache
from pathlib import Path

from companion.access.people import People
from companion.house import happenings
from companion.house.happenings import Due
from companion.judge import record_file, views
from companion.judge.match import Match
from companion.live.snapshot import Snapshot

RECORDS = sorted(Path(__file__).parents[1].glob("games/*/records/*.jsonl"))


def public_snapshot(match: Match, number: int = 1) -> Snapshot:
    """What everybody sees of a match."""
    return Snapshot(match=number, views={None: views.view(match, None)})


@cache
def played(record: Path) -> tuple[Snapshot, ...]:
    """What everybody sees after each act."""
    first, *events = record_file.decode(record.read_bytes())
    match = Match(first)
    snapshots = [public_snapshot(match)]
    for event in events:
        match.add(event)
        snapshots.append(public_snapshot(match))
    return tuple(snapshots)


def events_due(*snapshots: Snapshot) -> list[Due]:
    already_told = happenings.begin(Snapshot())
    all_due: list[Due] = []
    for snapshot in snapshots:
        already_told, new = happenings.happened(already_told, snapshot, People(), "en")
        all_due.extend(new)
    return all_due
