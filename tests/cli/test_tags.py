"""`companion tags`: the real program on (emulated) readers, its keys typed, its files carried to another table."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import games
from companion.cli import tags
from companion.config import load
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from tests.cli.program import Running, companion, refused
from tests.emulators.pn532_pty import UartPN532

KARTEL = "".join(f'red-{face} = "04AA010{number}"\n' for number, face in enumerate(("boss", "money", "1")))


def table_of(folder: Path, port: str = "/dev/nothing-here", tags: str | None = None) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / "table.toml"
    file.write_text(
        f'tags = "tags.toml"\n[[reader]]\nplace = "centre"\ndriver = "pn532-uart"\nport = "{port}"\n', encoding="utf-8"
    )
    if tags is not None:
        (folder / "tags.toml").write_text(tags, encoding="utf-8")
    return file


def deck_of(folder: Path, text: str = f"[kartel]\n{KARTEL}") -> Path:
    deck = folder / "deck.toml"
    deck.write_text(text, encoding="utf-8")
    return deck


def kept_in(folder: Path) -> dict[str, str]:
    return dict(Decks(folder / "tags.toml").deck("kartel").tags)


@pytest.fixture
def riffle(tmp_path: Path, reader: UartPN532) -> Iterator[Running]:
    """With a card that lay there before: once that is told, the reader has had its first look, however long it took."""
    reader.put("04000000000009")
    with Running("tags", "enrol", table_of(tmp_path, reader.path), "kartel") as riffle:
        riffle.wait_for("lay red boss (red-boss)")
        riffle.wait_for("a card lies there already. Lift it")
        yield riffle


def test_a_deck_is_riffled_with_cards_and_keys(riffle: Running, reader: UartPN532, tmp_path: Path) -> None:
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
    assert riffle.ended() == 0
    assert kept_in(tmp_path) == {"red-boss": "04000000000001", "red-1": "04000000000002"}


def test_what_was_put_on_stays_after_ctrl_c_and_what_lay_there_before_got_none(
    riffle: Running, reader: UartPN532, tmp_path: Path
) -> None:
    reader.swap("04000000000001")
    riffle.wait_for("1 of 42")
    riffle.program.send_signal(signal.SIGINT)
    riffle.wait_for("1 of 42 cards have a sticker, kept in")
    assert riffle.ended() == 0
    assert kept_in(tmp_path) == {"red-boss": "04000000000001"}


def test_a_reader_that_failed_is_told_when_it_is_back(riffle: Running, reader: UartPN532) -> None:
    reader.unplug()
    riffle.wait_for(f"{reader.path}")
    reader.replug()
    riffle.wait_for("reader centre: PN532")


def test_ctrl_c_is_as_it_was_whatever_ends_it(
    tmp_path: Path, reader: UartPN532, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tags, "SETTLED", 0.0)
    monkeypatch.setattr("sys.stdin", None)
    table = load(table_of(tmp_path, reader.path))
    handler_before = signal.getsignal(signal.SIGINT)
    game = games.known()["kartel"]
    lines = tags.riffle(table, Decks(table.tags), game, game.box())
    assert next(lines) == tags.KEYS
    lines.close()
    assert signal.getsignal(signal.SIGINT) is handler_before


def test_what_no_keyboard_types_is_told_and_ends_nothing(riffle: Running) -> None:
    riffle.type(b"\xff\xfe")
    riffle.type("q")
    riffle.wait_for("There is no card")
    riffle.wait_for("0 of 42 cards have a sticker")
    assert riffle.ended() == 0


def test_where_nobody_can_type_it_ends(tmp_path: Path, reader: UartPN532) -> None:
    command = [sys.executable, "-m", "companion", "tags", "enrol", table_of(tmp_path, reader.path), "kartel"]
    closed = ["sh", "-c", 'exec "$@" <&-', "sh", *command]
    done = subprocess.run(closed, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "status", "why"),
    [
        ("kartel", 1, "no reader of this table answers"),
        ("chess", 2, "known: go, kartel, playing-cards, stop-it, stop-me-go"),
        ("stop-me-go --box tokens_0=11", 2, "to be told: tokens_0, tokens_1, tokens_2, tokens_3"),
    ],
)
def test_why_no_sticker_can_be_put_on_is_told(tmp_path: Path, words: str, status: int, why: str) -> None:
    assert why in refused(status, "tags", "enrol", table_of(tmp_path), *words.split())


def test_a_table_without_a_file_of_tags_is_told_what_to_add(tmp_path: Path) -> None:
    file = table_of(tmp_path)
    file.write_text(file.read_text(encoding="utf-8").replace('tags = "tags.toml"\n', ""), encoding="utf-8")
    assert 'add tags = "tags.toml" to its table.toml' in refused(2, "tags", "enrol", file, "kartel")


def test_a_table_that_runs_sends_to_its_page(tmp_path: Path) -> None:
    file = table_of(tmp_path, tags=f"[kartel]\n{KARTEL}")
    running = Log(tmp_path / "log.sqlite", writes=True)
    try:
        for words in (("enrol", file, "kartel"), ("import", file, tmp_path / "deck.toml")):
            assert "http://localhost:8000/tags" in refused(1, "tags", *words)
        assert companion("tags", "export", file, "kartel").exit_code == 0
    finally:
        running.close()


def test_a_box_is_told_once(tmp_path: Path) -> None:
    file = table_of(tmp_path)
    enrolment = companion("tags", "enrol", file, "stop-it", "--box", "colours=red,blue")
    assert enrolment.exit_code == 1, "no reader, but the box is kept"
    assert "0 of 55 cards" in companion("tags", "list", file).stdout


def test_a_deck_works_on_another_table(tmp_path: Path) -> None:
    from_table = table_of(tmp_path / "a", tags=f"[kartel]\n{KARTEL}")
    to_table = table_of(tmp_path / "b")
    deck = tmp_path / "deck.toml"
    assert companion("tags", "export", from_table, "kartel", "-o", deck).exit_code == 0
    done = companion("tags", "import", to_table, deck)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "3 stickers" in done.stdout
    assert Decks(tmp_path / "b/tags.toml").cards == Decks(tmp_path / "a/tags.toml").cards
    assert companion("tags", "import", to_table, deck).exit_code == 0, "the same again changes nothing"


def test_a_deck_that_is_there_is_replaced_only_when_asked(tmp_path: Path) -> None:
    file = table_of(tmp_path, tags='[kartel]\nblue-1 = "04040455"\n')
    deck = deck_of(tmp_path)
    assert "Use --replace" in refused(2, "tags", "import", file, deck)
    assert kept_in(tmp_path) == {"blue-1": "04040455"}
    assert companion("tags", "import", file, deck, "--replace").exit_code == 0
    assert "blue-1" not in kept_in(tmp_path)


def test_a_conflict_is_told_with_both_cards_and_changes_nothing(tmp_path: Path) -> None:
    own_tags = '[stop-it]\nblue-7 = "04AA0101"\n'
    message = refused(2, "tags", "import", table_of(tmp_path, tags=own_tags), deck_of(tmp_path), "--replace")
    assert "04AA0101 is stop-it/blue-7 here and kartel/red-money there" in message
    assert (tmp_path / "tags.toml").read_text(encoding="utf-8") == own_tags


@pytest.mark.parametrize("text", ["", f"[kartel]\n{KARTEL}[go]\npink-1 = '04049999'\n", "what?"])
def test_a_file_that_is_not_one_deck_is_refused(tmp_path: Path, text: str) -> None:
    assert companion("tags", "import", table_of(tmp_path), deck_of(tmp_path, text)).exit_code == 2
    assert not (tmp_path / "tags.toml").exists()


def test_a_deck_is_never_exported_over_the_tables_own_files(tmp_path: Path) -> None:
    file = table_of(tmp_path, tags=f"[kartel]\n{KARTEL}[stop-it]\nred-1 = '04049999'\n")
    Log(tmp_path / "log.sqlite", writes=True).close()
    files = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for path in files:
        assert "choose another file" in refused(2, "tags", "export", file, "kartel", "-o", path)
    assert {path: path.read_bytes() for path in files} == files
