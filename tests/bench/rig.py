"""The real `companion run` on emulated devices: five readers and a box of four buttons, as in hardware/table.toml."""

import contextlib
import http.client
import multiprocessing
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
from collections.abc import Iterator, Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from companion import games
from companion.access.rights_file import Phones
from companion.access.seat_rights import PARTS, Rights, phone_of
from companion.storage.files import phones_of
from tests.emulators.box import EmulatedBox
from tests.emulators.pn532_pty import UartPN532
from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[2]
COMPANION = (sys.executable, "-m", "companion")
GAME = "stop-it"
NAMES = {"seat-1": "Ana", "seat-2": "Bo", "seat-3": "Cléo", "seat-4": "Dédé"}
PHONE = "7ab1e7" + 26 * "0"
"""The token of a phone that is host and holds every seat."""
RADIO = 0.005
BAUD = 115200


class Program:
    """A `companion`, or another program, that serves a page."""

    def __init__(self, port: int, *command: str):
        self.port = port
        self.began = time.monotonic()
        self._cookie = f"phone={PHONE}"
        self._process = subprocess.Popen(command, cwd=ROOT, env=environment(), stdout=subprocess.DEVNULL)

    def first_page(self) -> float:
        """Wait for it; give the seconds from the process's start."""
        while time.monotonic() < self.began + PATIENCE:
            with contextlib.suppress(ConnectionError), contextlib.closing(self._knock()) as knock:
                knock.request("GET", "/")
                if knock.getresponse().status == 200:
                    return time.monotonic() - self.began
            time.sleep(0.002)
        self.kill()
        raise TimeoutError("the page never came")

    @property
    def pid(self) -> int:
        return self._process.pid

    def memory(self) -> float:
        """Return what is resident, in MB."""
        return resident(self._process.pid)

    def processor(self) -> float:
        """Return the seconds of a processor that it has taken."""
        return processor(self._process.pid)

    def wakes(self) -> float:
        """Return how often its threads have slept until something woke them; those that are gone do not count."""
        threads = Path(f"/proc/{self._process.pid}/task").glob("*/status")
        counts = [
            re.search(r"^voluntary_ctxt_switches:\s*(\d+)", thread.read_text(), re.MULTILINE) for thread in threads
        ]
        return sum(int(count[1]) for count in counts if count)

    def page(self) -> str:
        """Return the score page, "" where nobody serves it."""
        with contextlib.suppress(OSError), contextlib.closing(self._knock()) as knock:
            knock.request("GET", "/")
            return knock.getresponse().read().decode()
        return ""

    def start_match(self) -> None:
        """Begin a match of four; they collect."""
        self.post("/start", game=GAME, **NAMES)
        self.enter(kind="pressed", seat="1")

    def enter(self, **form: str) -> None:
        """Enter an act by phone."""
        self.post("/enter", page="score", **form)

    def enter_many(self, events: int) -> None:
        """Enter cards that nobody has called for: each is recorded, judged, and shown to everybody."""
        for card in some_cards(events):
            self.enter(kind="tapped", place="centre", card=card)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait()

    def get(self, path: str) -> float:
        """Fetch a page; give the seconds until its last byte."""
        with contextlib.closing(self._knock()) as phone:
            began = time.perf_counter()
            phone.request("GET", path, headers={"Cookie": self._cookie, "Accept-Encoding": "gzip"})
            answer = phone.getresponse()
            answer.read()
            assert answer.status == 200, path
            return time.perf_counter() - began

    def post(self, path: str, **form: str) -> None:
        """Send a form, as the phone that is host and holds every seat; like its script, under a number of its own."""
        with contextlib.closing(self._knock()) as phone:
            headers = {
                "Content-Type": "application/x-www-form-urlencoded",
                "Accept": "application/json",
                "Cookie": self._cookie,
            }
            phone.request("POST", path, urllib.parse.urlencode({**form, "once": f"{random.random()}"}), headers)
            answer = phone.getresponse()
            body = answer.read()
            assert answer.status == 200, body
            token = answer.getheader("Set-Cookie")  # a new one, once it is host
            self._cookie = token.partition(";")[0] if token else self._cookie

    def _knock(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)


