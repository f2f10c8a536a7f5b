"""The printed parts can be printed, and what is bought fits into them."""

import fcntl
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import networkx
import numpy
import pytest
import trimesh

from hardware import parts
from hardware.pcb import boards
from hardware.pcb.model import Board
from tests.hardware.wiring import ROOT
from tests.needs import needs

BED = 200
"""Millimetres along each side of a small printer's bed."""
BOARD = (42.7, 40.4)
"""The red PN532 board, by its maker's drawing."""
BODIES = {"seat-pod": 2, "reader-frame": 1, "card-jig": 1, "board-tray": 1}
CARDS = {
    "poker": ("card_x=63", "card_y=88"),
    "long": ("card_x=59", "card_y=92"),
    "mini": ("card_x=44", "card_y=68"),
    "round": ("card_x=40", "card_y=40", "card_corner=20", "sticker=18"),
}

Printed = Callable[..., Any]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Printed:
    needs("OpenSCAD", shutil.which("openscad"))
    own = tmp_path_factory.getbasetemp()
    folder = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own  # of all workers of this run

    @cache
    def mesh(name: str, *sizes: str) -> Any:
        stl = folder / f"{'-'.join((name, *sizes))}.stl"
        with stl.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # a part takes long to draw: once for all workers
            if not stl.exists():
                draw(name, sizes, stl)
        return trimesh.load_mesh(stl)

    return mesh


def draw(name: str, sizes: tuple[str, ...], stl: Path) -> None:
    drawn = stl.with_suffix(".new.stl")
    settings = [word for size in sizes for word in ("-D", size)]
    scad = ROOT / f"hardware/print/{name}.scad"
    done = subprocess.run(["openscad", "-q", *settings, "-o", drawn, scad], capture_output=True, text=True, check=True)
    assert "WARNING" not in done.stderr
    drawn.rename(stl)


def openings(mesh: Any, height: float) -> list[tuple[float, float]]:
    """Give the width and depth of every outline in a level cut, the biggest first."""
    graph = networkx.Graph()
    for start, end in trimesh.intersections.mesh_plane(mesh, (0, 0, 1), (0, 0, height)).round(4)[:, :, :2].tolist():
        graph.add_edge(tuple(start), tuple(end))
    outlines = [numpy.array(list(outline)) for outline in networkx.connected_components(graph)]
    return sorted((tuple((o.max(0) - o.min(0)).tolist()) for o in outlines), reverse=True)


def size(part: str) -> int:
    """Give the millimetres that the list names for a part."""
    found = re.search(r"(\d+) mm\b", next(listed.what for listed in parts.read() if listed.name == part))
    assert found
    return int(found[1])


def has_hole(mesh: Any, height: float, across: float, spare: float = 1.0) -> bool:
    return any(all(across < side <= across + spare for side in outline) for outline in openings(mesh, height))


@pytest.mark.parametrize("name", BODIES)
def test_a_part_is_watertight_and_of_as_many_pieces_as_it_should_be(printed: Printed, name: str) -> None:
    pieces = printed(name).split(only_watertight=False)
    assert [piece.is_watertight and piece.is_volume for piece in pieces] == [True] * BODIES[name]


@pytest.mark.parametrize("name", BODIES)
def test_a_part_stands_on_the_bed_of_a_small_printer(printed: Printed, name: str) -> None:
    mesh = printed(name)
    assert mesh.bounds[0][2] == 0
    assert max(mesh.extents) <= BED


@pytest.mark.parametrize("name", BODIES)
def test_a_part_needs_no_supports(printed: Printed, name: str) -> None:
    mesh = printed(name)
    hanging = mesh.face_normals[:, 2] < -0.75  # flatter than 45 degrees, and a little
    assert mesh.triangles[hanging][:, :, 2].max() == 0


def test_the_button_of_the_list_fits_the_pod(printed: Printed) -> None:
    button = size("arcade button")
    assert has_hole(printed("seat-pod"), 0.3, button)
    assert has_hole(printed("seat-pod"), 2.5, button)


def test_the_lamp_of_the_list_fits_under_a_skin_that_light_passes(printed: Printed) -> None:
    lamp = size("NeoPixel")
    assert has_hole(printed("seat-pod"), 1.0, lamp)
    assert not has_hole(printed("seat-pod"), 0.5, lamp)


def test_the_screws_of_the_list_cut_their_thread_in_the_body_and_pass_the_base(printed: Printed) -> None:
    near_the_rim, in_the_base = openings(printed("seat-pod"), 35), openings(printed("seat-pod"), 2.9)
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


@pytest.mark.parametrize("made", [boards.bus, boards.box])
def test_each_printed_board_lies_in_its_tray_and_its_holes_on_the_posts(
    printed: Printed, made: Callable[[], Board]
) -> None:
    board = made()
    mesh = printed("board-tray", f'holds="{board.name}"')
    assert mesh.is_watertight
    posts = openings(mesh, 3 + 4)
    assert sum(2.3 <= across <= 2.7 for across, _ in posts) == 4
    source = (ROOT / "hardware/print/board-tray.scad").read_text(encoding="utf-8")
    assert f"[{board.width}, {board.height}]" in source
    inset = float(re.search(r"^inset = ([\d.]+);", source, re.MULTILINE)[1])  # type: ignore[index]
    assert min(screw.x for screw in board.screws) == min(screw.y for screw in board.screws) == inset


@pytest.mark.parametrize("card", CARDS)
def test_the_jig_fits_cards_of_every_size(printed: Printed, card: str) -> None:
    mesh = printed("card-jig", *CARDS[card])
    assert mesh.is_watertight
    assert len(mesh.split(only_watertight=False)) == 1


def test_the_sticker_of_the_list_passes_the_jigs_window(printed: Printed) -> None:
    sticker = size("NFC stickers")
    assert has_hole(printed("card-jig"), 1.0, sticker)


@pytest.mark.parametrize("picture", sorted((ROOT / "hardware/pictures").iterdir()), ids=lambda path: path.name)
def test_the_guide_shows_every_picture_and_none_is_heavy(picture: Path) -> None:
    guide = "".join((ROOT / f"hardware/{name}.md").read_text(encoding="utf-8") for name in ("README", "where"))
    assert f"pictures/{picture.name}" in guide
    assert picture.stat().st_size < 60_000
