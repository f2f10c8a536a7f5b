"""A club: from what a table tells to its tile at a phone, while all others tell something once a second.

Every table's messages go over a real Mosquitto, with views of recorded matches; ten connections say them all.
"""

import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec

from companion.judge import record_file, views
from companion.judge.match import judge
from tests.bench.figures import Budget, Figure
from tests.bench.phones import Phones
from tests.bench.rig import COMPANION, Program, free_port, processor, resident
from tests.club.broker import MOSQUITTO, keeping, running
from tests.club.hub.phone import Phone
from tests.club.hub.tables import CLUB, SpeakingTable, about, status

RECORDS = sorted(Path(__file__).parents[1].glob("games/*/records/*.jsonl"))
BUDGET = Budget(median_at_most=1.0)
VOICES = 10
AT = "/stream/wall?lang=en&page=1"
"""Where the table that acts is looked at."""
WALL = ("/stream/wall?lang=en", AT, "/stream/wall?lang=fr", "/stream/wall?lang=fr&page=1")
LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


def clubs(quick: bool) -> Iterator[Figure]:
    """Return a few sizes of a club, and what they cost broker and hub."""
    for tables, phones, acts in ((8, 2, 2),) if quick else ((40, 1, 10), (400, 1, 15), (400, 2000, 15), (4000, 1, 10)):
        yield from _club(tables, phones, acts) if MOSQUITTO else _not_here(tables)


def _not_here(tables: int) -> Iterator[Figure]:
    yield Figure(f"club of {tables} tables: an act at one → its tile at a phone", "s", (), BUDGET)


def _club(tables: int, phones: int, acts: int) -> Iterator[Figure]:
    chance = random.Random(tables)
    views_to_show = [_view(record) for record in chance.sample(RECORDS, 12)]
    with tempfile.TemporaryDirectory() as root, ExitStack() as ending:
        queues = "max_queued_messages 10000"  # as the example of a club's broker has it
        broker = ending.enter_context(running(Path(root), *keeping(Path(root)), queues))
        file = Path(root) / "CLUB.toml"
        file.write_text(f'[club]\nbroker = "mqtt://127.0.0.1:{broker.port}"\nclub = "{CLUB}"\n')
        port = free_port()
        hub = Program(port, *COMPANION, "hub", str(file), "--host", "127.0.0.1", "--port", str(port))
        ending.callback(hub.stop)
        hub.first_page()
        voices = [SpeakingTable(broker, letter * 16) for letter in LETTERS[:VOICES]]
        for voice in voices:
            ending.callback(voice.leave)
        ids = ["".join(chance.choices(LETTERS, k=16)) for _ in range(tables)]
        for at, table in enumerate(ids):
            voice = voices[at % VOICES]
            publish(voice, table, "about", msgspec.json.encode(about(f"Table {at:03}")))
            publish(voice, table, "status", status("ready", 1))
        ending.enter_context(Phones(port, phones - 1, WALL))
        phone = Phone(port, AT)
        ending.callback(phone.close)
        pids = {"hub": hub.pid, "broker": broker.process.pid}
        took = []
        began = time.monotonic()
        processor_before = {name: processor(pid) for name, pid in pids.items()}
        for act in range(acts):
            due = time.monotonic() + 1.0
            for at, table in enumerate(ids[1:], act):
                _show(voices[at % VOICES], table, views_to_show[at % len(views_to_show)], act)
                if at % 40 == 39:
                    time.sleep(0.9 * 40 / tables)
            time.sleep(chance.random() * 0.5)  # an act knows nothing of when screens are made anew
            name = f"Act {act}."
            named_at = time.monotonic()
            _show(voices[0], ids[0], {**views_to_show[0], "players": _called(views_to_show[0], name)}, act)
            phone.wait_for(name)
            took.append(time.monotonic() - named_at)
            time.sleep(max(0.0, due - time.monotonic()))
        passed = time.monotonic() - began
        club = f"club of {tables} tables, {phones} phone{'s' * (phones > 1)}"
        yield Figure(f"{club}: an act at one → its tile at a phone", "s", took, BUDGET)
        for name, pid in pids.items():
            spent = processor(pid) - processor_before[name]
            yield Figure(f"{club}: the {name}'s processor", "% of a core", [100 * spent / passed])
            yield Figure(f"{club}: the {name}'s processor for each act", "ms", [1000 * spent / (acts * tables)])
            yield Figure(f"{club}: the {name}'s memory", "MB", [resident(pid)])


def _view(record: Path) -> dict[str, object]:
    return dict(views.view(judge(record_file.decode(record.read_bytes())), None))


def _called(view: dict[str, object], name: str) -> list[dict[str, object]]:
    players = list(view["players"])  # type: ignore[call-overload]
    return [{**players[0], "name": name}, *players[1:]]


def _show(voice: SpeakingTable, table: str, view: dict[str, object], act: int) -> None:
    publish(voice, table, "public", msgspec.json.encode({"match": 1 + act, "at": time.monotonic(), "view": view}))


def publish(voice: SpeakingTable, table: str, kind: str, body: bytes) -> None:
    voice.client.publish(f"table-companion/1/{CLUB}/{table}/{kind}", body, qos=1, retain=True)
