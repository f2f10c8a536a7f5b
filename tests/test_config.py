"""table.toml: a mistake is told with its line, the wrong value and the known ones."""

from pathlib import Path

import pytest

from companion.config import ConfigFault, load

GOOD = """\
log = "evenings.sqlite"
tags = "tags.toml"

[page]
port = 8080

[[reader]]
driver = "virtual"
place = "centre"

[[reader]]
driver = "virtual"
place = "seat-1"

[[buzzers]]
driver = "virtual"
seats = [1, 2]
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_good_file_is_read(tmp_path: Path) -> None:
    table = load(write(tmp_path, GOOD))
    assert table.log == tmp_path / "evenings.sqlite"
    assert table.tags == tmp_path / "tags.toml"
    assert table.page.port == 8080
    assert [sensor.place for sensor in table.sensors[:2]] == ["centre", "seat-1"]
    assert table.sensors[2].seats == (1, 2)
    assert table.simulated


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ('driver = "virtual"\nplace = "seat-1"', 'driver = "pn533"\nplace = "seat-1"', 12, "unknown driver 'pn533'"),
        ('driver = "virtual"\nplace = "seat-1"', 'driver = "pico"\nplace = "seat-1"', 12, "pn532-uart, virtual"),
        ('driver = "virtual"\nseats', 'driver = "pn532-uart"\nseats', 16, "for [[buzzers]]; known: pico, virtual"),
        ('driver = "virtual"\nplace = "seat-1"', 'place = "seat-1"', 11, "no driver named"),
        ('place = "seat-1"', 'place = "seat-9"', 13, "unknown place 'seat-9'; known: seat-1"),
        ('place = "seat-1"', 'place = "centre"', 13, "a second reader at centre"),
        ('place = "seat-1"', "place = 1", 13, "Expected 'str', got 'int'"),
        ('place = "seat-1"', 'place = "seat-1"\nbaud = 9600', 14, "unknown setting 'baud'; known: place"),
        ('place = "seat-1"', "", 11, "the setting 'place' is missing"),
        ("seats = [1, 2]", "seats = [1, 7]", 17, "there is no seat 7"),
        ("seats = [1, 2]", "seats = [1, 1]", 17, "a second buzzer for seat 1"),
        ("seats = [1, 2]", 'seats = "all"', 17, "got 'str'"),
        ("port = 8080", "port = 80800", 5, "1 to 65535"),
        ("port = 8080", 'port = "http"', 5, "got 'str'"),
        ("port = 8080", "prot = 8080", 5, "unknown setting 'prot'; known: host, port, address"),
        (
            'log = "evenings.sqlite"',
            'lag = "evenings.sqlite"',
            1,
            "unknown setting 'lag'; known: log, tags, reader, buzzers, page, shout",
        ),
        ('log = "evenings.sqlite"', "log = 3", 1, "got 'int'"),
        ("[page]", "[shout]\nwindow = -1\n[page]", 5, "0 to 1.0 seconds"),
        ("[page]", "[shout]\nwindow = nan\n[page]", 5, "0 to 1.0 seconds"),
        ("[page]", "[shout]\nwindow = 1e9\n[page]", 5, "0 to 1.0 seconds"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, old: str, new: str, line: int, why: str) -> None:
    assert old in GOOD
    with pytest.raises(ConfigFault) as told:
        load(write(tmp_path, GOOD.replace(old, new)))
    assert f"line {line}: " in str(told.value)
    assert why in str(told.value)


def test_broken_toml_is_told_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigFault, match="line 2"):
        load(write(tmp_path, 'log = "a"\n[[reader\n'))


def test_a_table_that_senses_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigFault, match="senses nothing"):
        load(write(tmp_path, 'log = "a"\n'))


def test_two_devices_on_one_port_are_refused(tmp_path: Path) -> None:
    reader = '[[reader]]\ndriver = "pn532-uart"\nplace = "{}"\nport = "/dev/ttyUSB0"\n'
    with pytest.raises(ConfigFault, match=r"line 8: /dev/ttyUSB0 is used twice"):
        load(write(tmp_path, reader.format("seat-1") + reader.format("seat-2")))


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigFault, match="can't read"):
        load(tmp_path / "none.toml")
