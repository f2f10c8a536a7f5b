"""The printed parts: which models a release contains, in which sizes, and how many of each a table needs."""

import re
from typing import NamedTuple

from hardware.parts import TABLES

_LIST = re.compile(
    r"(<!-- prints: `make hardware` writes this list from prints.py -->\n).*?(<!-- end of prints -->)", re.S
)


class Print(NamedTuple):
    """A part to print."""

    model: str
    """Its file in print/, without .scad."""
    sizes: tuple[str, ...]
    """The model's variables to set, as in `card_x=63`; () for its own sizes."""
    what: str
    """What it is for."""
    counts: tuple[int, ...]
    """How many for each of `TABLES`."""


PRINTS = {
    "seat-pod": Print("seat-pod", (), "each seat: button and lamp", (4, 4, 6)),
    "seat-pod-centre": Print("seat-pod", ("button_hole=0",), "the centre pad's lamp", (0, 1, 1)),
    "reader-puck": Print("reader-puck", (), "each reader on the table", (1, 5, 7)),
    "reader-frame": Print("reader-frame", (), "each reader under the wood, instead of its puck", (1, 5, 7)),
    "pi-tray": Print("pi-tray", (), "the Pi", (1, 1, 1)),
    "board-tray-box": Print("board-tray", ('holds="box"',), "the box's printed board", (0, 1, 1)),
    "board-tray-bus": Print("board-tray", ('holds="bus"',), "the printed bus board", (0, 0, 1)),
    "spacers": Print("spacers", (), "trying readers: two blocks", (1, 1, 1)),
    "card-jig-poker": Print(
        "card-jig", ("card_x=63", "card_y=88"), "cards of 63 × 88 mm; other sizes from the model", (1, 1, 1)
    ),
    "card-jig-round": Print(
        "card-jig",
        ("card_x=40", "card_y=40", "card_corner=20", "sticker=18"),
        "tokens of 40 mm with stickers of 18 mm, if you have such",
        (1, 1, 1),
    ),
}
"""By the name of its file in a release."""


def listed_in(guide: str) -> str:
    """Return the guide with its list of prints rewritten."""
    rows = [f"| file | for | {' | '.join(TABLES)} |", "|---|---|--:|--:|--:|"]
    for name, part in PRINTS.items():
        counts = " | ".join(str(count or "") for count in part.counts)
        rows.append(f"| `{name}` | {part.what} | {counts} |")
    return _LIST.sub(lambda found: found[1] + "\n" + "\n".join(rows) + "\n\n" + found[2], guide)
