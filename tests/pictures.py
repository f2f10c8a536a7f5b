"""`make pictures`: the README's pictures, taken of the real pages while an example match stands in the log."""

import tempfile
from pathlib import Path

from msgspec.structs import replace
from playwright.sync_api import sync_playwright

from companion.events import Event, Player, Pressed, Said, Started, Tapped
from companion.log import Log
from tests.chromium import CHROMIUM
from tests.web.table import TABLET, app_of, living, serving

ROOT = Path(__file__).parent.parent
PEOPLE = (Player(1, "Ana"), Player(3, "Bo"), Player(5, "Cléo"), Player(6, "Dédé"))
CALLS = (
    # caller, who was second, by how much (seconds), the stop card, everybody's cards of its colour
    (6, 1, 0.0412, "orange-stop-2", (3, 1, 4, 2)),
    (3, 5, 0.0087, "red-stop-1", (5, 2, 4, 2)),
    (1, 6, 0.1204, "special-stop-1", (17, 21, 12, 14)),
    (5, 3, 0.0018, "violet-stop-2", (2, 1)),
)
PICTURES = {
    "score": ("/", 390, 800),
    "table": ("/table", 1200, 800),
}


def example() -> list[Event]:
    """Give a match of which three calls are scored; in the fourth, two of four have counted."""
    at = 20.0
    events: list[Event] = [Started(1, 10.0, "stop-it", PEOPLE, {}), Pressed(2, at, 1)]
    for caller, second, margin, card, counts in CALLS:
        at += 60
        said: list[Event] = [
            Said(0, at + 9, player.seat, "count", n) for player, n in zip(PEOPLE, counts, strict=False)
        ]
        events += [Pressed(0, at, caller), Pressed(0, at + margin, second), Tapped(0, at + 4, "centre", card)]
        events += [*said, Pressed(0, at + 20, caller)] if len(said) == len(PEOPLE) else said
    return [replace(event, seq=seq) for seq, event in enumerate(events, 1)]


def main() -> None:
    """Take every picture anew."""
    first, *rest = example()
    with tempfile.TemporaryDirectory() as folder:
        log = Log(Path(folder) / "log.sqlite", writes=True)
        log.append(log.open_match("2026-11-20", True, first), [(event, "") for event in rest])
        log.close()
        with (
            living(Path(folder), simulated=True) as live,
            serving(app_of(live)) as port,
            sync_playwright() as playwright,
            playwright.chromium.launch(**CHROMIUM) as browser,
        ):
            for name, (path, width, height) in PICTURES.items():
                page = browser.new_page(
                    viewport={"width": width, "height": height}, locale="en", reduced_motion="reduce"
                )
                address = f"http://127.0.0.1:{port}"
                page.context.add_cookies([{"name": "phone", "value": TABLET, "url": f"{address}/"}])
                page.goto(f"{address}{path}")
                page.wait_for_load_state("load")
                page.screenshot(path=ROOT / "web/pictures" / f"{name}.png")


if __name__ == "__main__":
    main()
