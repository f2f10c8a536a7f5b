"""Whatever the description of an interface for programs allows, and what it does not, asked by schemathesis."""

from collections.abc import Iterator

import schemathesis
from flask import Flask
from hypothesis import HealthCheck, given, settings
from schemathesis import Case, GenerationMode

QUESTIONS = settings(
    max_examples=40, deadline=None, derandomize=True, database=None, suppress_health_check=[*HealthCheck]
)
UNPACKED = {"Accept-Encoding": "identity"}
NEVER_ENDS = "/api/1/stream"

Question = tuple[str, GenerationMode]


def questions(document: dict[str, dict[str, dict[str, dict[str, list[object]]]]]) -> Iterator[Question]:
    """Yield each path with questions that its description allows; where it has parameters, also with wrong ones."""
    for path, methods in document["paths"].items():
        if path != NEVER_ENDS:
            yield path, GenerationMode.POSITIVE
            if methods["get"]["parameters"]:
                yield path, GenerationMode.NEGATIVE


def ask(app: Flask, question: Question) -> None:
    """Ask; each answer must be as described, and what is wrong be refused."""
    path, mode = question
    described = schemathesis.openapi.from_wsgi("/api/1/openapi.json", app)

    @QUESTIONS
    @given(case=described[path]["GET"].as_strategy(generation_mode=mode))
    def asked(case: Case) -> None:
        case.call_and_validate(headers=UNPACKED)

    asked()
