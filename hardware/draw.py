"""`make hardware`: the guide's wiring, pictures and list of parts, redrawn from their sources."""

import re
import subprocess
import tempfile
from pathlib import Path

from PIL import Image, ImageChops
from wireviz import wireviz

from hardware import cables, lamp_pictures, parts
from hardware.pcb import boards, drawing, gerber
from hardware.pcb.model import CircuitBoard

HERE = Path(__file__).parent
WIRING = sorted((HERE / "wiring").glob("*.yaml"))
SCENES = {
    # scene of print/shown.scad: the camera's angles
    "pod": "55,0,20",
    "frame": "70,0,30",
    "jig": "40,0,0",
    "pi": "50,0,30",
}
_WIDTH, _MARGIN = 700, 20


def wiring(source: Path) -> str:
    """Return a wiring as an SVG, without what only graphviz's author needs."""
    with tempfile.TemporaryDirectory() as folder:
        wireviz.parse(source, output_formats=("svg",), output_dir=folder, output_name="drawn")
        svg = (Path(folder) / "drawn.svg").read_text(encoding="utf-8")
    return re.sub(r"<!--.*?-->\n?|<title>.*?</title>\n|<!DOCTYPE.*?>\n", "", svg, flags=re.DOTALL)


def scene(name: str, to: Path) -> None:
    """Take a picture of printed parts; it needs OpenSCAD, and Xvfb for its window."""
    openscad = ["openscad", "-q", "-D", f'scene="{name}"', "--imgsize=1800,1200", "--viewall", "--autocenter"]
    camera = [f"--camera=0,0,0,{SCENES[name]},0", "--colorscheme=Tomorrow", "-o", str(to)]
    subprocess.run(["xvfb-run", "-a", *openscad, *camera, str(HERE / "print/shown.scad")], check=True)
    taken = Image.open(to).convert("RGB")
    empty = Image.new("RGB", taken.size, taken.getpixel((0, 0)))
    left, top, right, bottom = ImageChops.difference(taken, empty).getbbox()
    taken = taken.crop((left - _MARGIN, top - _MARGIN, right + _MARGIN, bottom + _MARGIN))
    taken = taken.resize((_WIDTH, round(taken.height * _WIDTH / taken.width)), Image.Resampling.LANCZOS)
    taken.quantize(64).save(to, optimize=True)


def board(made: CircuitBoard) -> None:
    """Write all that a board house and whoever solders need to know about a board."""
    folder = HERE / "boards" / made.name
    folder.mkdir(parents=True, exist_ok=True)
    written = {**gerber.files(made), "parts.csv": drawing.bill(made), "assembly.svg": drawing.svg(made)}
    for name, text in written.items():
        (folder / name).write_text(text, encoding="utf-8")


def main() -> None:
    """Draw everything."""
    for made in (boards.bus(), boards.box()):
        board(made)
    for source in WIRING:
        source.with_suffix(".svg").write_text(wiring(source), encoding="utf-8")
    (HERE / "pictures/lamps.svg").write_text(lamp_pictures.drawn(), encoding="utf-8")
    (HERE / "wiring/cables.md").write_text(cables.sheet(), encoding="utf-8")
    for name in SCENES:
        scene(name, HERE / f"pictures/{name}.png")
    guide = HERE / "README.md"
    guide.write_text(parts.listed_in(guide.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
