"""What is printed moves no cursor, colours nothing and turns no text around, wherever it comes from."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.kept import Kept
from tests.cli.program import companion, refused

COMPANION = Path(__file__).parents[2] / "companion"
BY_THEMSELVES = {"client.py", "output.py", "free_table.py", "first_boot.py", "self_check.py", "renewed_units.py"}
"""What prints for all others; what must not need click; what prints only what is not read from a file;
and what stands alone, and lets nothing through that is no letter."""
HOSTILE = "\x1b]0;pwn\x07\n\u202e\x9b\U000e0041"


def test_nothing_is_printed_but_by_the_one_function_that_escapes() -> None:
    prints = re.compile(
        r"\becho\(|(?<![\w.])print\(|raise click\.ClickException|\.terminal\((?!code)|std(out|err)\.write|print_exc"
    )
    modules = [
        path
        for folder in (COMPANION, COMPANION / "web")
        for path in folder.rglob("*.py")
        if path.name not in BY_THEMSELVES
    ]
    ours = [path for path in modules if not {"kit", "firmware", "game_to_copy"} & {*path.relative_to(COMPANION).parts}]
    assert [path for path in ours if prints.search(path.read_text())] == []


def test_a_backup_that_says_of_itself_what_it_likes_can_not_harm_a_terminal(backed_up: Kept) -> None:
    def change(files: dict[str, bytes]) -> None:
        manifest = json.loads(files["manifest.json"])
        files["manifest.json"] = json.dumps(manifest | {"made": HOSTILE}).encode()

    backed_up.repack(change)
    output = companion("restore", backed_up.settings, backed_up.file).output
    assert output.endswith("on \\x1b]0;pwn\\x07\\n\\u202e\\x9b\\U000e0041\n")


def test_a_message_that_quotes_a_file_can_not_harm_a_terminal(backed_up: Kept) -> None:
    backed_up.settings.write_text("[[buzzers]]\ndriver = 'virtual'\n'\u202e' = 1\n")
    assert r"unknown setting '\u202e'" in refused(2, "backup", backed_up.settings, backed_up.folder)


def test_json_escapes_what_can_not_be_seen_and_says_the_same(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    hidden = "\u202eoB\x9b\U000e0041"
    players = [{"seat": 1, "name": hidden}, {"seat": 2, "name": "Zoé"}]
    first = {"kind": "started", "seq": 1, "at": 0.0, "game": "stop-it", "players": players, "options": {}}
    record.write_text(json.dumps(first))
    output = companion("replay", "--view", "public", record).stdout
    assert output.rstrip("\n").isprintable()
    assert json.loads(output)["players"] == players
    assert "Zoé" in output


def test_what_a_fault_quotes_can_not_harm_a_terminal() -> None:
    program = "import logging; from companion.cli.stderr_log import log_to_stderr as l; l()\n"
    program += f"try: raise ValueError({HOSTILE!r})\nexcept ValueError: logging.exception('a fault')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr.endswith("\n\\u202e\\x9b\\U000e0041\n")
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize("level", ["warning", "info"])
def test_a_line_in_the_journal_is_one_line(level: str) -> None:
    program = (
        f"import logging; from companion.cli.stderr_log import log_to_stderr as l; l(); logging.{level}({HOSTILE!r})"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr.endswith("pwn\\x07\\n\\u202e\\x9b\\U000e0041\n")