class Rig:
    """A table of emulated devices; the box and the centre's reader are at hand."""

    def __init__(self, folder: Path, box: EmulatedBox, centre: UartPN532, seats: Sequence[str], port: int):
        self.box = box
        self.centre = centre
        self.uids = {card: f"04{number:012X}" for number, card in enumerate(games.known()[GAME].deck)}
        self._file = folder / "table.toml"
        take_seats(folder / "log.sqlite")
        tags = "".join(f'{card} = "{uid}"\n' for card, uid in self.uids.items())
        (folder / "tags.toml").write_text(f"[{GAME}]\n{tags}", encoding="utf-8")
        self.port = port
        places = [("centre", centre.path), *((f"seat-{seat}", path) for seat, path in enumerate(seats, 1))]
        readers = "".join(
            f'[[reader]]\ndriver = "pn532-uart"\nplace = "{place}"\nport = "{path}"\n' for place, path in places
        )
        self._file.write_text(
            f'tags = "tags.toml"\n[page]\nhost = "127.0.0.1"\nport = {self.port}\n{readers}'
            f'[[buzzers]]\ndriver = "pico"\nport = "{box.path}"\nseats = [1, 2, 3, 4]\n',
            encoding="utf-8",
        )

    @contextlib.contextmanager
    def running(self, companion: Sequence[str] = COMPANION) -> Iterator[Program]:
        """Start the companion, on the log as the last one left it."""
        program = Program(self.port, *companion, "run", str(self._file))
        try:
            yield program
        finally:
            program.stop()


@contextlib.contextmanager
def virtual(log: Path) -> Iterator[Program]:
    """Start a virtual table on this log: nothing but the companion itself takes the processor's time."""
    take_seats(log)
    port = free_port()
    program = Program(port, *COMPANION, "play", "--host", "127.0.0.1", "--port", str(port), "--log", str(log))
    try:
        yield program
    finally:
        program.stop()


def take_seats(log: Path) -> None:
    """Give one phone the host's part and every seat of the table that keeps this log."""
    phones = Phones(phones_of(log))
    phones.change(lambda rights: Rights(rights.codes, dict.fromkeys(PARTS, phone_of(PHONE))))


@contextlib.contextmanager
def rig(port: int = 0, seats: int = 4, radio: float = RADIO) -> Iterator[Rig]:
    """Return a table of a reader at the centre and so many at seats; `port` is its page's, 0: any; `radio`: seconds."""
    with (
        folder() as directory,
        elsewhere(seats, radio=radio) as ports,
        UartPN532(radio=radio, baud=BAUD) as centre,
        EmulatedBox() as box,
    ):
        yield Rig(directory, box, centre, ports, port or free_port())


@contextlib.contextmanager
def elsewhere(count: int, card: str = "", radio: float = RADIO) -> Iterator[list[str]]:
    """Emulate readers in a process of their own, each with that card in its field if it is one; give their ports."""
    our_end, their_end = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=_emulate, args=(count, card, radio, their_end), daemon=True
    )
    process.start()
    yield our_end.recv()
    our_end.send("stop")
    process.join()


def _emulate(count: int, card: str, radio: float, pipe: Connection) -> None:
    with contextlib.ExitStack() as stack:
        readers = [stack.enter_context(UartPN532(radio=radio, baud=BAUD)) for _ in range(count)]
        for reader in readers if card else ():
            reader.put(card)
        pipe.send([reader.path for reader in readers])
        pipe.recv()


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """Make one on a disk, where the log has to wait for it: /tmp may lie in memory."""
    directory = Path(tempfile.mkdtemp(prefix="bench-", dir="/var/tmp"))
    try:
        yield directory
    finally:
        shutil.rmtree(directory)


def environment() -> Mapping[str, str]:
    """Return the environment for programs: as where they are installed for good, with their modules compiled."""
    return {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}


def some_cards(count: int) -> Iterator[str]:
    """Return cards of different names, never the same twice in a row."""
    chance = random.Random(count)
    last = ""
    deck = [card.id for card in games.known()[GAME].deck.values() if card.value]
    for _ in range(count):
        last = chance.choice([card for card in deck if card != last])
        yield last


def resident(pid: int | str) -> float:
    """Return a process's resident memory in MB."""
    resident_size: Any = re.search(r"VmRSS:\s*(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(resident_size[1]) / 1024


def processor(pid: int) -> float:
    """Return the seconds of a processor that a process has taken."""
    spent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(spent[11]) + int(spent[12])) / os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
