"""`companion tags`: the real program on (emulated) readers, its keys typed, its files carried to another table."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from companion.storage.log import Log
from companion.tags.deck_file import Decks
from tests.emulators.pn532 import UartPN532
from tests.waiting import until

SECONDS = 30
STRICT = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
"""As where people work in a language; a bare machine's is forgiving."""
KARTEL = "".join(f'red-{face} = "04AA0{number}"\n' for number, face in enumerate(("boss", "money", "1")))


def companion(*args: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "companion", "tags", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def table_of(folder: Path, port: str = "/dev/nothing-here", tags: str | None = None) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / "table.toml"
    file.write_text(
        f'tags = "tags.toml"\n[[reader]]\nplace = "centre"\ndriver = "pn532-uart"\nport = "{port}"\n', encoding="utf-8"
    )
    if tags is not None:
        (folder / "tags.toml").write_text(tags, encoding="utf-8")
    return file


class Riffle:
    """`companion tags enrol` at work."""

    def __init__(self, file: Path, *more: str):
        command = [sys.executable, "-m", "companion", "tags", "enrol", str(file), "kartel", *more]
        self.program = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=STRICT
        )
        self.told: list[str] = []

    def wait_for(self, words: str) -> str:
        """Read on until a line says so."""
        for line in self._out:
            self.told.append(line)
            if words in line:
                return line
        raise AssertionError(f"{words!r} was never said: {self.told}")

    def type(self, keys: str) -> None:
        assert self.program.stdin
        self.program.stdin.write(f"{keys}\n")
        self.program.stdin.flush()

    @property
    def _out(self) -> IO[str]:
        assert self.program.stdout
        return self.program.stdout


@pytest.fixture
def reader() -> Iterator[UartPN532]:
    with UartPN532() as reader:
        yield reader


@pytest.fixture
def riffle(tmp_path: Path, reader: UartPN532) -> Iterator[Riffle]:
    riffle = Riffle(table_of(tmp_path, reader.path))
    riffle.wait_for("lay red boss (red-boss)")
    until(lambda: reader.polls > 1)  # what lies there at its first look was not asked for
    yield riffle
    if riffle.program.poll() is None:
        riffle.program.kill()
    riffle.program.communicate()


def test_a_deck_is_riffled_with_cards_and_keys(riffle: Riffle, reader: UartPN532, tmp_path: Path) -> None:
    reader.swap("04000000000001")
    assert riffle.wait_for("1 of 42").strip() == "1 of 42: lay red money (red-money)"
    riffle.type("s")
    riffle.wait_for("red money is left for later")
    reader.swap("04000000000002")
    riffle.wait_for("2 of 42: lay red 2 (red-2a)")
    reader.swap("04000000000001")
    riffle.wait_for("That is red boss: it has its sticker already")
    riffle.type("blue boss")
    riffle.wait_for("lay blue boss (blue-boss)")
    reader.swap("04000000000003")
    riffle.wait_for("3 of 42")
    riffle.type("u")
    riffle.wait_for("blue boss: its latest sticker is taken back")
    riffle.type("chess")
    riffle.wait_for("There is no card 'chess'")
    riffle.type("q")
    riffle.wait_for("2 of 42 cards have a sticker")
    assert riffle.program.wait(SECONDS) == 0
    assert Decks(tmp_path / "tags.toml").deck("kartel").tags == {
        "red-boss": "04000000000001",
        "red-1": "04000000000002",
    }


def test_what_was_put_on_stays_after_ctrl_c(riffle: Riffle, reader: UartPN532, tmp_path: Path) -> None:
    reader.swap("04000000000001")
    riffle.wait_for("1 of 42")
    riffle.program.send_signal(signal.SIGINT)
    riffle.wait_for("1 of 42 cards have a sticker, kept in")
    assert riffle.program.wait(SECONDS) == 0
    assert "04000000000001" in (tmp_path / "tags.toml").read_text(encoding="utf-8")


def test_what_no_keyboard_types_is_told_and_ends_nothing(riffle: Riffle) -> None:
    assert riffle.program.stdin
    riffle.program.stdin.buffer.write(b"\xff\xfe\n")
    riffle.type("q")
    riffle.wait_for("There is no card")
    riffle.wait_for("0 of 42 cards have a sticker")
    assert riffle.program.wait(SECONDS) == 0


def test_a_card_that_lay_there_before_gets_no_sticker(tmp_path: Path, reader: UartPN532) -> None:
    reader.put("04000000000009")
    riffle = Riffle(table_of(tmp_path, reader.path))
    riffle.wait_for("0 of 42: lay red boss")
    riffle.wait_for("a card lies there already. Lift it")
    reader.swap("04000000000001")
    riffle.wait_for("1 of 42: lay red money")
    riffle.type("q")
    riffle.program.communicate()
    assert Decks(tmp_path / "tags.toml").deck("kartel").tags == {"red-boss": "04000000000001"}


def test_where_nobody_can_type_it_ends(tmp_path: Path, reader: UartPN532) -> None:
    command = [sys.executable, "-m", "companion", "tags", "enrol", str(table_of(tmp_path, reader.path)), "kartel"]
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *command], capture_output=True, text=True, timeout=SECONDS
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_phone_is_told_at_the_terminal(riffle: Riffle, reader: UartPN532) -> None:
    reader.put("08AABBCC", ats=bytes.fromhex("7577810280"))
    riffle.wait_for("That is a phone or a bank card")


