"""What the setup makes of a `table.toml`: what was written by hand stays."""

import tomllib
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.config import load
from companion.devices.check.walk import Act, Step
from companion.devices.drivers import gpiod, pico, pn532_spi, pn532_uart
from companion.setup.plugged_in import where_is
from companion.setup.session import devices_of, of_table, placed
from companion.setup.table_file import OUT, drafted
from companion.setup.table_plan import Attached, TablePlan

LEFT = Attached("left", pn532_uart.Reader(place="left", port="/dev/left"))
BOX = Attached("box", pico.Buzzers(port="/dev/box", seats=(1, 2, 3)))
PAD_1 = Step(Act.LAY, "seat-1")
PRESS_1 = Step(Act.PRESS, "seat-1")
PRESS_2 = Step(Act.PRESS, "seat-2")
BY_HAND = """\
# Ours since 2024.
log = "evenings.sqlite"   # keep

[page]
port = 9000

# the good one
[[reader]]
place = "centre"   # was seat 2
driver = "pn532-uart"
port = "/dev/left"
reset = 17

[[reader]]
place = "seat-2"
driver = "pn532-uart"
port = "/dev/gone"

[shout]
window = 0.02
"""


def plan(**more: object) -> TablePlan:
    return TablePlan(name="Ours", language="fr", devices=(LEFT, BOX), **more)  # type: ignore[arg-type]


def test_a_new_file_is_what_every_table_is_read_by(tmp_path: Path) -> None:
    draft = drafted("", plan(belongs={PAD_1: ("left", 0), PRESS_1: ("box", 2), PRESS_2: ("box", 1)}))
    (tmp_path / "table.toml").write_text(draft.text)
    table = load(tmp_path / "table.toml")
    assert (table.name, table.language, table.places, table.seats) == ("Ours", "fr", ("seat-1",), (2, 1))
    assert table.tags


def test_what_was_written_by_hand_stays_and_what_goes_stays_as_a_comment() -> None:
    reader = pn532_uart.Reader(place="left", port="/dev/left", reset=17)
    draft = drafted(BY_HAND, TablePlan(devices=(Attached("left", reader),), belongs={PAD_1: ("left", 0)}))
    tables = tomllib.loads(draft.text)
    assert tables["reader"] == [{"place": "seat-1", "driver": "pn532-uart", "port": "/dev/left", "reset": 17}]
    assert (tables["page"], tables["shout"]) == ({"port": 9000}, {"window": 0.02})
    for line in ("# Ours since 2024.", "# keep", "# the good one", "# was seat 2", OUT, '# port = "/dev/gone"'):
        assert line in draft.text
    assert draft.out == ("pn532_uart, /dev/gone",)


def test_the_same_table_is_the_same_text() -> None:
    once = drafted("", plan(belongs={PAD_1: ("left", 0), PRESS_1: ("box", 1)}))
    assert drafted(once.text, plan(belongs={PAD_1: ("left", 0), PRESS_1: ("box", 1)})).text == once.text


def test_a_button_that_nobody_pressed_takes_a_seat_that_is_free() -> None:
    draft = drafted("", plan(belongs={PRESS_1: ("box", 1), PRESS_2: ("box", 3)}))
    assert draft.sensors[0].seats == (1, 3, 2)


def test_of_buttons_on_the_header_only_those_that_were_pressed_are_written() -> None:
    header = Attached("header", gpiod.Buzzers(seats=(1, 2, 3), lines=(12, 16, 20)))
    draft = drafted("", TablePlan(devices=(header,), belongs={PRESS_1: ("header", 3), PRESS_2: ("header", 1)}))
    assert (draft.sensors[0].seats, draft.sensors[0].lines) == ((1, 2), (20, 12))


