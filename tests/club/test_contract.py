"""The contract's examples, the schemas, the AsyncAPI document and the payloads say the same."""

import json
import re
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from companion.club import payloads
from companion.club.payloads import KINDS, MatchResult, SeatedPlayer, agrees
from companion.club.topics import placed
from tests.club.contract import FOLDER

PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"### `(\w+)[^\n]*\n.*?```json\n(.*?)\n```", PAGE, re.DOTALL))
ASYNC = json.loads((FOLDER / "asyncapi.json").read_text(encoding="utf-8"))


def schema(kind: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads((FOLDER / f"{kind}.schema.json").read_text(encoding="utf-8")))


@pytest.mark.parametrize("kind", KINDS)
def test_an_example_is_the_payload_and_fits_its_schema(kind: str) -> None:
    read = payloads.read(EXAMPLES[kind].encode(), KINDS[kind])
    assert read is not None
    assert json.loads(payloads.written(read)) == json.loads(EXAMPLES[kind])
    schema(kind).validate(json.loads(EXAMPLES[kind]))


@pytest.mark.parametrize("kind", KINDS)
def test_schema_and_payload_refuse_the_same(kind: str) -> None:
    good = json.loads(EXAMPLES[kind])
    for key in good:
        for wrong in (
            {**good, key: {"no": []}},
            {**good, key: -1},
            {other: good[other] for other in good if other != key},
        ):
            assert (payloads.read(msgspec.json.encode(wrong), KINDS[kind]) is None) is not schema(kind).is_valid(wrong)
    assert schema(kind).is_valid({**good, "more": 1})


@pytest.mark.parametrize("kind", KINDS)
def test_no_whole_number_is_larger_than_every_reader_keeps(kind: str) -> None:
    good = json.loads(EXAMPLES[kind])
    for key in (key for key, value in good.items() if type(value) is int):
        for number in (2**53, 2**53 + 1, 2**63, 10**400):
            payload = {**good, key: number}
            assert (payloads.read(json.dumps(payload).encode(), KINDS[kind]) is not None) is (number == 2**53)
            assert schema(kind).is_valid(payload) is (number == 2**53)


ANA = SeatedPlayer(1, "Ana")
BO = SeatedPlayer(2, "Bo")
RESULT = MatchResult(
    match=12,
    revision=1,
    began="2026-11-22T20:15:03+01:00",
    game="stop-it",
    options={},
    players=(ANA, BO),
    over=True,
    scores={"1": 4, "2": 6},
    winners=(1,),
    simulated=False,
    demo=False,
)


@pytest.mark.parametrize(
    "claims",
    [
        {},
        {"scores": {}},
        {"scores": {"1": None, "2": None}},
        {"over": False, "winners": ()},
        {"players": (SeatedPlayer(1, ""), SeatedPlayer(2, ""))},
        {"players": (SeatedPlayer(1, "Bot Kim"), SeatedPlayer(2, "Bot Max")), "simulated": True},
        {"players": (ANA, SeatedPlayer(2, "Ana")), "winners": (1, 2)},
        {"began": "2026-11-22T20:15:03Z"},
        {"began": "2026-11-22 20:15"},
    ],
)
def test_a_result_that_a_table_may_tell_is_believed(claims: dict[str, Any]) -> None:
    assert agrees(replace(RESULT, **claims))


@pytest.mark.parametrize(
    "claims",
    [
        {"players": (ANA, SeatedPlayer(1, "Bo")), "scores": {"1": 4}},
        {"winners": (1, 3)},
        {"scores": {"1": 4, "2": 6, "3": 9}},
        {"scores": {"1" + "0" * 5000: 4}},
        {"began": "yesterday"},
        {"began": ""},
    ],
)
def test_a_result_that_contradicts_itself_is_not_believed(claims: dict[str, Any]) -> None:
    assert not agrees(replace(RESULT, **claims))


def test_no_name_is_longer_than_people_have() -> None:
    payload = json.loads(payloads.written(RESULT))
    payload["players"][0]["name"] = "x" * 200_000
    assert payloads.read(json.dumps(payload).encode(), MatchResult) is None
    assert not schema("result").is_valid(payload)


def test_the_document_has_every_topic_and_leads_nowhere_else() -> None:
    assert ASYNC["channels"].keys() == {*KINDS, "homeAssistant"}
    for kind in KINDS:
        filled = {"club": "wednesday", "table": "a" * 16, "match": "12"}
        spot = placed(ASYNC["channels"][kind]["address"].format(**filled))
        assert spot is not None
        assert spot.what == kind
    for ref in re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(ASYNC)):
        node: Any = ASYNC
        for step in ref.split("/"):
            node = node[step]
