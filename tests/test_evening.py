"""A whole evening on real input: two readers and a buzzer box on (emulated) serial lines, the real program, a browser.

Cards are put into fields and buttons are pressed; the process is killed in the middle; a reader is unplugged and comes
back. At the end the page and the exported record agree.
"""

import json
import random
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion import games
from companion.devices.box import own_firmware
from tests.emulators.box import EmulatedBox
from tests.emulators.pn532 import UartPN532
from tests.waiting import PATIENCE, until

RADIO = 0.02
"""Seconds a reader looks for cards: real ones take as long, and polled more often, they keep a processor busy."""
SECONDS = round(PATIENCE)
NAMES = {1: "Ana", 2: "Bo", 3: "Cléo"}


class Evening:
    """The table, its program and the way to play."""

    def __init__(self, folder: Path, centre: UartPN532, seat: UartPN532, box: EmulatedBox):
        self.centre, self.seat, self.box = centre, seat, box
        self.port = _free_port()
        self.file = folder / "table.toml"
        self.errors = folder / "errors.txt"
        self.uids = {card: f"04{number:012X}" for number, card in enumerate(games.known()["stop-it"].deck)}
        tags = "".join(f'{card} = "{uid}"\n' for card, uid in self.uids.items())
        (folder / "tags.toml").write_text(f"[stop-it]\n{tags}", encoding="utf-8")
        self.file.write_text(
            f"""
log = "log.sqlite"
tags = "tags.toml"
[page]
host = "127.0.0.1"
port = {self.port}
[[reader]]
driver = "pn532-uart"
place = "centre"
port = "{centre.path}"
[[reader]]
driver = "pn532-uart"
place = "seat-1"
port = "{seat.path}"
[[buzzers]]
driver = "pico"
port = "{box.path}"
seats = [1, 2, 3]
""",
            encoding="utf-8",
        )
        self.start()

    def start(self, *options: str) -> None:
        """Start the program and wait for its page."""
        with self.errors.open("ab") as errors:
            command = [sys.executable, "-m", "companion", "run", str(self.file), *options]
            self.program = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
        until(self._answers, self.said)

    def said(self) -> str:
        return self.errors.read_text()

    def kill(self) -> None:
        self.program.send_signal(signal.SIGKILL)
        self.program.wait()

    def stop(self) -> None:
        self.program.terminate()
        assert self.program.wait(SECONDS) == 0, self.said()

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def command(self, *args: str) -> bytes:
        done = subprocess.run([sys.executable, "-m", "companion", *args], capture_output=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def judged(self) -> dict[str, Any]:
        """What `companion replay` says of the record as it is on disk now."""
        record = self.file.with_name("exported.jsonl")
        self.command("export", "--table", str(self.file), "-o", str(record))
        found: dict[str, Any] = json.loads(self.command("replay", str(record), "--json"))
        return found

    def view(self) -> dict[str, Any]:
        record = self.file.with_name("exported.jsonl")
        self.command("export", "--table", str(self.file), "-o", str(record))
        found: dict[str, Any] = json.loads(self.command("replay", str(record), "--view", "public"))
        return found

    def _answers(self) -> bool:
        assert self.program.poll() is None, self.said()
        with socket.socket() as probe:
            probe.bind(("127.0.0.2", 0))  # from the same address it might chance upon this very port, and meet itself
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    own = {"firmware": own_firmware.version(), "drift_ppm": 40, "counter_start": 2**32 - 5_000_000}
    with UartPN532(radio=RADIO) as centre, UartPN532(radio=RADIO) as seat, EmulatedBox(**own) as box:
        evening = Evening(tmp_path, centre, seat, box)
        yield evening
        if evening.program.poll() is None:
            evening.kill()


def press(evening: Evening, *seats: int, apart: int = 1800) -> None:
    """Press the seats' buttons, each `apart` microseconds after the one before; the last press is told first."""
    now = evening.box.now()
    for place, seat in reversed(list(enumerate(seats))):
        evening.box.press(seat, at=now - (len(seats) - 1 - place) * apart)


def tap(reader: UartPN532, evening: Evening, card: str) -> None:
    """Lay a card on a reader long enough to be read, and take it away again."""
    reader.put(evening.uids[card])
    reader.wait_polls(6)
    reader.clear()
    reader.wait_polls(4)


def now(page: Page, text: str) -> None:
    """See on the page what the table waits for."""
    expect(page.locator(".now").first).to_contain_text(text, timeout=SECONDS * 1000)


def say_count(evening: Evening, phone: Page, seat: int, count: int) -> None:
    """Tell a count on the seat's own page."""
    phone.goto(evening.url(f"/seat/{seat}"))
    phone.get_by_role("button", name=re.compile(rf"^{count}$")).first.click()


def claim(evening: Evening, phone: Page, seat: int) -> None:
    """Take a seat by the code that the host's page shows; nobody has to press anything after a scan."""
    phone.goto(evening.url("/host/codes"))
    code = phone.locator(f"#code-{seat} strong").inner_text().replace(" ", "")
    phone.goto(evening.url(f"/join/{code}"))
    phone.wait_for_url(f"**/seat/{seat}")


def past_the_echo(evening: Evening) -> None:
    """Let the half second after a start, or the second after a stop card, go by: the box must not press too soon."""
    mark = evening.box.now()
    until(lambda: evening.box.now() - mark > 1_100_000)


def test_a_match_is_played_killed_replugged_and_ends_the_same_everywhere(evening: Evening, browser: Browser) -> None:
    with browser.new_context(reduced_motion="reduce") as one, browser.new_context(reduced_motion="reduce") as other:
        score, phone = one.new_page(), other.new_page()
        phone.goto(evening.url("/host"))
        phone.check("[name=game][value=stop-it]")
        for seat in range(1, 7):
            phone.fill(f"[name=seat-{seat}]", NAMES.get(seat, ""))
        phone.get_by_role("button", name="Start", exact=False).first.click()
        phone.wait_for_url("**/host/codes")
        for seat in (2, 3):
            claim(evening, phone, seat)
        score.goto(evening.url())
        now(score, "shortest arms")
        assert score.get_by_text("SIMULATED").count() == 0

        press(evening, 2)
        stops = ["red", "yellow", "green", "violet", "orange", "brown", "blue"]
        for round_, colour in enumerate(stops):
            now(score, "See a stop card?")
            past_the_echo(evening)
            caller, second = 1 + round_ % 3, 1 + (round_ + 1) % 3
            press(evening, caller, second)
            now(score, f"{NAMES[caller]}, show your stop card")
            until(lambda: evening.box.lamps.get(caller) == "first")  # noqa: B023
            expect(score.locator("#live")).to_contain_text("1.80 ms", timeout=SECONDS * 1000)
            tap(evening.centre, evening, f"{colour}-stop-1")
            now(score, "Count your")
            if round_ == 1:
                evening.kill()
                before = evening.view()
                evening.start()
                now(score, "Count your")
                assert evening.view() == before
            if round_ == 2:
                evening.seat.unplug()
                expect(score.locator("#live")).to_contain_text("reader seat 1", timeout=SECONDS * 1000)
                evening.seat.replug()
                expect(score.locator("#live")).not_to_contain_text("reader seat 1", timeout=SECONDS * 1000)
            past_the_echo(evening)
            tap(evening.seat, evening, f"{colour}-3")
            if round_ == 3:
                tap(evening.seat, evening, f"{colour}-9")
            press(evening, 1)
            expect(score.locator("#live")).to_contain_text("Waiting for Bo and Cléo", timeout=SECONDS * 1000)
            say_count(evening, phone, 2, 1)
            expect(score.locator("#live")).to_contain_text("Waiting for Cléo", timeout=SECONDS * 1000)
            say_count(evening, phone, 3, 1)
            scored = re.compile(f"{NAMES[caller]}, hit your buzzer to start again|wins!|win together")
            expect(score.locator("#live")).to_contain_text(scored, timeout=SECONDS * 1000)
            if score.locator(".won").count():
                break
            press(evening, caller)

        judged = evening.judged()
        assert judged["over"]
        assert judged["misplays"] == []
        for seat, points in judged["scores"].items():
            expect(score.locator(f"#lies-{seat} .owes")).to_contain_text(str(points))
        evening.stop()
        assert "Traceback" not in evening.said(), evening.said()


def test_check_tells_what_answers_and_what_is_laid_and_pressed(evening: Evening) -> None:
    evening.stop()
    evening.centre.put(evening.uids["red-7"])
    told = evening.command("check", str(evening.file), "--watch", "4").decode()
    assert "3 of 3 answer" in told
    assert f"card    centre: {evening.uids['red-7']}" in told
    assert "ok      reader seat-1: PN532 firmware" in told


def test_a_table_may_start_without_its_box_and_take_it_up_when_it_comes(evening: Evening, browser: Browser) -> None:
    evening.stop()
    evening.box.unplug()
    refused = subprocess.run([sys.executable, "-m", "companion", "run", str(evening.file)], capture_output=True)
    assert refused.returncode == 1
    assert b"start with --anyway" in refused.stderr
    assert evening.box.path.encode() in refused.stderr
    evening.start("--anyway")
    evening.box.replug()
    with browser.new_context(reduced_motion="reduce") as context:
        host = context.new_page()
        host.goto(evening.url("/host/table"))
        expect(host.locator("#live")).to_contain_text("buzzers", timeout=SECONDS * 1000)
        expect(host.locator("#live")).not_to_contain_text("is it plugged in", ignore_case=True, timeout=SECONDS * 1000)
    evening.stop()


def test_kills_at_any_moment_lose_no_press_and_double_none(evening: Evening) -> None:
    form = {"game": "stop-it", "seat-1": "Ana", "seat-2": "Bo", "seat-3": "Cléo"}
    host = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    host.open(evening.url("/start"), urllib.parse.urlencode(form).encode()).close()
    chance = random.Random(7)
    pressed = 0
    for _ in range(4):
        for _ in range(chance.randint(5, 25)):
            evening.box.press(chance.randint(1, 3))
            pressed += 1
            time.sleep(chance.uniform(0.0, 0.03))
        evening.kill()
        evening.start()
    until(lambda: evening.box.unacked == 0)
    record = evening.command("export", "--table", str(evening.file)).decode().splitlines()
    events = [json.loads(line) for line in record]
    times = [event["at"] for event in events if event["kind"] == "pressed"]
    assert len(times) == pressed
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    evening.stop()
