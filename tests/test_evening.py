"""A whole evening on real input: two readers and a buzzer box on (emulated) serial lines, the real program, a browser.

Cards are put into fields and buttons are pressed; the process is killed in the middle; a reader is unplugged and comes
back. At the end the page and the exported record agree.
"""

import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion import games
from companion.devices.buzzer_box import programs
from companion.devices.monotonic_clock import PAUSE
from companion.storage.log import Log
from tests.cli.program import companion
from tests.cli.test_start_messages import free_port
from tests.emulators.box import EmulatedBox
from tests.emulators.pn532_pty import UartPN532
from tests.waiting import PATIENCE, until

RADIO = 0.02
"""Seconds a reader looks for cards: real ones take as long, and polled more often, they keep a processor busy."""
NAMES = {1: "Ana", 2: "Bo", 3: "Cléo"}
TABLE = """
log = "log.sqlite"
tags = "tags.toml"
[page]
host = "127.0.0.1"
port = {port}
[[reader]]
driver = "pn532-uart"
place = "centre"
port = "{centre}"
[[reader]]
driver = "pn532-uart"
place = "seat-1"
port = "{seat}"
[[buzzers]]
driver = "pico"
port = "{box}"
seats = [1, 2, 3]
"""


class Evening:
    """The table, its program and the way to play."""

    def __init__(self, folder: Path, centre: UartPN532, seat: UartPN532, box: EmulatedBox):
        self.centre = centre
        self.seat = seat
        self.box = box
        self.port = free_port()
        self.file = folder / "table.toml"
        self.errors = folder / "errors.txt"
        self.uids = {card: f"04{number:012X}" for number, card in enumerate(games.known()["stop-it"].deck)}
        tags = "".join(f'{card} = "{uid}"\n' for card, uid in self.uids.items())
        (folder / "tags.toml").write_text(f"[stop-it]\n{tags}", encoding="utf-8")
        table = TABLE.format(port=self.port, centre=centre.path, seat=seat.path, box=box.path)
        self.file.write_text(table, encoding="utf-8")
        self.program: subprocess.Popen[bytes] | None = None

    def start(self, *options: str) -> None:
        """Start the program and wait for its page."""
        with self.errors.open("ab") as errors:
            command = [sys.executable, "-m", "companion", "run", str(self.file), *options]
            self.program = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
        until(self._answers, self.errors.read_text)

    def kill(self) -> None:
        if self.program:
            self.program.kill()
            self.program.wait()

    def stop(self) -> None:
        """Ask it to end, as systemd does."""
        assert self.program
        self.program.terminate()
        assert self.program.wait(PATIENCE) == 0, self.errors.read_text()
        assert "Traceback" not in self.errors.read_text()

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def exported(self) -> bytes:
        """What `companion export` says of the match as it is on disk now."""
        done = companion("export", "--table", self.file)
        assert done.exit_code == 0, done.stderr
        return done.stdout_bytes

    def replayed(self, *how: str) -> dict[str, Any]:
        """What `companion replay` says of it."""
        view: dict[str, Any] = json.loads(companion("replay", "-", *how, stdin=self.exported()).stdout)
        return view

    def press(self, *seats: int, apart: int = 1800) -> None:
        """Press the seats' buttons, each `apart` microseconds after the one before; the last press is told first."""
        at = self.box.now()
        for place, seat in reversed(list(enumerate(seats))):
            self.box.press(seat, at=at - (len(seats) - 1 - place) * apart)

    def tap(self, reader: UartPN532, card: str) -> None:
        """Lay a card on a reader long enough to be read, and take it away again."""
        reader.put(self.uids[card])
        reader.wait_polls(6)
        reader.clear()
        reader.wait_polls(4)

    def past_the_echo(self) -> None:
        """Let the half second after a start, or the second after a stop card, go by on the box's clock."""
        mark = self.box.now()
        until(lambda: self.box.now() - mark > 1_100_000)

    def _answers(self) -> bool:
        assert self.program
        assert self.program.poll() is None
        try:
            return urllib.request.urlopen(self.url("/join")).status == 200
        except OSError:
            return False


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    box_settings = {"firmware": programs.version(), "drift_ppm": 40, "counter_start": 2**32 - 5_000_000}
    with UartPN532(radio=RADIO) as centre, UartPN532(radio=RADIO) as seat, EmulatedBox(**box_settings) as box:
        evening = Evening(tmp_path, centre, seat, box)
        yield evening
        evening.kill()


