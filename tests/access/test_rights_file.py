"""What phones may be is on disk before anybody is told, whole or not at all."""

import json
import os
import stat
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.access import seat_rights
from companion.access.presence import AFTER_A_START, HAS_A_SAY
from companion.access.rights_file import Phones, PhonesFault
from companion.access.seat_rights import HOST, NoSuchCode, Rights
from companion.errors import NotKept
from companion.player_names import key
from tests.access.codes import hand_on, renew
from tests.web.table import Clock


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.sqlite.phones"


def code_of(phones: Phones, part: int) -> str:
    return phones.rights.codes[part]


def test_rights_survive_a_power_cut(path: Path) -> None:
    phones_before = Phones(path)
    assert phones_before.claim("bo", code_of(phones_before, 3)) == 3
    hand_on(phones_before, 3)
    assert Phones(path).rights == phones_before.rights


def test_only_its_owner_may_read_the_file(path: Path) -> None:
    Phones(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_was_half_written_is_not_taken_up(path: Path) -> None:
    phones_before = Phones(path)
    path.with_name(f"{path.name}.new").write_bytes(b'{"codes":')
    assert Phones(path).rights == phones_before.rights


WHOLE = {
    "codes": {str(part): f"CODE{part}CODE{part}" for part in seat_rights.PARTS},
    "holders": {"3": "bo"},
    "passing": {"3": "CODE7CODE7"},
    "gone": {"4": {"name": "Cy", "phone": "cy", "face": {"animal": "owl", "colour": "green"}, "told": 2}},
    "people": {
        "seated": {"3": {"name": "Bo", "face": {"animal": "cat", "colour": "blue"}}},
        "corrected": {"1": {"3": "Bob"}},
        "worn": {"1": {"3": {"animal": "cat", "colour": "blue"}}},
        "terms": [{"name": "Autumn", "begins": "2026-09-21", "ends": "2026-12-21"}],
    },
}
"""What a file may say."""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"codes":{}}',
        "\xff",
        '{"x":' + 99_999 * "[",
        '{"codes":{"0":"A"},"holders":{}}',
        json.dumps(WHOLE | {"codes": {"7": "A"}}),
        json.dumps(WHOLE | {"holders": {"7": "bo"}}),
        json.dumps(WHOLE | {"passing": {"-1": "A"}}),
        json.dumps(WHOLE | {"gone": {"0": WHOLE["gone"]["4"]}}),
        *(
            json.dumps(WHOLE).replace(was, instead)
            for was, instead in {
                '"seated": {"3"': '"seated": {"7"',
                '"corrected": {"1"': '"corrected": {"-1"',
                '{"3": "Bob"}': '{"7": "Bob"}',
                '"worn": {"1": {"3"': '"worn": {"1": {"7"',
                "cat": "bat",
                "green": "greeN",
                '"told": 2': '"told": -2',
                "09-21": "09-31",
                "12-21": "12-q1",
            }.items()
        ),
    ],
)
def test_a_damaged_file_is_told_and_left_as_it_is(path: Path, text: str) -> None:
    path.write_text(text, encoding="latin-1")
    with pytest.raises(PhonesFault, match=r"is damaged .* move it away, .* hidden pages, .* are lost"):
        Phones(path)
    assert path.read_text(encoding="latin-1") == text


def test_what_the_damaged_ones_are_made_of_is_whole(path: Path) -> None:
    path.write_text(json.dumps(WHOLE))
    assert Phones(path).rights.people.corrected == {1: {3: "Bob"}}


