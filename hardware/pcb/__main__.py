"""`make boards`: both boards as KiCad projects, checked by KiCad, with the files for manufacture and soldering."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from PIL import Image, ImageChops

from hardware.pcb import boards, kicad, project
from hardware.pcb.kicad import Kicad
from hardware.pcb.model import CircuitBoard

HERE = Path(__file__).parents[1] / "boards"
PICTURES = HERE.parent / "pictures"
BUILT = Path(__file__).parents[2] / "build/boards"
PARTS_LIST = Path(__file__).parents[2] / "build/parts-list"
"""Where `make boards` installs InteractiveHtmlBom, for KiCad's own Python."""
_LAYERS = "F.Cu,B.Cu,F.Mask,B.Mask,F.SilkS,B.SilkS,Edge.Cuts"


def pour(board: CircuitBoard, cad: Kicad, folder: Path) -> None:
    """Fill the ground zones of a project in a folder that KiCad can reach."""
    shutil.copy(Path(__file__).with_name("pour.py"), folder)
    cad.run(folder, "python3", "pour.py", f"{board.name}.kicad_pcb")
    (folder / "pour.py").unlink()


def check(board: CircuitBoard, cad: Kicad, folder: Path) -> None:
    """Have KiCad check schematic, board, and that both are the same; its reports are erc.json and drc.json."""
    strict = ("--severity-all", "--format", "json")
    cad.run(folder, "kicad-cli", "sch", "erc", *strict, "-o", "erc.json", f"{board.name}.kicad_sch")
    parity = ("--schematic-parity", "--all-track-errors")
    cad.run(folder, "kicad-cli", "pcb", "drc", *strict, *parity, "-o", "drc.json", f"{board.name}.kicad_pcb")


def gerbers(board: CircuitBoard, cad: Kicad, folder: Path) -> None:
    """Write the files that a board house makes the board from, into a folder of their own."""
    pcb = f"{board.name}.kicad_pcb"
    export = ("kicad-cli", "pcb", "export")
    (folder / "gerbers").mkdir()
    # KiCad describes the Pico's pads by macros with more parameters than gerbv holds: it would not draw them.
    cad.run(folder, *export, "gerbers", "--disable-aperture-macros", "--layers", _LAYERS, "--output", "gerbers/", pcb)
    cad.run(folder, *export, "drill", "--excellon-separate-th", "--output", "gerbers/", pcb)


def manufacture(board: CircuitBoard, cad: Kicad, folder: Path) -> None:
    """Write the files for a board house, and the drawings and lists for soldering."""
    pcb = f"{board.name}.kicad_pcb"

    def export(what: str, *options: str) -> None:
        cad.run(folder, "kicad-cli", "pcb", "export", what, *options, pcb)

    gerbers(board, cad, folder)
    export("pos", "--format", "csv", "--units", "mm", "--output", f"{board.name}-positions.csv")
    export("step", "--force", "--output", f"{board.name}.step")
    paper = ("--mode-single", "--include-border-title", "--drill-shape-opt", "2")
    ink = ("--black-and-white", "--exclude-value", "--sketch-pads-on-fab-layers")
    export("pdf", *paper, *ink, "--layers", "F.Fab,F.SilkS,Edge.Cuts", "--output", f"{board.name}-1-to-1.pdf")
    picture = ("--side", "top", "--zoom", "1.6", "--width", "1400", "--height", "800", "--output", "top.png")
    cad.run(folder, "kicad-cli", "pcb", "render", *picture, pcb)
    cad.run(folder, "kicad-cli", "sch", "export", "pdf", "-o", f"{board.name}-schematic.pdf", f"{board.name}.kicad_sch")
    if PARTS_LIST.exists():
        shutil.copytree(PARTS_LIST, folder / "parts-list")
        page = ("--no-browser", "--dest-dir", ".", "--name-format", f"{board.name}-parts")
        module = ("python3", "-m", "InteractiveHtmlBom.generate_interactive_bom")
        cad.run(folder, "env", "PYTHONPATH=parts-list", *module, *page, "--extra-fields", "Manufacturer,MPN", pcb)
        shutil.rmtree(folder / "parts-list")
    with zipfile.ZipFile(folder / f"{board.name}-gerbers.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted((folder / "gerbers").iterdir()):
            # One date for all: the same board then gives the same archive.
            packed.writestr(zipfile.ZipInfo(path.name, (1980, 1, 1, 0, 0, 0)), path.read_bytes())


def keep(folder: Path, to: Path) -> None:
    """Copy what was made to where a release takes it from, without KiCad's settings of the last user's view."""
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(folder, to, ignore=shutil.ignore_patterns("*.kicad_prl"))


def shown(render: Path) -> Image.Image:
    """Return KiCad's picture of a board without its margin, and light enough for the guide."""
    taken = Image.open(render).convert("RGB")
    empty = Image.new("RGB", taken.size, taken.getpixel((0, 0)))
    taken = taken.crop(ImageChops.difference(taken, empty).getbbox())
    size = (900, round(taken.height * 900 / taken.width))
    return taken.resize(size, Image.Resampling.LANCZOS).quantize(12)


def main() -> None:
    """Write everything. Exits with a message if there is no KiCad, or it fails."""
    cad = kicad.found()
    if cad is None:
        sys.exit(f"no KiCad {kicad.LEAST} or newer: `make kicad` sets one up in {kicad.DEBIAN}, as root")
    for board in (boards.bus(), boards.box()):
        written = project.files(board, cad.libraries)
        with cad.folder() as folder:
            for name, text in written.items():
                (folder / name).write_text(text, encoding="utf-8")
            try:
                pour(board, cad, folder)
                check(board, cad, folder)
                manufacture(board, cad, folder)
            except subprocess.CalledProcessError as error:
                sys.exit(f"{' '.join(error.cmd)}\n{error.stdout}{error.stderr}")
            keep(folder, BUILT / board.name)
        committed = HERE / board.name
        # KiCad renders no picture twice to the same bytes: take a new one only if the board has changed.
        if {path.name: path.read_text(encoding="utf-8") for path in committed.iterdir()} != written:
            for name, text in written.items():
                (committed / name).write_text(text, encoding="utf-8")
            shown(BUILT / board.name / "top.png").save(PICTURES / f"{board.name}.png", optimize=True)
        print(f"{board.name}: {BUILT / board.name}")


if __name__ == "__main__":
    main()
