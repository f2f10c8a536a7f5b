"""The state of a setup: the devices, their places, and the next step. Pure.

A reader without a place reports cards at a place named after itself; when a card is laid where the step asks for one,
that shows where the reader is. A box's button is identified by its number in the same way.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion import events, games
from companion.devices.check.walk import BOTH_S, TOGETHER_S, Act, Step
from companion.devices.faults import DeviceFault
from companion.devices.sensing import Appeared, Buzzed, Crowded, Failed, Gone, Sensing, Uncrowded, Working, reads
from companion.events import CENTRE, place_of, seat_at

SEATS = range(2, max(events.SEATS) + 1)
"""The possible numbers of seats."""

Wire = tuple[str, int]
"""A device's name and the number of one of its buttons; 0 for a reader."""


class Stage(StrEnum):
    """The setup's pages, in order."""

    NAME = "name"
    FOUND = "found"
    WALK = "walk"


class Attached(Struct, frozen=True):
    """A reader or a set of buttons that answers, or has answered."""

    name: str
    """Temporary name until a place is assigned."""
    settings: Any
    """The driver's settings."""
    detail: str = ""
    works: bool = True

    @property
    def reads(self) -> bool:
        """Whether it is a reader."""
        return reads(self.settings)

    @property
    def wires(self) -> tuple[Wire, ...]:
        """Its parts, each of which is assigned to a place."""
        return ((self.name, 0),) if self.reads else tuple((self.name, number) for number in self.settings.seats)


class Silent(Struct, frozen=True):
    """A port or bus where nothing known answers."""

    where: str
    fault: DeviceFault


class Remark(Struct, frozen=True):
    """The outcome of the last act, as a sentence's code and facts."""

    code: str
    facts: Mapping[str, str] = {}

    @property
    def is_good(self) -> bool:
        """Whether a device was assigned, or is back."""
        return self.code == "setup-back" or self.code.startswith("setup-has")


class TablePlan(Struct, frozen=True):
    """The state of a setup."""

    stage: Stage = Stage.NAME
    name: str = ""
    language: str = ""
    phones_in_play: bool = True
    seats: int = max(SEATS)
    """Until set by the keeper, the number that the devices suggest."""
    devices: tuple[Attached, ...] = ()
    silent: tuple[Silent, ...] = ()
    reset_pins: Mapping[str, int] = {}
    """The free GPIO pins to which the build guide wires the resets of readers on serial ports, by place."""
    looking: bool = False
    """Whether a search for devices is running."""
    belongs: Mapping[Step, Wire] = {}
    """The device that answered each step."""
    done: tuple[Step, ...] = ()
    """The steps answered or skipped, in that order."""
    said: Remark | None = None
    """The remark shown."""
    contested: Wire | None = None
    """A device that just answered but belongs elsewhere: `take` assigns it to the present step."""
    lying: Mapping[str, float] = {}
    """The readers with a card, and since when."""
    pressed: tuple[Wire, float] | None = None
    """The last press."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """All possible steps: the centre first, because the smallest table has nothing else, then seat by seat."""
        around = (Step(act, place_of(seat)) for seat in range(1, self.seats + 1) for act in (Act.LAY, Act.PRESS))
        return (Step(Act.LAY, CENTRE), *around, *(Step(Act.LAY, place) for place in own_pads()))

    @property
    def next_step(self) -> Step | None:
        """The step to ask for; None if every device has its place."""
        left = {act: self.left(act) for act in Act}
        return next((step for step in self.steps if step not in self.done and left[step.act]), None)

    def left(self, act: Act) -> tuple[Wire, ...]:
        """Return the readers (for `LAY`) or buttons without a place."""
        assigned = set(self.belongs.values())
        wires = (wire for device in self.devices if device.reads is (act is Act.LAY) for wire in device.wires)
        return tuple(wire for wire in wires if wire not in assigned)

    def device(self, name: str) -> Attached | None:
        """Return the device with this name."""
        return next((device for device in self.devices if device.name == name), None)

    def step_of(self, wire: Wire) -> Step | None:
        """Return the step to which a device was assigned."""
        return next((step for step, assigned in self.belongs.items() if assigned == wire), None)


def own_pads() -> tuple[events.Place, ...]:
    """Return the games' own pads, which few tables have; asked for while readers are left over."""
    return tuple(place for place in games.places() if place != CENTRE and seat_at(place) is None)


