"""A table's interface for programs keeps its own word."""

from collections.abc import Iterator

import pytest
from flask import Flask

from companion.web.render import openapi
from tests.api_questions import Question, ask, questions
from tests.web.evenings import evenings
from tests.web.table import app_of, living


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    folder = tmp_path_factory.mktemp("table")
    evenings(folder)
    with living(folder, simulated=True) as live:
        yield app_of(live)


@pytest.mark.parametrize("question", [*questions(openapi.document())], ids=str)
def test_every_answer_is_as_described(table: Flask, question: Question) -> None:
    ask(table, question)
