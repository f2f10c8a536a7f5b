"""table.toml: a mistake is told with its line, the wrong value and the known ones."""

from pathlib import Path

import pytest

from companion.config import load
from companion.settings import ConfigFault

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


MULTIPLEXED = "multiplexer = 0x70\nchannel = "


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
        ('driver = "virtual"\nseats', 'driver = "pn532-uart"\nseats', 16, "for [[buzzers]]; known: gpiod, pico"),
        ("port = 8080", 'address = "http://[::1/"', 5, "write http://name or https://name:port"),
        ("port = 8080", 'address = "javascript:alert(1)"', 5, "write http://name"),
        ("port = 8080", 'address = "http://table:99999"', 5, "write http://name"),
        ("port = 8080", f'address = "http://{3000 * "x"}"', 5, "100 letters at most"),
        ("[page]", f'name = "{100_000 * "x"}"\n[page]', 4, "name has 100000 letters: write 100 at most"),
        ("port = 8080", 'origins = ["*"]', 5, "write each as browsers do, https://name"),
        ("port = 8080", 'origins = ["https://club.example/"]', 5, "write each as browsers do"),
        ('driver = "virtual"\nplace = "seat-1"', 'place = "seat-1"', 11, "no driver named"),
        ('place = "seat-1"', 'place = "seat-9"', 13, "unknown place 'seat-9'; known: seat-1"),
        ('place = "seat-1"', 'place = "centre"', 13, "a second reader at centre"),
        ('place = "seat-1"', "place = 1", 13, 'place = 1: it must be text in "quotes"'),
        ('place = "seat-1"', 'place = "seat-1"\nbaud = 9600', 14, "unknown setting 'baud'; known: place"),
        ('place = "seat-1"', "", 11, "the setting 'place' is missing"),
        ("seats = [1, 2]", "seats = [1, 7]", 17, "there is no seat 7"),
        ("seats = [1, 2]", "seats = [0]", 17, "there is no seat 0"),
        ("seats = [1, 2]", "seats = []", 17, "no seat named"),
        ("seats = [1, 2]", "seats = [1, 1]", 17, "a second buzzer for seat 1"),
        ("seats = [1, 2]", 'seats = "all"', 17, 'seats = "all": it must be a list'),
        ("port = 8080", "port = 80800", 5, "port = 80800 is out of range: 1 to 65535"),
        ("port = 8080", 'port = "http"', 5, 'port = "http": it must be a whole number'),
        ("port = 8080", "prot = 8080", 5, "unknown setting 'prot'; known: host, port, address"),
        (
            'log = "evenings.sqlite"',
            'lag = "evenings.sqlite"',
            1,
            "unknown setting 'lag'; known: name, language, seats, log, tags, reader, buzzers, webhook, page, shout",
        ),
        ('log = "evenings.sqlite"', "log = 3", 1, "log = 3: it must be text"),
        ("[page]", '[phones]\njoining = "all"\n[page]', 5, 'joining = "all": it must be "codes" or "open"'),
        ("[page]", "[shout]\nwindow = -1\n[page]", 5, "window = -1 is out of range: 0 to 1 seconds"),
        ("[page]", "[shout]\nwindow = nan\n[page]", 5, "0 to 1 seconds"),
        ("[page]", "[shout]\nwindow = 1e9\n[page]", 5, "0 to 1 seconds"),
        ('log = "evenings.sqlite"', 'log = "."', 1, "log = '.' is a folder: name a file"),
        ('tags = "tags.toml"', 'tags = "."', 2, "tags = '.' is a folder: name a file"),
        ('place = "seat-1"', 'place = "seat-1"\nname = "Window"', 14, "'name' is of the whole table: write it above"),
        ("port = 8080", 'log = "log.sqlite"', 5, "'log' is of the whole table: write it above the first [section]"),
        (
            'tags = "tags.toml"',
            "tags = tags.toml",
            2,
            'not TOML: Invalid value at column 8. Text stands in straight "quo',
        ),
        ('tags = "tags.toml"', 'tags = "tags.toml', 2, 'Text stands in straight "quotes"'),
        ('tags = "tags.toml"', "tags = “tags.toml”", 2, 'Text stands in straight "quotes"'),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, old: str, new: str, line: int, why: str) -> None:
    assert old in GOOD
    with pytest.raises(ConfigFault) as fault:
        load(write(tmp_path, GOOD.replace(old, new)))
    assert f"line {line}: " in str(fault.value)
    assert why in str(fault.value)