def take_devices(
    plan: TablePlan, devices: Iterable[Attached], silent: Iterable[Silent], reset_pins: Mapping[str, int] | None = None
) -> TablePlan:
    """Apply a search's result: devices, silent ports and free reset pins. Devices that are gone lose their place."""
    attached = tuple(devices)
    names = {device.name for device in attached}
    belongs = {step: wire for step, wire in plan.belongs.items() if wire[0] in names}
    done = tuple(step for step in plan.done if step in belongs or step not in plan.belongs)
    seats = plan.seats if belongs or plan.stage is Stage.WALK else likely_seats(attached)
    updated = replace(plan, devices=attached, silent=tuple(silent), belongs=belongs, done=done, seats=seats)
    return replace(updated, reset_pins=reset_pins or {}, looking=False, lying={}, pressed=None, contested=None)


def likely_seats(devices: Iterable[Attached]) -> int:
    """Return the likely number of seats of a table with these devices.

    One reader is the centre's, the others are seats'. Buttons count only without those: a box has six inputs, however
    many are wired.
    """
    numbers = {True: 0, False: 0}
    for device in devices:
        numbers[device.reads] += len(device.wires)
    pads = numbers[True] - 1
    return min(max(pads if pads > 1 else numbers[False], min(SEATS)), max(SEATS))


def take_sensing(plan: TablePlan, name: str, sensing: Sensing) -> TablePlan:
    """Apply what a device senses."""
    match sensing:
        case Failed():
            plan = _working(plan, name, works=False)
            return replace(plan, said=Remark("setup-lost", _place(plan, name)))
        case Working():
            device = plan.device(name)
            plan = _working(plan, name, works=True)
            is_back = device is not None and not device.works
            return replace(plan, said=Remark("setup-back", _place(plan, name))) if is_back else plan
        case Crowded():
            return replace(plan, said=Remark("setup-crowded"))
        case Uncrowded():
            return replace(plan, said=None)
        case Gone():
            return replace(plan, lying={reader: at for reader, at in plan.lying.items() if reader != name})
        case Appeared(at=at, already=already):
            sensed = replace(plan, lying={**plan.lying, name: at})
            if already and plan.stage is Stage.WALK:
                return replace(sensed, said=Remark("walk-lies-already"))
            return _answered(sensed, Act.LAY, (name, 0), at)
        case Buzzed(seat, at):
            sensed = replace(plan, pressed=((name, seat), at))
            return _answered(sensed, Act.PRESS, (name, seat), at, plan.pressed)
    return plan


def around(plan: TablePlan, seats: int) -> TablePlan:
    """Begin to ask for each place of a table with this many seats; devices of other seats lose their place."""
    fewer = replace(plan, stage=Stage.WALK, seats=seats, said=None)
    return forget(fewer, {*plan.belongs, *plan.done}.difference(fewer.steps))


def passed_over(plan: TablePlan, step: Step) -> TablePlan:
    """Skip a step, if it is still the present one."""
    if plan.next_step != step:
        return plan
    return replace(plan, done=(*plan.done, step), said=None, contested=None)


def finished(plan: TablePlan) -> TablePlan:
    """Skip all remaining steps."""
    open_steps = tuple(step for step in plan.steps if step not in plan.done)
    return replace(plan, done=(*plan.done, *open_steps), said=None, contested=None)


def step_back(plan: TablePlan) -> TablePlan:
    """Undo the last step; if there is none, go back a page."""
    if plan.stage is Stage.WALK and plan.done:
        return forget(plan, plan.done[-1:])
    stage = Stage.FOUND if plan.stage is Stage.WALK else Stage.NAME
    return replace(plan, stage=stage, said=None, contested=None)


def ask_again(plan: TablePlan, place: str) -> TablePlan:
    """Ask again for all devices at a place."""
    return forget(plan, [step for step in plan.steps if step.place == place])


