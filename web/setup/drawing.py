"""The setup's list of devices and its drawing of the table, as values for the template. Pure."""

from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from companion.devices.check.walk import Act, Step
from companion.events import CENTRE, place_of
from companion.setup.how_to_connect import Way, way_of
from companion.setup.table_plan import Attached, Stage, TablePlan, own_pads
from companion.web.render.seating import spots


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
    """0 if it is not a seat."""
    spot: int
    """Which of the six spots around the drawn table it has."""
    pad: Look
    button: Look | None
    """None for a pad in the middle, which has none."""


class FoundDevice(Struct, frozen=True):
    """A device in the list of those found."""

    name: str
    reads: bool
    number: int
    """A reader's ordinal; for buttons, how many inputs the device has."""
    way: Way
    place: str
    """The place that it was assigned; "" if none yet, and for buttons."""
    works: bool
    lit: int
    """1 for a reader with a card on it; the number of the button pressed last; else 0."""

    @property
    def called(self) -> str:
        """The code of its name."""
        if self.reads:
            return "setup-reader"
        return "setup-header" if self.way.code == "header" else "setup-box"

    @property
    def cure(self) -> str:
        """The code of the advice shown if it does not work."""
        return "setup-cure-reader" if self.reads else "setup-cure-box"


def devices_of(plan: TablePlan) -> list[FoundDevice]:
    """Return every device found."""
    return list(_devices(plan))


def _devices(plan: TablePlan) -> Iterator[FoundDevice]:
    readers = 0
    for device in plan.devices:
        readers += device.reads
        number = readers if device.reads else len(device.wires)
        step = plan.step_of((device.name, 0))
        place = step.place if step else ""
        yield FoundDevice(
            device.name,
            device.reads,
            number,
            way_of(device.settings, device.name),
            place,
            device.works,
            lit=_lit(plan, device),
        )


def _lit(plan: TablePlan, device: Attached) -> int:
    if device.reads:
        return int(device.name in plan.lying)
    name, button = plan.pressed[0] if plan.pressed else ("", 0)
    return button if name == device.name else 0


def seats_of(plan: TablePlan) -> list[DrawnPlace]:
    """Return every seat, as drawn."""
    seats = range(1, plan.seats + 1)
    spot_of = spots(seats)
    return [_seat(plan, seat, spot_of[seat]) for seat in seats]


def _seat(plan: TablePlan, seat: int, spot: int) -> DrawnPlace:
    place = place_of(seat)
    return DrawnPlace(place, seat, spot, _look(plan, Act.LAY, place), _look(plan, Act.PRESS, place))


def pads_of(plan: TablePlan) -> list[DrawnPlace]:
    """Return the pads in the middle: the centre's, and a game's own if the table has one."""
    return list(_pads(plan))


def _pads(plan: TablePlan) -> Iterator[DrawnPlace]:
    for place in (CENTRE, *own_pads()):
        look = _look(plan, Act.LAY, place)
        if place == CENTRE or look in (Look.HAS, Look.LOST, Look.NOW):
            yield DrawnPlace(place, 0, 0, look, None)


def _look(plan: TablePlan, act: Act, place: str) -> Look:
    step = Step(act, place)
    wire = plan.belongs.get(step)
    if wire is not None:
        device = plan.device(wire[0])
        return Look.HAS if device is not None and device.works else Look.LOST
    if plan.stage is Stage.WALK and plan.next_step == step:
        return Look.NOW
    return Look.NONE if step in plan.done or (plan.stage is Stage.WALK and plan.next_step is None) else Look.LATER