@pytest.mark.parametrize(
    ("driver", "setting", "why"),
    [
        ("pn532-uart", 'port = "/dev/ttyUSB0"\nbaud = "115200"', 'baud = "115200": it must be 115200 or 230400'),
        ("pn532-i2c", "channel = 1\nmultiplexer = 0x24", "multiplexer = 0x24 is out of range: 0x70 to 0x77"),
    ],
)
def test_a_number_is_told_as_it_is_to_be_written(tmp_path: Path, driver: str, setting: str, why: str) -> None:
    with pytest.raises(ConfigFault, match=why):
        load(write(tmp_path, f'[[reader]]\ndriver = "{driver}"\nplace = "centre"\n{setting}\n'))


def test_text_that_is_not_utf_8_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_bytes('log = "a"\nname = "Fenêtre"\n'.encode("latin-1"))
    with pytest.raises(ConfigFault, match=r"line 2: not UTF-8 text\. Save it as UTF-8"):
        load(tmp_path / "table.toml")


def test_broken_toml_is_told_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigFault, match="line 2"):
        load(write(tmp_path, 'log = "a"\n[[reader\n'))


@pytest.mark.parametrize("value", [9999 * "[", 9999 * "9"])
def test_toml_that_can_not_be_read_is_told(tmp_path: Path, value: str) -> None:
    with pytest.raises(ConfigFault, match="not TOML"):
        load(write(tmp_path, f"log = {value}\n"))


def test_a_hubs_file_is_called_one(tmp_path: Path) -> None:
    club = '[club]\nbroker = "mqtt://h"\nclub = "c"\nname = "n"\n'
    with pytest.raises(ConfigFault, match=r"line 5: this is a hub's file.*sqlite3 .*table\.sqlite .\.backup"):
        load(write(tmp_path, f"{club}[season]\nratings = true\n"))
    with pytest.raises(ConfigFault, match="if this is a hub's CLUB.toml, it is for `companion hub` alone"):  # noqa: RUF043
        load(write(tmp_path, club))


def test_a_table_that_senses_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigFault, match="senses nothing"):
        load(write(tmp_path, 'log = "a"\n'))


def test_two_devices_on_one_port_are_refused(tmp_path: Path) -> None:
    reader = '[[reader]]\ndriver = "pn532-uart"\nplace = "{}"\nport = "/dev/ttyUSB0"\n'
    with pytest.raises(ConfigFault, match=r"line 8: /dev/ttyUSB0 is used twice"):
        load(write(tmp_path, reader.format("seat-1") + reader.format("seat-2")))


@pytest.mark.parametrize(
    ("first", "second", "line", "twice"),
    [
        ("", "", 5, "/dev/spidev0.0"),
        ("chip_select = 5", "chip_select = 5", 8, "/dev/spidev0.0, GPIO 5"),
        ("chip_select = 5", "", 5, "/dev/spidev0.0"),
        ("", "chip_select = 5", 1, "/dev/spidev0.0"),
        ("chip_select = 5", "chip_select = 6\nreset = 5", 9, "GPIO 5"),
        ("reset = 4", 'bus = "/dev/spidev0.1"\nreset = 4', 9, "GPIO 4"),
    ],
)
def test_two_readers_on_one_chip_select_or_pin_are_refused(
    tmp_path: Path, first: str, second: str, line: int, twice: str
) -> None:
    reader = '[[reader]]\ndriver = "pn532-spi"\nplace = "{}"\n{}\n'
    with pytest.raises(ConfigFault, match=f"line {line}: {twice} is used twice"):
        load(write(tmp_path, reader.format("seat-1", first) + reader.format("seat-2", second)))


