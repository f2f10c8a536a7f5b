"""The table in a network: it joins one that people have, and opens its own where it is in none. Never stranded."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import replace

from companion.devices.sensing import Clock
from companion.network import nmcli
from companion.network.nmcli import LOOK_S, OWN, UP_S, InRange, Run, Unwilling
from companion.network.own_wifi import OwnWifi

ALONE_S = 45.0
"""Seconds without any network after which the table opens its own: NetworkManager tries those that it knows first."""
LOOK_EVERY_S = 5.0
"""Seconds between two looks at how it stands."""

_journal = logging.getLogger(__name__)


class NetworkState(Struct, frozen=True):
    """How the table is in a network."""

    own: OwnWifi | None = None
    """Its own, where that is open."""
    joined: str = ""
    """The network that it is in; "" for none, or its own."""
    seen: tuple[InRange, ...] = ()
    """Those in range, as far as it was looked."""
    wanted: str = ""
    """The network that it tries to join now."""
    refused: str = ""
    """The network that it could not join last."""
    password: bool = False
    """Whether that was for its password."""
    off: bool = False
    """Whether the radio is off: Raspberry Pi OS keeps it so until it knows the country."""
    trouble: str = ""
    """Why NetworkManager can't do what it should, in its own words."""


class Wifi:
    """Every method may be called from any thread; one that waits for NetworkManager says so."""

    def __init__(self, own: OwnWifi, run: Run = nmcli.run, clock: Clock = time.monotonic, kind: str = "wifi") -> None:
        """`kind`: what the table's own network is opened on; tests have only cables."""
        self.standing = NetworkState()
        self._own, self._run, self._clock, self._kind = own, run, clock, kind
        self._alone_since: float | None = None
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._watcher: Callable[[], None] = lambda: None
        self._thread = threading.Thread(target=self._keep, name="network")

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed`, and nobody else any more, when the table has come into another network."""
        self._watcher = changed

    def start(self) -> None:
        """Keep the table in a network from now on."""
        self._thread.start()

    def close(self) -> None:
        """End that. The network stays as it is."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def look(self) -> None:
        """Look how it stands, and open the table's own network where it is in none for too long. It waits."""
        with self._lock, self._telling_trouble():
            self._look()

    def search(self) -> None:
        """Look for networks in range. It waits. While its own is open, most machines still see those seen before."""
        with self._lock, self._telling_trouble():
            asked = ["nmcli", "-t", "-f", "IN-USE,SSID,SIGNAL,SECURITY", "device", "wifi", "list"]
            seen = nmcli.networks(self._run(asked, LOOK_S))
            others = (one for one in seen if one.ssid != self._own.ssid)
            self.standing = replace(self.standing, seen=tuple(others), trouble="")

    def join(self, ssid: str, password: str) -> None:
        """Join a network. It waits, at most about `UP_S`; where it can't be joined the table is as it was before.

        A network that is joined takes the place of the table's own, and phones must follow.
        """
        with self._lock:
            before = self.standing
            self.standing = replace(before, wanted=ssid, refused="")
            wait, known = str(round(UP_S)), self._known()
            words = ["nmcli", "--wait", wait, "device", "wifi", "connect", ssid]
            words += ["password", password] if password else []
            try:
                self._run(words, UP_S + 5)
            except Unwilling as wrong:
                _journal.warning("%s could not be joined: %s", ssid, wrong)
                if ssid not in known:  # what was made for it would be tried again and again
                    self._forget(ssid)
                self.standing = replace(before, refused=ssid, password=wrong.password, wanted="")
                self._back(before)
            else:
                self.standing = replace(self.standing, wanted="")
            with self._telling_trouble():
                self._look()

    def open(self) -> None:
        """Open the table's own network, whatever it is in now. It waits."""
        with self._lock, self._telling_trouble():
            self._open()
            self._look()

    @contextmanager
    def _telling_trouble(self) -> Iterator[None]:
        try:
            yield
        except Unwilling as wrong:
            self.standing = replace(self.standing, trouble=str(wrong))

    def _keep(self) -> None:
        while not self._stop.is_set():
            self.look()
            self._stop.wait(LOOK_EVERY_S)

    def _look(self) -> None:
        here = [one for one in self._devices() if one[1] in ("wifi", "ethernet")]
        connected = [connection for _, _, state, connection in here if state == "connected"]
        joining = any(state.startswith("connecting") for _, _, state, _ in here)
        own = self._own if OWN in connected else None
        joined = next((one for one in connected if one != OWN), "")
        off = any((kind, state) == (self._kind, "unavailable") for _, kind, state, _ in here)
        now = replace(self.standing, own=own, joined=joined, off=off, trouble="")
        moved = (now.own, now.joined) != (self.standing.own, self.standing.joined)
        self.standing = now
        if connected or joining:
            self._alone_since = None
        elif self._alone_since is None:
            self._alone_since = self._clock()
        elif self._clock() - self._alone_since >= ALONE_S and any(kind == self._kind for _, kind, _, _ in here):
            self._alone_since = None
            self._open()
            self._look()
        if moved and connected:
            self._watcher()

    def _open(self) -> None:
        device = next((one for one, kind, *_ in self._devices() if kind == self._kind), "")
        if not device:
            raise Unwilling("this machine has no Wi-Fi")
        self._forget(OWN)  # its name or password may be others now
        self._run(nmcli.opening(self._kind, device, self._own.ssid, self._own.password), LOOK_S)
        self._up(OWN)
        _journal.info("the table's own network %s is open", self._own.ssid)

    def _back(self, before: NetworkState) -> None:
        """Go back to what it was in; where that is gone too, to the table's own. What fails here `_keep` mends."""
        if before.joined:
            try:
                self._up(before.joined)
                return
            except Unwilling as wrong:
                _journal.warning("not back in %s either: %s", before.joined, wrong)
        try:
            self._open()
        except Unwilling as wrong:
            _journal.warning("the table's own network does not open: %s", wrong)

    def _devices(self) -> Iterator[tuple[str, str, str, str]]:
        return nmcli.devices(self._run(["nmcli", "-t", "-f", "DEVICE,TYPE,STATE,CONNECTION", "device"], LOOK_S))

    def _up(self, connection: str) -> None:
        self._run(["nmcli", "--wait", str(round(UP_S)), "connection", "up", connection], UP_S + 5)

    def _known(self) -> list[str]:
        try:
            said = self._run(["nmcli", "-t", "-f", "NAME", "connection", "show"], LOOK_S)
        except Unwilling:
            return []
        return ["".join(nmcli.fields(line)) for line in said.splitlines()]

    def _forget(self, connection: str) -> None:
        try:
            self._run(["nmcli", "connection", "delete", connection], LOOK_S)
        except Unwilling:
            return  # there was none
