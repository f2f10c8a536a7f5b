"""What is shown of the devices that were found, and on the drawing of the table at each place. Pure."""

from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from companion.devices.check.walk import Act, Step
from companion.events import seat_at
from companion.setup.plan import CENTRE, MORE, Stage, TablePlan
from companion.setup.ways import Way, way_of


class Look(StrEnum):
    """How a pad or a button is drawn."""

    HAS = "has"
    NOW = "now"
    LOST = "lost"
    NONE = "none"
    LATER = "later"


class DrawnPlace(Struct, frozen=True):
    """A place on the drawing."""

    place: str
    seat: int
    """0: no seat."""
    pad: Look
    button: Look | None
    """None: a pad in the middle has none."""


class FoundDevice(Struct, frozen=True):
    """A device in the list of what was found."""

    name: str
    reads: bool
    number: int
    """Which of the readers it is; of buttons, for how many it has room."""
    way: Way
    works: bool
    lit: int
    """A reader on which a card lies: 1; the button that was pressed last; else 0."""


def devices_of(plan: TablePlan) -> list[FoundDevice]:
    """Return everything that was found."""
    return list(_devices(plan))


def _devices(plan: TablePlan) -> Iterator[FoundDevice]:
    readers = 0
    pressed = plan.pressed[0] if plan.pressed else ("", 0)
    for one in plan.devices:
        readers += one.reads
        number = readers if one.reads else len(one.wires)
        lit = int(one.name in plan.lying) if one.reads else pressed[1] if pressed[0] == one.name else 0
        yield FoundDevice(one.name, one.reads, number, way_of(one.settings, one.name), one.works, lit)


def seats_of(plan: TablePlan) -> list[DrawnPlace]:
    """Return every seat."""
    places = (f"seat-{seat}" for seat in range(1, plan.seats + 1))
    return [
        DrawnPlace(one, seat_at(one) or 0, _look(plan, Act.LAY, one), _look(plan, Act.PRESS, one)) for one in places
    ]


def pads_of(plan: TablePlan) -> list[DrawnPlace]:
    """Return the pads in the middle: the centre's, and those of few tables where there are any."""
    return list(_pads(plan))


def _pads(plan: TablePlan) -> Iterator[DrawnPlace]:
    for place in (CENTRE, *MORE):
        look = _look(plan, Act.LAY, place)
        if place == CENTRE or look in (Look.HAS, Look.LOST, Look.NOW):
            yield DrawnPlace(place, 0, look, None)


def _look(plan: TablePlan, act: Act, place: str) -> Look:
    step = Step(act, place)
    wire = plan.belongs.get(step)
    if wire is not None:
        device = plan.device(wire[0])
        return Look.HAS if device is not None and device.works else Look.LOST
    if plan.stage is Stage.WALK and plan.now == step:
        return Look.NOW
    return Look.NONE if step in plan.done or (plan.stage is Stage.WALK and plan.now is None) else Look.LATER
