"""Keeps the table on a network: it joins an existing one, or opens its own if there is none."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from companion.devices.sensing import Clock
from companion.network import nmcli
from companion.network.nmcli import LOOK_S, OWN, UP_S, InRange, Run, Unwilling
from companion.network.own_wifi import OwnWifi
from companion.threads import LastingThread, Rounds, start_errand

ALONE_S = 45.0
"""Seconds without a network before the table opens its own: NetworkManager first tries those it knows."""
LOOK_EVERY_S = 5.0
"""Seconds between two checks of the network."""
PATIENCE_S = 600.0
"""Seconds that one check may take: it may wait for somebody's joining a network."""

_journal = logging.getLogger(__name__)


class NetworkState(Struct, frozen=True):
    """The state of the table's network."""

    own: OwnWifi | None = None
    """The table's own network, if it is open."""
    joined: str = ""
    """The joined network; "" for none, or for its own."""
    seen: tuple[InRange, ...] = ()
    """The networks in range at the last search."""
    wanted: str = ""
    """The network being joined."""
    refused: str = ""
    """The network that could not be joined last."""
    password: bool = False
    """Whether that was because of the password."""
    off: bool = False
    """Whether the radio is off: Raspberry Pi OS keeps it off until it knows the country."""
    trouble: str = ""
    """NetworkManager's error message; "" if there is none."""


