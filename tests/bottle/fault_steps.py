"""What goes wrong in a step: power, disk, program, a game's code, and the club."""

import random
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from companion.acts import upkeep_acts
from tests.bottle.disk import SPOILED, Trouble
from tests.bottle.people_steps import answer, host

if TYPE_CHECKING:
    from tests.bottle.evening import Evening


def restart(evening: "Evening", chance: random.Random) -> None:
    """The companion is stopped, and started again."""
    evening.restart()


def cut(evening: "Evening", chance: random.Random) -> None:
    """The power is cut now."""
    evening.table.disk.is_off = True


def cut_within(evening: "Evening", chance: random.Random) -> None:
    """The power is cut within one of the next acts, at any write."""
    evening.table.disk.cut_after(chance.randint(1, chance.choice((3, 12, 60))))


def cut_among_own(evening: "Evening", chance: random.Random) -> None:
    """The power is cut while phones or questions are written."""
    evening.table.disk.cut_among_own(chance.randint(1, 8))


def spoil(evening: "Evening", chance: random.Random) -> None:
    """Something is wrong with the disk from now on."""
    evening.table.disk.trouble = chance.choice(SPOILED)


def unreadable(evening: "Evening", chance: random.Random) -> None:
    """Whatever SQLite must read from the disk fails from now on."""
    evening.table.disk.stop_reading()


def answer_unkept(evening: "Evening", chance: random.Random) -> None:
    """The disk refuses while somebody answers, and works again at once."""
    evening.table.disk.trouble = chance.choice((Trouble.FULL, Trouble.FAILING))
    try:
        answer(evening, chance)
    finally:
        evening.table.disk.mend()


def unheard(evening: "Evening", chance: random.Random) -> None:
    """The program is killed before the box hears that its presses are kept, which it then tells again."""
    box = evening.table.box
    box.waiting.extendleft(reversed(box.acknowledged))
    box.acknowledged = ()
    evening.restart()


def mend(evening: "Evening", chance: random.Random) -> None:
    """The disk works again."""
    evening.table.disk.mend()


def raises(evening: "Evening", chance: random.Random) -> None:
    """The game's code raises, a few times."""
    evening.table.raises = chance.choice((1, 1, 2, 5, 20))


def broker(evening: "Evening", chance: random.Random) -> None:
    """Something is wrong with the way to the club, or it is well again."""
    club = evening.table.club
    if club is None:
        return
    club.broker.delay = chance.choice((0.0, 0.0, 0.05, 2.0))
    fault = chance.choice(("down", "forgets", "up", "up", "cut"))
    if fault == "up":
        club.broker.is_up = True
    elif fault == "cut":
        club.broker.cut(chance.choice([*club.broker.sessions, ""]))
    else:
        club.broker.goes_down(forgets=fault == "forgets")


def hub(evening: "Evening", chance: random.Random) -> None:
    """The hub is killed, and starts again some time later."""
    if evening.table.club is not None:
        evening.table.club.hub_stops()


def lie(evening: "Evening", chance: random.Random) -> None:
    """A table that lies has its say."""
    if evening.table.club is not None:
        evening.table.club.lie(chance)


def flood(evening: "Evening", chance: random.Random) -> None:
    """A table that lies sends more results than people can play, and once those are kept as many again."""
    if evening.table.club is not None:
        for _ in range(2):
            evening.table.club.flood(chance)
            evening.table.passes(5.0)


def clock(evening: "Evening", chance: random.Random) -> None:
    """The wall clock is set."""
    evening.table.machine.jumps()
    if chance.random() < 0.2:
        evening.promises.wants(host(evening), upkeep_acts.TellDay("2026-11-28T20:00"))


STEPS: Mapping[str, Callable[["Evening", random.Random], None]] = {
    "restart": restart,
    "cut": cut,
    "cut_within": cut_within,
    "cut_among_own": cut_among_own,
    "disk": spoil,
    "answer_unkept": answer_unkept,
    "unheard": unheard,
    "mend": mend,
    "raises": raises,
    "clock": clock,
    "broker": broker,
    "hub": hub,
    "lie": lie,
    "flood": flood,
    "unreadable": unreadable,
}

OF_THE_MACHINE = ("cut", "disk", "unreadable", "mend", "clock")
"""What happens even while the companion can't start."""