def test_a_reader_on_a_bus_keeps_its_pins() -> None:
    reader = pn532_spi.Reader(place="x", chip_select=4, reset=17, speed=500_000)
    text = drafted("", TablePlan(devices=(Attached("x", reader),), belongs={PAD_1: ("x", 0)})).text
    assert tomllib.loads(text)["reader"] == [
        {"place": "seat-1", "driver": "pn532-spi", "chip_select": 4, "speed": 500_000, "reset": 17}
    ]


BY_THE_GUIDE = {"centre": 17, "seat-1": 18}
RIGHT = Attached("right", pn532_uart.Reader(place="right", port="/dev/right"))
CENTRE_PAD = Step(Act.LAY, "centre")


def resets(old: str, plan: TablePlan) -> dict[str, int | None]:
    return {reader["place"]: reader.get("reset") for reader in tomllib.loads(drafted(old, plan).text)["reader"]}


def test_a_new_reader_on_a_serial_port_of_a_pi_is_reset_by_the_pin_of_its_place_in_the_guide() -> None:
    pads = {CENTRE_PAD: ("right", 0), PAD_1: ("left", 0)}
    on_a_pi = TablePlan(devices=(LEFT, RIGHT), belongs=pads, reset_pins=BY_THE_GUIDE)
    assert resets("", on_a_pi) == {"centre": 17, "seat-1": 18}
    assert [sensor.reset for sensor in drafted("", on_a_pi).sensors] == [17, 18]
    assert resets("", replace(on_a_pi, reset_pins={})) == {"centre": None, "seat-1": None}


def test_a_reader_in_the_file_keeps_its_reset_and_its_lack_of_one_and_no_pin_is_taken_twice() -> None:
    reader = Attached("left", pn532_uart.Reader(place="left", port="/dev/left", reset=17))
    pads = {CENTRE_PAD: ("right", 0), PAD_1: ("left", 0)}
    swapped = TablePlan(devices=(reader, RIGHT), belongs=pads, reset_pins=BY_THE_GUIDE)
    assert resets(BY_HAND, swapped) == {"centre": None, "seat-1": 17}
    without = BY_HAND.replace("reset = 17\n", "")
    assert resets(without, TablePlan(devices=(LEFT,), belongs={PAD_1: ("left", 0)}, reset_pins=BY_THE_GUIDE)) == {
        "seat-1": None
    }


HEADER = Attached("header", gpiod.Buzzers(seats=(1, 2, 3), lines=(5, 6, 13)))
SWAPPED = TablePlan(seats=2, devices=(HEADER,), belongs={PRESS_1: ("header", 2), PRESS_2: ("header", 1)})
FORMATTED = {
    "arrays over several lines, with comments": """\
[[buzzers]]
driver = "gpiod"
seats = [
  1,
  2, # Bo's
]
lines = [
  5, # Ana's wires
  6, # Bo's
]
""",
    "aligned, with quoted keys": """\
[[ buzzers ]] # the box's
  "driver" = 'gpiod'
  "seats"  = [ 1, 2 ]  # "left" first
  'lines'  = [ 5, 6 ]  # Ana's wires
""",
    "other sections in between": """\
[[buzzers]]
driver = "gpiod"
seats = [1, 2] # it's so
lines = [5, 6] # Ana's wires

# the page's
[page]
port = 9000
""",
    "as one value": """\
buzzers = [{ driver = "gpiod", seats = [1, 2], lines = [5, 6] }] # Ana's wires
""",
    "with line ends of Windows": '[[buzzers]]\r\ndriver = "gpiod"\r\nseats = [1, 2]\r\nlines = [5, 6] # Ana\'s\r\n',
}


@pytest.mark.parametrize("text", FORMATTED.values(), ids=FORMATTED.keys())
def test_what_a_formatter_wrote_is_changed_where_it_must_be_and_stays_otherwise(text: str) -> None:
    text = f'tags = "t"\n\n{text}'
    swapped = text.replace("5", "@").replace("6", "5").replace("@", "6")
    assert drafted(text, SWAPPED).text == swapped


