"""The printed parts, drawn by OpenSCAD."""

import subprocess
import tempfile
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "hardware/print"


def drawn(name: str, *sizes: str, suffix: str = ".stl") -> Path:
    """Return a part's model with these sizes, "card_x=63"; it is drawn if no earlier run has drawn the same sources.

    As STL, or with the suffix ".3mf", which has its unit in it.
    """
    scad = SOURCES / f"{name}.scad"
    sources = b"".join(source.read_bytes() for source in (scad, SOURCES / "sizes.scad", SOURCES / "boards.scad"))
    path = ROOT / f"build/print/{'-'.join((name, *sizes))}-{sha256(sources).hexdigest()[:16]}{suffix}"
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        model = Path(folder) / f"model{suffix}"
        settings = [word for size in sizes for word in ("-D", size)]
        command = ["openscad", "-q", *settings, "-o", model, scad]
        assert "WARNING" not in subprocess.run(command, capture_output=True, text=True, check=True).stderr
        model.replace(path)
    return path
