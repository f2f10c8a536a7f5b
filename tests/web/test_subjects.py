"""What pages show, subject by subject: how much of it a page may know."""

from msgspec.structs import replace

from companion.events import Said, Tapped
from companion.game.simulated_world import Sight
from companion.live.cards_aloud import HeardCards
from companion.live.snapshot import Snapshot
from companion.live.table import Live
from companion.web.render.page_names import Page
from companion.web.render.subjects.page import names_in_templates
from companion.web.render.subjects.simulation import SimulationShown
from tests.web.table import count, to_count

SIGHTS = {seat: Sight(seat, {"hand": [f"card-{seat}"]}, {}, ()) for seat in (1, 3)}


def test_a_sealed_act_changes_nothing_of_what_others_may_know(live: Live) -> None:
    to_count(live)
    earlier = live.snapshot
    live.enter(Tapped(0, 0.0, "seat-3", "red-4"), Said(0, 0.0, 3, "count", 99))
    later = live.snapshot
    assert later.seen_by(3, 3) != earlier.seen_by(3, 3)
    assert later.seen_by(1, 1) == earlier.seen_by(1, 1)
    assert later.seen_by(None, None) == earlier.seen_by(None, None)


def test_that_a_seat_hears_its_cards_all_see_and_which_it_alone() -> None:
    heard = HeardCards(cards=("red-4",))
    snapshot = Snapshot(hearing={3: heard})
    assert snapshot.seen_by(3, 3).hearing == {3: heard}
    assert snapshot.seen_by(3, None).hearing == snapshot.seen_by(1, 1).hearing == {3: HeardCards()}


def test_a_page_about_another_match_depends_on_nothing_of_the_one_on_the_table(live: Live) -> None:
    earlier = live.snapshot
    to_count(live)
    count(live, 3, 4)
    assert live.snapshot != earlier
    assert live.snapshot.past(7) == earlier.past(7)


def test_a_player_has_their_own_sight_of_simulated_things_and_nobody_elses() -> None:
    simulation = SimulationShown(sights=SIGHTS, dealt=True)
    assert simulation.on(Page("seat", 1)).sights == {1: SIGHTS[1]}
    for page in (Page("seat", 5), Page("host", 1), Page("story", 1), Page("score"), Page("big"), Page("api")):
        assert simulation.on(page).sights == {}, page


def test_what_lies_open_is_shown_where_the_table_is_drawn_for_all() -> None:
    simulation = SimulationShown(shown={"pile": 7}, dealt=True)
    drawn = {kind for kind in ("big", "score", "table", "seat", "host", "api") if simulation.on(Page(kind)).shown}
    assert drawn == {"big", "score", "table"}


def test_a_page_about_another_match_shows_nothing_simulated() -> None:
    simulation = SimulationShown(sights=SIGHTS, shown={"pile": 7}, dealt=True, bots={3: "easy"}, stays=2, mover=1)
    assert replace(simulation.past(), form="") == SimulationShown()


def test_a_template_may_use_what_is_public_of_a_subject_and_nothing_else() -> None:
    class Subject:
        _hidden = 1
        colour = "red"

        def said(self) -> str:
            return self.colour

    assert sorted(names_in_templates(Subject())) == ["colour", "said"]