@pytest.mark.parametrize(
    ("driver", "first", "second", "why"),
    [
        ("spi", "reset = 11", "", "line 4: GPIO 11 is a wire of /dev/spidev0: take another"),
        ("spi", "chip_select = 11", "chip_select = 5", "line 4: GPIO 11 is a wire of /dev/spidev0"),
        ("i2c", "reset = 2", "", "line 4: GPIO 2 is a wire of /dev/i2c-1"),
        (
            "i2c",
            f"{MULTIPLEXED}0\nmultiplexer_reset = 22",
            f"{MULTIPLEXED}1\nreset = 22",
            "line 12: GPIO 22 is the RESET of",
        ),
        (
            *("i2c", f"{MULTIPLEXED}0\nmultiplexer_reset = 22", f"{MULTIPLEXED}1\nmultiplexer_reset = 23"),
            "line 12: the RESET of /dev/i2c-1, multiplexer 0x70 is GPIO 22",
        ),
    ],
)
def test_a_pin_of_what_readers_share_is_no_pin_for_another_use(
    tmp_path: Path, driver: str, first: str, second: str, why: str
) -> None:
    reader = f'[[reader]]\ndriver = "pn532-{driver}"\nplace = "{{}}"\n{{}}\n'
    with pytest.raises(ConfigFault, match=why):
        load(write(tmp_path, reader.format("seat-1", first) + reader.format("seat-2", second)))


@pytest.mark.parametrize(
    ("driver", "first", "second"),
    [
        ("spi", 'bus = "/dev/spidev0.0"', 'bus = "/dev/spidev0.1"'),
        ("spi", "chip_select = 5\nreset = 4", "chip_select = 6\nreset = 17"),
        ("i2c", f"{MULTIPLEXED}0\nmultiplexer_reset = 22", f"{MULTIPLEXED}1\nmultiplexer_reset = 22"),
    ],
)
def test_two_readers_that_share_a_bus_are_taken(tmp_path: Path, driver: str, first: str, second: str) -> None:
    reader = f'[[reader]]\ndriver = "pn532-{driver}"\nplace = "{{}}"\n{{}}\n'
    assert len(load(write(tmp_path, reader.format("seat-1", first) + reader.format("seat-2", second))).sensors) == 2


@pytest.mark.parametrize("second", ["", "multiplexer = 0x70\nchannel = 0"])
def test_an_i2c_reader_alone_and_one_behind_a_multiplexer_are_refused_on_one_bus(tmp_path: Path, second: str) -> None:
    reader = '[[reader]]\ndriver = "pn532-i2c"\nplace = "{}"\n{}\n'
    with pytest.raises(ConfigFault, match=r"/dev/i2c-1.* is used twice"):
        load(write(tmp_path, reader.format("seat-1", "") + reader.format("seat-2", second)))


