"""The two printed boards: the files that a board house gets are read back, and held against rules and wirings."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from hardware.pcb import boards, drawing, gerber, rules
from hardware.pcb.model import CircuitBoard, Layer, Point, Track
from tests.hardware.wiring import ROOT, harness, nets

BOARDS = pytest.mark.parametrize("made", [boards.bus, boards.box], ids=["bus", "box"])
Made = Callable[[], CircuitBoard]


@BOARDS
def test_its_files_break_no_rule_and_join_what_is_to_be_joined_and_nothing_else(made: Made) -> None:
    board = made()
    assert rules.broken(board, gerber.files(board)) == []


@BOARDS
def test_its_files_are_those_in_the_folder(made: Made) -> None:
    board = made()
    folder = ROOT / "hardware/boards" / board.name
    wanted = {**gerber.files(board), "parts.csv": drawing.bill(board), "assembly.svg": drawing.svg(board)}
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == wanted


@BOARDS
def test_its_sockets_have_the_holes_of_the_makers_drawing(made: Made) -> None:
    """From contact 1, to the right and away from the mouth; the drawing and its source are named in `boards`."""
    for socket in (part for part in made().parts if part.posts):
        first = socket.pins["1"]
        contacts = {pin: (round(at.x - first.x, 2), round(at.y - first.y, 2)) for pin, at in socket.pins.items()}
        assert contacts == {str(n): (round((n - 1) * 1.27, 2), 0.0 if n % 2 else 2.54) for n in range(1, 9)}
        posts = {(round(at.x - first.x, 2), round(at.y - first.y, 2)) for at in socket.posts}
        assert posts == {(-1.27, -6.35), (10.16, -6.35)}


def test_a_board_that_is_wrong_is_found_so() -> None:
    good = boards.bus()
    cut = replace(good, tracks=good.tracks[1:])
    one, other = good.pads[0], good.pads[3]
    shorted = replace(good, tracks=[*good.tracks, Track(Layer.TOP, one.at, other.at, 0.4, "")])
    beside = Point(one.at.x - 1.0, one.at.y)
    near = replace(good, tracks=[*good.tracks, Track(Layer.BOTTOM, beside, beside, 0.3, "")])
    thin = replace(good, tracks=[replace(track, width=0.1) for track in good.tracks])
    narrow = replace(good, width=good.width - 8.0)
    for board, said in (
        (cut, "is not all joined"),
        (shorted, "are joined"),
        (near, "mm between copper"),
        (thin, "a track of 0.1 mm"),
        (narrow, "too near to the edge"),
    ):
        assert any(said in wrong for wrong in rules.broken(board, gerber.files(board))), said


def wired(board: CircuitBoard) -> dict[str, set[str]]:
    """Return the pins of each net, by the net's name."""
    found: dict[str, set[str]] = {}
    for pad in board.pads:
        if pad.pin and pad.net:
            found.setdefault(pad.net, set()).add(pad.pin)
    return found


def test_the_bus_board_leads_where_the_wiring_of_six_seats_does() -> None:
    """But for the fuse and two resistors, which are between."""
    joined = wired(boards.bus())
    pi = harness("six-seats").connectors["PI"]
    called = {f"J8.{pin}": label for pin, label in zip(pi.pins, pi.pinlabels, strict=True)}
    contact = {"VCC": 2, "GND": 1, "SCK": 6, "MISO": 4, "RSTPD_N": 5, "MOSI": 8, "SS": 7}
    for net in nets(harness("six-seats")):
        header = {pin.removeprefix("PI: ") for pin in net if pin.startswith("PI")}
        for end in net:
            if end.startswith("READER"):
                place, label = end.removeprefix("READER ").split(": ")
                pin = f"J{boards.PLACES.index(place) + 1}.{contact[label]}"
                (name,) = [name for name, pins in joined.items() if pin in pins]
                reached = joined[name] | joined.get(f"{name} in", set())
                assert header & {called.get(one) for one in reached}, end


def test_the_box_board_leads_where_the_wiring_of_the_box_does() -> None:
    """But for the diode and two resistors, which are between."""
    joined = wired(boards.box())
    pico = harness("box").connectors["PICO"]
    between = {"lamp 1": "GP8", "lamp centre": "GP9", "+LAMPS": "VBUS"}
    seen = {
        pico.pinlabels[pico.pins.index(int(pin[3:]))]: between_or_self
        for between_or_self, pins in joined.items()
        for pin in pins
        if pin.startswith("U1.") and int(pin[3:]) in pico.pins
    }
    assert seen == {
        **{f"GP{n + 1}": f"button {n}" for n in range(1, 7)},
        "GP8": "GP8",
        "GP9": "GP9",
        "GND": "GND",
        "VBUS": "VBUS",
    }
    for far, near in between.items():
        assert {pin.partition(".")[0] for pin in joined[far]} & {pin.partition(".")[0] for pin in joined[near]}
    for n in range(1, 6):
        assert joined[f"lamp {n + 1}"] == {f"J{n}.8", f"J{n + 1}.6"}, "one chain"
