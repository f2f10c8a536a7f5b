"""No page of a hub weighs more than 100 kB, unpacked, however many people and tables there are."""

from flask.testing import FlaskClient

from companion.club.hub.bracket import MOST_DUELLISTS
from companion.club.hub.hub import Hub
from companion.club.hub.tournament import LONGEST_NAME, MOST_PEOPLE
from companion.web.hub.wall_pages import PICTURED
from tests.club.hub.conftest import Joined
from tests.club.hub.pages import ONE_OF_EACH, shown, shown_by_itself, view_of
from tests.club.hub.tables import about
from tests.waiting import until

MOST = 100_000
PEOPLE = [f"{number:03} Guillaume-Alexandre de la Rochefoucauld"[:LONGEST_NAME] for number in range(MOST_PEOPLE)]


def test_the_keepers_pages_of_as_many_people_as_can_play(hub: Hub, page: FlaskClient) -> None:
    page.post("/keeper", data={"code": hub.keeper.now.code})
    hub.tournament.begin(PEOPLE, 2, 4)
    hub.tournament.draw(1, [])
    hub.bracket.begin(PEOPLE[:MOST_DUELLISTS], [], by_lot=False)
    texts = {
        path: shown(page, path)
        for path in ("/tournament", "/tournament/sheet", "/tournament/standings", "/bracket", "/bracket/sheet")
    }
    assert {path: len(text) for path, text in texts.items() if len(text) > MOST} == {}
    assert all(
        texts["/tournament"].count(f'name="name" value="{person}"') == (person in PEOPLE[:50]) for person in PEOPLE
    )
    last = shown(page, "/tournament?name=499+guill")
    assert f'name="name" value="{PEOPLE[-1]}"' in last
    assert last.count('class="pod"') == 1


def test_the_wall_of_as_many_pictures_as_it_shows(hub: Hub, page: FlaskClient, joined: Joined) -> None:
    """Each drawn from what a page bears once for all tables of a game."""
    for number in range(PICTURED):
        table = joined(f"{'abcdefghijkl'[number]}bcdefgh234567ab")
        table.say("about", about(f"Table {number}"), retain=True)
        table.shows(1, 1.0, view_of(ONE_OF_EACH[number % len(ONE_OF_EACH)]))
    until(lambda: shown_by_itself(page).count('class="small"') == PICTURED)
    text = shown(page)
    assert text.count('width="0" height="0"') <= len(ONE_OF_EACH)
    assert len(text) < MOST
    joined("mbcdefgh234567ab")
    until(lambda: 'class="small"' not in shown_by_itself(page))
