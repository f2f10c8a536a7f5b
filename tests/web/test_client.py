"""The client that programs install: what it tells is what the table tells, and it outlives a table that goes away."""

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import client
from companion.client import NoAnswer, TableClient
from companion.live.table import Live
from tests.cli.test_start_messages import free_port
from tests.web.table import app_of, living, scored, serving

DOCUMENT = (Path(__file__).parents[2] / "web/api.md").read_text(encoding="utf-8")
SOURCE = Path(client.__file__)


@pytest.fixture
def port(live: Live) -> Iterator[int]:
    with serving(app_of(live)) as port:
        yield port


@pytest.fixture
def table(port: int) -> TableClient:
    return TableClient(f"http://127.0.0.1:{port}/")


def test_the_table_is_told_as_it_is(live: Live, table: TableClient) -> None:
    scored(live)
    table_now = table.now()
    assert (table_now.match, table_now.game, table_now.demo) == (live.snapshot.match, "stop it!", False)
    assert [(player.seat, player.name) for player in table_now.players] == [(1, "Ana"), (3, "Bo"), (5, "Cléo")]
    assert "Cléo" in table_now.headline
    assert table_now.winners == ()
    assert table_now.view is not None


def test_the_table_is_told_in_the_language_asked_for(live: Live, port: int) -> None:
    assert (
        TableClient(f"http://127.0.0.1:{port}", "fr").now().task != TableClient(f"http://127.0.0.1:{port}").now().task
    )


def test_before_the_first_match_there_is_none(tmp_path: Path) -> None:
    with living(tmp_path) as live, serving(app_of(live, virtual=False)) as port:
        table = TableClient(f"http://127.0.0.1:{port}")
        assert (table.now().match, table.now().players, table.now().view) == (None, (), None)
        assert [*table.results()] == []


def test_results_are_told_oldest_first_from_where_a_program_was(live: Live, table: TableClient) -> None:
    assert [result.match for result in table.results()] == [live.snapshot.match]
    assert [*table.results(after=live.snapshot.match or 0)] == []


def test_whoever_follows_is_told_of_every_change(live: Live, table: TableClient) -> None:
    following = table.follow()
    assert next(following).match == live.snapshot.match
    scored(live)
    while "Cléo" not in (table_now := next(following)).headline:
        pass
    assert {player.name: player.points for player in table_now.players}["Cléo"] is not None


def test_whoever_follows_is_told_on_once_a_table_that_was_away_is_back(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "AGAIN_S", 0.01)
    port = free_port()
    following = TableClient(f"http://127.0.0.1:{port}").follow()
    with serving(app_of(live), port):
        next(following)
    scored(live)
    with serving(app_of(live), port):
        while "Cléo" not in next(following).headline:
            pass


def test_a_table_that_is_not_there_is_an_answer_too() -> None:
    with pytest.raises(NoAnswer, match=r"does not answer: .*refused"):
        TableClient("http://127.0.0.1:1").now()


def test_it_stands_alone(port: int, tmp_path: Path) -> None:
    """Also without its package and anything installed: a program may bring the file along."""
    nodes = [*ast.walk(ast.parse(SOURCE.read_text(encoding="utf-8")))]
    imported = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    imported |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names
    shutil.copy(SOURCE, tmp_path)
    command = [sys.executable, "-I", "-S", tmp_path / SOURCE.name, f"http://127.0.0.1:{port}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout
        assert program.stdout.readline().strip()
        program.kill()


def test_the_example_of_the_documents_runs(port: int) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    code = example.replace("http://table.lan:8000", f"http://127.0.0.1:{port}")
    with subprocess.Popen([sys.executable, "-u", "-c", code], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout
        assert "stop it!" in program.stdout.readline()
        program.kill()
