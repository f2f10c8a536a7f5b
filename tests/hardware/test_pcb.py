"""The two printed boards: their KiCad projects are read back, and held against the wirings and a solderer's needs."""

import json
import re
from pathlib import Path

import pytest

from hardware.pcb import __main__ as making
from hardware.pcb import boards, kicad, project
from hardware.pcb.model import CircuitBoard, Point, Text
from hardware.pcb.sexpr import Node, children, numbers, parsed, unquoted, words
from tests.hardware.wiring import ROOT, harness, nets

BOARDS = {board.name: board for board in (boards.bus(), boards.box())}
NAMED = pytest.mark.parametrize("name", BOARDS)
SHEET = Point(60, 60)


def drawn(name: str) -> Node:
    """Return the board as it lies in the repository."""
    return parsed((ROOT / f"hardware/boards/{name}/{name}.kicad_pcb").read_text(encoding="utf-8"))


def property_of(footprint: Node, name: str) -> str:
    return next((unquoted(str(p[2])) for p in children(footprint, "property") if unquoted(str(p[1])) == name), "")


def footprints(name: str) -> dict[str, Node]:
    return {property_of(footprint, "Reference"): footprint for footprint in children(drawn(name), "footprint")}


def body(footprint: Node, layer: str = "F.Fab") -> tuple[Point, Point]:
    """Return the corners of what a part covers, on the board."""
    x, y, *turn = numbers(footprint, "at")
    corners = [
        Point(x - SHEET.x, y - SHEET.y) + Point(*numbers(line, end)[:2]).turned(int(turn[0]) if turn else 0)
        for kind in ("fp_line", "fp_rect", "fp_poly")
        for line in children(footprint, kind)
        if words(line, "layer") == [layer]
        for end in ("start", "end")
        if list(children(line, end))
    ]
    low = Point(min(corner.x for corner in corners), min(corner.y for corner in corners))
    return low, Point(max(corner.x for corner in corners), max(corner.y for corner in corners))


