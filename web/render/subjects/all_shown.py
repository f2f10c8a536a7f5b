"""All that a table's pages show, and what each page's template can use of it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from companion.live.snapshot import Snapshot
from companion.web.render.page_names import Page
from companion.web.render.players import corrected_names
from companion.web.render.subjects.beside_play import AboutBesidePlay, BesidePlayShown
from companion.web.render.subjects.match import AboutMatch
from companion.web.render.subjects.on_table import AboutMatchOnTable
from companion.web.render.subjects.page import AboutPage
from companion.web.render.subjects.people import AboutPeople, PeopleShown, match_of
from companion.web.render.subjects.question import AboutQuestion, QuestionShown
from companion.web.render.subjects.seat_page import AboutSeatPage
from companion.web.render.subjects.simulation import AboutSimulation, SimulationShown
from companion.web.render.subjects.table import AboutTable, TableShown
from companion.web.render.subjects.teaching import AboutTeaching
from companion.web.render.words import PageWords
from companion.web.room import Room


class AllShown(Struct, frozen=True):
    """All that pages show, subject by subject; equal as long as nothing has changed."""

    snapshot: Snapshot
    people: PeopleShown
    question: QuestionShown
    simulation: SimulationShown
    table: TableShown
    beside: BesidePlayShown

    def on(self, page: Page) -> "AllShown":
        """Return the part that this page may show. While that is equal, the page is not rendered again: even the time
        that takes would reveal that something was done.
        """
        return replace(
            self,
            snapshot=self.snapshot.seen_by(page.observer, page.own_seat),
            simulation=self.simulation.on(page),
            beside=self.beside.on(page),
        )

    def past(self, page: Page) -> "AllShown":
        """Return what this page about another match may show of the table now: who sits there, and its faults. Nothing
        of the match on the table, its questions and breaks, or a demonstration.
        """
        number = match_of(page, Snapshot())
        return AllShown(
            self.snapshot.past(number or None),
            self.people.past(),
            self.question.past(),
            self.simulation.past(),
            self.table.past(),
            self.beside.past(),
        )


class AllAbout(NamedTuple):
    """What one page can use of each subject: the public members of all are the names in its template."""

    page: AboutPage
    match: AboutMatch
    people: AboutPeople
    on_table: AboutMatchOnTable
    question: AboutQuestion
    simulation: AboutSimulation
    table: AboutTable
    teaching: AboutTeaching
    beside_play: AboutBesidePlay
    seat_page: AboutSeatPage


def describe_page(
    room: Room, page: Page, language: str, state: AllShown, on_table: AllShown, view: Mapping[str, Any] | None
) -> AllAbout:
    """Return what this page's template can use, in this language. `state` is what it may show, `on_table` the same for
    the match on the table, if it shows another. `view` is its match as its observer knows it; None: it shows none.
    """
    known_people = state.people.people
    names = corrected_names(view, known_people, match_of(page, state.snapshot))
    words = PageWords(view["game"] if view else None, language, names, state.simulation.form)
    about_page = AboutPage(page, words, state.snapshot)
    simulation = state.simulation
    match = AboutMatch(about_page, view, simulation.bots or (), room.live.faults, simulation.sights, simulation.deals)
    people = AboutPeople(state.people, state.simulation, about_page, match, room.join_address)
    table = AboutTable(state.table, about_page, room.live.faults, room.join_address)
    return AllAbout(
        about_page,
        match,
        people,
        AboutMatchOnTable(on_table.snapshot, on_table.simulation.bots, known_people),
        AboutQuestion(state.question, people.who, match.seats, words),
        AboutSimulation(room.hand, room.demo, state.simulation, about_page),
        table,
        AboutTeaching(known_people, state.simulation.bots or (), about_page, match),
        AboutBesidePlay(state.beside, state.snapshot, match),
        AboutSeatPage(about_page, match, people, state.simulation, table.screen),
    )
