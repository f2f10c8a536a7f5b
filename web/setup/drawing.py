"""What the drawing of the table shows at each place. Pure."""

from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from companion.devices.check.walk import Act, Step
from companion.events import seat_at
from companion.setup.plan import CENTRE, MORE, Stage, TablePlan


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
