"""The commands, run as people run them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.access.phones import Phones
from companion.cli import address
from companion.config import PageSettings
from companion.events import Player, Pressed, Started
from companion.storage.files import phones_of
from companion.storage.log import Log

RECORDS = Path(__file__).parents[1] / "games/stop_it/records"
COMMANDS = ("play", "run", "replay", "export", "standings", "codes", "check")


def companion(*args: str | Path, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "companion", *map(str, args)], input=given, capture_output=True)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_tells_what_it_does_and_its_exit_status(command: str) -> None:
    done = companion(command, "--help")
    assert done.returncode == 0
    assert b"Exit status: 0" in done.stdout


def test_replay_prints_one_object() -> None:
    done = companion("replay", RECORDS / "si-12.jsonl", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout) == {
        "game": "stop-it",
        "over": False,
        "scores": {"1": 0, "2": 1, "3": 0},
        "winners": [],
        "misplays": [{"seq": 4, "code": "only-caller-says-no-stop"}],
        "events": 12,
    }


def test_replay_tells_people_who_was_first_and_by_how_much() -> None:
    told = companion("replay", RECORDS / "si-11.jsonl").stdout.decode()
    assert "Anna was first, 140 ms before Bruno (±20.0 ms), and showed the green stop" in told
    dit = companion("replay", RECORDS / "si-11-dead-heat.jsonl", "--lang", "fr").stdout.decode()
    assert "0,30 ms" in dit


def test_replay_until_judges_only_so_far() -> None:
    found = json.loads(companion("replay", RECORDS / "si-12.jsonl", "--json", "--until", "4").stdout)
    assert (found["events"], found["scores"]["2"]) == (4, 0)


def test_a_damaged_line_after_until_is_damage_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "damaged.jsonl"
    path.write_bytes((RECORDS / "si-12.jsonl").read_bytes() + b"{\n")
    assert companion("replay", path, "--json", "--until", "4").returncode == 2


@pytest.mark.parametrize("observer", ["public", "host", "seat-2"])
def test_replay_view_prints_what_an_observer_may_know(observer: str) -> None:
    view = json.loads(companion("replay", RECORDS / "si-12.jsonl", "--view", observer).stdout)
    assert view["table"]["now"] == {"code": "now-restart", "seats": [1]} or view["table"]["phase"] == "collecting"
    assert "seq" not in json.dumps(view)


def test_at_an_empty_seat_one_sees_what_the_public_sees() -> None:
    views = [companion("replay", RECORDS / "si-12.jsonl", "--view", who).stdout for who in ("public", "seat-6")]
    assert views[0] == views[1] != b""


@pytest.mark.parametrize("observer", ["seat-7", "seat-0", "seat-", "guest", ""])
def test_an_observer_that_does_not_exist_is_told(observer: str) -> None:
    done = companion("replay", RECORDS / "si-12.jsonl", "--view", observer)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"known: public, host, seat-1" in done.stderr


def test_replay_reads_standard_input() -> None:
    data = (RECORDS / "si-12.jsonl").read_bytes()
    assert (
        companion("replay", "-", "--json", given=data).stdout
        == companion("replay", RECORDS / "si-12.jsonl", "--json").stdout
    )


@pytest.mark.parametrize("data", [b"", b"\n", b"{}\n", b"\xff\xfe\n", b"[]\n", b"null"])
def test_a_damaged_record_is_refused_whole(data: bytes) -> None:
    done = companion("replay", "-", "--json", given=data)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"line 1: " in done.stderr


def test_a_record_that_is_not_there_is_told() -> None:
    done = companion("replay", "nowhere.jsonl")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"nowhere.jsonl" in done.stderr


def test_a_folder_is_judged_whole_in_name_order(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    good = (RECORDS / "si-12.jsonl").read_bytes()
    (tmp_path / "b" / "one.jsonl").write_bytes(good)
    (tmp_path / "a.jsonl").write_bytes(good[:-20])
    (tmp_path / "c.jsonl").write_bytes(good)
    (tmp_path / "notes.txt").write_text("not a record")
    done = companion("replay", tmp_path, "--json")
    assert done.returncode == 2
    assert [json.loads(line)["file"] for line in done.stdout.splitlines()] == ["b/one.jsonl", "c.jsonl"]
    assert b"a.jsonl, line 12: " in done.stderr


def test_what_is_no_file_is_told_and_the_rest_is_judged(tmp_path: Path) -> None:
    good = (RECORDS / "si-12.jsonl").read_bytes()
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/z\xff.jsonl")).write_bytes(good)
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "nowhere.jsonl").symlink_to("gone")
    done = companion("replay", tmp_path, "--json")
    assert done.returncode == 2
    assert [json.loads(line)["file"] for line in done.stdout.splitlines()] == ["z\ufffd.jsonl"]
    assert b"pipe.jsonl is no file" in done.stderr
    assert b"nowhere.jsonl" in done.stderr


def test_output_that_cannot_be_written_is_told() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "companion", "replay", str(RECORDS / "si-12.jsonl")],
            stdout=full,
            stderr=subprocess.PIPE,
        )
    assert done.returncode == 1
    assert done.stderr.startswith(b"can't write to standard output")


def test_a_name_cannot_colour_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    text = (RECORDS / "si-12.jsonl").read_text(encoding="utf-8").replace("Clara", "\\u001b[31mClara\\nBo")
    path.write_text(text, encoding="utf-8")
    assert b"\\x1b[31mClara\\nBo" in companion("replay", path).stdout


def test_export_writes_the_record_that_replay_judges(tmp_path: Path) -> None:
    log = Log(tmp_path / "log.sqlite", writes=True)
    match = log.open_match("now", False, Started(1, 0.0, "stop-it", (Player(1, "Ana"), Player(2, "Bo")), {}))
    log.append(match, [(Pressed(2, 1.0, 1), "")])
    exported = companion("export", "--log", log.path)
    log.close()
    assert exported.returncode == 0
    assert json.loads(companion("replay", "-", "--json", given=exported.stdout).stdout)["events"] == 2
    listed = companion("export", "--log", log.path, "--list").stdout.decode()
    assert "stop-it" in listed
    assert companion("export", "--log", log.path, "9").returncode == 1
    assert companion("export", "--log", tmp_path / "none.sqlite").returncode == 1


def test_codes_are_shown_to_who_owns_the_machine(tmp_path: Path) -> None:
    log = tmp_path / "log.sqlite"
    none = companion("codes", "--log", log)
    assert none.returncode == 1
    assert b"start the table once" in none.stderr
    codes = Phones(phones_of(log)).rights.codes
    told = companion("codes", "--log", log)
    assert told.returncode == 0
    assert told.stdout.decode().splitlines()[0].split() == ["host", codes[0], "free"]
    assert len(told.stdout.splitlines()) == 7
    assert companion("codes", "table.toml", "--log", log).returncode == 2


@pytest.mark.parametrize(
    ("page", "told"),
    [
        (PageSettings("127.0.0.1", 8080), "http://127.0.0.1:8080/"),
        (PageSettings("::1"), "http://[::1]:8000/"),
        (PageSettings("0.0.0.0"), f"http://{address.own()}:8000/"),
        (PageSettings("127.0.0.1", address="http://table.lan/"), "http://table.lan/"),
    ],
)
def test_the_address_that_is_told_is_one_where_the_page_listens(page: PageSettings, told: str) -> None:
    assert address.of(page) == told


def test_a_damaged_file_of_phones_is_told_and_kept(tmp_path: Path) -> None:
    log = tmp_path / "log.sqlite"
    phones_of(log).write_text("{")
    for command in ("codes", "play"):
        done = companion(command, "--log", log)
        assert done.returncode == 1
        assert b"is damaged" in done.stderr
    assert phones_of(log).read_text() == "{"


def test_export_never_writes_over_the_log(tmp_path: Path) -> None:
    log = Log(tmp_path / "log.sqlite", writes=True)
    log.open_match("now", False, Started(1, 0.0, "stop-it", (Player(1, "Ana"), Player(2, "Bo")), {}))
    log.close()
    before = log.path.read_bytes()
    for name in ("log.sqlite", "./log.sqlite", "log.sqlite.lock"):
        done = companion("export", "--log", log.path, "-o", tmp_path / name)
        assert done.returncode == 1
        assert b"one of the table's own files" in done.stderr
    assert log.path.read_bytes() == before


def test_export_never_writes_over_what_describes_the_table(tmp_path: Path) -> None:
    log = Log(tmp_path / "log.sqlite", writes=True)
    log.open_match("now", False, Started(1, 0.0, "stop-it", (Player(1, "Ana"), Player(2, "Bo")), {}))
    log.close()
    kept = {"table.toml": 'tags = "tags.toml"\n[[reader]]\ndriver = "virtual"\nplace = "centre"\n', "tags.toml": ""}
    for name, text in kept.items():
        (tmp_path / name).write_text(text)
    for name, text in kept.items():
        done = companion("export", "--table", tmp_path / "table.toml", "-o", tmp_path / name)
        assert done.returncode == 1, done.stderr
        assert b"one of the table's own files" in done.stderr
        assert (tmp_path / name).read_text() == text


def test_export_tells_of_a_damaged_match_and_writes_what_there_is(tmp_path: Path) -> None:
    log = Log(tmp_path / "log.sqlite", writes=True)
    log.open_match("now", False, Pressed(1, 0.0, 1))
    log.close()
    done = companion("export", "--log", log.path)
    assert done.returncode == 1
    assert done.stdout.count(b"\n") == 1
    assert b"match 1 is damaged" in done.stderr


def test_check_and_run_refuse_a_wrong_table(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text('[[reader]]\ndriver = "crystal-ball"\nplace = "centre"\n')
    for command in ("check", "run"):
        done = companion(command, path)
        assert done.returncode == 2
        assert b"line 2: unknown driver 'crystal-ball'" in done.stderr


def test_check_tells_what_does_not_answer(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text('[[buzzers]]\ndriver = "virtual"\nseats = [1]\n')
    done = companion("check", path)
    assert (done.returncode, done.stdout) == (0, b"ok      buzzers: simulated\n1 of 1 answer\n")
    path.write_text('[[reader]]\ndriver = "pn532-uart"\nplace = "centre"\nport = "/dev/ttyNOWHERE"\n')
    done = companion("check", path)
    assert done.returncode == 1
    assert b"/dev/ttyNOWHERE" in done.stderr
    assert companion("run", path).returncode == 1
