"""The printed parts can be printed, and what is bought fits into them."""

import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import networkx
import numpy
import pytest
import trimesh

from companion.cli.check.reader_reach import SPACERS
from hardware import draw as drawing
from hardware import parts, prints
from hardware.pcb import boards
from hardware.pcb.model import CircuitBoard
from hardware.prints import PRINTS
from tests.hardware.printing import drawn
from tests.hardware.wiring import ROOT
from tests.needs import needs

GUIDE = (ROOT / "hardware/README.md").read_text(encoding="utf-8")
BED = 200
"""Millimetres along each side of a small printer's bed."""
BOARD = (42.7, 40.4)
"""The red PN532 board, by its maker's drawing."""
BODIES = {
    "seat-pod": 2,
    "reader-frame": 1,
    "reader-puck": 1,
    "card-jig": 1,
    "board-tray": 1,
    "pi-tray": 1,
    "spacers": 2,
}
PETG = 1.27
"""Grams of a cubic centimetre."""
WALL = 1.6
"""Millimetres: four lines of a 0.4 mm nozzle."""
PI = (85.0, 56.0)
PLUGS = {
    # of each model, by its maker's drawing: the middles of its sockets, and how wide and how thick their plugs are
    "3": {
        "side": [(10.6, 11, 8), (32.0, 20, 11), (53.5, 10, 10)],
        "end": [(10.25, 16, 14), (29, 15, 16), (47, 15, 16)],
    },
    "4": {
        "side": [(11.2, 13, 7), (26, 11, 7), (39.5, 11, 7), (54, 10, 10)],
        "end": [(9, 15, 16), (27, 15, 16), (45.75, 16, 14)],
    },
    "5": {"side": [(11.2, 13, 7), (25.8, 11, 7), (39.2, 11, 7)], "end": [(10.2, 16, 14), (29.1, 15, 16), (47, 15, 16)]},
}
CARDS = {"poker": PRINTS["card-jig-poker"].sizes, "round": PRINTS["card-jig-round"].sizes}

ONE_OF_ITS_SIZES = {"board-tray": PRINTS["board-tray-bus"].sizes, "card-jig": CARDS["poker"]}
"""Of parts that other tests draw in more than one: drawing takes long."""

Printed = Callable[..., Any]


@pytest.fixture(scope="module")
def printed(once: Callable[[str, Callable[[Path], None]], Path]) -> Printed:
    needs("OpenSCAD", shutil.which("openscad"))

    @cache
    def mesh(name: str, *sizes: str) -> Any:
        return trimesh.load_mesh(
            once(f"{'-'.join((name, *sizes))}.stl", lambda stl: stl.symlink_to(drawn(name, *sizes)))
        )

    return mesh


def cut(mesh: Any, height: float) -> tuple[Any, Any]:
    """Return the lines of a level cut, and which way is out of the plastic at each."""
    lines, faces = trimesh.intersections.mesh_plane(mesh, (0, 0, 1), (0, 0, height), return_faces=True)
    long = numpy.linalg.norm(lines[:, 1] - lines[:, 0], axis=1) > 0.01
    out = mesh.face_normals[faces[long]][:, :2]
    return lines[long][:, :, :2], out / numpy.linalg.norm(out, axis=1)[:, None]


def thinnest(mesh: Any, height: float) -> float:
    """Return how thick the plastic is where it is thinnest in a level cut, between two sides that face away."""
    lines, out = cut(mesh, height)
    begin = lines[:, 0]
    along = lines[:, 1] - lines[:, 0]

    def cross(a: Any, b: Any) -> Any:
        return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]

    middle = (begin + along / 2)[:, None]
    inward = -out[:, None]
    with numpy.errstate(divide="ignore", invalid="ignore"):
        slant = cross(inward, along[None])
        depth = cross(begin[None] - middle, along[None]) / slant
        where = cross(begin[None] - middle, inward) / slant
    hit = (out @ out.T < -0.7) & (depth > 1e-3) & (where >= 0) & (where <= 1)
    return float(depth[hit].min())