def test_a_pipe_in_its_place_is_told_and_not_waited_for(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(PhonesFault, match="is no ordinary file"):
        Phones(path)


def test_what_can_not_be_stored_is_told_and_not_so(path: Path) -> None:
    table = Phones(path)
    rights_before = table.rights
    path.with_name(f"{path.name}.new").mkdir()
    with pytest.raises(NotKept, match="can't write"):
        table.claim("bo", code_of(table, 3))
    assert table.rights == rights_before
    path.with_name(f"{path.name}.new").rmdir()
    assert table.claim("bo", code_of(table, 3)) == 3


def test_everybody_who_watches_hears_of_a_change(path: Path) -> None:
    table = Phones(path)
    heard = []
    table.watch(lambda: heard.append(seat_rights.who(table.rights, "bo").parts))
    table.claim("bo", code_of(table, 3))
    assert heard == [{3}]


def test_wrong_codes_keep_nobody_out(path: Path) -> None:
    table = Phones(path)
    for _ in range(3000):
        with pytest.raises(NoSuchCode):
            table.claim("guesser", "ZZZZZZZZZZ")
    assert table.claim("bo", code_of(table, 3)) == 3


def test_codes_from_a_time_when_they_were_shorter_are_replaced(path: Path) -> None:
    phones_before = Phones(path)
    phones_before.claim("bo", code_of(phones_before, 3))
    short = {part: code[:6] for part, code in phones_before.rights.codes.items()}
    phones_before.change(lambda rights: Rights(short, rights.holders, {3: "K7QM2X"}))
    rights_after = Phones(path).rights
    assert {len(code) for code in rights_after.codes.values()} == {seat_rights.LENGTH}
    assert (rights_after.holders, rights_after.passing) == ({3: "bo"}, {})
    assert Phones(path).rights == rights_after


def test_a_phone_has_a_say_for_an_hour_after_it_was_seen(path: Path) -> None:
    clock = Clock()
    table = Phones(path, clock)
    table.claim("bo", code_of(table, 3))
    clock.now += HAS_A_SAY - 1
    assert table.in_the_room("bo")
    table.here(seat_rights.who(table.rights, "bo"))
    clock.now += HAS_A_SAY - 1
    assert table.in_the_room("bo")
    clock.now += 2
    assert not table.in_the_room("bo")


def test_after_a_start_phones_are_given_time_to_come_back(path: Path) -> None:
    clock = Clock()
    table = Phones(path, clock)
    assert table.in_the_room("bo")
    clock.now += AFTER_A_START + 1
    assert not table.in_the_room("bo")


def test_new_codes_open_and_the_old_ones_do_not(path: Path) -> None:
    table = Phones(path)
    old = code_of(table, 3)
    renew(table)
    with pytest.raises(NoSuchCode):
        table.claim("bo", old)
    assert table.claim("bo", code_of(table, 3)) == 3
    assert table.claim("bo", code_of(table, HOST)) == HOST


def test_whoever_hid_their_page_under_an_earlier_spelling_of_names_stays_hidden(path: Path) -> None:
    phones = Phones(path)
    phones.change(
        lambda rights: replace(rights, people=replace(rights.people, hidden=("n’golo", "jean\u2011luc", "ana")))
    )
    assert Phones(path).rights.people.hidden == (key("N'Golo"), key("Jean-Luc"), "ana")


@pytest.mark.parametrize("on_table", [7, 6, None])
def test_a_start_finds_the_rights_of_a_match_just_when_it_is_on_the_table(path: Path, on_table: int | None) -> None:
    """The table stopped between two files: whether the match has begun, its log says."""
    phones = Phones(path)
    phones.prepare(7, lambda rights: replace(rights, holders={3: "bo"}))
    assert phones.rights.holders == {}
    phones.change(lambda rights: replace(rights, holders={1: "ana"}))
    for _ in range(2):
        phones = Phones(path)
        phones.find_on_table(on_table)
        assert phones.rights.holders == ({3: "bo"} if on_table == 7 else {1: "ana"})


def test_a_match_that_has_begun_leaves_nothing_prepared(path: Path) -> None:
    phones = Phones(path)
    phones.prepare(7, lambda rights: replace(rights, holders={3: "bo"}))
    phones.arrive(lambda rights: replace(rights, holders={5: "cleo"}))
    phones = Phones(path)
    phones.find_on_table(7)
    assert phones.rights.holders == {5: "cleo"}


def test_a_match_that_did_not_begin_leaves_nothing_prepared(path: Path) -> None:
    phones = Phones(path)
    phones.prepare(7, lambda rights: replace(rights, holders={3: "bo"}))
    phones.give_up()
    phones = Phones(path)
    phones.find_on_table(7)
    assert phones.rights.holders == {}
