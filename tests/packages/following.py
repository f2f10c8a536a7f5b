"""Follow a tutorial as a stranger would: copy the files it links to, do its commands.

`python -m tests.packages.following` renews what the commands write into the packages that lie beside the pages.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
TUTORIALS = {page.parent.name: page for page in sorted(Path(__file__).parent.glob("*/README.md"))}
_STEP = re.compile(r"^```sh\n(?P<commands>.*?)^```$|\]\((?P<file>(?!\.\.|http)[^)#]+)\)", re.DOTALL | re.MULTILINE)
_EXCERPT = re.compile(r"^```(?!sh$)\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_AROUND = f"""set -eu
companion() {{ [ "$1" = play ] || {sys.executable} -m companion "$@"; }}
python() {{ {sys.executable} "$@"; }}
pytest() {{ {sys.executable} -m pytest -p no:cacheprovider -p no:xdist --hypothesis-profile=brief "$@"; }}
pip() {{ PYTHONPATH={ROOT} {sys.executable} -m tests.packages.following "$SITE"; }}
"""
"""What stands in for a terminal: nothing is fetched, nobody sits down to play."""


def linked(page: Path) -> list[str]:
    """Return the files of the package that a page links to, in its order."""
    return [step["file"] for step in _STEP.finditer(page.read_text(encoding="utf-8")) if step["file"]]


def excerpts(page: Path) -> list[str]:
    """Return the boxes of a page that are no commands."""
    return _EXCERPT.findall(page.read_text(encoding="utf-8"))


def follow(page: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Do all that a tutorial says, in this folder. Its first try of the tests is `new-game`'s, and tried there."""
    site = folder / "site"  # as it is installed: without this tree's tests
    site.mkdir()
    (site / "companion").symlink_to(ROOT / "companion")
    script = [_AROUND]
    for step in _STEP.finditer(page.read_text(encoding="utf-8")):
        file = step["file"]
        if file:
            script.append(f"mkdir -p {Path(file).parent}; cp {shlex.quote(str(page.parent / file))} {file}\n")
        else:
            script.append(step["commands"])
    commands = "".join(script).replace("\npytest\n", "\n", 1)
    return subprocess.run(
        ["bash", "-c", commands],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(site),
            "SITE": str(site),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "tried"),
        },
        capture_output=True,
        text=True,
    )


def install(package: Path, site: Path) -> None:
    """Write what pip would."""
    module = package.name.replace("-", "_")
    (site / module).symlink_to(package / module)
    about = site / f"{module}-0.1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: table-companion-{package.name}\nVersion: 0.1.0\n")
    (about / "entry_points.txt").write_text(f"[table_companion.games]\n{package.name} = {module}:GAME\n")


def files(package: Path) -> dict[str, str]:
    """Return what a package holds, but for the page that tells of it and what Python and the table keep compiled."""
    paths = (path for path in package.rglob("*") if path.is_file() and path.name not in ("README.md", ".gitignore"))
    return {str(path.relative_to(package)): path.read_text() for path in paths if "__pycache__" not in path.parts}


def _renew() -> None:
    for name, page in TUTORIALS.items():
        with tempfile.TemporaryDirectory() as folder:
            done = follow(page, Path(folder))
            print(name, done.returncode, done.stdout[-3000:], done.stderr[-3000:])
            shutil.copytree(
                Path(folder) / name,
                page.parent,
                dirs_exist_ok=True,
                ignore=shutil.ignore_patterns("README.md", "__pycache__"),
            )


if __name__ == "__main__":
    install(Path.cwd(), Path(sys.argv[1])) if sys.argv[1:] else _renew()
