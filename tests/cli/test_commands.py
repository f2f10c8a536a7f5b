"""The commands, as people call them."""

import io
import json
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
import pytest

from companion.access.rights_file import Phones
from companion.cli import COMMANDS, main
from companion.cli.replay import judge_file
from companion.errors import WrongInput
from companion.events import Event, Player, Pressed, Started
from companion.judge.record_file import encode
from companion.storage.files import phones_of
from companion.storage.log import Log
from tests.cli.program import companion, refused
from tests.reference import commands_below

RECORDS = Path(__file__).parents[1] / "games/stop_it/records"
RECORD = RECORDS / "si-12.jsonl"
FIRST = Started(1, 0.0, "stop-it", (Player(1, "Ana"), Player(2, "Bo")), {})


def test_the_help_of_every_command_tells_what_it_does_and_its_exit_status() -> None:
    for name, command in commands_below(main):
        assert command.help, name
        assert (command.epilog or "").startswith("Exit status: 0 "), name


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_of_each_what_its_own_help_says(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert " ".join((command.help or "").split("\n\n")[0].split()) == COMMANDS[name][1]


@pytest.mark.parametrize(
    ("words", "kept_out"),
    [
        (["--help"], {"companion.judge", "companion.games", "msgspec"}),
        (
            ["replay", str(RECORD)],
            {"companion.devices", "companion.config", "flask", "gevent", "sqlite3", "serial", "hashlib"},
        ),
    ],
)
def test_what_has_to_start_fast_imports_no_more_than_it_needs(words: list[str], kept_out: set[str]) -> None:
    program = "import sys; from companion.cli import main; main(standalone_mode=False); print('', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=True)
    imported = set(done.stdout.splitlines()[-1].split())
    assert "companion.cli" in imported
    assert imported & kept_out == set()


FIRST_PAGE = """
import sys
from companion.cli import main, table_in_play

def serve(app, *_):
    assert app.test_client().get("/").status_code == 200
    print("", *sys.modules)

table_in_play.serve = serve
main(standalone_mode=False)
"""


def test_a_first_page_waits_for_nothing_that_only_other_tables_or_pages_need(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FIRST_PAGE, "play", "--log", str(tmp_path / "log.sqlite")]
    environment = {**os.environ, "CACHE_DIRECTORY": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": ""}
    for _ in ("compiles", "finds it compiled"):
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    imported = set(done.stdout.splitlines()[-1].split())
    assert "companion.web.routes.pages" in imported
    kept_out = {
        "argparse",
        "babel.messages",
        "paho",
        "segno",
        "serial",
        "statistics",
        "tomlkit",
        "tomllib",
        "companion.backups.at_table",
        "companion.club.publisher",
        "companion.devices.drivers.pico",
        "urllib.request",
    }
    assert imported & kept_out == set()


def test_the_collector_never_looks_through_what_a_command_has_imported() -> None:
    program = "import gc, companion.cli; companion.cli.main.get_command(None, 'replay'); print(gc.get_freeze_count())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 10_000


# Judging a record again


def test_replay_prints_one_object() -> None:
    done = companion("replay", RECORD, "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout) == {
        "game": "stop-it",
        "over": False,
        "scores": {"1": 0, "2": 1, "3": 0},
        "winners": [],
        "misplays": [{"seq": 4, "code": "only-caller-says-no-stop"}],
        "events": 12,
    }
    assert companion("replay", "-", "--json", stdin=RECORD.read_bytes()).stdout == done.stdout


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["si-11.jsonl"], "Anna was first, 0.14 s before Bruno (±20.0 ms), and showed the green stop"),
        (["si-11-dead-heat.jsonl", "--lang", "fr"], "0,30 ms"),
        (["si-12.jsonl", "--json", "--until", "4"], '"scores":{"1":0,"2":0,"3":0}'),
        (["si-12.jsonl", "--json", "--until", "4"], '"events":4'),
    ],
)
def test_replay_tells_what_it_is_asked(words: list[str], text: str) -> None:
    assert text in companion("replay", RECORDS / words[0], *words[1:]).stdout


def test_replay_tells_a_closed_standard_input_and_nothing_else_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    def with_a_slip(lines: Iterable[bytes]) -> Iterator[Event]:
        raise AttributeError("a game's own slip")

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))
    with pytest.raises(AttributeError, match="own slip"):
        judge_file(None, None, with_a_slip)
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(WrongInput, match="standard input is closed"):
        judge_file(None, None)


