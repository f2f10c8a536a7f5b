"""Pins and names agree: in the wiring, the firmware, the example tables and the list of parts."""

import csv
import math
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from companion import config
from companion.devices.drivers import gpiod, pico, pn532_spi, pn532_uart
from firmware.pins import BUTTONS, LAMPS, PAD
from hardware import cables, draw, parts, prints
from hardware.pcb import boards
from tests.hardware.wiring import ROOT, Nets, harness, joined, labels, nets
from tests.needs import needs

# What the pins of a Raspberry Pi's header are, from pin 1 on (pinout.xyz) …
_OUTER = "3V3 5V 2 5V 3 GND 4 14 GND 15 17 18 27 GND 22 23 3V3 24 10 GND"
_INNER = "9 25 11 8 GND 7 0 1 5 GND 6 12 13 GND 19 16 26 20 GND 21"
PI = {
    pin: f"PI: GPIO {name}" if name.isdigit() else f"PI: {name}"
    for pin, name in enumerate(f"{_OUTER} {_INNER}".split(), 1)
}
# … and those of a Raspberry Pi Pico (its data sheet, figure 2).
_LEFT = "GP0 GP1 GND GP2 GP3 GP4 GP5 GND GP6 GP7 GP8 GP9 GND GP10 GP11 GP12 GP13 GND GP14 GP15"
_RIGHT = "GP16 GP17 GND GP18 GP19 GP20 GP21 GND GP22 RUN GP26 GP27 GND GP28 ADC_VREF 3V3 3V3_EN GND VSYS VBUS"
PICO = {pin: f"PICO: {name}" for pin, name in enumerate(f"{_LEFT} {_RIGHT}".split(), 1)}

FIVE_VOLTS = re.compile(r": (lamp \+5V|5V|VCC|VBUS)$")
GROUND = re.compile(r": (button and lamp GND|lamp GND|GND|other contact)$")


GUIDE = (ROOT / "hardware/README.md").read_text(encoding="utf-8")


def table(name: str) -> config.Table:
    return config.load(ROOT / f"hardware/tables/{name}.toml")


def listed(name: str) -> dict[str, int]:
    """Return how many of each part are in the list of a table."""
    return {part.name: part.counts[parts.TABLES.index(name)] for part in parts.read()}


def needed(sensor: Any) -> Nets:
    """Return the nets a sensor needs for itself alone, by the settings of its driver."""
    reader = f"READER {getattr(sensor, 'place', '')}"
    match sensor:
        case pn532_uart.Reader(place=place, reset=reset):
            return joined(
                (f"USB {place}: RXD", f"{reader}: SDA/TXD"),
                (f"USB {place}: TXD", f"{reader}: SCL/RXD"),
                (f"PI: GPIO {reset}", f"{reader}: RSTPD_N"),
            )
        case pn532_spi.Reader(bus="/dev/spidev0.0", chip_select=select, reset=reset):
            return joined((f"PI: GPIO {select}", f"{reader}: SS"), (f"PI: GPIO {reset}", f"{reader}: RSTPD_N"))
        case gpiod.Buzzers(seats=seats, lines=lines, pull="up", active_low=True):
            return joined(
                *((f"PI: GPIO {line}", f"BUTTON {seat}: contact") for seat, line in zip(seats, lines, strict=True))
            )
        case pico.Buzzers():
            return set()  # box.yaml
    raise AssertionError(sensor)


def shared(sensors: tuple[Any, ...]) -> Nets:
    """Return the nets that all readers on the SPI bus share."""
    places = [sensor.place for sensor in sensors if isinstance(sensor, pn532_spi.Reader)]
    wires = {"SCK": 11, "MISO": 9, "MOSI": 10} if places else {}
    return joined(
        *((f"PI: GPIO {gpio}", *(f"READER {place}: {wire}" for place in places)) for wire, gpio in wires.items())
    )


@pytest.mark.parametrize("name", parts.TABLES)
def test_the_wiring_of_a_table_is_what_its_settings_say(name: str) -> None:
    sensors = table(name).sensors
    signals = {
        net for net in nets(harness(name)) if not any(FIVE_VOLTS.search(pin) or GROUND.search(pin) for pin in net)
    }
    assert signals == shared(sensors).union(*map(needed, sensors))