class Wifi:
    """The table's network. Every method may be called from any thread; those that wait for NetworkManager say so."""

    def __init__(
        self, own_wifi: OwnWifi, run: Run = nmcli.run, clock: Clock = time.monotonic, kind: str = "wifi"
    ) -> None:
        """`kind`: the kind of device on which the table's own network is opened; tests have only cables."""
        self.standing = NetworkState()
        self._own = own_wifi
        self._run = run
        self._clock = clock
        self._kind = kind
        self._alone_since: float | None = None
        self._lock = threading.Lock()
        self._watcher: Callable[[], None] = lambda: None
        self._thread = LastingThread("network", self._keep, patience=PATIENCE_S)

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed`, in place of any earlier one, when the table has changed networks."""
        self._watcher = changed

    def start(self) -> None:
        """Start keeping the table on a network, in a thread."""
        self._thread.start()

    def close(self) -> None:
        """Stop the thread; the network stays as it is."""
        self._thread.stop()

    def look(self) -> None:
        """Check the network, and open the table's own if it has had none for too long. Blocks."""
        with self._lock, self._noting_trouble():
            self._look()

    def search(self) -> None:
        """Search for networks in range. Blocks. While its own is open, most machines list those found earlier."""
        with self._lock, self._noting_trouble():
            command = ["nmcli", "-t", "-f", "IN-USE,SSID,SIGNAL,SECURITY", "device", "wifi", "list"]
            in_range = nmcli.networks(self._run(command, LOOK_S))
            foreign = (network for network in in_range if network.ssid != self._own.ssid)
            self.standing = replace(self.standing, seen=tuple(foreign), trouble="")

    def join(self, ssid: str, password: str) -> None:
        """Join a network. Blocks for about `UP_S` at most; on failure the table goes back to where it was.

        A joined network replaces the table's own, and phones must follow.
        """
        with self._lock:
            earlier = self.standing
            self.standing = replace(earlier, wanted=ssid, refused="")
            wait = str(round(UP_S))
            known_names = self._known()
            command = ["nmcli", "--wait", wait, "device", "wifi", "connect", ssid]
            command += ["password", password] if password else []
            # NetworkManager finds a network with a hidden name only if told that it is one.
            command += [] if ssid in (network.ssid for network in earlier.seen) else ["hidden", "yes"]
            try:
                self._run(command, UP_S + 5)
            except Unwilling as wrong:
                _journal.warning("%s could not be joined: %s", ssid, wrong)
                if ssid not in known_names:  # nmcli has stored a connection, which would be tried again and again
                    self._forget(ssid)
                self.standing = replace(earlier, refused=ssid, password=wrong.password, wanted="")
                self._back(earlier)
            else:
                self.standing = replace(self.standing, wanted="")
            with self._noting_trouble():
                self._look()

    def start_to_join(self, ssid: str, password: str) -> None:
        """Join a network, in a thread of its own."""
        start_errand("joining a network", partial(self.join, ssid, password), PATIENCE_S)

    def start_to_open(self) -> None:
        """Open the table's own network, in a thread of its own."""
        start_errand("opening a network", self.open, PATIENCE_S)

    def open(self) -> None:
        """Open the table's own network in place of any other. Blocks."""
        with self._lock, self._noting_trouble():
            self._open()
            self.standing = replace(self.standing, refused="")
            self._look()

    @contextmanager
    def _noting_trouble(self) -> Iterator[None]:
        try:
            yield
        except Unwilling as wrong:
            self.standing = replace(self.standing, trouble=str(wrong))

    def _keep(self, rounds: Rounds) -> None:
        while not rounds.is_set():
            self.look()
            rounds.wait(LOOK_EVERY_S)

    def _look(self) -> None:
        devices = [device for device in self._devices() if device[1] in ("wifi", "ethernet")]
        connected = [connection for _, _, state, connection in devices if state == "connected"]
        joining = any(state.startswith("connecting") for _, _, state, _ in devices)
        open_wifi = self._own if OWN in connected else None
        joined = next((connection for connection in connected if connection != OWN), "")
        off = any((kind, state) == (self._kind, "unavailable") for _, kind, state, _ in devices)
        standing = replace(self.standing, own=open_wifi, joined=joined, off=off, trouble="")
        moved = (standing.own, standing.joined) != (self.standing.own, self.standing.joined)
        self.standing = standing
        if connected or joining:
            self._alone_since = None
        elif self._alone_since is None:
            self._alone_since = self._clock()
        elif self._clock() - self._alone_since >= ALONE_S and any(kind == self._kind for _, kind, _, _ in devices):
            # Reset before opening: if that fails, the wait begins anew instead of a retry at every look.
            self._alone_since = None
            self._open()
            self._look()
        if moved and connected:
            self._watcher()

    def _open(self) -> None:
        device = next((name for name, kind, *_ in self._devices() if kind == self._kind), "")
        if not device:
            raise Unwilling("this machine has no Wi-Fi")
        self._forget(OWN)  # its name or password may have changed
        self._run(nmcli.opening(self._kind, device, self._own.ssid, self._own.password), LOOK_S)
        self._up(OWN)
        _journal.info("the table's own network %s is open", self._own.ssid)

    def _back(self, earlier: NetworkState) -> None:
        """Rejoin the previous network, or open the table's own if that fails too; `_keep` retries later."""
        if earlier.joined:
            try:
                self._up(earlier.joined)
                return
            except Unwilling as wrong:
                _journal.warning("can't go back to %s either: %s", earlier.joined, wrong)
        try:
            self._open()
        except Unwilling as wrong:
            _journal.warning("can't open the table's own network: %s", wrong)

    def _devices(self) -> Iterator[tuple[str, str, str, str]]:
        return nmcli.devices(self._run(["nmcli", "-t", "-f", "DEVICE,TYPE,STATE,CONNECTION", "device"], LOOK_S))

    def _up(self, connection: str) -> None:
        # Without `id`, nmcli takes a name such as "uuid", "help" or "-a" for a word of its own.
        self._run(["nmcli", "--wait", str(round(UP_S)), "connection", "up", "id", connection], UP_S + 5)

    def _known(self) -> list[str]:
        try:
            output = self._run(["nmcli", "-t", "-f", "NAME", "connection", "show"], LOOK_S)
        except Unwilling:
            return []
        return [name for (name,) in nmcli.rows(output, 1)]

    def _forget(self, connection: str) -> None:
        try:
            self._run(["nmcli", "connection", "delete", "id", connection], LOOK_S)
        except Unwilling:
            return  # there was none
