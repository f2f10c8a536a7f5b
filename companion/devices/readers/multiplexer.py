"""TCA9548A multiplexers on an I2C bus: one bus for many chips with the same address, one reached at a time."""

import errno
from collections.abc import Callable
from weakref import WeakValueDictionary

from companion.devices.faults import DeviceFault, FaultCode
from companion.devices.readers import buses
from companion.devices.readers.pn532 import CutOff
from companion.devices.sensing import NotThere


class Trunk:
    """The readers' I2C bus, open while it is used, with at most one channel of its multiplexers connected."""

    def __init__(self, path: str) -> None:
        self._file = buses.Shared(lambda: buses.I2cdev(path))
        self._resets: dict[int, Callable[[], None] | None] = {}
        self._routed: tuple[int, int] | None = None
        """The multiplexer and channel that are connected; None if that is not certain."""

    def add(self, multiplexer: int, reset: Callable[[], None] | None) -> None:
        """Add a multiplexer, with the function that resets it if its pin is wired."""
        self._resets[multiplexer] = reset or self._resets.get(multiplexer)

    def take(self) -> buses.I2cdev:
        """Return the open bus. Raises `NotThere`."""
        return self._file.take()

    def give_back(self) -> None:
        """Note that one user has left, perhaps because the multiplexer lost its channel, which is then set again."""
        self._routed = None
        self._file.give_back()

    def route(self, i2c: buses.I2cdev, way: tuple[int, int]) -> None:
        """Connect this channel and no other. Raises `Unswitched`, and `NotThere` for the reset pins."""
        if self._routed == way:
            return
        try:
            self._lead(i2c, *way)
        except Unswitched as fault:
            # Unless this one alone is silent, all are reset: one that hangs may block the whole bus.
            resets = [self._resets[way[0]]] if fault.gone else [*self._resets.values()]
            if not any(resets):
                raise
            for reset in filter(None, resets):
                reset()
            self._lead(i2c, *way)

    def _lead(self, i2c: buses.I2cdev, multiplexer: int, channel: int) -> None:
        earlier_route = self._routed
        self._routed = None
        for neighbour in self._resets:
            if neighbour != multiplexer and (earlier_route is None or earlier_route[0] == neighbour):
                try:
                    _switch(i2c, neighbour, 0)
                except Unswitched as fault:
                    if not fault.gone:  # one that is gone lets nothing through
                        raise
        _switch(i2c, multiplexer, 1 << channel)
        self._routed = multiplexer, channel


_trunks: WeakValueDictionary[str, Trunk] = WeakValueDictionary()


def trunk_at(path: str) -> Trunk:
    """Return the bus of this path, one object for all its readers."""
    return _trunks.setdefault(path, Trunk(path))


class Unswitched(CutOff):
    """A multiplexer did not switch as it was told."""

    code = FaultCode.CUT_OFF

    def __init__(self, multiplexer: int, *, gone: bool) -> None:
        """Take its address, and whether it does not answer at all."""
        name = f"the multiplexer {multiplexer:#x}"
        super().__init__(f"no answer from {name}" if gone else f"{name} does not obey")
        self.gone = gone


def _switch(i2c: buses.I2cdev, multiplexer: int, channels: int) -> None:
    """Set the channel register and read it back: a multiplexer that hangs would show cards of another place."""
    register = bytearray(1)
    try:
        i2c.writeto(multiplexer, bytes((channels,)))
        i2c.readfrom_into(multiplexer, register)
    except OSError as error:
        if error.errno == errno.EBUSY:
            says = (
                f"The kernel itself uses the multiplexer {multiplexer:#x}: take its line (dtoverlay=i2c-mux…) out of "
                "/boot/firmware/config.txt and restart the Pi."
            )
            raise NotThere(DeviceFault(says, FaultCode.BUSY)) from error
        raise Unswitched(multiplexer, gone=error.errno in buses.UNACKNOWLEDGED) from error
    if register[0] != channels:
        raise Unswitched(multiplexer, gone=False)
