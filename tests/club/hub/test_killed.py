"""The hub's process, killed without a word at whatever it does."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from companion.club.hub import club_toml
from companion.club.hub.hub import opened
from companion.club.hub.store import Store
from companion.network.page_address import fixed
from tests.bench.rig import free_port
from tests.club.hub.conftest import Joined
from tests.club.hub.tables import ONE
from tests.waiting import until


def test_a_hub_that_is_killed_again_and_again_has_every_result_once(club: Path, joined: Joined) -> None:
    table = joined(ONE)
    match = 0
    command = (sys.executable, "-m", "companion", "hub", str(club), "--host", "127.0.0.1", "--port", f"{free_port()}")
    with closing(Store(club.with_suffix(".sqlite"))) as store:
        for _ in range(2):
            with subprocess.Popen(command, stdout=subprocess.DEVNULL) as hub:
                newest = match
                while not any(result.match > newest for result in store.results()):
                    match += 1
                    table.ends(match)
                    time.sleep(0.02)
                os.kill(hub.pid, signal.SIGKILL)
    with opened(club_toml.load(club), fixed("http://hub.lan/")) as last:
        until(lambda: sorted(result.match for result in last.store.results()) == [*range(1, match + 1)])
