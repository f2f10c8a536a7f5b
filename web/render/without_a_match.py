"""The context of pages without a match: a hub's, and those of a table being set up."""

from companion.access.seat_rights import Who
from companion.live.snapshot import Snapshot
from companion.web.render.page_names import Page
from companion.web.render.subjects.match import AboutMatch
from companion.web.render.subjects.page import AboutPage, Context, names_in_templates
from companion.web.render.subjects.simulation import AboutSimulation, SimulationShown
from companion.web.render.words import PageWords


def page_context(kind: str, language: str) -> Context:
    """Return the names that a page of this kind needs."""
    page = AboutPage(Page(kind), PageWords(None, language), Snapshot())
    match = AboutMatch(page, None, (), None)
    simulation = AboutSimulation(None, None, SimulationShown(), page)
    return {
        **names_in_templates(page, match, simulation),
        "who": Who(None, frozenset()),
        "look_of": lambda name: None,
    }