def test_replay_says_of_a_folder_which_are_records(tmp_path: Path) -> None:
    lines = RECORD.read_bytes().splitlines(keepends=True)
    (tmp_path / "good.jsonl").write_bytes(b"".join(lines))
    (tmp_path / "short.jsonl").write_bytes(b"".join(lines[1:]))
    done = companion("replay", tmp_path, "--validate")
    assert done.exit_code == 2
    assert done.stdout == f"{tmp_path}/good.jsonl: a record of {json.loads(lines[0])['game']}, {len(lines)} events\n"
    assert "short.jsonl, line 1: seq 2 where 1 is due" in done.stderr
    assert companion("replay", tmp_path / "good.jsonl", "--validate").exit_code == 0
    assert companion("replay", RECORD, "--validate", "--json").exit_code == 2


@pytest.mark.parametrize("observer", ["public", "host", "seat-2"])
def test_replay_view_prints_what_an_observer_may_know(observer: str) -> None:
    view = json.loads(companion("replay", RECORD, "--view", observer).stdout)
    assert view["table"]["now"] == {"code": "now-restart", "seats": [1]} or view["table"]["phase"] == "collecting"
    assert "seq" not in json.dumps(view)


def test_at_an_empty_seat_one_sees_what_the_public_sees() -> None:
    views = [companion("replay", RECORD, "--view", viewer).stdout for viewer in ("public", "seat-6")]
    assert views[0] == views[1] != ""


@pytest.mark.parametrize(
    ("words", "stdin", "why"),
    [
        *(
            ([RECORD, "--view", viewer], b"", "known: public, host, seat-1")
            for viewer in ("seat-7", "seat-0", "seat-", "me", "")
        ),
        *((["-", "--json"], data, "line 1: ") for data in (b"", b"\n", b"{}\n", b"\xff\xfe\n", b"[]\n", b"null")),
        (["-", "--json", "--until", "4"], RECORD.read_bytes() + b"{\n", "-, line 13: "),
        (["nowhere.jsonl"], b"", "can't read nowhere.jsonl"),
        ([RECORDS], b"", "a folder is judged with --json"),
    ],
)
def test_what_can_not_be_judged_is_refused_whole(words: list[str | Path], stdin: bytes, why: str) -> None:
    done = companion("replay", *words, stdin=stdin)
    assert (done.exit_code, done.stdout) == (2, "")
    assert why in done.stderr


def test_of_a_long_record_only_what_is_judged_is_kept(tmp_path: Path) -> None:
    events = [FIRST, *(Pressed(seq, float(seq), 1) for seq in range(2, 5000))]
    (tmp_path / "long.jsonl").write_bytes(encode(events))
    tracemalloc.start()
    assert judge_file(tmp_path / "long.jsonl", 3)[1] == 3
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < (tmp_path / "long.jsonl").stat().st_size


def test_a_folder_is_judged_in_name_order_but_for_what_is_damaged_or_no_file(tmp_path: Path) -> None:
    good = RECORD.read_bytes()
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "one.jsonl").write_bytes(good)
    (tmp_path / "a.jsonl").write_bytes(good[:-20])
    (tmp_path / "c.jsonl").write_bytes(good)
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/z\xff.jsonl")).write_bytes(good)
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "nowhere.jsonl").symlink_to("gone")
    (tmp_path / "notes.txt").write_text("not a record")
    done = companion("replay", tmp_path, "--json")
    assert done.exit_code == 2
    judged = [json.loads(line)["file"] for line in done.stdout.splitlines()]
    assert judged == ["b/one.jsonl", "c.jsonl", "z\ufffd.jsonl"]
    for why in ("a.jsonl, line 12: ", "pipe.jsonl is not a file", "nowhere.jsonl"):
        assert why in done.stderr


def test_output_that_cannot_be_written_is_told() -> None:
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "companion", "replay", RECORD]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(b"can't write to standard output")


def test_a_name_cannot_colour_the_terminal() -> None:
    odd = RECORD.read_bytes().replace(b"Clara", rb"\u001b[31mClara\nBo")
    assert r"\x1b[31mClara\nBo" in companion("replay", "-", stdin=odd).stdout


# What a log holds


def log_of(folder: Path, *events: Event) -> Path:
    log = Log(folder / "log.sqlite", writes=True)
    match = log.open_match("now", False, events[0])
    log.append(match, [(event, "") for event in events[1:]])
    log.close()
    return log.path


def test_export_writes_the_record_that_replay_judges(tmp_path: Path) -> None:
    log = log_of(tmp_path, FIRST, Pressed(2, 1.0, 1))
    exported = companion("export", "--log", log)
    assert exported.exit_code == 0
    assert json.loads(companion("replay", "-", "--json", stdin=exported.stdout_bytes).stdout)["events"] == 2
    assert "stop-it" in companion("export", "--log", log, "--list").stdout
    assert companion("export", "--log", log, "9").exit_code == 1
    assert companion("export", "--log", tmp_path / "none.sqlite").exit_code == 1