@pytest.mark.parametrize("name", parts.TABLES)
def test_every_reader_has_power_and_ground_from_where_its_signals_go(name: str) -> None:
    all_nets = nets(harness(name))
    for sensor in filter(lambda sensor: hasattr(sensor, "place"), table(name).sensors):
        source = f"USB {sensor.place}" if isinstance(sensor, pn532_uart.Reader) else "PI"
        for pin, at in (("VCC", "5V"), ("GND", "GND")):
            assert any({f"READER {sensor.place}: {pin}", f"{source}: {at}"} <= net for net in all_nets), sensor.place


@pytest.mark.parametrize("name", [*parts.TABLES, "box"])
def test_five_volts_meet_only_what_takes_five_volts(name: str) -> None:
    fed = [net for net in nets(harness(name)) if any(FIVE_VOLTS.search(pin) for pin in net)]
    assert fed
    assert all(FIVE_VOLTS.search(pin) for net in fed for pin in net)


@pytest.mark.parametrize("name", parts.TABLES)
def test_ground_meets_only_ground_and_every_button_on_the_header(name: str) -> None:
    grounds = [net for net in nets(harness(name)) if any(GROUND.search(pin) for pin in net)]
    assert all(GROUND.search(pin) for net in grounds for pin in net)
    for sensor in table(name).sensors:
        for seat in sensor.seats if isinstance(sensor, gpiod.Buzzers) else ():
            assert any({"PI: GND", f"BUTTON {seat}: other contact"} <= net for net in grounds)


@pytest.mark.parametrize("name", parts.TABLES)
def test_every_pin_of_the_pi_is_what_its_header_has_there(name: str) -> None:
    assert labels(harness(name), "PI").items() <= PI.items()


def test_every_pin_of_the_pico_is_what_its_board_has_there() -> None:
    assert labels(harness("box"), "PICO").items() <= PICO.items()


def test_the_box_is_wired_as_its_firmware_expects() -> None:
    pods = [f"POD {button}" for button in range(1, len(BUTTONS) + 1)]
    chain = zip([f"PICO: GP{LAMPS}", *(f"{pod}: lamp DOUT" for pod in pods)], pods, strict=False)
    assert nets(harness("box")) == joined(
        *((f"PICO: GP{pin}", f"{pod}: button") for pod, pin in zip(pods, BUTTONS, strict=True)),
        *((lit, f"{pod}: lamp DIN") for lit, pod in chain),
        (f"{pods[-1]}: lamp DOUT",),
        ("PICO: 3V3",),
        (f"PICO: GP{PAD}", "CENTRE LAMP: lamp DIN"),
        ("PICO: GND", "CENTRE LAMP: lamp GND", *(f"{pod}: button and lamp GND" for pod in pods)),
        ("PICO: VBUS", "CENTRE LAMP: lamp +5V", *(f"{pod}: lamp +5V" for pod in pods)),
    )


def test_every_button_of_the_box_is_pulled_up_and_twisted_with_ground() -> None:
    box = harness("box")
    assert "4.7 kΩ from each of button 1 to button 6 to 3V3" in box.connectors["STRIP"].notes
    for button in range(1, len(BUTTONS) + 1):
        strip = labels(box, "STRIP")
        cores = {
            colour: strip[wire.from_pin].removeprefix("STRIP: ")
            for wire, colour in zip(
                box.cables[f"seat {button}"].connections, box.cables[f"seat {button}"].colors, strict=True
            )
        }
        assert (cores["BU"], cores["WHBU"]) == (f"button {button}", "GND")


@pytest.mark.parametrize("name", parts.TABLES)
def test_the_first_button_is_the_first_seats(name: str) -> None:
    (buttons,) = [sensor for sensor in table(name).sensors if hasattr(sensor, "seats")]
    assert buttons.seats == tuple(range(1, len(buttons.seats) + 1))