def forget(plan: TablePlan, steps: Iterable[Step]) -> TablePlan:
    """Ask for these steps again."""
    forgotten = frozenset(steps)
    return replace(
        plan,
        done=tuple(step for step in plan.done if step not in forgotten),
        belongs={step: wire for step, wire in plan.belongs.items() if step not in forgotten},
        said=None,
        contested=None,
    )


def take(plan: TablePlan) -> TablePlan:
    """Assign the contested device to the present step, and ask again for its former place."""
    step = plan.next_step
    wire = plan.contested
    if wire is None or step is None:
        return plan
    elsewhere = plan.step_of(wire)
    return _belongs(forget(plan, [elsewhere] if elsewhere else []), step, wire)


def _answered(plan: TablePlan, act: Act, wire: Wire, at: float, pressed: tuple[Wire, float] | None = None) -> TablePlan:
    if plan.stage is not Stage.WALK:
        return plan
    # If two devices answer at once, which was meant is unknown; so the last step is asked again if one of them got it.
    if together := _together(plan, act, wire, at, pressed):
        last_step = [step for step in plan.done[-1:] if plan.belongs.get(step) == together]
        return replace(forget(plan, last_step), said=Remark(f"setup-both-{act}"))
    step = plan.next_step
    elsewhere = plan.step_of(wire)
    if step is None or step.act is not act:
        remark = Remark(f"setup-is-{act}", {"place": elsewhere.place}) if elsewhere else plan.said
        return replace(plan, said=remark, contested=None)
    if elsewhere is not None:
        facts = {"heard": elsewhere.place, "place": step.place}
        return replace(plan, said=Remark(f"setup-taken-{act}", facts), contested=wire)
    return _belongs(plan, step, wire)


def _together(plan: TablePlan, act: Act, wire: Wire, at: float, pressed: tuple[Wire, float] | None) -> Wire | None:
    """Return another device that sensed a card or a press at the same time, if any."""
    if act is Act.PRESS:
        return pressed[0] if pressed and pressed[0] != wire and abs(at - pressed[1]) < TOGETHER_S else None
    readers = (reader for reader, since in plan.lying.items() if reader != wire[0] and abs(at - since) < BOTH_S)
    return next(((reader, 0) for reader in readers), None)


def _belongs(plan: TablePlan, step: Step, wire: Wire) -> TablePlan:
    return replace(
        plan,
        belongs={**plan.belongs, step: wire},
        done=(*plan.done, step),
        said=Remark(f"setup-has-{step.act}", {"place": step.place}),
        contested=None,
    )


def _working(plan: TablePlan, name: str, *, works: bool) -> TablePlan:
    devices = tuple(replace(device, works=works) if device.name == name else device for device in plan.devices)
    return replace(plan, devices=devices)


def _place(plan: TablePlan, name: str) -> dict[str, str]:
    """Return the facts that name a device: its place, if known, its kind and a reader's ordinal."""
    places = [step.place for step, wire in plan.belongs.items() if wire[0] == name]
    device = plan.device(name)
    box = device is not None and not device.reads
    readers = [reader.name for reader in plan.devices if reader.reads]
    number = str(readers.index(name) + 1) if name in readers else ""
    return {"place": "" if box or not places else places[0], "what": "box" if box else "reader", "number": number}


def missing(plan: TablePlan) -> list[str]:
    """Return the seats without a pad and a button, where people play by phone."""
    reached = {step.place for step in plan.belongs}
    return [place for place in map(place_of, range(1, plan.seats + 1)) if place not in reached]


def buttonless(plan: TablePlan) -> list[str]:
    """Return the seats with a pad and without a button."""
    places = (step.place for step in plan.steps if step.act is Act.PRESS and step not in plan.belongs)
    return [place for place in places if Step(Act.LAY, place) in plan.belongs]


def buttons_of(plan: TablePlan, device: Attached) -> dict[int, int]:
    """Return the seats of a device's buttons, by button number."""
    return {wire[1]: seat_at(step.place) or 0 for step, wire in plan.belongs.items() if wire[0] == device.name}
