"""The record's schema says what the decoder says, as far as a schema can."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from companion.judge import record_file
from companion.judge.record_file import Damaged
from companion.judge.record_schema import schema

RECORDS = sorted((Path(__file__).parents[1] / "games").glob("*/records/*.jsonl"))
SCHEMA = schema()
VALID = Draft202012Validator(SCHEMA)

STARTED = {
    "seq": 1,
    "at": 0,
    "kind": "started",
    "game": "stop-it",
    "players": [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Bo"}],
    "options": {},
}
TAPPED = {"seq": 2, "at": 1.5, "kind": "tapped", "place": "centre", "card": "red-1"}
PRESSED = {"seq": 2, "at": 1.5, "kind": "pressed", "seat": 1}
SAID = {"seq": 2, "at": 1.5, "kind": "said", "seat": "host", "what": "count", "value": 2}


def judged(*lines: Any) -> bool:
    try:
        record_file.decode("\n".join(json.dumps(line) for line in lines).encode())
    except Damaged:
        return False
    return True


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_every_record_of_the_tests_is_one() -> None:
    assert len(RECORDS) > 50
    for path in RECORDS:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        assert [wrong.message for wrong in VALID.iter_errors(lines)] == [], path


@pytest.mark.parametrize("second", [TAPPED, {**TAPPED, "card": "?", "tag": "04A1"}, PRESSED, {**SAID, "seat": 3}, SAID])
def test_both_take_what_is_right(second: dict[str, Any]) -> None:
    assert judged(STARTED, second)
    assert VALID.is_valid([STARTED, second])
    assert VALID.is_valid([{**STARTED, "digest": "0" * 64}, {**second, "digest": "a" * 64}])


WRONG: list[tuple[Any, ...]] = [
    (),
    (PRESSED,),
    *(
        ({**STARTED, **wrong},)
        for wrong in ({"options": {"speed": 3}}, {"options": {"tie_window": -1}}, {"options": []})
    ),
    *(({**STARTED, "players": players},) for players in ([], STARTED["players"][:1], [{"seat": 7, "name": "A"}] * 2)),  # type: ignore[index]
    ({**STARTED, "game": "go", "players": [{"seat": seat, "name": ""} for seat in range(1, 6)]},),
    *(
        (STARTED, {key: value for key, value in TAPPED.items() if key != left})
        for left in ("at", "kind", "place", "card")
    ),
    *((STARTED, {**TAPPED, **wrong}) for wrong in ({"place": "lap"}, {"card": "?"}, {"card": 3}, {"colour": "red"})),
    *(
        (STARTED, {**PRESSED, **wrong})
        for wrong in ({"seat": 0}, {"seat": 7}, {"seat": "1"}, {"by": None}, {"at": 1e300})
    ),
    (STARTED, {**PRESSED, "digest": "abc"}),
    (STARTED, {**SAID, "seat": "guest"}),
    (STARTED, {**PRESSED, "kind": "sneezed"}),
    (STARTED, {**STARTED, "seq": 2}),
    (STARTED, []),
]


@pytest.mark.parametrize("lines", WRONG)
def test_both_refuse_what_is_wrong(lines: tuple[Any, ...]) -> None:
    assert not judged(*lines)
    assert not VALID.is_valid([*lines])