def test_a_device_written_as_a_value_is_taken_out_as_a_comment_and_a_new_one_joins() -> None:
    text = 'reader = [{ driver = "pn532-uart", place = "centre", port = "/dev/gone" }] # Ana\'s\n\n[page]\nport = 1\n'
    draft = drafted(text, TablePlan(devices=(LEFT,), belongs={PAD_1: ("left", 0)}))
    tables = tomllib.loads(draft.text)
    assert tables == {
        "reader": [{"place": "seat-1", "driver": "pn532-uart", "port": "/dev/left"}],
        "tags": "tags.toml",
        "seats": 6,
        "page": {"port": 1},
    }
    assert draft.out == ("pn532_uart, /dev/gone",)
    for comment in (OUT, '"/dev/gone"', "# Ana's"):
        assert comment in draft.text


def test_how_many_seats_there_are_is_written_where_devices_do_not_say_it() -> None:
    plan = TablePlan(devices=(HEADER,), belongs={PRESS_1: ("header", 2), PRESS_2: ("header", 1)})
    assert tomllib.loads(drafted("", replace(plan, seats=4)).text)["seats"] == 4
    assert "seats" not in tomllib.loads(drafted("", replace(plan, seats=2)).text)
    assert tomllib.loads(drafted("seats = 4", replace(plan, seats=2)).text)["seats"] == 2


def test_readers_with_other_sections_in_between_keep_their_places_in_the_file() -> None:
    text = BY_HAND.replace("[shout]", "# and\n[shout]") + '\n[[reader]] # third\nplace = "seat-3"\n'
    text += 'driver = "pn532-uart"\nport = "/dev/third"\n'
    devices = tuple(
        Attached(name, pn532_uart.Reader(place="x", port=f"/dev/{name}", reset=reset))
        for name, reset in (("left", 17), ("gone", None), ("third", None))
    )
    belongs = {Step(Act.LAY, f"seat-{n}"): (device.name, 0) for n, device in enumerate(devices, 1)}
    draft = drafted(text, TablePlan(seats=3, devices=devices, belongs=belongs))
    assert draft.text == text.replace('"centre"', '"seat-1"').replace(
        'log = "evenings.sqlite"   # keep\n', 'log = "evenings.sqlite"   # keep\ntags = "tags.toml"\n'
    )


@pytest.mark.parametrize("name", ["one-reader", "four-seats", "six-seats"])
def test_the_tables_of_the_guide_stay_as_they_are(name: str) -> None:
    path = Path(__file__).parents[2] / "hardware/tables" / f"{name}.toml"
    table = load(path)
    devices = tuple(Attached(where_is(device), device) for device in devices_of(table))
    plan = replace(placed(of_table(table), table), devices=devices)
    assert drafted(path.read_text(), plan).text == path.read_text()


@pytest.mark.parametrize("end", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_only_a_line_feed_ends_a_line_of_what_was_written_by_hand(end: str) -> None:
    comment = f"# ours{end}page = 1"
    try:
        tomllib.loads(comment)
    except tomllib.TOMLDecodeError:
        pytest.skip("TOML itself allows no such comment")
    assert comment in drafted(f"{comment}\n{BY_HAND}", TablePlan()).text


def test_a_table_set_up_without_phones_says_so_and_one_with_them_does_not() -> None:
    without = drafted("", plan(phones_in_play=False, belongs={PAD_1: ("left", 0)})).text
    assert tomllib.loads(without)["phones"] == {"in_play": False}
    again = drafted(without, plan(phones_in_play=True, belongs={PAD_1: ("left", 0)})).text
    assert tomllib.loads(again).get("phones", {}) == {}


def test_what_else_is_said_of_phones_stays() -> None:
    written = '[phones]\njoining = "codes"  # ours\n'
    without = drafted(written, plan(phones_in_play=False, belongs={PAD_1: ("left", 0)})).text
    assert tomllib.loads(without)["phones"] == {"joining": "codes", "in_play": False}
    assert "# ours" in without