def is_free(mesh: Any, height: float, low: tuple[float, float], high: tuple[float, float]) -> bool:
    """Say whether a rectangle touches no plastic in a level cut: each millimetre's line to the left meets it evenly."""
    lines, _ = cut(mesh, height)
    x, y = numpy.meshgrid(numpy.arange(low[0], high[0], 0.97), numpy.arange(low[1], high[1], 0.97))
    (ax, ay), (bx, by) = lines[:, 0].T, lines[:, 1].T
    over = (ay > y[..., None]) != (by > y[..., None])
    with numpy.errstate(divide="ignore", invalid="ignore"):
        left = ax + (y[..., None] - ay) / (by - ay) * (bx - ax) < x[..., None]
    return not ((over & left).sum(-1) % 2).any()


def openings(mesh: Any, height: float) -> list[tuple[float, float]]:
    """Return the width and depth of every outline in a level cut, the biggest first."""
    graph = networkx.Graph()
    for start, end in trimesh.intersections.mesh_plane(mesh, (0, 0, 1), (0, 0, height)).round(4)[:, :, :2].tolist():
        graph.add_edge(tuple(start), tuple(end))
    outlines = [numpy.array(list(outline)) for outline in networkx.connected_components(graph)]
    return sorted((tuple((o.max(0) - o.min(0)).tolist()) for o in outlines), reverse=True)


def size(part: str) -> int:
    """Return the millimetres that the list names for a part."""
    match = re.search(r"(\d+) mm\b", next(listed.what for listed in parts.read() if listed.name == part))
    assert match
    return int(match[1])


def has_hole(mesh: Any, height: float, across: float, spare: float = 1.0) -> bool:
    return any(all(across < side <= across + spare for side in outline) for outline in openings(mesh, height))


@pytest.mark.parametrize("name", BODIES)
def test_a_part_is_watertight_and_of_as_many_pieces_as_it_should_be(printed: Printed, name: str) -> None:
    pieces = printed(name, *ONE_OF_ITS_SIZES.get(name, ())).split(only_watertight=False)
    assert [piece.is_watertight and piece.is_volume for piece in pieces] == [True] * BODIES[name]


@pytest.mark.parametrize("name", BODIES)
def test_a_part_stands_on_the_bed_of_a_small_printer(printed: Printed, name: str) -> None:
    mesh = printed(name, *ONE_OF_ITS_SIZES.get(name, ()))
    assert mesh.bounds[0][2] == 0
    assert max(mesh.extents) <= BED


@pytest.mark.parametrize("name", BODIES)
def test_a_part_needs_no_supports(printed: Printed, name: str) -> None:
    mesh = printed(name, *ONE_OF_ITS_SIZES.get(name, ()))
    hanging = mesh.face_normals[:, 2] < -0.75  # flatter than 45 degrees, and a little
    assert mesh.triangles[hanging][:, :, 2].max() == 0


@pytest.mark.parametrize(
    ("name", "sizes", "levels"),
    [
        ("board-tray", ('holds="box"',), (0.5, 4, 7.5, 9, 11, 14, 16)),
        ("board-tray", ('holds="bus"',), (0.5, 4, 7.5, 9, 11, 14, 16)),
        ("reader-puck", (), (0.5, 2, 5, 6.5, 7.1)),
        ("reader-frame", (), (1, 4, 6)),
        ("seat-pod", (), (2.9, 4, 8, 16, 30, 36)),
        ("card-jig", CARDS["poker"], (0.5, 2.5)),
    ],
)
def test_no_wall_is_too_thin_to_print(
    printed: Printed, name: str, sizes: tuple[str, ...], levels: tuple[float, ...]
) -> None:
    """Below the slopes of a tray's ears, which end in an edge, and above the base's countersinks, which do too."""
    mesh = printed(name, *sizes)
    assert {level: thinnest(mesh, level) for level in levels if thinnest(mesh, level) < WALL} == {}


@pytest.mark.parametrize(
    ("name", "sizes", "level"),
    [
        ("seat-pod", (), 16),
        ("reader-frame", (), 4),
        ("pi-tray", (), 17),
        ("board-tray", ('holds="box"',), 16),
        ("board-tray", ('holds="bus"',), 16),
        ("card-jig", CARDS["poker"], 2.5),
    ],
)
def test_a_wall_is_as_thick_as_the_guide_says(
    printed: Printed, name: str, sizes: tuple[str, ...], level: float
) -> None:
    (thickness,) = re.findall(r"Walls are ([\d.]+) mm", GUIDE)
    assert thinnest(printed(name, *sizes), level) == pytest.approx(float(thickness), abs=0.05)


