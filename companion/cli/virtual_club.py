"""`make club`: runs a club on this machine: a broker, a hub, and eight virtual tables that play demonstrations.

All its files are in a temporary folder, which is deleted at the end.
"""

import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

import click

from companion import __version__, games
from companion.cli import address
from companion.cli.output import announce
from companion.cli.run import virtual_table
from companion.club.hub import club_toml
from companion.club.hub.hub import opened
from companion.club.payloads import About
from companion.club.publisher import Publisher
from companion.club_settings import ClubSettings
from companion.config import PageSettings
from companion.devices.drivers.virtual import VirtualHand
from companion.devices.listening import Listening, start_all
from companion.devices.monotonic_clock import TableClock
from companion.errors import NotNow
from companion.languages import LANGUAGES
from companion.live.demo import Demo
from companion.live.table import Live
from companion.network.page_address import address_of
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from companion.threads import LastingThread, Rounds
from companion.web.hub import create_hub
from companion.web.server import serve

NAMES = ("Window", "Fireplace", "Kitchen", "Library", "Terrace", "Attic", "Corner", "Cellar")
AFTER = 6.0
"""Seconds between a match's end and the next one at a table."""
ONE_BY_ONE = 1.2
"""Seconds between two starts: each table first rehearses its match."""
MOSQUITTO = ("/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto", "/opt/homebrew/sbin/mosquitto")


@click.command(epilog="Exit status: 0 after it was stopped; 1 it can't start; 2 wrong usage.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="Port of the hub's page.")
@click.option("--host", default="0.0.0.0", show_default=True, help="Address to listen on.")
def virtual_club(port: int, host: str) -> None:
    """Keep a club of virtual tables on this machine, to be looked at."""
    page = PageSettings(host, port)
    where = address_of(page)
    with (
        address.listening(page, "--port") as door,
        tempfile.TemporaryDirectory(prefix="table-club-") as temporary,
        ExitStack() as ending,
    ):
        folder = Path(temporary)
        broker = f"mqtt://127.0.0.1:{ending.enter_context(_broker(folder))}"
        file = folder / "CLUB.toml"
        file.write_text(f'[club]\nbroker = "{broker}"\nclub = "virtual"\nname = "The virtual club"\n', encoding="utf-8")
        hub = ending.enter_context(opened(club_toml.load(file), where))
        demos = [ending.enter_context(_table(folder, name, broker, where.url)) for name in NAMES]
        playing = LastingThread("playing", partial(_keep_playing, demos))
        playing.start()
        ending.callback(playing.stop)
        address.show("The virtual club is open", where)
        announce(f"To control its screens, type {hub.keeper.now.code} at {where.url}keeper. Stop with Ctrl-C.")
        serve(create_hub(hub), door)


@contextmanager
def _broker(folder: Path) -> Iterator[int]:
    """Run a broker that listens on this machine only; yield its port. Raises `NotNow`."""
    mosquitto = shutil.which("mosquitto") or next(filter(Path.exists, map(Path, MOSQUITTO)), None)
    if mosquitto is None:
        raise NotNow("there is no Mosquitto on this machine: sudo apt-get install mosquitto")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    config = folder / "mosquitto.conf"
    config.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\n", encoding="utf-8")
    # In a process group of its own, so that Ctrl-C does not end it before the tables have disconnected.
    running = subprocess.Popen([mosquitto, "-c", config], stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        yield port
    finally:
        running.terminate()
        running.wait()


@contextmanager
def _table(folder: Path, name: str, broker: str, where: str) -> Iterator[Demo]:
    """Run a virtual table that is in the club; yield its demonstration."""
    table = virtual_table(folder / f"{name}.sqlite", "127.0.0.1", 1)
    with closing(Log(table.log, writes=True)) as log, ExitStack() as ending:
        clock = TableClock(0.0)
        sources = [sensor.open(clock) for sensor in table.sensors]
        start_all(sources)
        live = Live(log, clock, Decks(None), simulated=True)
        live.start()
        ending.callback(live.stop)
        ending.callback(Listening(sources, live.tell).stop)
        about = About(name, tuple(games.known()), table.seats, LANGUAGES, where, __version__, simulated=True)
        publisher = Publisher(ClubSettings(broker=broker, club="virtual", name=name), live, about)
        live.watch(publisher.look)
        publisher.start()
        ending.callback(publisher.stop)
        demo = Demo(live, VirtualHand(sources))
        ending.callback(demo.stop)
        yield demo


def _keep_playing(demos: list[Demo], rounds: Rounds) -> None:
    """Start matches one by one, with another game at each table, and the next when one is over."""
    slugs = tuple(games.known())
    ended = dict.fromkeys(range(len(demos)), 0.0)
    played = dict(enumerate(range(len(demos))))
    while not rounds.wait(ONE_BY_ONE):
        for at, demo in enumerate(demos):
            if demo.running:
                ended[at] = time.monotonic()
            elif time.monotonic() > ended[at] + AFTER or not ended[at]:
                demo.start(slugs[played[at] % len(slugs)])
                played[at] += 1
                break


if __name__ == "__main__":
    try:
        virtual_club(standalone_mode=False)
    except (NotNow, click.ClickException) as wrong:
        sys.exit(str(wrong))
    except click.Abort:
        sys.exit(130)
