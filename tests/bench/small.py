"""A small machine: the companion held to about the speed of a Raspberry Pi Zero 2, one core and 512 MB.

The kernel gives it a share of one core (a control group's quota) in turns of some milliseconds. The share follows from
figures that others have published for one core of that board and for a server's like this one: no board was measured,
and caches, disk and radio are this machine's. So these are figures of a held machine, not of a Pi.
"""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.bench.figures import Figure
from tests.bench.phones import Phones
from tests.bench.rig import COMPANION, Program, rig, some_cards

SHARE = 0.12
"""Of one core."""
TURN_US = 1000
"""The shortest turn that the kernel gives."""
MEMORY = 512 * 2**20
GROUPS = Path("/sys/fs/cgroup")
PHONES = 1, 10, 50
SETTLED = 40.0
"""Seconds after which it has compiled its templates, even so."""


def small(quick: bool) -> Iterator[Figure]:
    phones, samples, starts = (PHONES[:2], 3, 1) if quick else (PHONES, 20, 3)
    began: list[float] = []
    with held() as enter:
        if not enter:
            yield Figure("held to a Pi Zero 2's speed: no control group can be made here", "s", ())
            return
        command = ("sh", "-c", f'{enter}; exec "$@"', "sh", *COMPANION)
        with rig() as table:
            for _ in range(1 + starts):
                with table.running(command) as program:
                    began.append(program.first_page())
            yield Figure("held: start to first page", "s", began[1:], emulated=True)
            with table.running(command) as program:
                program.first_page()
                program.start_match()
                time.sleep(1 if quick else SETTLED)
                for count in phones:
                    late, spent = _lags(program, count, samples)
                    label = f"held, {count} phone{'s' if count > 1 else ''}"
                    yield Figure(f"{label}: act to the bytes at a phone", "ms", late, emulated=True)
                    yield Figure(f"{label}: processor an act", "ms", [spent], emulated=True)
                yield Figure("held: resident", "MB", [program.memory()], emulated=True)


@contextmanager
def held() -> Iterator[str]:
    """Make the groups; give the shell's command by which a program enters them, "" where they can't be made."""
    turn = round(TURN_US / SHARE)
    if (GROUPS / "cgroup.controllers").exists():
        groups = {GROUPS: {"cpu.max": f"{TURN_US} {turn}", "memory.max": f"{MEMORY}"}}
    else:
        groups = {
            GROUPS / "cpu": {"cpu.cfs_period_us": f"{turn}", "cpu.cfs_quota_us": f"{TURN_US}"},
            GROUPS / "memory": {"memory.limit_in_bytes": f"{MEMORY}"},
        }
    groups_made: list[Path] = []
    try:
        with suppress(OSError):
            for root, settings in groups.items():
                groups_made.append(root / f"bench-{random.getrandbits(32):08x}")
                groups_made[-1].mkdir()
                for name, value in settings.items():
                    (groups_made[-1] / name).write_text(value)
        whole = len(groups_made) == len(groups) and all((group / "cgroup.procs").exists() for group in groups_made)
        yield " && ".join(f"echo $$ > {group}/cgroup.procs" for group in groups_made) if whole else ""
    finally:
        for group in groups_made:
            with suppress(OSError):
                group.rmdir()


def _lags(program: Program, count: int, acts: int) -> tuple[list[float], float]:
    """Enter cards one by one; give each phone's milliseconds, and those of the processor that an act took."""
    late = []
    with Phones(program.port, count) as phones:
        time.sleep(2)
        phones.take()
        spent = program.processor()
        for card in some_cards(acts):
            began = time.time()
            program.enter(kind="tapped", place="centre", card=card)
            late += [(updates[-1].at - began) * 1000 for updates in phones.take_all()]
            time.sleep(0.3)
        return late, 1000 * (program.processor() - spent) / acts