@pytest.mark.parametrize("name", parts.TABLES)
def test_the_list_has_as_many_parts_as_the_table_needs(name: str) -> None:
    sensors = table(name).sensors
    readers = [sensor for sensor in sensors if hasattr(sensor, "place")]
    seats = sum(len(sensor.seats) for sensor in sensors if hasattr(sensor, "seats"))
    box = any(isinstance(sensor, pico.Buzzers) for sensor in sensors)
    needs = {
        "Raspberry Pi 4": 1,
        "PN532 board": len(readers) + 1,  # a spare
        "USB serial adapter": sum(isinstance(reader, pn532_uart.Reader) for reader in readers),
        "arcade button": seats,
        "Raspberry Pi Pico H": int(box),
        "USB cable for the Pico": int(box),
        "NeoPixel": (seats + 1) * box,
        "diode 1N4001": int(box),
        "capacitor 470 µF": box + (name == "six-seats"),
        "pod terminals": seats * box,
        "RJ45 sockets": len(readers) * (name == "six-seats"),
        "fuses of the pods": (seats + 1) * box,
        "fuses of the readers": len(readers) * (name == "six-seats"),
        "M3 × 8 screws": 4 * box + 4 * (name == "six-seats"),
        "M3 × 10 screws": 4 * (seats + box),  # the centre lamp has a pod too
        "M2.5 × 8 screws": 4,
        "wood screws": 2 * len(readers) + 2 * box + 2 * (name == "six-seats") + 4,
        "hook-and-loop tape": seats + 2 * box,  # and the hub
    }
    assert needs.items() <= listed(name).items()


@pytest.mark.parametrize("name", parts.TABLES)
def test_the_list_has_as_many_prints_as_the_table_needs(name: str) -> None:
    sensors = table(name).sensors
    readers = sum(hasattr(sensor, "place") for sensor in sensors)
    box = any(isinstance(sensor, pico.Buzzers) for sensor in sensors)
    needs = {
        "seat-pod": sum(len(sensor.seats) for sensor in sensors if hasattr(sensor, "seats")),
        "seat-pod-centre": int(box),
        "reader-puck": readers,
        "reader-frame": readers,
        "pi-tray": 1,
        "board-tray-box": int(box),
        "board-tray-bus": int(name == "six-seats"),
        "spacers": 1,
    }
    column = parts.TABLES.index(name)
    counts = {drawn: part.counts[column] for drawn, part in prints.PRINTS.items() if part.model != "card-jig"}
    assert counts == needs


def test_the_printed_boards_plugs_are_called_in_the_sheet_as_the_boards_print_them() -> None:
    printed = {text.text for text in boards.box().texts}
    sheet = cables.sheet().partition("## The printed box")[2].partition("## ")[0]
    plugs = {*re.findall(r"\| ([A-Z]+): \*\*[\w+]+\*\* \|", sheet)}
    poles = {*re.findall(r"\| [A-Z]+: \*\*([\w+]+)\*\* \|", sheet)}
    assert plugs == {"SEAT", "CENTRE"}
    assert {"CENTRE", *(f"SEAT {seat}" for seat in range(1, 7))} <= printed
    assert poles == {"GND", "+5V", "BTN", "DIN", "DOUT"}
    assert poles <= printed


def test_a_lamps_contacts_are_called_in_the_sheet_as_in_the_drawing() -> None:
    drawn = {
        label.rpartition("lamp ")[2]
        for connector in ("POD 1", "CENTRE LAMP")
        for label in labels(harness("box"), connector).values()
    }
    assert {*re.findall(r"LAMP: \*\*(?:lamp )?([\w+]+)\*\*", cables.sheet())} <= drawn


def cut(name: str) -> Counter[float]:
    """Return how many cables of each length a table has; a pod's is as long as that of its seat's reader."""
    drawn = harness(name).cables
    lengths = [cable.length for cable in drawn.values() if str(cable.type).startswith("Cat 5e cable")]
    if boxes := [sensor for sensor in table(name).sensors if isinstance(sensor, pico.Buzzers)]:
        lengths += [drawn[f"seat-{seat}"].length for seat in boxes[0].seats]
        lengths.append(harness("box").cables["centre"].length)
    return Counter(lengths)


@pytest.mark.parametrize("name", parts.TABLES)
def test_the_patch_cables_of_the_list_cut_in_half_are_the_cables_of_the_wiring(name: str) -> None:
    lengths = cut(name)
    for length in (1, 1.5):
        assert listed(name)[f"patch cable of {2 * length:g} m"] == math.ceil(lengths.pop(length, 0) / 2)
    assert not lengths