@pytest.mark.parametrize("name", ["log.sqlite", "./log.sqlite", "log.sqlite.lock", "table.toml", "tags.toml"])
def test_export_never_writes_over_a_file_of_the_table(tmp_path: Path, name: str) -> None:
    log = log_of(tmp_path, FIRST)
    table = tmp_path / "table.toml"
    table.write_text('tags = "tags.toml"\n[[reader]]\ndriver = "virtual"\nplace = "centre"\n')
    (tmp_path / "tags.toml").touch()
    bytes_before = (tmp_path / name).read_bytes()
    for meant in [("--table", table)] + ([] if name.endswith("toml") else [("--log", log)]):
        assert "one of the table's own files" in refused(1, "export", *meant, "-o", tmp_path / name)
    assert (tmp_path / name).read_bytes() == bytes_before


def test_export_tells_of_a_damaged_match_and_writes_what_there_is(tmp_path: Path) -> None:
    done = companion("export", "--log", log_of(tmp_path, Pressed(1, 0.0, 1)))
    assert done.exit_code == 1
    assert done.stdout.count("\n") == 1
    assert "match 1 is damaged" in done.stderr


def test_what_was_exported_with_digests_is_judged_as_any_record_and_verified_whoever_had_it(tmp_path: Path) -> None:
    exported = companion("export", "--digests", "--log", log_of(tmp_path, FIRST, Pressed(2, 1.0, 1))).stdout_bytes
    (tmp_path / "good.jsonl").write_bytes(exported)
    judged = [companion("replay", "-", "--json", *how, stdin=exported) for how in ([], ["--verify"])]
    assert judged[0].exit_code == judged[1].exit_code == 0
    assert judged[0].stdout == judged[1].stdout
    altered = exported.replace(b'"seat":1}', b'"seat":2}').replace(b'"seat":1,"digest', b'"seat":2,"digest')
    (tmp_path / "altered.jsonl").write_bytes(altered)
    assert companion("replay", "-", stdin=altered).exit_code == 0
    for how in ([], ["--until", "1"], ["--view", "public"]):
        refused = companion("replay", "-", "--verify", *how, stdin=altered)
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert "-, line 2: the digest does not match" in refused.stderr
    folder = companion("replay", tmp_path, "--json", "--verify")
    assert (folder.exit_code, folder.stdout.count("\n")) == (2, 1)
    assert "altered.jsonl, line 2" in folder.stderr


# A table in play


def test_codes_are_shown_to_who_owns_the_machine(tmp_path: Path) -> None:
    log = tmp_path / "log.sqlite"
    assert "start the table once" in refused(1, "codes", "--log", log)
    codes = Phones(phones_of(log)).rights.codes
    codes_printed = companion("codes", "--log", log)
    assert codes_printed.exit_code == 0
    assert codes_printed.stdout.splitlines()[0].split() == ["host", codes[0], "free"]
    assert len(codes_printed.stdout.splitlines()) == 7
    assert companion("codes", "table.toml", "--log", log).exit_code == 2


@pytest.mark.parametrize("command", ["codes", "export", "standings"])
def test_what_is_of_the_virtual_table_says_so_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    notice = f"No TABLE.toml is named: this is of the virtual table, {tmp_path}"
    assert companion(command).stderr.startswith(notice)
    assert notice not in companion(command, "--log", tmp_path / "log.sqlite").stderr


def test_a_damaged_file_of_phones_is_told_and_kept(tmp_path: Path) -> None:
    phones = phones_of(tmp_path / "log.sqlite")
    phones.write_text("{")
    assert "is damaged" in refused(1, "codes", "--log", tmp_path / "log.sqlite")
    assert phones.read_text() == "{"


@pytest.mark.parametrize(("environment", "stamped"), [({}, True), ({"JOURNAL_STREAM": "8:1"}, False)])
def test_a_warning_has_a_time_unless_the_journal_gives_it_one(environment: dict[str, str], stamped: bool) -> None:
    program = (
        "import logging; from companion.cli.stderr_log import log_to_stderr as l; l(); logging.warning('no reader')"
    )
    clean = {name: value for name, value in os.environ.items() if name != "JOURNAL_STREAM"}
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, env=clean | environment, capture_output=True, text=True, check=True)
    assert done.stderr.endswith("WARNING no reader\n")
    assert done.stderr.startswith("WARNING") is not stamped


@pytest.mark.parametrize("command", [("check",), ("service", "install", "--print")])
def test_a_wrong_table_is_refused_with_its_line(tmp_path: Path, command: tuple[str, ...]) -> None:
    path = tmp_path / "table.toml"
    path.write_text('[[reader]]\ndriver = "crystal-ball"\nplace = "centre"\n')
    assert "line 2: unknown driver 'crystal-ball'" in refused(2, *command, path)
