"""What came of each planted bug when it was tried last: planted.jsonl, and a table of it."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

import msgspec

from tests.trust.planted.bugs import KINDS, bugs

KEPT = Path(__file__).parent / "planted.jsonl"
HEAD = "| planted | bugs | found | in events, at the median | at most | no matter of events | seconds each |\n"
HEAD += "|---|--:|--:|--:|--:|--:|--:|\n"


class Came(msgspec.Struct, frozen=True):
    """What came of a bug."""

    kind: str
    name: str
    finder: tuple[str, ...]
    found: bool
    by: str
    """Which of the trial's promises was broken, or which test failed."""
    events: int | None
    """To how many events it was made small; None: it is not a matter of events."""
    seconds: float


def kept() -> dict[str, Came]:
    """Return what came of each bug when it was tried last."""
    lines = KEPT.read_bytes().splitlines() if KEPT.exists() else []
    return {came.name: came for came in (msgspec.json.decode(line, type=Came) for line in lines)}


def keep(came: Sequence[Came]) -> None:
    """Keep what came of these, and drop bugs that are planted no more."""
    every = kept() | {one.name: one for one in came}
    KEPT.write_bytes(b"".join(msgspec.json.encode(every[name]) + b"\n" for name in bugs() if name in every))


def table() -> str:
    """Write a line for each kind of bug, and the names of those that were not found."""
    return HEAD + "".join(_rows([*kept().values()]))


def _rows(came: Sequence[Came]) -> Iterator[str]:
    for kind in (*KINDS, "all"):
        of_kind = [one for one in came if kind in (one.kind, "all")]
        if not of_kind:
            continue
        found = [one for one in of_kind if one.found]
        events = [one.events for one in found if one.events is not None]
        sizes = f"{median(events):.0f} | {max(events)}" if events else "– | –"
        seconds = sum(one.seconds for one in of_kind) / len(of_kind)
        yield f"| {kind} | {len(of_kind)} | {len(found)} | {sizes} | {len(found) - len(events)} | {seconds:.0f} |\n"
    missed = [one.name for one in came if not one.found]
    if missed:
        yield f"\nNot found: {', '.join(missed)}.\n"