@pytest.mark.parametrize("name", parts.TABLES)
def test_the_list_has_as_many_metres_of_two_core_cable_and_clips_as_the_wiring(name: str) -> None:
    pairs = [cable.length for cable in harness(name).cables.values() if cable.type == "two-core cable"]
    assert listed(name)["two-core cable"] == sum(pairs) + (name == "six-seats"), "a metre from J8 to the push button"
    assert listed(name)["cable clips"] == math.ceil(3 * (sum(cut(name).elements()) + sum(pairs)))


def test_a_pods_cable_is_drawn_as_long_as_that_of_its_seats_reader() -> None:
    pods = harness("box").cables
    readers = harness("six-seats").cables
    for seat in range(1, 7):
        assert pods[f"seat {seat}"].length == readers[f"seat-{seat}"].length, seat


def test_the_guide_says_how_many_cables_of_each_length_there_are() -> None:
    (cables,) = re.findall(r"\*\*Cables:\*\* (.*?)\.\n", GUIDE, re.S)
    counted = re.findall(r"(\d+) × 1 m and (\d+) × 1.5 m", cables)
    assert [(int(short), int(long)) for short, long in counted] == [
        (lengths[1], lengths[1.5]) for lengths in map(cut, ("four-seats", "six-seats"))
    ]


@pytest.mark.parametrize("name", parts.TABLES)
def test_every_board_in_the_wiring_is_in_the_list(name: str) -> None:
    drawn = [str(connector.type) for connector in harness(name).connectors.values()]
    assert drawn.count("PN532 board") == listed(name)["PN532 board"] - 1, "a spare"
    assert drawn.count("USB serial adapter") == listed(name)["USB serial adapter"]


def test_no_two_wires_share_a_pin_of_the_pis_header() -> None:
    for name in parts.TABLES:
        ends = [
            (wire.from_name, wire.from_pin)
            for cable in harness(name).cables.values()
            for wire in cable.connections
            if wire.from_name == "PI"
        ]
        assert len(set(ends)) == len(ends), name


def test_the_guide_tries_a_reader_of_six_seats_on_the_pins_that_are_the_centres() -> None:
    (pins_told,) = re.findall(r"from the Pi's header: (.*?)\.\)", GUIDE)
    tried = {name: int(pin) for name, pin in re.findall(r"(\w+) to (?:pin )?(\d+)", pins_told)}
    assert tried.keys() == {"VCC", "GND", "SCK", "MISO", "MOSI", "SS"}
    for net in nets(harness("six-seats")):
        for end in tried:
            if f"READER centre: {end}" in net:
                assert PI[tried[end]] in net, end


def test_a_straight_flat_cable_joins_bus_board_and_pi_pin_by_pin() -> None:
    """Both seen from their parts: at the left the memory card and C1, above the header and J8."""
    bus = boards.bus()
    header = next(part for part in bus.parts if part.ref == "J8")
    big = next(part for part in bus.parts if part.kind is boards.C470U)
    assert header.turned == 90, "pin 3 is right of pin 1, pin 2 above it: as a Pi's are"
    assert big.at.x < header.at.x, "C1 marks the end where pin 1 is"
    (far_cm,) = re.findall(r"behind the bus board's, \d to (\d) cm apart", GUIDE)
    (cable,) = (part.what for part in parts.read() if part.name == "flat cable and box header")
    (length,) = re.findall(r"the cable (\d+) cm", cable)
    between = header.at.y + 10 * int(far_cm) + 56  # millimetres: to the board's edge, between the trays, over the Pi
    assert between + 2 * 15 <= 10 * int(length), "and up and down at its ends"