def test_no_wall_of_the_pis_tray_is_too_thin_to_print(printed: Printed) -> None:
    """Below the slopes of its ears, which end in an edge, and above them."""
    levels = (0.1, 2.9, 4, 7.9, 8.1, 10, 15.5, 17, 32, 35)
    assert {level: thinnest(printed("pi-tray"), level) >= WALL for level in levels} == dict.fromkeys(levels, True)


@pytest.mark.parametrize("model", PLUGS)
def test_a_pi_lies_in_its_tray_and_all_its_plugs_leave_it(printed: Printed, model: str) -> None:
    mesh = printed("pi-tray")
    face = 3 + 5 + 1.6
    assert is_free(mesh, 3 + 5 + 0.8, (0, 0), PI)
    assert is_free(mesh, face + 17, (-2, 0), PI), "up to the highest socket"
    for middle, wide, thick in PLUGS[model]["side"]:
        plug = (middle - wide / 2, -20.0), (middle + wide / 2, 0.0)
        assert all(is_free(mesh, face + at, *plug) for at in (3.2 - thick / 2, 3.2 + thick / 2)), middle
    for middle, wide, thick in PLUGS[model]["end"]:
        plug = (PI[0], middle - wide / 2), (PI[0] + 20.0, middle + wide / 2)
        assert all(is_free(mesh, face + at, *plug) for at in (0, thick)), middle
    assert is_free(mesh, face + 15, (7, PI[1]), (58, PI[1] + 20)), "the header's cables"


def test_a_pis_four_holes_lie_on_the_posts_and_its_memory_card_is_reached(printed: Printed) -> None:
    mesh = printed("pi-tray")
    for at in ((3.5, 3.5), (61.5, 3.5), (3.5, 52.5), (61.5, 52.5)):
        assert is_free(mesh, 6, (at[0] - 0.7, at[1] - 0.7), (at[0] + 0.7, at[1] + 0.7))
        assert not is_free(mesh, 6, (at[0] + 1.5, at[1] - 0.5), (at[0] + 2.5, at[1] + 0.5))
    assert is_free(mesh, 1.5, (-8, 19), (11, 37))


def test_the_push_button_of_the_list_fits_beside_the_pi(printed: Printed) -> None:
    assert has_hole(printed("pi-tray"), 1.4, size("push button"))


def test_the_button_of_the_list_fits_the_pod(printed: Printed) -> None:
    button = size("arcade button")
    assert has_hole(printed("seat-pod"), 0.3, button)
    assert has_hole(printed("seat-pod"), 2.5, button)


def test_the_lamp_of_the_list_fits_under_a_skin_that_light_passes(printed: Printed) -> None:
    lamp = size("NeoPixel")
    assert has_hole(printed("seat-pod"), 1.0, lamp)
    assert not has_hole(printed("seat-pod"), 0.5, lamp)


def test_the_screws_of_the_list_cut_their_thread_in_the_body_and_pass_the_base(printed: Printed) -> None:
    near_the_rim = openings(printed("seat-pod"), 35)
    in_the_base = openings(printed("seat-pod"), 2.9)
    assert sum(2.3 <= across <= 2.7 for across, _ in near_the_rim) == 4
    assert sum(3.2 <= across <= 3.6 for across, _ in in_the_base) == 4


def test_the_board_of_the_list_lies_in_the_frame_and_does_not_fall_through(printed: Printed) -> None:
    mesh = printed("reader-frame")
    pocket = [hole for hole in openings(mesh, 4) if min(hole) > 40 and max(hole) < 44]
    window = [hole for hole in openings(mesh, 1) if min(hole) > 30 and max(hole) < 40]
    assert [(BOARD[0] < across < BOARD[0] + 1, BOARD[1] < down < BOARD[1] + 1) for across, down in pocket] == [
        (True, True)
    ]
    assert len(window) == 1
    assert size("PN532 board") == round(BOARD[1] + 0.5)


