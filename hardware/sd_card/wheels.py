"""All wheels that a table installs, at the versions of constraints.txt, so that a 64-bit Pi compiles nothing.

This asks the package index, and so is not part of `make test`. `make wheels` says whether all are there.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTHONS = {"3.11": "bookworm", "3.13": "trixie"}
MACHINES = ("aarch64", "x86_64")
"""For armv7l, a 32-bit Pi, the index does not have all of them."""
# The C libraries that wheels may ask for: glibc 2.36, the newest here, is bookworm's.
GLIBC = ("manylinux2014", *(f"manylinux_2_{minor}" for minor in range(17, 37)), "linux")


def download(python: str, machine: str, to: Path) -> str:
    """Download all wheels for a Python and a machine into a folder; return pip's error, or "" if there was none."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--dest", str(to)]
    target = ["--only-binary=:all:", "--no-deps", "--implementation=cp", f"--python-version={python}"]
    platforms = [f"--platform={glibc}_{machine}" for glibc in GLIBC]
    wanted = ["--requirement", str(ROOT / "constraints.txt"), "pip"]
    done = subprocess.run([*pip, *target, *platforms, *wanted], capture_output=True, text=True, check=False)
    return done.stderr.strip().splitlines()[-1] if done.returncode else ""


def build(to: Path) -> None:
    """Build the companion's own wheel into a folder, from the last commit: a work tree may hold other files."""
    with tempfile.TemporaryDirectory() as clone:
        subprocess.run(["git", "clone", "--quiet", "--depth=1", f"file://{ROOT}", clone], check=True)
        pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--disable-pip-version-check"]
        subprocess.run([*pip, "--wheel-dir", str(to), clone], check=True)


def main(args: list[str]) -> int:
    """Print for each Python and machine whether all wheels exist; return the exit status."""
    parser = argparse.ArgumentParser(prog="hardware.sd_card.wheels", description="Check that every wheel is there.")
    parser.add_argument("--machines", nargs="+", choices=MACHINES, default=["aarch64"])
    missing = 0
    for machine in parser.parse_args(args).machines:
        for python, system in PYTHONS.items():
            with tempfile.TemporaryDirectory() as folder:
                error = download(python, machine, Path(folder))
                found = len(list(Path(folder).iterdir()))
            missing += bool(error)
            print(f"Python {python} ({system}), {machine}: {error or f'{found} wheels'}", flush=True)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
