"""The hub's interface for programs keeps its own word."""

import pytest

from companion.club.hub.hub import Hub
from companion.web.hub import create_hub, openapi
from tests.api_questions import Question, ask, questions
from tests.club.hub.conftest import Joined
from tests.club.hub.tables import ONE, OTHER
from tests.waiting import until


@pytest.mark.parametrize("question", [*questions(openapi.document())], ids=str)
def test_every_answer_is_as_described(hub: Hub, joined: Joined, question: Question) -> None:
    tables = [joined(ONE), joined(OTHER)]
    until(lambda: all(table.asked for table in tables))
    for table in tables:
        table.ends(1)
    until(lambda: len([*hub.store.results(0)]) == len(tables))
    ask(create_hub(hub), question)