FLOOR = 3
POST = 5
THICK = 1.6
"""Of a printed board, in millimetres; a Pi's is 1.4."""


def test_the_tray_has_the_sizes_of_the_printed_boards() -> None:
    assert (ROOT / "hardware/print/boards.scad").read_text(encoding="utf-8") == drawing.board_sizes()


@pytest.mark.parametrize("build", [boards.bus, boards.box])
def test_each_printed_board_lies_in_its_tray_and_its_holes_on_the_posts(
    printed: Printed, build: Callable[[], CircuitBoard]
) -> None:
    board = build()
    mesh = printed("board-tray", f'holds="{board.name}"')
    assert mesh.is_watertight
    assert sum(2.3 <= across <= 2.7 for across, _ in openings(mesh, FLOOR + 4)) == 4
    front = mesh.bounds[0][1]
    low = (-board.width / 2, front)
    assert is_free(mesh, FLOOR + POST + 1, low, (board.width / 2, front + board.height))


def screw(part: str) -> tuple[float, float]:
    """Return the diameter and the length of a screw of the list."""
    match = re.match(r"M([\d.]+) × (\d+) screws", part)
    assert match
    return float(match[1]), float(match[2])


@pytest.mark.parametrize(
    ("screws", "name", "sizes", "thick"),
    [
        ("M3 × 8 screws", "board-tray", ('holds="bus"',), THICK),
        ("M3 × 8 screws", "board-tray", ('holds="box"',), THICK),
        ("M2.5 × 8 screws", "pi-tray", (), 1.4),
    ],
)
def test_no_screw_of_the_list_is_longer_than_the_hole_it_goes_into(
    printed: Printed, screws: str, name: str, sizes: tuple[str, ...], thick: float
) -> None:
    """And four millimetres of thread hold it."""
    assert screws in {part.name for part in parts.read()}
    wide, long = screw(screws)
    mesh = printed(name, *sizes)
    levels = numpy.arange(0.2, FLOOR + POST, 0.2)
    open_levels = [level for level in levels if _holes(mesh, level, wide) == 4]
    assert len(open_levels) * 0.2 >= long - thick - 0.2
    assert long - thick >= 4


def test_a_pods_screw_is_no_longer_than_its_base_and_its_hole(printed: Printed) -> None:
    """A countersunk screw's length counts its head."""
    wide, long = screw("M3 × 10 screws")
    mesh = printed("seat-pod")
    deep = 0.2 * sum(_holes(mesh, level, wide) == 4 for level in numpy.arange(20.1, mesh.extents[2], 0.2))
    assert FLOOR + 4 <= long <= FLOOR + deep


def _holes(mesh: Any, height: float, screw: float) -> int:
    """Return how many holes for a screw's thread there are at a height."""
    return sum(
        screw - 0.8 <= across <= screw - 0.1 and abs(across - down) < 0.2 for across, down in openings(mesh, height)
    )


def test_the_picos_cable_can_be_plugged_in_while_the_board_lies_in_its_tray(printed: Printed) -> None:
    """A micro USB plug's overmold is at most 10.6 × 8.5 mm (micro-USB cables and connectors, 1.01)."""
    box = boards.box()
    mesh = printed("board-tray", 'holds="box"')
    pico = next(part for part in box.parts if part.kind is boards.PICO)
    middle = mesh.bounds[0][1] + box.height - (pico.at.y - boards.PICO_ROWS / 2)
    mouth = FLOOR + POST + THICK + 8.5 + 2.5 + 1 + 1.3  # socket strip, the Pico's own strip, its board, half its socket
    out = -mesh.extents[0] / 2 - 20
    for level in (mouth - 4.25, mouth, mouth + 4.25):
        assert is_free(mesh, level, (out, middle - 5.3), (-box.width / 2, middle + 5.3)), level


def test_the_board_of_the_list_lies_in_the_puck_flush_with_its_top(printed: Printed) -> None:
    mesh = printed("reader-puck")
    top = mesh.extents[2]
    half = (BOARD[0] / 2, BOARD[1] / 2)
    for level in (top - 1.5, top - 0.1):
        assert is_free(mesh, level, (-half[0], -half[1]), half)
    assert not is_free(mesh, top - 1.7, (-half[0], -half[1]), half), "a ledge"
    assert top <= 8, "under a mat"


