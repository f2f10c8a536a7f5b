"""An evening: steps in, a broken promise out. What a step does is drawn from its lot by what the table is like then."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from companion import threads
from companion.errors import CompanionError
from companion.storage.ailments import AilmentCode
from companion.storage.opening import LogFault
from tests.bottle import fault_steps, people_steps
from tests.bottle.broken import Broken
from tests.bottle.disk import Luck, PowerCut, Trouble, plugged_in
from tests.bottle.machine import running
from tests.bottle.promises import Promises
from tests.bottle.steps import Step
from tests.bottle.table import Table, raising

WELL_IN_CLUB = 150.0
"""Seconds after which all is well between a table, its broker and the hub, however it was."""
HARDLY = 0.02
"""How many seconds it takes a program that was killed to start again."""


STEPS = {**people_steps.STEPS, **fault_steps.STEPS}


class Ended(Exception):
    """The table gives first aid, and nobody plays any more."""


class Evening:
    """One table from its first step to its last."""

    def __init__(self, folder: Path, first: Step, table: Callable[[Path, int], Table] = Table) -> None:
        self.table = table(folder, first.lot)
        self.promises = Promises(self.table)
        self.events: Counter[str] = Counter()
        """What happened, by its kind."""
        self._first = first

    def begin(self) -> None:
        """Start the companion, and a match; or have people come who start the first one later."""
        table = self.table
        table.open()
        table.seat_phones()
        table.machine.passes(1.0)
        if self._first.after:
            people_steps.come(self, random.Random(self._first.lot))
        else:
            table.live.begin(table.slug, table.people, table.options)

    def take(self, step: Step) -> None:
        """Do one step, and see that every promise holds. Raises `Broken`."""
        table = self.table
        chance = random.Random(step.lot)
        self.events[step.kind] += 1
        try:
            if not table.is_open:
                self._start()
            if table.is_open:
                table.passes(step.after / 1000)
                STEPS[step.kind](self, chance)
            elif step.kind in fault_steps.OF_THE_MACHINE:
                STEPS[step.kind](self, chance)
        except PowerCut:
            pass
        self._restore_power(chance)
        if table.is_open:
            with suppress(PowerCut):  # who looks has a game's view built, and what its code raises is written down
                self.promises.hold()
            self._restore_power(chance)

    def end(self) -> None:
        """The faults stop; after a while all must be well."""
        table = self.table
        table.disk.mend()
        table.raises = 0
        if not table.is_open:
            self._start()
        with suppress(PowerCut):
            table.passes(3.0)
        self.promises.are_well()
        if table.club is not None:
            table.club.broker.delay = 0.0
            table.club.broker.is_up = True
            table.passes(WELL_IN_CLUB)
            self.promises.are_well_in_the_club()
        self.restart()
        self.promises.hold()

    def _start(self) -> None:
        """Start the companion; while the disk does not let it, it says so, and is tried again later."""
        table = self.table
        try:
            table.open()
        except CompanionError as wrong:
            if table.disk.has_refused_to_sync and getattr(wrong, "code", None) is AilmentCode.LOG_DAMAGED:
                # Every start writes once; what several of them could not synchronise passes for damage after a cut.
                raise Ended from wrong
            if table.disk.trouble in (Trouble.NONE, Trouble.SLOW) and not table.disk.is_off:
                raise Broken("a table starts whenever its disk works", repr(wrong)) from wrong
        except PowerCut:
            table.lose_power(Luck.NONE)
        else:
            table.machine.passes(HARDLY)
            self.promises.started()

    def _restore_power(self, chance: random.Random) -> None:
        """Start the machine if the power was cut."""
        if self.table.disk.is_off:
            self.promises.power_is_cut()
            self.table.lose_power(chance.choice([*Luck]))
            self._start()

    def restart(self) -> None:
        self.promises.stops()
        self.table.stop()
        self._start()


def play(folder: Path, steps: Sequence[Step]) -> tuple[Counter[str], tuple[int, Broken] | None]:
    """Play an evening; return what happened, and after which step which promise was broken first, if one was."""
    threads.forget_faults()
    evening = Evening(folder, steps[0])
    broken: tuple[int, Broken] | None = None
    number = 0
    try:
        with running(evening.table.machine), plugged_in(evening.table.disk), raising(evening.table):
            try:
                evening.begin()
                for step in steps[1:]:
                    number += 1
                    evening.take(step)
                evening.end()
            except Ended:
                pass
            except Broken as found:
                broken = number, found
            except (PowerCut, LogFault, Exception) as wrong:
                found = Broken("nothing raises", f"{type(wrong).__name__}: {wrong}")
                found.__cause__ = wrong
                broken = number, found
            finally:
                evening.table.gone()
    finally:
        threads.forget_faults()
    return evening.events, broken
