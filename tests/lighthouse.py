"""`make lighthouse`: Lighthouse's marks of the pages as a phone loads them first, in an empty cache.

Performance is timed, so it hangs on how busy this machine is; the rest does not.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.chromium import CHROMIUM
from tests.web.table import PEOPLE, TABLET, app_of, living, serving

PROGRAM = Path(__file__).parents[1] / "build/lighthouse/node_modules/.bin/lighthouse"
PATHS = ("/", "/join", "/seat/1", "/big", "/results")
MARKS = ("performance", "accessibility", "best-practices")


def report_on(url: str) -> dict[str, Any]:
    """Return what Lighthouse says of a page to the phone that holds every part."""
    command = [
        str(PROGRAM),
        url,
        "--quiet",
        "--output=json",
        f"--only-categories={','.join(MARKS)}",
        f"--extra-headers={json.dumps({'Cookie': f'phone={TABLET}'})}",
        "--chrome-flags=--headless --no-sandbox --disable-background-networking",
    ]
    environment = {**os.environ, "CHROME_PATH": CHROMIUM["executable_path"]}
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)
    if answer.returncode:
        sys.exit(answer.stderr)
    report: dict[str, Any] = json.loads(answer.stdout)
    return report


def write_marks(path: str, report: dict[str, Any]) -> None:
    """Say a page's marks, and which audits cost it some."""
    marks = {name: round(100 * report["categories"][name]["score"]) for name in MARKS}
    shift = report["audits"]["cumulative-layout-shift"]["numericValue"]
    paint = report["audits"]["largest-contentful-paint"]["numericValue"]
    summary = ", ".join(f"{name} {mark}" for name, mark in marks.items())
    print(f"{path}: {summary}; largest paint after {paint / 1000:.1f} s, moved by {shift:.3f}")
    for name in MARKS:
        for reference in report["categories"][name]["auditRefs"]:
            audit = report["audits"][reference["id"]]
            if reference["weight"] and (audit["score"] or 0) < 0.9 and audit["scoreDisplayMode"] != "notApplicable":
                print(f"    {name}: {audit['title']} ({audit.get('displayValue', '')})")


def main() -> None:
    if not PROGRAM.exists():
        print("Not measured: npm's lighthouse is missing")
        return
    with tempfile.TemporaryDirectory() as folder, living(Path(folder), simulated=True) as live:
        live.begin("kartel", PEOPLE, {})
        with serving(app_of(live)) as port:
            for path in PATHS:
                write_marks(path, report_on(f"http://127.0.0.1:{port}{path}"))


if __name__ == "__main__":
    main()
