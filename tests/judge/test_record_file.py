"""The record as a file: what it holds, and what is refused whole."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion import games
from companion.events import Elapsed, Lifted, Pressed, Retracted, Said, Tapped
from companion.judge import record_file
from companion.judge.record_file import Damaged

FIRST = '{"seq": 1, "at": 0, "kind": "started", "game": "stop-it", "players": [%s], "options": {}}'
ANA_AND_BO = FIRST % '{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Bo"}'
PRESS = '{"seq": 2, "at": 1.5, "kind": "pressed", "seat": 1}'


def started(**changes: object) -> str:
    return json.dumps({**json.loads(ANA_AND_BO), **changes})


def refused(text: str | bytes) -> Damaged:
    data = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(Damaged) as caught:
        record_file.decode(data)
    return caught.value


def test_a_good_record_is_read() -> None:
    first, second = record_file.decode(f"{ANA_AND_BO}\n{PRESS}\n".encode())
    assert first.seq == 1
    assert second == Pressed(2, 1.5, 1)


def test_a_game_says_how_few_can_play_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for_three = replace(games.known()["stop-it"], fewest_players=3)
    monkeypatch.setattr(games, "known", lambda: {"stop-it": for_three})
    assert "2 players; stop it! is for 3 to 6" in str(refused(ANA_AND_BO))


def test_the_last_line_needs_no_end() -> None:
    assert len(record_file.decode(f"{ANA_AND_BO}\n{PRESS}".encode())) == 2


def test_a_record_is_read_line_by_line() -> None:
    lines = iter([f"{ANA_AND_BO}\n".encode(), f"{PRESS}\n".encode(), b"{\n"])
    events = record_file.decode_lines(lines)
    assert [next(events).seq, next(events).seq] == [1, 2]
    with pytest.raises(Damaged, match="line 3: "):
        next(events)


@pytest.mark.parametrize("value", ["17", "-0.0", "1e300", "123456789012345678901234", '"\\n"', '{"2":[3,null]}', '"é"'])
def test_a_line_as_the_companion_writes_it_is_read_as_any_other(value: str) -> None:
    line = f'{{"kind":"said","seq":2,"at":1.5,"seat":1,"what":"x","value":{value}}}'.encode()
    assert (record_file._as_written(line), False) == record_file._looked_through(line)
    assert record_file._as_written(line) == record_file.decode_line(line)


def test_a_microsecond_is_kept() -> None:
    _, press = record_file.decode(f"{ANA_AND_BO}\n{PRESS.replace('1.5', '7331.000001')}".encode())
    assert press.microseconds == 7331000001


@pytest.mark.parametrize(
    ("second", "why"),
    [
        ("", "blank line"),
        ("[]", "not a JSON object"),
        ("{", "not JSON"),
        ("{} {}", "not JSON"),
        ("{" * 100_000, "not JSON"),
        ('{"a":' * 100_000, "nested far too deeply"),
        ('{"seq": 2, "seq": 2, "at": 1, "kind": "pressed", "seat": 1}', "'seq' twice"),
        ('{"seq": 2, "at": 1, "kind": "said", "seat": 1, "what": "x", "value": {"a": 1, "a": 2}}', "'a' twice"),
        ('{"seq": 2, "at": 1, "kind": "pressed"}', "seat"),
        ('{"seq": 2, "at": 1, "kind": "pressed", "seat": 1, "colour": "red"}', "colour"),
        ('{"seq": 2, "at": 1, "kind": "pressed", "seat": 7}', "seat"),
        ('{"seq": 2, "at": 1, "kind": "pressed", "seat": "1"}', "seat"),
        ('{"seq": 2, "at": 1, "kind": "pressed", "seat": 1.0}', "seat"),
        ('{"seq": 2, "at": 1, "kind": "pressed", "seat": 1, "by": null}', "by"),
        ('{"seq": 2, "at": "1", "kind": "pressed", "seat": 1}', "at"),
        ('{"seq": 2, "at": NaN, "kind": "pressed", "seat": 1}', "NaN"),
        (f'{{"seq": 2, "at": 2, "kind": "retracted", "target": {"9" * 5000}}}', "a whole number of 5000 digits"),
        ('{"seq": 2, "at": 1e999, "kind": "pressed", "seat": 1}', "finite"),
        ('{"seq": 2, "at": 1e300, "kind": "pressed", "seat": 1}', "clock"),
        ('{"seq": 2, "at": 1, "kind": "said", "seat": 1, "what": "count", "value": [1e999]}', "finite"),
        ('{"seq": 2, "at": 1, "kind": "sneezed"}', "unknown kind 'sneezed'; known: started, tapped"),
        ('{"seq": 2, "at": 1, "kind": ["pressed"], "seat": 1}', "unknown kind"),
        ('{"seq": 2, "at": 1, "seat": 1}', "kind"),
        (
            '{"seq": 2, "at": 1, "kind": "tapped", "place": "lap", "card": "red-1"}',
            "unknown place 'lap'; known: seat-1",
        ),
        ('{"seq": 2, "at": 1, "kind": "tapped", "place": "centre", "card": "?"}', "tag"),
        ('{"seq": 2, "at": 1, "kind": "tapped", "place": "centre"}', "card"),
        ('{"seq": 2, "at": 1, "kind": "said", "seat": "guest", "what": "fault"}', "seat"),
        ('{"seq": 2, "at": 1, "kind": "said", "seat": 1}', "what"),
        ('{"seq": 2, "at": 1, "kind": "retracted", "target": 1}', "take back event 1"),
        ('{"seq": 2, "at": 1, "kind": "retracted", "target": 2}', "event 2 here, only an earlier one"),
        ('{"seq": 3, "at": 1, "kind": "pressed", "seat": 1}', "seq 3 where 2 is due"),
        ('{"seq": 1, "at": 1, "kind": "pressed", "seat": 1}', "seq 1 where 2 is due"),
        ('{"seq": 2, "at": 1, "kind": "said", "seat": 1, "what": "\\ud800"}', "half a character"),
        (started(seq=2), "a second `started`"),
    ],
)
def test_a_damaged_line_is_told_with_its_number(second: str, why: str) -> None:
    damaged = refused(f"{ANA_AND_BO}\n{second}\n")
    assert damaged.line == 2
    assert why in damaged.why


@pytest.mark.parametrize(
    ("first", "why"),
    [
        (PRESS.replace('"seq": 2', '"seq": 1'), "not `started`"),
        (started(game="chess"), "unknown game 'chess'; known: "),
        (started(options={"speed": 3}), "speed"),
        (started(options={"tie_window": -1}), "tie_window"),
        (started(options=[]), "options"),
        (started(players=[]), "0 players"),
        (FIRST % '{"seat": 1, "name": "Ana"}', "1 players"),
        (FIRST % '{"seat": 1, "name": "Ana"}, {"seat": 1, "name": "Bo"}', "a seat occurs twice"),
        (FIRST % '{"seat": 1, "name": "Ana"}, {"seat": 7, "name": "Bo"}', "seat"),
        (FIRST % '{"seat": 1, "name": "Ana"}, {"seat": 2}', "name"),
        (FIRST % '{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Bo", "age": 8}', "age"),
        ("﻿" + ANA_AND_BO, "not JSON"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused(first: str, why: str) -> None:
    damaged = refused(first + "\n")
    assert damaged.line == 1
    assert why in damaged.why


def test_an_empty_file_is_no_record() -> None:
    assert "empty" in refused(b"").why


def test_a_record_is_utf_8() -> None:
    damaged = refused(ANA_AND_BO.encode() + b"\n" + PRESS.encode("utf-16"))
    assert (damaged.line, damaged.why) == (2, "not UTF-8 at byte 1")


def test_a_line_ends_only_at_a_line_feed() -> None:
    name = "A\u2028B\x85C"
    record_file.decode((FIRST % f'{{"seat": 1, "name": "{name}"}}, {{"seat": 2, "name": "Bo"}}').encode())


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
SEATS = st.integers(1, 6)
AT = st.integers(-(10**12), 10**12).map(lambda us: us / 1_000_000)
PLACE = st.sampled_from(["seat-1", "centre", "prison"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
EVENTS = st.one_of(
    st.builds(Tapped, st.just(2), AT, PLACE, TEXTS.filter(lambda text: text != "?"), TEXTS),
    st.builds(Lifted, st.just(2), AT, PLACE, TEXTS),
    st.builds(Pressed, st.just(2), AT, SEATS, TEXTS),
    st.builds(Said, st.just(2), AT, SEATS | st.just("host"), TEXTS, JSON),
    st.builds(Elapsed, st.just(2), AT, TEXTS),
)


@given(EVENTS)
def test_what_is_written_is_read_again(event: object) -> None:
    line = record_file.encode_line(event)  # type: ignore[arg-type]
    assert record_file.decode_line(line) == event
    assert record_file.decode(ANA_AND_BO.encode() + b"\n" + line)[1] == event


@given(st.binary(max_size=200))
def test_any_bytes_are_a_record_or_damaged(data: bytes) -> None:
    with pytest.raises(Damaged):
        record_file.decode(data)


def test_a_retraction_can_be_retracted() -> None:
    lines = [ANA_AND_BO, PRESS, '{"seq": 3, "at": 2, "kind": "retracted", "target": 2}']
    lines.append('{"seq": 4, "at": 2, "kind": "retracted", "target": 3, "by": "phone"}')
    assert record_file.decode("\n".join(lines).encode())[3] == Retracted(4, 2.0, 3, "phone")


@pytest.mark.parametrize(("game", "options"), [("stop-it", {"tie_window": 59.999}), ("go", {"target": 1000})])
def test_an_option_at_its_bound_is_good(game: str, options: dict[str, float]) -> None:
    record_file.decode(started(game=game, options=options).encode())