def test_the_spacers_are_as_high_as_the_check_of_a_reader_says(printed: Printed) -> None:
    pieces = printed("spacers").split(only_watertight=False)
    assert tuple(sorted(round(piece.extents[2]) for piece in pieces)) == SPACERS
    for piece in pieces:
        assert sorted(piece.extents[:2].round(1)) == sorted(BOARD)


@pytest.mark.parametrize("card", CARDS)
def test_the_jig_fits_cards_and_tokens(printed: Printed, card: str) -> None:
    mesh = printed("card-jig", *CARDS[card])
    assert mesh.is_watertight
    assert len(mesh.split(only_watertight=False)) == 1


def test_the_sticker_of_the_list_passes_the_jigs_window(printed: Printed) -> None:
    sticker = size("NFC stickers")
    assert has_hole(printed("card-jig", *CARDS["poker"]), 1.0, sticker)


def sizes(model: str) -> dict[str, float]:
    """Return what the top of a model sets."""
    text = "".join((ROOT / f"hardware/print/{name}.scad").read_text(encoding="utf-8") for name in ("sizes", model))
    return {name: float(value) for name, value in re.findall(r"^(\w+) = ([\d.]+);", text, re.M)}


def test_the_guide_says_the_sizes_that_the_models_have() -> None:
    puck = sizes("reader-puck")
    height = puck["skin"] + puck["room"] + puck["reader_thick"]
    models = {part.model for part in PRINTS.values()}
    assert (len(models), "Seven models" in GUIDE) == (7, True)
    for sentence in (
        f"{height:g} mm high, with a slope all around",
        f"there are {puck['room']:g} mm below it",
        f"its back up, {sizes('reader-frame')['gap']:g} mm below it",
        f"snaps into its {sizes('seat-pod')['button_hole']:g} mm hole",
        f"The {sizes('pi-tray')['room']:g} mm above the board",
        f"Walls are {puck['wall']:g} mm",
        f"around a screw's thread {WALL:g} mm or more",
        f"two blocks of {SPACERS[0]} and {SPACERS[1]} mm",
    ):
        assert sentence in GUIDE, sentence


def test_the_frame_lies_in_the_pocket_that_the_guide_has_milled_and_its_screws_stay_in_the_wood(
    printed: Printed,
) -> None:
    wide, deep, least_wood = map(float, re.findall(r"reader: (\d+) × (\d+) mm, so deep that (\d) to", GUIDE)[0])
    frame = printed("reader-frame").extents
    assert frame[0] + 2 <= wide <= frame[0] + 6
    assert frame[1] + 2 <= deep <= frame[1] + 6
    length = re.match(r"3\.5 × (\d+) mm", next(part.what for part in parts.read() if part.name == "wood screws"))
    assert length
    assert 4 <= float(length[1]) - frame[2] < least_wood


def test_the_four_pairs_of_a_cable_lie_side_by_side_in_the_pucks_slot() -> None:
    assert sizes("reader-puck")["cable"] >= 4 * 2


def test_the_filament_of_the_list_is_enough(printed: Printed) -> None:
    """Though all were printed full; of pucks and frames, the heavier."""
    gram = {name: printed(part.model, *part.sizes).volume / 1000 * PETG for name, part in PRINTS.items()}
    del gram[min(("reader-puck", "reader-frame"), key=gram.__getitem__)]
    kilograms = next(part.counts for part in parts.read() if part.name == "filament")
    for column, count in enumerate(kilograms):
        assert sum(PRINTS[name].counts[column] * each for name, each in gram.items()) <= 1000 * count


def test_the_guide_lists_every_print_with_how_many_of_it() -> None:
    assert prints.listed_in(GUIDE) == GUIDE


@pytest.mark.parametrize("picture", sorted((ROOT / "hardware/pictures").iterdir()), ids=lambda path: path.name)
def test_the_guide_shows_every_picture_and_none_is_heavy(picture: Path) -> None:
    guide = "".join((ROOT / f"hardware/{name}.md").read_text(encoding="utf-8") for name in ("README", "where"))
    assert f"pictures/{picture.name}" in guide
    assert picture.stat().st_size < 60_000
