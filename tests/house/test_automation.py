"""The automation that the keeper's document shows does what is said there: a lamp in the winner's colour."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec.structs import replace

from companion.house.broker import HomeBroker
from companion.house.happenings import Happening
from companion.house.home_assistant import HomeDevice
from companion.house_settings import HouseSettings
from companion.live.snapshot import Snapshot
from tests.club.broker import Broker, Follower
from tests.house.program import CalledProgram, called
from tests.waiting import until

DOCUMENT = (Path(__file__).parents[2] / "hardware/keeping.md").read_text(encoding="utf-8")
BEGINS = Happening("match-begins", 7, "kartel")
WON = Happening("winner", 7, "kartel", "Bo wins.", seat=2, name="Bo", colour="blue", rgb=(0, 0, 255))
DEVICE = HomeDevice("abcdefgh234567ab", "Kitchen table", "http://10.0.0.9:8000/")
WHITE = [255, 255, 255]


@contextmanager
def at_home(broker: Broker) -> Iterator[HomeBroker]:
    home = HomeBroker(HouseSettings(broker=f"mqtt://127.0.0.1:{broker.port}"), DEVICE)
    home.show(Snapshot())
    home.start()
    try:
        yield home
    finally:
        home.stop()


@contextmanager
def automation(broker: Broker, lamp: CalledProgram) -> Iterator[None]:
    """Run what stands in the document, with this broker and this lamp."""
    (script,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    script = script.replace('"localhost", 1883', f'"127.0.0.1", {broker.port}')
    script = script.replace("http://wled.local/json/state", f"http://127.0.0.1:{lamp.server_port}/json/state")
    with subprocess.Popen([sys.executable, "-c", script]) as program:
        try:
            until(lambda: "table-companion/house/+/event" in broker.log.read_text())
            yield
        finally:
            program.kill()


def test_a_lamp_shines_in_the_winners_colour_until_the_next_match(broker: Broker, follower: Follower) -> None:
    broker.set("allow_anonymous true", "log_type subscribe", "log_type error")
    broker.kill()
    broker.start()
    with called() as lamp, automation(broker, lamp), at_home(broker) as home:
        for happening in (BEGINS, replace(WON, demo=True), WON, BEGINS):
            home.tell(happening)
        until(lambda: len(lamp.calls) == 3)
    colours = [msgspec.json.decode(body)["seg"][0]["col"][0] for body in lamp.calls]
    assert colours == [WHITE, [0, 0, 255], WHITE]
