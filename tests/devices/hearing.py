"""A table that listens to a buzzer box through the real driver, and what must be true of what it is told."""

import time
from contextlib import contextmanager
from itertools import combinations
from unittest import mock

from companion.devices.drivers.pico import Buzzers
from companion.devices.sensing import Working
from companion.errors import NotKept
from tests.devices.table import Table, listening_to
from tests.emulators.box_cable import CabledBox
from tests.emulators.time import Time, Until, passing
from tests.waiting import until

SEATS = (1, 2, 3, 4, 5, 6)


@contextmanager
def listening(port, table=None, *, seats=SEATS, start=True, working=True):
    table = table or Table()
    source = Buzzers(port=port, seats=seats).open(time.monotonic)
    if start:
        source.start()
    with listening_to(source, table):
        if working:
            until(lambda: table.of(Working))
        yield table


class BoxTable(Table):
    """A table that listens to one box, in a time that passes only while it listens."""

    def __init__(self, box, seats):
        super().__init__()
        self.box = box
        self.source = Buzzers(port=box.path, seats=seats).open(box.time.monotonic)
        self.may_keep = True
        self.refused = 0
        self.tell = self
        """Who hears the box: this table, or somebody in between."""
        self.disk = lambda: None
        """What happens while a press is put on disk."""

    def __call__(self, *sensings):
        self.disk()
        if not self.may_keep:
            self.refused += 1
            raise NotKept
        super().__call__(*sensings)

    def until(self, true, within=30.0):
        """Listen until it is true, within so many seconds of the box's time."""
        time = self.box.time
        end = time.now + within
        self.source.listen(self.tell, Until(time, lambda: bool(true()) or time.now > end))
        assert true(), f"not within {within} s; told at last: {self.told[-4:]}"

    def listen_for(self, seconds):
        end = self.box.time.now + seconds
        self.until(lambda: self.box.time.now >= end, within=seconds + 1)


@contextmanager
def cabled(kind=CabledBox, **box):
    """A box at the end of the companion's cable; takes what that kind of box takes."""
    time = Time()
    with passing(time):
        emulated = kind(time, **box)
        with (
            mock.patch("companion.devices.drivers.pico.BoxPort", emulated.port),
            mock.patch("companion.devices.buzzer_box.inquiry.BoxPort", emulated.port),
        ):
            yield emulated


@contextmanager
def companion_at(box, *, seats=SEATS, working=True):
    """A companion that runs while the block does; first it sees that the box works."""
    table = BoxTable(box, seats)
    if working:
        table.until(lambda: table.of(Working))
    yield table
    table.source.close()


def check(presses, devices):
    """Nothing lost or doubled, in the order of the device, and close ones to the microsecond."""
    assert sorted(press.origin for press in presses) == sorted(devices)
    for former, other in combinations(presses, 2):
        if former.origin.rpartition("-")[0] == other.origin.rpartition("-")[0]:
            apart = devices[other.origin] - devices[former.origin]
            measured = round((other.at - former.at) * 1e6)
            assert (measured > 0, measured < 0) == (apart > 0, apart < 0)
            if abs(apart) < 100_000:
                assert measured == apart