def test_no_reader_that_answers_is_told(tmp_path: Path) -> None:
    done = companion("enrol", table_of(tmp_path), "kartel")
    assert done.returncode == 1
    assert "no reader of this table answers" in done.stderr


def test_a_table_that_runs_sends_to_its_page(tmp_path: Path) -> None:
    file = table_of(tmp_path, tags=f"[kartel]\n{KARTEL}")
    running = Log(tmp_path / "log.sqlite", writes=True)
    try:
        for done in (companion("enrol", file, "kartel"), companion("import", file, tmp_path / "deck.toml")):
            assert done.returncode == 1
            assert "http://localhost:8000/tags" in done.stderr
        assert companion("export", file, "kartel").returncode == 0
    finally:
        running.close()


def test_a_table_without_a_file_of_tags_is_told_what_to_add(tmp_path: Path) -> None:
    file = table_of(tmp_path)
    file.write_text(file.read_text(encoding="utf-8").replace('tags = "tags.toml"\n', ""), encoding="utf-8")
    done = companion("enrol", file, "kartel")
    assert done.returncode == 2
    assert 'add tags = "tags.toml" to its table.toml' in done.stderr


def test_a_box_is_told_once(tmp_path: Path) -> None:
    file = table_of(tmp_path)
    told = companion("enrol", file, "stop-it", "--box", "colours=red,blue")
    assert told.returncode == 1, "no reader, but the box is kept"
    assert "0 of 55 cards" in companion("list", file).stdout
    wrong = companion("enrol", file, "stop-me-go", "--box", "tokens_0=11")
    assert wrong.returncode == 2
    assert "to be told: tokens_0, tokens_1, tokens_2, tokens_3" in wrong.stderr


def test_a_deck_works_on_another_table(tmp_path: Path) -> None:
    here, there = table_of(tmp_path / "a", tags=f"[kartel]\n{KARTEL}"), table_of(tmp_path / "b")
    deck = tmp_path / "deck.toml"
    assert companion("export", here, "kartel", "-o", deck).returncode == 0
    done = companion("import", there, deck)
    assert (done.returncode, done.stderr) == (0, "")
    assert "3 stickers" in done.stdout
    assert Decks(tmp_path / "b/tags.toml").cards == Decks(tmp_path / "a/tags.toml").cards
    assert companion("import", there, deck).returncode == 0, "the same again changes nothing"


def test_a_deck_that_is_there_is_replaced_only_when_asked(tmp_path: Path) -> None:
    file = table_of(tmp_path, tags='[kartel]\nblue-1 = "0455"\n')
    deck = tmp_path / "deck.toml"
    deck.write_text(f"[kartel]\n{KARTEL}", encoding="utf-8")
    refused = companion("import", file, deck)
    assert refused.returncode == 2
    assert "Take --replace" in refused.stderr
    assert Decks(tmp_path / "tags.toml").deck("kartel").tags == {"blue-1": "0455"}
    assert companion("import", file, deck, "--replace").returncode == 0
    assert "blue-1" not in Decks(tmp_path / "tags.toml").deck("kartel").tags


def test_a_conflict_is_told_with_both_cards_and_changes_nothing(tmp_path: Path) -> None:
    own = '[stop-it]\nblue-7 = "04AA01"\n'
    file, deck = table_of(tmp_path, tags=own), tmp_path / "deck.toml"
    deck.write_text(f"[kartel]\n{KARTEL}", encoding="utf-8")
    done = companion("import", file, deck, "--replace")
    assert done.returncode == 2
    assert "04AA01 is stop-it/blue-7 here and kartel/red-money there" in done.stderr
    assert (tmp_path / "tags.toml").read_text(encoding="utf-8") == own


@pytest.mark.parametrize("text", ["", f"[kartel]\n{KARTEL}[go]\npink-1 = '0499'\n", "what?"])
def test_a_file_that_is_not_one_deck_is_refused(tmp_path: Path, text: str) -> None:
    file, deck = table_of(tmp_path), tmp_path / "deck.toml"
    deck.write_text(text, encoding="utf-8")
    assert companion("import", file, deck).returncode == 2
    assert not (tmp_path / "tags.toml").exists()


def test_a_deck_is_never_exported_over_the_tables_own_files(tmp_path: Path) -> None:
    file = table_of(tmp_path, tags=f"[kartel]\n{KARTEL}[stop-it]\nred-1 = '0499'\n")
    Log(tmp_path / "log.sqlite", writes=True).close()
    kept = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for path in kept:
        done = companion("export", file, "kartel", "-o", path)
        assert done.returncode == 2
        assert "choose another file" in done.stderr
    assert {path: path.read_bytes() for path in kept} == kept


def test_a_game_that_is_not_known_is_told(tmp_path: Path) -> None:
    done = companion("enrol", table_of(tmp_path), "chess")
    assert done.returncode == 2
    assert "known: go, kartel, stop-it, stop-me-go" in done.stderr
