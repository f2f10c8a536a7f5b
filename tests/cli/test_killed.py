"""A simulated match whose program is killed in the middle goes on as it was."""

import http.cookiejar
import re
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from subprocess import DEVNULL, Popen

from companion.devices.monotonic_clock import PAUSE
from companion.storage.log import Log
from tests.bench.rig import free_port
from tests.cli.program import started
from tests.waiting import until

HASTE = "from companion.live import bots; bots.LOOKS = bots.WATCHES = bots.ASKED = 0; bots.QUICKNESS['easy'] = 0.1"


@contextmanager
def playing(log: Path, port: int, get: Callable[[str], str]) -> Iterator[None]:
    """A table that is killed in the end, wherever it is."""
    command = started("play", "--host", "127.0.0.1", "--port", str(port), "--log", log, haste=HASTE)
    program = Popen(command, stdout=DEVNULL, stderr=DEVNULL)

    def answers() -> bool:
        try:
            return bool(get("/"))
        except OSError:
            return False

    try:
        until(answers)
        yield
    finally:
        program.kill()
        program.wait()


def test_a_match_against_bots_goes_on_after_a_kill(tmp_path: Path) -> None:
    port = free_port()
    jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
    phone = urllib.request.build_opener(jar)

    def get(path: str, **form: str) -> str:
        body = urllib.parse.urlencode(form).encode() if form else None
        with phone.open(f"http://127.0.0.1:{port}{path}", body) as answer:
            return str(answer.read().decode())

    def to_discard() -> list[str]:
        return re.findall(r'value="discard"><input type="hidden" name="card" value="([\w-]+)"', get("/seat/1"))

    with playing(tmp_path / "log.sqlite", port, get):
        get("/play", game="go", name="Ana", bots="1", strength="easy")
        get("/play/move", seat="1", what="take-pile")
        hand_before = to_discard()
    assert len(hand_before) == 13
    with playing(tmp_path / "log.sqlite", port, get):
        assert to_discard() == hand_before
        get("/play/move", seat="1", what="discard", card=hand_before[0])
        theirs = get("/seat/1")
        until(lambda: get("/seat/1") != theirs)  # the bot has played, or called the round
    with closing(Log(tmp_path / "log.sqlite", writes=False)) as log:
        assert log.last_at() < PAUSE  # no box tells of presses meanwhile, so the story knows of no pause
