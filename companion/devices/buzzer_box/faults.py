"""The faults of the buzzer box, each with a message that says what to do."""

import errno
import os

from msgspec.structs import replace

from companion.devices import permissions, serial_ports, serial_users
from companion.devices.buzzer_box.protocol import VERSION
from companion.devices.faults import BUS, PROGRAMS, WHERE, DeviceFault, Fact, FaultCode, placed
from companion.devices.sensing import NotThere

_BOX = "box"


class Lost(NotThere):
    """The box can't be used now."""

    def __init__(self, fault: DeviceFault, port: str = "", otherwise: str = "") -> None:
        """`port`: the port, if other programs on it may be the reason; these are looked for only when the message is
        read. `otherwise`: the advice if there are none.
        """
        super().__init__(fault)
        self._port = port
        self._otherwise = otherwise

    def __str__(self) -> str:
        """Return the whole fault's message."""
        return self.whole().says

    def whole(self) -> DeviceFault:
        """Return the fault with the other programs that use the port; this looks through all processes."""
        users = serial_users.users_of(self._port) if self._port else serial_users.NOBODY
        says = " ".join(filter(None, (self.fault.says, str(users) or self._otherwise)))
        facts = {**self.fault.facts, PROGRAMS: users.programs}
        return replace(self.fault, says=says, facts=facts)


def not_opened(port: str, error: Exception) -> Lost:
    """Return why a port can't be opened."""
    match getattr(error, "errno", None):
        case errno.ENOENT | errno.ENXIO | errno.ENODEV:
            words = f"there is no port {port}: is the buzzer box plugged in? {serial_ports.describe_ports()}"
            return _lost(FaultCode.GONE, words, port)
        case errno.EACCES | errno.EPERM:
            return Lost(placed(permissions.serial(port).refusal(port, error), port, _BOX))
        case errno.EAGAIN | errno.EBUSY:
            words = (
                f"another program has {port} open: stop it (a second companion, a terminal, Thonny). "
                "If the box has only just been plugged in, wait half a minute."
            )
            return Lost(_fault(FaultCode.BUSY, words, port), port)
    words = f"{port} can't be used as a serial port ({error}): check `port`. {serial_ports.describe_ports()}"
    return _lost(FaultCode.UNUSABLE, words, port, setting="port", choices=serial_ports.listed())


def _fault(code: FaultCode, says: str, port: str, **facts: Fact) -> DeviceFault:
    return DeviceFault(says, code, {WHERE: port, BUS: _BOX, **facts})


def _lost(code: FaultCode, says: str, port: str, **facts: Fact) -> Lost:
    return Lost(_fault(code, says, port, **facts))


def another(port: str) -> Lost:
    """Return the fault of a port that now leads to a different device."""
    return Lost(placed(serial_ports.exchanged(port), port, _BOX))


def shared(port: str) -> Lost:
    """Return the fault of a port from which another program reads too."""
    words = f"another program reads from {port}: stop it. The box keeps its presses and hands them over then."
    return Lost(_fault(FaultCode.BUSY, words, port), port)


def unplugged(port: str) -> Lost:
    """Return the fault of an open port that broke."""
    keeps = "While it has power it keeps the presses and hands them over then."
    if not os.path.exists(port):
        return _lost(FaultCode.GONE, f"lost the buzzer box at {port}: plug its cable in again. {keeps}", port)
    says = f"lost the buzzer box at {port}. {keeps}"
    return Lost(_fault(FaultCode.GONE, says, port), port, "Plug its cable in again.")


def no_box(port: str) -> Lost:
    """Return the fault of a port that opens, but at which no box answers."""
    words = (
        f"{port} opens, but no buzzer box answers there: is it the right port, not a reader's, "
        f"and does the Pico run our firmware (companion firmware install --port {port})?"
    )
    return Lost(_fault(FaultCode.NO_BOX, words, port), port)


def silent(port: str) -> Lost:
    """Return the fault of a box that has fallen silent."""
    words = f"the buzzer box at {port} has fallen silent: unplug it and plug it in again."
    return Lost(_fault(FaultCode.SILENT, words, port), port)


def gaps(port: str) -> Lost:
    """Return the fault of a box that counts presses which do not arrive."""
    words = f"presses from {port} do not come through: change the cable or the USB port."
    return Lost(_fault(FaultCode.GAPS, words, port), port)


def wrong_version(port: str, version: int) -> Lost:
    """Return the fault of a box and a companion with different protocol versions, saying which is older."""
    older = "box" if version < VERSION else "companion"
    anew = f"its firmware again (companion firmware install --port {port})"
    says = (
        f"the buzzer box at {port} speaks version {version} of the protocol, this companion "
        f"version {VERSION}: install {anew if older == 'box' else 'a newer companion'}."
    )
    return _lost(FaultCode.VERSION, says, port, older=older)


def too_few_buttons(port: str, buttons: int, seats: int) -> Lost:
    """Return the fault of a table.toml that names more seats than there are buttons."""
    says = (
        f"the buzzer box at {port} has {buttons} buttons, but table.toml gives it {seats} seats: "
        "take seats out there, or use another box."
    )
    return _lost(FaultCode.BUTTONS, says, port, number=buttons, named=seats)


def full(port: str, refused: int) -> DeviceFault:
    """Return the fault of presses that are lost because the box's memory was full."""
    says = (
        f"the buzzer box was full and refused {refused} presses after those it kept: "
        "ask the players who called, and leave the cable in."
    )
    return _fault(FaultCode.FULL, says, port, number=refused)