@pytest.mark.parametrize(
    ("settings", "line", "why"),
    [
        ("seats = [1, 2]\nlines = [17]", 4, "'lines' has 1 numbers, but 'seats' 2: one line per seat"),
        ("seats = [1, 2]\nlines = [17, 17]", 4, "each once: (17, 17)"),
        ("seats = [1, 2]\nlines = [17, -1]", 4, "GPIO numbers from 0"),
        ('seats = [1]\nlines = [17]\npull = "upp"', 5, "'pull' = 'upp' is unknown; known: up, down, none"),
        ("seats = [1]\nlines = [17]\nactive_low = 1", 5, "active_low = 1: it must be true or false"),
        ("seats = [1]", 1, "the setting 'lines' is missing"),
        ("seats = [1]\nlines = [17]\nactive_low = false", 5, 'set pull = "down", or "none"'),
        ("seats = [1]\nlines = [17]\npull = 'down'", 5, "'pull' = \"down\" makes a press of rest"),
        ("seats = [1]\nlines = [9]\n[[reader]]\ndriver = 'pn532-spi'\nplace = 'seat-1'", 4, "GPIO 9 is a wire of"),
        ("seats = [1]\nlines = [17]\n[[reader]]\ndriver = 'pn532-spi'\nplace = 'seat-1'\nreset = 17", 4, "GPIO 17 is"),
    ],
)
@pytest.mark.parametrize("driver", ["gpiod", "rpi-gpio"])
def test_buttons_on_lines_are_checked(tmp_path: Path, driver: str, settings: str, line: int, why: str) -> None:
    with pytest.raises(ConfigFault) as fault:
        load(write(tmp_path, f'[[buzzers]]\ndriver = "{driver}"\n{settings}\n'))
    assert f"line {line}: " in str(fault.value)
    assert why in str(fault.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigFault, match="can't read"):
        load(tmp_path / "none.toml")


def test_how_far_apart_two_presses_must_be_is_the_buttons_affair(tmp_path: Path) -> None:
    box = '[[buzzers]]\ndriver = "pico"\nport = "/dev/ttyACM0"\nseats = [1, 2]\n'
    header = '[[buzzers]]\ndriver = "{}"\nseats = [3, 4]\nlines = [5, 6]\n'
    assert load(write(tmp_path, box)).apart == 1e-6
    assert load(write(tmp_path, header.format("rpi-gpio"))).apart == 0.02
    assert load(write(tmp_path, box + header.format("gpiod"))).apart == 0.005  # two clocks
    assert load(write(tmp_path, box + header.format("rpi-gpio"))).apart == 0.02


CLUB = """
[club]
broker = "mqtts://hub.local"
club = "wednesday"
name = "Window table"
user = "window"
password_file = "club-password"
"""


def test_the_clubs_files_lie_beside_the_table(tmp_path: Path) -> None:
    club = load(write(tmp_path, GOOD + CLUB)).club
    assert club is not None
    assert club.address == ("hub.local", 8883)
    assert club.password_file == str(tmp_path / "club-password")
    assert load(write(tmp_path, GOOD)).club is None


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("mqtts://hub.local", "http://hub.local", 'line 20: broker = "http://hub.local": it must be like "mqtt://host'),
        ("mqtts://hub.local", "mqtt://hub.local:high", "it must be like"),
        ("mqtts://hub.local", "mqtt://hub.local:82290", 'hub.local:82290": a port is at most 65535'),
        ("mqtts://hub.local", "mqtt://[hub", "it must be like"),
        ("mqtts://hub.local", "mqtt://me:secret@hub.local", "line 20: broker: write the user in user"),
        ('"wednesday"', '"Wednesday!"', 'line 21: club = "Wednesday!": up to 32 of a-z, 0-9 and -'),
        ('user = "window"', "", "line 24: whose password?"),
        ('mqtts://hub.local"', 'mqtt://hub.local"\nca = "ca.crt"', "line 21: ca vouches for no broker without TLS"),
        ('name = "Window table"\n', "", "the setting 'name' is missing"),
        ('"club-password"', '"table.toml"', "line 24: password_file = 'table.toml' is another of the table's files"),
        (
            '"club-password"',
            '"~nobody-at-all/p"',
            "line 24: password_file = '~nobody-at-all/p': there is no such user's",
        ),
    ],
)
def test_a_mistake_in_the_club_is_told(tmp_path: Path, old: str, new: str, why: str) -> None:
    with pytest.raises(ConfigFault) as wrong:
        load(write(tmp_path, GOOD + CLUB.replace(old, new)))
    assert why in str(wrong.value)
    assert "secret" not in str(wrong.value)
