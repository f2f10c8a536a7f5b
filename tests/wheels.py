"""`make wheels`: is everything that a 64-bit Pi needs there as a wheel, so that it has nothing to compile?

Asks the package index, and so is no part of `make test`.
"""

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

PYTHONS = {"3.11": "bookworm", "3.13": "trixie"}
# The C libraries that wheels may ask for: glibc 2.36 is bookworm's.
PLATFORMS = [f"manylinux_2_{minor}_aarch64" for minor in range(36, 16, -1)] + ["manylinux2014_aarch64"]


def main(extras: str) -> int:
    """Say for each Python whether all is there; give the exit status."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(one for extra in extras.split(",") for one in optional[extra])]
    missing = 0
    for python, system in PYTHONS.items():
        with tempfile.TemporaryDirectory() as folder:
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--dest", folder]
            target = ["--only-binary=:all:", "--implementation=cp", f"--python-version={python}"]
            platforms = [f"--platform={platform}" for platform in PLATFORMS]
            done = subprocess.run([*pip, *target, *platforms, *wanted], capture_output=True, text=True, check=False)
            found = len(list(Path(folder).iterdir()))
        missing += done.returncode != 0
        why = f"{found} wheels" if not done.returncode else done.stderr.strip().splitlines()[-1]
        print(f"Python {python} ({system}), aarch64: {why}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
