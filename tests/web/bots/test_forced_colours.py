"""Where the system chooses the colours, nothing that a page tells by colour is lost; the law finds what would be."""

import pytest
from flask import Flask

from companion.kit.in_chromium import Glass, Rendered
from companion.live.simulation import Simulation
from companion.live.table import Live
from tests.web.bots.sitting import begin_with_bots, one_move
from tests.web.elements import Elements, with_all
from tests.web.forced_colours import untold
from tests.web.table import Clock

MOVES = 40
"""In which each game comes to what it counts by."""
HTML = """<!doctype html><html lang=en><title>Planted</title><body><style>{style}</style>
<ol><li>Ana</li><li class=chosen>Bo</li></ol><p><i></i></p>"""


@pytest.mark.long
@pytest.mark.parametrize("slug", ["stop-it", "stop-me-go", "go", "kartel", "hearts", "crazy-eights", "speed-snap"])
def test_pieces_marks_and_what_is_chosen_are_told_in_the_systems_colours(
    app: Flask, live: Live, simulation: Simulation, clock: Clock, glass: Glass, slug: str
) -> None:
    ana = begin_with_bots(app, slug)
    looked_at = {"/join", "/seat/1", "/big", "/", "/results"}
    pages = [Rendered(path, "en", ana.get(path).text) for path in sorted(looked_at)]
    for _ in range(MOVES):
        one_move(slug, live, simulation, clock)
        pages += [Rendered(path, "en", ana.get(path).text) for path in ("/seat/1", "/big")]
    ana.post("/end", data={"page": "host"})
    pages += [Rendered(path, "en", ana.get(path).text) for path in sorted(looked_at)]
    few = with_all((Elements(page.html).found, page) for page in pages)
    assert untold(glass, few) == []


@pytest.mark.parametrize(
    "style",
    [
        "li.chosen { background: gold }",
        "li.chosen { box-shadow: 0 0 0 3px gold }",
        "li.chosen { background-image: linear-gradient(gold, red) }",
        "i { display: block; width: 20px; height: 20px; background: linear-gradient(red, gold) }",
    ],
)
def test_a_mark_by_colour_or_picture_alone_is_found(glass: Glass, style: str) -> None:
    assert untold(glass, [Rendered("/planted", "en", HTML.format(style=style))])


def test_a_mark_with_an_edge_is_told(glass: Glass) -> None:
    edged = "i { display: block; width: 9px; height: 9px; border: 1px solid }"
    style = f"li.chosen {{ background: gold; outline: 2px solid }} {edged}"
    assert untold(glass, [Rendered("/planted", "en", HTML.format(style=style))]) == []
