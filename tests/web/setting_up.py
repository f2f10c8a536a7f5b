"""A table that is being set up, at every stage, for tests of its pages."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from gevent.event import Event
from msgspec.structs import replace
from werkzeug.test import TestResponse

from companion.access import seat_rights
from companion.access.rights_file import Phones
from companion.access.seat_rights import phone_of
from companion.devices.check.walk import Act, Step
from companion.devices.drivers.pico import Buzzers
from companion.devices.drivers.pn532_uart import Reader
from companion.devices.faults import DeviceFault
from companion.network.page_address import fixed
from companion.setup.session import Setup
from companion.setup.table_plan import Attached, Remark, Silent, Stage, TablePlan
from companion.web.bell import Bell
from companion.web.setup import Work, create_setup
from tests.web.table import ANAS, client_of

READERS = tuple(Attached(f"/dev/ttyUSB{n}", Reader(place="x", port=f"/dev/ttyUSB{n}")) for n in range(3))
BOX = Attached("/dev/ttyACM0", Buzzers(port="/dev/ttyACM0", seats=(1, 2, 3, 4)))
CENTRE = Step(Act.LAY, "centre")
PAD_1 = Step(Act.LAY, "seat-1")
PRESS_1 = Step(Act.PRESS, "seat-1")
HERE = TablePlan(stage=Stage.FOUND, seats=4, devices=(*READERS, BOX))
WALKING = replace(
    HERE,
    stage=Stage.WALK,
    devices=(replace(READERS[0], works=False), *READERS[1:], BOX),
    belongs={CENTRE: (READERS[0].name, 0)},
    done=(CENTRE,),
)
DONE = replace(WALKING, belongs={**WALKING.belongs, PRESS_1: (BOX.name, 2)}, done=WALKING.steps)
PLANS: Mapping[str, TablePlan] = {
    "name": TablePlan(),
    "looking": replace(HERE, looking=True),
    "found": replace(HERE, silent=(Silent("/dev/ttyUSB7", DeviceFault("nothing answers there")),)),
    "nothing found": TablePlan(
        stage=Stage.FOUND, silent=(Silent("/dev/spidev0.0", DeviceFault("nothing answers there")),)
    ),
    "lay": replace(WALKING, said=Remark("setup-has-lay", {"place": "centre"})),
    "press": replace(
        WALKING,
        done=(CENTRE, PAD_1),
        contested=(BOX.name, 1),
        said=Remark("setup-taken-press", {"place": "seat-2", "heard": "seat-1"}),
    ),
    "lost": replace(WALKING, said=Remark("setup-lost", {"place": "centre", "what": "reader"})),
    "over": DONE,
    "nothing has a place": replace(HERE, stage=Stage.WALK, done=HERE.steps),
}


class Stages:
    """A phone that finds the setup at the stage that a path names."""

    paths = (*(f"/setup#{name}" for name in PLANS), "/setup#looking on")

    def __init__(self, setup: Setup, phone: FlaskClient, other: FlaskClient) -> None:
        self.setup = setup
        self.mine = phone
        self.other = other

    def get(self, path: str, **more: Any) -> TestResponse:
        stage = path.partition("#")[2]
        self.setup.plan = PLANS.get(stage, WALKING)
        return (self.mine if stage in PLANS else self.other).get("/setup", **more)


def unconfigured(folder: Path) -> Work:
    """Return a table that has no file yet."""
    setup = Setup(folder / "table.toml", lambda: 0.0, find_devices=list)
    return Work(setup, Phones(folder / "log.sqlite.phones"), fixed("http://192.168.4.1:8000/"), Bell(), Event())


@contextmanager
def staged(folder: Path) -> Iterator[Stages]:
    """Have Ana's phone set a table up."""
    work = unconfigured(folder)
    work.phones.change(lambda rights: seat_rights.first(rights, phone_of(ANAS)))
    app = create_setup(work)
    yield Stages(work.setup, client_of(app, ANAS), client_of(app, None))
