"""What surrounds a page if no match is shown: a hub's, and that of a table being set up."""

from typing import Any

from companion.access.seat_rights import Who
from companion.live.simulated_sights import NO_SHOWN
from companion.live.snapshot import Snapshot
from companion.web.render.context_of_page import of_page
from companion.web.render.page_names import Page
from companion.web.render.words import PageWords

_NOBODY = Snapshot()


def page_context(kind: str, language: str) -> dict[str, Any]:
    """Return what a page of this kind needs."""
    return {
        **of_page(Page(kind), PageWords(None, language), _NOBODY),
        "demo": None,
        "telling": None,
        "shown": NO_SHOWN,
        "hand": None,
        "sight": None,
        "view": None,
        "table": None,
        "slug": None,
        "game": None,
        "brought": "",
        "failed": False,
        "news": None,
        "task": None,
        "seats": {},
        "who": Who(None, frozenset()),
        "look_of": lambda name: None,
    }