def overlap(box: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    return box[0].x < other[1].x and other[0].x < box[1].x and box[0].y < other[1].y and other[0].y < box[1].y


def around(text: Text) -> tuple[Point, Point]:
    return Point(text.at.x - text.half.x, text.at.y - text.half.y), text.at + text.half


def wired(board: CircuitBoard) -> dict[str, set[str]]:
    """Return the pins of each net, by the net's name."""
    pins_of_net: dict[str, set[str]] = {}
    for part in board.parts:
        for pin, net in part.nets.items():
            pins_of_net.setdefault(net, set()).add(f"{part.ref}.{pin}")
    return pins_of_net


def through(board: CircuitBoard, *kinds: str) -> dict[str, str]:
    """Return, by net, what it is called on the far side of parts like resistors and fuses."""
    joined: dict[str, str] = {}
    for part in board.parts:
        if part.ref[0] in kinds:
            joined[part.nets["1"]] = part.nets["2"]
    return joined


@NAMED
def test_a_project_has_the_parts_and_nets_of_the_model(name: str) -> None:
    board = BOARDS[name]
    placed = footprints(name)
    for part in board.parts:
        footprint = placed[part.ref]
        assert unquoted(str(footprint[1])) == part.kind.footprint
        assert numbers(footprint, "at")[:2] == pytest.approx([part.at.x + SHEET.x, part.at.y + SHEET.y])
        pads = {unquoted(str(pad[1])): words(pad, "net")[1] for pad in children(footprint, "pad") if "net" in str(pad)}
        assert part.nets.items() <= pads.items()
    assert placed.keys() == {part.ref for part in board.parts} | {"H1", "H2", "H3", "H4"}


@NAMED
def test_the_list_of_parts_has_a_makers_number_for_every_part(name: str) -> None:
    board = BOARDS[name]
    text = (ROOT / f"hardware/boards/{name}/parts.csv").read_text(encoding="utf-8")
    assert text == project.bill(board)
    assert all(part.kind.maker and part.kind.number for part in board.parts)


@NAMED
def test_pin_1_of_what_can_be_put_in_backwards_is_square_and_marked(name: str) -> None:
    for ref, footprint in footprints(name).items():
        if ref[0] in "JNDU" or "CP_" in str(footprint[1]):
            pads = {unquoted(str(pad[1])): str(pad[3]) for pad in children(footprint, "pad")}
            assert pads["1"] in ("rect", "roundrect"), ref
            assert len({shape for shape in pads.values() if shape in ("rect", "roundrect")}) == 1, ref
            print_ = [kind for kind in ("fp_line", "fp_poly", "fp_arc") for _ in children(footprint, kind)]
            assert print_, ref


@NAMED
def test_every_word_can_still_be_read_when_the_parts_are_in(name: str) -> None:
    board = BOARDS[name]
    bodies = {ref: body(footprint) for ref, footprint in footprints(name).items() if ref[0] not in "HC"}
    words_in_front = [text for text in board.texts if not text.back]
    hidden = [(text.text, ref) for text in words_in_front for ref, at in bodies.items() if overlap(around(text), at)]
    assert hidden == []
    references = {part.ref: part.at + part.kind.name_at.turned(part.turned) for part in board.parts}
    for ref, at in references.items():
        inside = [other for other, (low, high) in bodies.items() if low.x < at.x < high.x and low.y < at.y < high.y]
        assert inside == [], f"{ref} is printed under {inside}"


@NAMED
def test_a_board_says_what_it_is_which_revision_and_under_which_licence(name: str) -> None:
    texts = " ".join(text.text for text in BOARDS[name].texts)
    for word in ("revision B", "CERN-OHL-P-2.0", f"{name.upper()} BOARD"):
        assert word in texts


@NAMED
def test_both_sides_are_poured_with_ground(name: str) -> None:
    zones = {words(zone, "layer")[0]: words(zone, "net_name") for zone in children(drawn(name), "zone")}
    assert zones == {"F.Cu": ["GND"], "B.Cu": ["GND"]}


def test_a_pods_plug_fits_no_readers_socket() -> None:
    kinds = {
        name: {part.kind for part in board.parts if re.fullmatch("J[1-7]", part.ref)} for name, board in BOARDS.items()
    }
    assert kinds["bus"].isdisjoint(kinds["box"])
    assert {kind.footprint.partition(":")[0] for kind in kinds["bus"]} == {"Connector_RJ"}
    assert {kind.footprint.partition(":")[0] for kind in kinds["box"]} == {"Connector_Phoenix_MC"}


@NAMED
def test_every_socket_has_a_resettable_fuse_of_its_own(name: str) -> None:
    board = BOARDS[name]
    supply = next(net for net in board.wide if net in ("5V", "+LAMPS"))
    fused = wired(board)
    for part in board.parts:
        if re.fullmatch("J[1-7]", part.ref):
            fuses = [pin for net in part.nets.values() for pin in fused[net] if pin.startswith("F")]
            assert len(fuses) == 1, part.ref
            assert supply not in part.nets.values(), part.ref


def test_nothing_a_reader_gets_of_its_own_comes_straight_from_the_pi() -> None:
    bus = BOARDS["bus"]
    header = next(part for part in bus.parts if part.ref == "J8")
    for part in bus.parts:
        if re.fullmatch("J[1-7]", part.ref):
            assert set(part.nets.values()) & set(header.nets.values()) == {"GND"}, part.ref


def test_a_buttons_wire_is_pulled_up_and_lies_beside_ground_away_from_the_lamps_data() -> None:
    box = BOARDS["box"]
    pulls = next(part for part in box.parts if part.ref == "N1")
    for seat in range(1, 7):
        assert f"button {seat}" in pulls.nets.values()
        plug = next(part for part in box.parts if part.ref == f"J{seat}")
        button = next(int(pole) for pole, net in plug.nets.items() if net == f"button {seat}")
        neighbours = [plug.nets.get(str(button + step), "") for step in (-1, 1)]
        assert "GND" in neighbours
        assert not any(net.startswith("lamp") for net in neighbours)


def test_the_bus_board_leads_where_the_wiring_of_six_seats_does() -> None:
    """Through its fuses and resistors."""
    bus = BOARDS["bus"]
    other_ends = through(bus, "R", "F")
    pi = harness("six-seats").connectors["PI"]
    called = {f"J8.{pin}": label for pin, label in zip(pi.pins, pi.pinlabels, strict=True)}
    joined = wired(bus)
    contact = {"VCC": 2, "GND": 1, "SCK": 6, "MISO": 4, "RSTPD_N": 5, "MOSI": 8, "SS": 7}
    for net in nets(harness("six-seats")):
        header = {pin.removeprefix("PI: ") for pin in net if pin.startswith("PI")}
        for end in net:
            if end.startswith("READER"):
                place, label = end.removeprefix("READER ").split(": ")
                pin = f"J{boards.PLACES.index(place) + 1}.{contact[label]}"
                (name,) = [name for name, pins in joined.items() if pin in pins]
                reached = {
                    name,
                    other_ends.get(name, name),
                    *(near for near, other in other_ends.items() if other == name),
                }
                assert header & {called.get(pin) for met in reached for pin in joined[met]}, end


def test_the_box_board_leads_where_the_wiring_of_the_box_does() -> None:
    """Through its fuses, its resistors and the diode."""
    box = BOARDS["box"]
    pico = next(part for part in box.parts if part.ref == "U1")
    drawing = harness("box").connectors["PICO"]
    labels = {str(pin): label for pin, label in zip(drawing.pins, drawing.pinlabels, strict=True)}
    for pin, label in labels.items():
        assert pico.nets[pin] == label
    other_ends = through(box, "R")
    for seat in range(1, 7):
        plug = next(part for part in box.parts if part.ref == f"J{seat}")
        assert [plug.nets["1"], other_ends[plug.nets["2"]], plug.nets["4"]] == ["GND", f"GP{seat + 1}", f"lamp {seat}"]
        assert plug.nets.get("5") == (f"lamp {seat + 1}" if seat < 6 else None)
    assert (other_ends["GP8"], other_ends["GP9"]) == ("lamp 1", "lamp centre")


@NAMED
def test_kicad_finds_no_fault_and_the_project_is_the_models(name: str) -> None:
    cad = kicad.found()
    if cad is None:
        pytest.skip(f"KiCad {kicad.LEAST} is missing: `make kicad` installs it, as root")
    board = BOARDS[name]
    files_made = project.files(board, cad.libraries)
    folder = ROOT / f"hardware/boards/{name}"
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == files_made
    with cad.folder() as work:
        for file, text in files_made.items():
            (work / file).write_text(text, encoding="utf-8")
        making.pour(board, cad, work)
        making.check(board, cad, work)
        electrical = json.loads((work / "erc.json").read_text(encoding="utf-8"))
        rules = json.loads((work / "drc.json").read_text(encoding="utf-8"))
    assert [violation for sheet in electrical["sheets"] for violation in sheet["violations"]] == []
    assert (rules["unconnected_items"], rules["schematic_parity"]) == ([], [])
    # KiCad 9 takes a turned footprint whose pads have shapes of their own for another than the library's.
    assert {violation["type"] for violation in rules["violations"]} <= {"lib_footprint_mismatch"}


@NAMED
def test_a_viewer_needs_no_macros_to_draw_what_a_board_house_gets(name: str) -> None:
    """Gerbv 2.9 holds 102 parameters of one, and leaves out what has more."""
    cad = kicad.found()
    if cad is None:
        pytest.skip(f"KiCad {kicad.LEAST} is missing: `make kicad` installs it, as root")
    with cad.folder() as work:
        committed = ROOT / f"hardware/boards/{name}/{name}.kicad_pcb"
        (work / committed.name).write_text(committed.read_text(encoding="utf-8"), encoding="utf-8")
        making.gerbers(BOARDS[name], cad, work)
        layers = {path.suffix: path.read_text(encoding="utf-8") for path in (work / "gerbers").glob("*.g[tbm]*")}
    assert layers.keys() >= {".gtl", ".gbl", ".gts", ".gbs", ".gto", ".gbo", ".gm1"}
    assert [suffix for suffix, text in layers.items() if "%AM" in text] == []


def test_kicads_notes_on_whoever_opened_a_board_are_not_handed_out(tmp_path: Path) -> None:
    made_folder = tmp_path / "made"
    made_folder.mkdir()
    for name in ("bus.kicad_pcb", "bus.kicad_pro", "bus.kicad_prl"):
        (made_folder / name).touch()
    making.keep(made_folder, tmp_path / "kept")
    assert {path.name for path in (tmp_path / "kept").iterdir()} == {"bus.kicad_pcb", "bus.kicad_pro"}


def test_the_guide_counts_the_push_buttons_pins_in_j8_from_the_square_pad() -> None:
    guide = (ROOT / "hardware/README.md").read_text(encoding="utf-8")
    ((near, far_pin),) = re.findall(r"square pad, counted from it, the (\d+)\w+ pin and the (\d+)\w+\.", guide)
    pads = {str(pad[1]).strip('"'): pad for pad in children(footprints("bus")["J8"], "pad")}
    square = [number for number, pad in pads.items() if "rect" in str(pad[3])]
    assert square == ["1"]
    places = {number: numbers(pad, "at") for number, pad in pads.items()}
    in_row = sorted(
        (number for number in pads if places[number][0] == places["1"][0]), key=lambda number: places[number][1]
    )
    assert in_row[0] == "1"
    assert (in_row[int(near) - 1], in_row[int(far_pin) - 1]) == ("5", "25")
