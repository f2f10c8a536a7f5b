"""`make hardware`: the guide's wiring, pictures and list of parts, redrawn from their sources."""

import re
import subprocess
import tempfile
from pathlib import Path

from PIL import Image, ImageChops
from wireviz import wireviz

from hardware import cables, lamp_pictures, parts, prints
from hardware.pcb import boards
from hardware.pcb.model import INSET

HERE = Path(__file__).parent
WIRING = sorted((HERE / "wiring").glob("*.yaml"))
SCENES = {
    # scene of print/shown.scad: the camera's angles
    "pod": "55,0,20",
    "puck": "60,0,25",
    "frame": "70,0,30",
    "jig": "40,0,0",
    "pi": "50,0,30",
}
_WIDTH, _MARGIN = 700, 20


def wiring(source: Path) -> str:
    """Draw a wiring as SVG, without graphviz's comments, titles and document type."""
    with tempfile.TemporaryDirectory() as folder:
        wireviz.parse(source, output_formats=("svg",), output_dir=folder, output_name="drawn")
        svg = (Path(folder) / "drawn.svg").read_text(encoding="utf-8")
    return re.sub(r"<!--.*?-->\n?|<title>.*?</title>\n|<!DOCTYPE.*?>\n", "", svg, flags=re.DOTALL)


def board_sizes() -> str:
    """Return the sizes of the two boards for their tray, as OpenSCAD variables; y counts from the sockets' edge."""
    bus = boards.bus()
    box = boards.box()
    pico = next(part for part in box.parts if part.kind is boards.PICO)
    middle = box.height - (pico.at.y - boards.PICO_ROWS / 2)
    lines = [
        "// SPDX-License-Identifier: CC-BY-4.0",
        "// The sizes of the printed boards, in millimetres: written by `make hardware` from hardware/pcb/boards.py.",
        f"bus_board = [{bus.width:g}, {bus.height:g}];",
        f"box_board = [{box.width:g}, {box.height:g}];",
        f"inset = {INSET:g};       // of a board's four holes from its edges",
        f"pico_plug = {middle:g}; // the middle of the Pico's USB socket, from the terminals' edge",
    ]
    return "\n".join([*lines, ""])


def scene(name: str, to: Path) -> None:
    """Take a picture of printed parts; it needs OpenSCAD, and Xvfb for its window."""
    openscad = ["openscad", "-q", "-D", f'scene="{name}"', "--imgsize=1800,1200", "--viewall", "--autocenter"]
    camera = [f"--camera=0,0,0,{SCENES[name]},0", "--colorscheme=Tomorrow", "-o", str(to)]
    subprocess.run(["xvfb-run", "-a", *openscad, *camera, str(HERE / "print/shown.scad")], check=True)
    taken = Image.open(to).convert("RGB")
    # The corner is background: whatever has another colour is the part.
    empty = Image.new("RGB", taken.size, taken.getpixel((0, 0)))
    left, top, right, bottom = ImageChops.difference(taken, empty).getbbox()
    taken = taken.crop((left - _MARGIN, top - _MARGIN, right + _MARGIN, bottom + _MARGIN))
    taken = taken.resize((_WIDTH, round(taken.height * _WIDTH / taken.width)), Image.Resampling.LANCZOS)
    taken.quantize(64).save(to, optimize=True)


def main() -> None:
    """Draw everything."""
    for source in WIRING:
        source.with_suffix(".svg").write_text(wiring(source), encoding="utf-8")
    (HERE / "pictures/lamps.svg").write_text(lamp_pictures.drawn(), encoding="utf-8")
    (HERE / "print/boards.scad").write_text(board_sizes(), encoding="utf-8")
    (HERE / "wiring/cables.md").write_text(cables.sheet(), encoding="utf-8")
    for name in SCENES:
        scene(name, HERE / f"pictures/{name}.png")
    guide = HERE / "README.md"
    text = parts.listed_in(guide.read_text(encoding="utf-8"))
    guide.write_text(prints.listed_in(text), encoding="utf-8")


if __name__ == "__main__":
    main()