def test_the_pis_tray_stands_where_its_pin_1_is_opposite_the_bus_boards() -> None:
    """Counted from the outer faces of the trays' walls beside C1 and beside the memory card."""
    text = "".join((ROOT / f"hardware/print/{name}.scad").read_text(encoding="utf-8") for name in ("sizes", "pi-tray"))
    size = {name: float(value) for name, value in re.findall(r"^(\w+) = ([\d.]+);", text, re.M)}
    header = next(part for part in boards.bus().parts if part.ref == "J8")
    bus_pin = size["wall"] + size["slack"] + header.at.x
    on_the_pi = 32.5 - 9.5 * 2.54  # from its edge, as its maker draws it
    pi_pin = size["wall"] + size["beside"] + size["slack"] / 2 + on_the_pi
    (further,) = re.findall(r"wall there (\d) mm further in", " ".join(GUIDE.split()))
    assert int(further) == round(bus_pin - pi_pin)


def test_the_setup_proposes_the_reset_pins_of_the_tables_on_serial_adapters() -> None:
    readers = [
        sensor
        for name in ("one-reader", "four-seats")
        for sensor in config.load(ROOT / f"hardware/tables/{name}.toml").sensors
        if isinstance(sensor, pn532_uart.Reader)
    ]
    assert {reader.place: reader.reset for reader in readers} == pn532_uart.GUIDE


@pytest.mark.parametrize(("name", "ground"), [("one-reader", 9), ("four-seats", 9), ("six-seats", 25)])
def test_the_pins_of_the_on_and_off_button_are_free(name: str, ground: int) -> None:
    assert not {5, ground} & labels(harness(name), "PI").keys()
    assert (PI[5], PI[ground]) == ("PI: GPIO 3", "PI: GND")
    assert f"pin {ground}" in GUIDE[GUIDE.index("### On and off") :].partition("```")[0]


@pytest.mark.parametrize("source", draw.WIRING, ids=lambda source: source.stem)
def test_the_drawing_is_of_this_wiring(source: Path) -> None:
    """What it says and in which colours; where graphviz puts it may differ from one version to the next."""
    needs("graphviz", shutil.which("dot"))

    def said(svg: str) -> list[str]:
        return sorted(re.findall(r'(?<=>)[^<>\n]+(?=</text>)|stroke="#\w+"', svg))

    assert said(source.with_suffix(".svg").read_text(encoding="utf-8")) == said(draw.wiring(source))


def test_the_sheet_to_tick_off_is_of_these_wirings() -> None:
    assert (ROOT / "hardware/wiring/cables.md").read_text(encoding="utf-8") == cables.sheet()


@pytest.mark.parametrize("name", cables.NAMES)
def test_the_sheet_has_what_is_in_no_cable_too(name: str) -> None:
    drawn = harness(name)
    (section,) = (part for part in cables.sheet().split("\n## ") if part.startswith(f"{drawn.metadata['title']}\n"))
    for connector in drawn.connectors.values():
        ends = labels(drawn, connector.name)
        for loop in connector.loops:
            assert any(
                all(ends[pin].replace(": ", ": **") + "**" in row for pin in loop) for row in section.splitlines()
            ), loop
        for point in (connector.notes or "").split("; "):
            assert not point or any(row.startswith("- [ ]") and row.endswith(point) for row in section.splitlines()), (
                point
            )


def test_the_printed_boards_cables_are_those_of_the_guides_table_of_contacts() -> None:
    """Contact by contact: the wire's colour, and what it joins at a reader, a pod and the centre pad."""
    box, readers = cables.sheet().partition("## The printed box")[2].split("## The printed bus board")
    pods, centre = box.split("**the centre lamp's cable")
    contacts = re.findall(r"^\| (\d) \| ([\w ]+) \| ([\w ().]+) \| ([\w+]+) \| ([\w+–]+) \|$", GUIDE, re.M)
    assert len(contacts) == 8
    for contact, wire, reader, pole, lamp in contacts:
        pad = reader.partition(" ")[0]
        assert re.search(rf"^\| {wire} \| plug, contact {contact}: \w+ \| READER: \*\*{pad}\*\*", readers, re.M), wire
        assert f"| {wire} | SEAT: **{pole}** |" in pods
        assert (f"| {wire} | CENTRE: **{lamp}** |" in centre) == (lamp != "–")


def test_every_part_has_two_places_where_it_is_sold() -> None:
    with (ROOT / "hardware/parts.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            places = row["where, from memory: check"].split("; ")
            assert len({*places}) == 2, row["part"]
