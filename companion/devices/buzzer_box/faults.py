"""Every way the buzzer box can fail, in plain words with what to do."""

import errno
import os
from enum import Enum, auto

from companion.devices import permissions, serial_ports, serial_users
from companion.devices.buzzer_box.protocol import VERSION
from companion.devices.sensing import NotThere


class Trouble(Enum):
    """The kinds of fault: people are told of a new kind, not of the same one again."""

    GONE = auto()
    DENIED = auto()
    BUSY = auto()
    UNUSABLE = auto()
    NO_BOX = auto()
    SILENT = auto()
    GAPS = auto()
    VERSION = auto()
    BUTTONS = auto()
    ANOTHER = auto()
    FULL = auto()


class Lost(NotThere):
    """The box can't be used now: the kind of fault, and plain words with what to do."""

    def __init__(self, trouble: Trouble, words: str, port: str = "", otherwise: str = "") -> None:
        """`port`: where other programs may be what is wrong; they are looked for only when somebody reads the words.
        `otherwise`: what to say if there are none.
        """
        super().__init__(words)
        self.trouble = trouble
        self._port = port
        self._otherwise = otherwise

    def __str__(self) -> str:
        users = serial_users.told(self._port) if self._port else ""
        return " ".join(filter(None, (super().__str__(), users or self._otherwise)))


def not_opened(port: str, error: Exception) -> Lost:
    """Return why a port can't be opened."""
    match getattr(error, "errno", None):
        case errno.ENOENT | errno.ENXIO | errno.ENODEV:
            words = f"there is no port {port}: is the buzzer box plugged in? {serial_ports.told()}"
            return Lost(Trouble.GONE, words)
        case errno.EACCES | errno.EPERM:
            return Lost(Trouble.DENIED, permissions.serial(port).refusal(port, error))
        case errno.EAGAIN | errno.EBUSY:
            words = (
                f"another program has {port} open: stop it (a second companion, a terminal, Thonny). "
                "If the box has only just been plugged in, wait half a minute."
            )
            return Lost(Trouble.BUSY, words, port)
    words = f"{port} can't be used as a serial port ({error}): check `port`. {serial_ports.told()}"
    return Lost(Trouble.UNUSABLE, words)


def another(port: str) -> Lost:
    """Return the fault of a port behind which another device is than before."""
    return Lost(Trouble.ANOTHER, serial_ports.exchanged(port))


def shared(port: str) -> Lost:
    """Return the fault of a port from which another program reads too."""
    words = f"another program reads from {port}: stop it. The box keeps its presses and hands them over then."
    return Lost(Trouble.BUSY, words, port)


def unplugged(port: str) -> Lost:
    """Return the fault of an open port that broke."""
    keeps = "While it has power it keeps the presses and hands them over then."
    if not os.path.exists(port):
        return Lost(Trouble.GONE, f"lost the buzzer box at {port}: plug its cable in again. {keeps}")
    return Lost(Trouble.GONE, f"lost the buzzer box at {port}. {keeps}", port, "Plug its cable in again.")


def no_box(port: str) -> Lost:
    """Return the fault of a port that opens though no box speaks there."""
    words = (
        f"{port} opens, but no buzzer box answers there: is it the right port, not a reader's, "
        f"and does the Pico run our firmware (companion firmware install --port {port})?"
    )
    return Lost(Trouble.NO_BOX, words, port)


def silent(port: str) -> Lost:
    """Return the fault of a box that no longer speaks."""
    words = f"the buzzer box at {port} has fallen silent: unplug it and plug it in again."
    return Lost(Trouble.SILENT, words, port)


def gaps(port: str) -> Lost:
    """Return the fault of a box that counts presses which do not arrive."""
    words = f"presses from {port} do not come through: change the cable or the USB port."
    return Lost(Trouble.GAPS, words, port)


def wrong_version(port: str, version: int) -> Lost:
    """Return the fault of a box and a companion that do not fit, saying which is behind."""
    anew = f"its firmware again (companion firmware install --port {port})"
    older = anew if version < VERSION else "a newer companion"
    return Lost(
        Trouble.VERSION,
        f"the buzzer box at {port} speaks version {version} of the protocol, this companion "
        f"version {VERSION}: install {older}.",
    )


def too_few_buttons(port: str, buttons: int, seats: int) -> Lost:
    """Return the fault of a table.toml that names more seats than there are buttons."""
    return Lost(
        Trouble.BUTTONS,
        f"the buzzer box at {port} has {buttons} buttons, but table.toml gives it {seats} seats: "
        "take seats out there, or use another box.",
    )


def full(refused: int) -> str:
    """Return the fault of presses lost for good, because the box could not keep more."""
    return (
        f"the buzzer box was full and refused {refused} presses after those it kept: "
        "ask the players who called, and leave the cable in."
    )