def now(page: Page, text: str | re.Pattern[str]) -> None:
    """See on the page what has happened, or what the table waits for."""
    expect(page.locator("#live")).to_contain_text(text, timeout=PATIENCE * 1000)


def start_match(evening: Evening, phone: Page) -> None:
    """Start a match by the host's page; Bo and Cléo's seats are claimed by the codes that it shows."""
    phone.goto(evening.url("/host"))
    phone.check("[name=game][value=stop-it]")
    phone.get_by_text("Options of stop it!").click()
    phone.locator("[name='stop-it.empty']").select_option("end-now")
    for seat, name in NAMES.items():
        phone.fill(f"[name=seat-{seat}]", name)
    phone.get_by_role("button", name="Start the match", exact=True).click()
    phone.wait_for_url("**/host/codes")
    codes = {seat: phone.locator(f"#code-{seat} strong").inner_text().replace(" ", "") for seat in (3, 2)}
    for seat, code in codes.items():
        phone.goto(evening.url(f"/join/{code}"))  # nobody has to press anything after a scan
        phone.wait_for_url(f"**/seat/{seat}")


def killed(evening: Evening, score: Page) -> None:
    evening.kill()
    view_before = evening.replayed("--view", "public")
    evening.start()
    now(score, "Count your")
    assert evening.replayed("--view", "public") == view_before
    with closing(Log(evening.file.with_name("log.sqlite"), writes=False)) as log:
        assert [round(time.until - time.since) for time in log.away(1)] == [PAUSE]


def replugged(evening: Evening, score: Page) -> None:
    evening.seat.unplug()
    now(score, f"{NAMES[1]}’s reader")
    evening.seat.replug()
    expect(score.locator("#live")).not_to_contain_text(f"{NAMES[1]}’s reader", timeout=PATIENCE * 1000)


@pytest.mark.long
def test_a_match_is_played_killed_replugged_and_ends_the_same_everywhere(evening: Evening, browser: Browser) -> None:
    evening.start()
    with (
        browser.new_context(reduced_motion="reduce") as living_room,
        browser.new_context(reduced_motion="reduce") as other,
    ):
        score = living_room.new_page()
        phone = other.new_page()
        start_match(evening, phone)
        score.goto(evening.url())
        now(score, "shortest arms")
        assert score.get_by_text("SIMULATED").count() == 0
        evening.press(2)
        for caller, colour, befalls, cards in ((1, "red", killed, (3,)), (2, "yellow", replugged, (3, 9))):
            now(score, "See a stop card?")
            evening.past_the_echo()
            evening.press(caller, caller + 1)
            now(score, f"{NAMES[caller]}, show a stop card. None? Press again")
            until(lambda caller=caller: evening.box.lamps.get(caller) == "first")  # type: ignore[misc]
            now(score, "1.80 ms")
            evening.tap(evening.centre, f"{colour}-stop-1")
            now(score, "Count your")
            befalls(evening, score)
            evening.past_the_echo()
            for card in cards:
                evening.tap(evening.seat, f"{colour}-{card}")
            evening.press(1)
            now(score, "Waiting for Bo and Cléo")
            phone.get_by_role("button", name="1", exact=True).first.click()
            now(score, "Waiting for Cléo")
            form = {"kind": "said", "seat": "3", "what": "count", "value": "1"}
            assert phone.request.post(evening.url("/enter"), form=form).ok
            now(score, f"{NAMES[caller]}, hit your buzzer to start again")
            evening.press(caller)
        phone.get_by_role("button", name="The piles are empty").click()
        expect(score.locator(".won")).to_be_visible(timeout=PATIENCE * 1000)
        judged = evening.replayed("--json")
        assert (judged["over"], judged["misplays"]) == (True, [])
        for seat, points in judged["scores"].items():
            expect(score.locator(f"#lies-{seat} .owes")).to_contain_text(str(points))
    evening.stop()


def test_a_table_starts_without_its_box_and_takes_it_up_when_it_comes(evening: Evening) -> None:
    evening.box.unplug()
    evening.start()
    assert f"no port {evening.box.path}" in evening.errors.read_text()

    def missed() -> bool:
        return b"The buzzer box: is its cable in?" in urllib.request.urlopen(evening.url("/host/table")).read()

    until(missed)
    evening.box.replug()
    until(lambda: not missed())
    evening.stop()
