"""What the house is told of a record while it is played, act by act."""

from collections.abc import Iterator
from pathlib import Path

from companion.access.people import People
from companion.house import happenings
from companion.house.happenings import Due
from companion.judge import record_file, views
from companion.judge.match import Match, judge
from companion.live.snapshot import Snapshot

RECORDS = sorted(Path(__file__).parents[1].glob("games/*/records/*.jsonl"))


def shown(match: Match, number: int = 1) -> Snapshot:
    """What everybody sees of a match."""
    return Snapshot(match=number, views={None: views.view(match, None)})


def played(record: Path) -> Iterator[Snapshot]:
    """What everybody sees after each act."""
    events = record_file.decode(record.read_bytes())
    for number in range(1, len(events) + 1):
        yield shown(judge(events[:number]))


def told(*snapshots: Snapshot) -> list[Due]:
    seen = happenings.begin(Snapshot())
    said: list[Due] = []
    for snapshot in snapshots:
        seen, new = happenings.happened(seen, snapshot, People(), "en")
        said.extend(new)
    return said
