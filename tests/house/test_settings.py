"""What of table.toml is for the house: mistakes are told with their line before anything starts."""

from pathlib import Path

import pytest

from companion.config import load
from companion.settings import ConfigFault
from tests.test_config import GOOD, write

HOUSE = """
[mqtt]
broker = "mqtt://home.local"
home_assistant = true

[[webhook]]
url = "http://192.168.1.20:8080/table?key=1"
events = ["winner", "shouted"]
"""
CLUB = '[club]\nbroker = "mqtt://h"\nclub = "c"\nname = "n"\nhome_assistant = true\n'


def test_a_table_needs_no_club_to_tell_its_house(tmp_path: Path) -> None:
    table = load(write(tmp_path, GOOD + HOUSE))
    assert table.house is not None
    assert table.house.address == ("home.local", 1883)
    assert table.club is None
    assert [webhook.events for webhook in table.webhooks] == [("winner", "shouted")]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("mqtt://home.local", "home.local", "line 20: broker ="),
        ("http://192.168.1.20", "ftp://192.168.1.20", "it must be like"),
        ("http://192.168.1.20", "http://me:secret@192.168.1.20", "it must be like"),
        ("http://192.168.1.20:8080", "http://[half", "it must be like"),
        ("192.168.1.20:8080/table", "192.168.1.20:99999/table", "it must be like"),
        ('"winner", "shouted"', '"wins"', "line 25: there is no event 'wins'; known: all-laid-arrest,"),
        ("events", "event", "line 25: unknown setting 'event'"),
        ("[[webhook]]", "[webhook]", "write [[webhook]], with two brackets"),
        ("\n[[webhook]]", f"\n{CLUB}\n[[webhook]]", "line 21: home_assistant is true in [club] too"),
        ("[[webhook]]", '[[webhook]]\nurl = "http://h"\n' * 8 + "[[webhook]]", "9 webhooks: at most 8"),
    ],
)
def test_a_mistake_about_the_house_is_told(old: str, new: str, why: str, tmp_path: Path) -> None:
    assert old in HOUSE
    with pytest.raises(ConfigFault) as fault:
        load(write(tmp_path, GOOD + HOUSE.replace(old, new)))
    assert why in str(fault.value)
