"""The power fails, the disk refuses: nothing that was told is missing, and nothing is doubled."""

from collections.abc import Iterator

from tests.trust.cut import damage, recording, restoring, updating, whole_program
from tests.trust.findings import Finding

SEED = 20_261_121


def trial(quick: bool) -> Iterator[Finding]:
    """Cut, refuse and damage."""
    yield whole_program.killed(2 if quick else 500, SEED)
    yield from damage.damages(4 if quick else 150, SEED)
    if recording.possible():
        yield from restoring.cuts(0 if quick else 10, SEED, 20 if quick else 1)
        yield from updating.cuts(0 if quick else 10, SEED, 30 if quick else 1)
    else:
        yield Finding(
            "the power cut while a table is restored or updated, at every write",
            0,
            0,
            untried="strace does not work here",
        )
    if whole_program.possible():
        yield from whole_program.full(1 if quick else 10, SEED)
        if not quick:
            yield from whole_program.failing()
    else:
        yield Finding("a real disk that runs full or fails", 0, 0, untried="it can't be mounted here")
