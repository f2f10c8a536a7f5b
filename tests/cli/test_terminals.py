"""Whatever is printed fits the terminal that it goes to, and a table does not end because nobody listens to it."""

import os
import pty
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from companion.cli import COMMANDS
from companion.cli.legible import fits, legible
from companion.storage.log import Log
from tests.bench.rig import free_port
from tests.cli.program import companion, started
from tests.waiting import until

ENCODINGS = ("ascii", "iso8859-1", "iso8859-15", "cp437", "koi8-r", "utf-8")
BLOCKS = "█▀▄"


def terminal(encoding: str) -> dict[str, str]:
    return {**os.environ, "PYTHONIOENCODING": f"{encoding}:strict", "PYTHONUTF8": "0"}


def printed(*words: str | Path, encoding: str) -> str:
    """What a command prints, read as its terminal would."""
    pipe = subprocess.PIPE
    done = subprocess.run(started(*words), env=terminal(encoding), stdout=pipe, stderr=subprocess.STDOUT, check=False)
    output = done.stdout.decode(encoding)
    assert "Traceback" not in output
    return output


@contextmanager
def at_work(*words: str | Path, stdout: int, encoding: str = "utf-8") -> Iterator["subprocess.Popen[bytes]"]:
    """A program that is stopped in the end."""
    with subprocess.Popen(started(*words), env=terminal(encoding), stdout=stdout, stderr=subprocess.DEVNULL) as program:
        try:
            yield program
        finally:
            program.terminate()


def answers(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/"):
            return True
    except OSError:
        return False


@pytest.fixture
def table(tmp_path: Path) -> Path:
    settings = tmp_path / "table.toml"
    page = f'[page]\nhost = "127.0.0.1"\nport = {free_port()}\n'
    settings.write_text(f'log = "log.sqlite"\n{page}[[buzzers]]\ndriver = "virtual"\nseats = [1, 2]\n')
    return settings


@pytest.mark.parametrize("encoding", ["ascii", "iso8859-1", "utf-8"])
@pytest.mark.parametrize("command", ["play", "run", "setup", "hub"])
def test_a_table_starts_on_a_terminal_of_any_encoding(command: str, encoding: str, tmp_path: Path, table: Path) -> None:
    port = ("--host", "127.0.0.1", "--port", str(free_port()))
    club = tmp_path / "club.toml"
    club.write_text('[club]\nbroker = "mqtt://127.0.0.1:9"\nclub = "club"\nname = "Café Zoé"\n', encoding="utf-8")
    empty = tmp_path / "empty.toml"
    empty.write_text(table.read_text().split("[[")[0])
    words = {
        "play": ("play", *port, "--log", tmp_path / "play.sqlite"),
        "run": ("run", table),
        "setup": ("run", empty),
        "hub": ("hub", club, *port),
    }[command]
    screen, terminals_end = pty.openpty()
    lines_printed: list[str] = []
    with at_work(*words, stdout=terminals_end, encoding=encoding), open(screen, "rb") as lines:
        os.close(terminals_end)
        for line in lines:
            lines_printed.append(line.decode(encoding))
            if " at http://127.0.0.1" in lines_printed[-1]:
                break
    assert " at http://127.0.0.1" in lines_printed[-1]
    assert ("scan the code" in lines_printed[-1]) == any(sign in "".join(lines_printed[:-1]) for sign in BLOCKS)
    assert ("scan the code" in lines_printed[-1]) == (encoding == "utf-8")


def test_a_journal_gets_no_picture_of_an_address(tmp_path: Path) -> None:
    words = ("play", "--host", "127.0.0.1", "--port", str(free_port()), "--log", tmp_path / "play.sqlite")
    with at_work(*words, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        first = program.stdout.readline().decode()
    assert " at http://127.0.0.1" in first
    assert "scan the code" not in first


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_fits_any_terminal(command: str) -> None:
    """click takes ASCII for a mistake, and prints UTF-8 there."""
    assert companion(command, "--help").stdout.isascii()


@pytest.mark.parametrize("encoding", ["ascii", "iso8859-1"])
def test_a_complaint_that_quotes_what_was_typed_fits(encoding: str, tmp_path: Path) -> None:
    assert "can't read" in printed("check", tmp_path / "Küche Жук.toml", encoding=encoding)
    assert "Usage" in printed("check", "--Жук…", encoding=encoding)


def test_what_a_terminal_can_not_show_is_told_in_signs_that_it_can() -> None:
    sentence = "“Zoé” – 3 µs … → ±0.5 ms: Жук"
    assert legible(sentence, "utf-8") == sentence
    assert legible(sentence, "iso8859-1") == '"Zoé" - 3 µs ... -> ±0.5 ms: \\u0416\\u0443\\u043a'
    assert legible(sentence, "ascii") == '"Zoe" - 3 us ... -> +-0.5 ms: \\u0416\\u0443\\u043a'


def test_a_code_is_shown_only_where_its_signs_are() -> None:
    assert [encoding for encoding in ENCODINGS if fits(BLOCKS, encoding)] == ["cp437", "koi8-r", "utf-8"]


def test_a_command_whose_output_is_closed_does_its_work(table: Path) -> None:
    command = ["sh", "-c", 'exec "$@" >&- 2>&-', "sh", *started("check", table)]
    assert subprocess.run(command, check=False).returncode == 0


def test_a_full_output_is_told_in_a_sentence(table: Path) -> None:
    Log(table.parent / "log.sqlite", writes=True).close()
    with open("/dev/full", "wb") as full:
        command = started("standings", "--table", table)
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert done.stderr.decode() == "can't write to standard output: No space left on device\n"


def test_a_table_plays_on_when_nobody_reads_what_it_prints(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    log = tmp_path / "log.sqlite"
    port = free_port()
    with at_work("play", "--host", "127.0.0.1", "--port", str(port), "--log", log, stdout=writing) as program:
        os.close(writing)
        until(lambda: program.poll() is not None or answers(port))
        assert program.poll() is None
