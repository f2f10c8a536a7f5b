"""A card that was read at two seats: every page says where it counts, and two agree to count it at the other."""

import pytest
from flask.testing import FlaskClient

from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST
from companion.events import Pressed, Tapped
from companion.live.table import Live
from tests.web.table import ANAS, BOS, Clock, counts, phones_of, post, reply, to_count

SAID = "The red 1 was read for Bo and Ana; it counts for Ana."


@pytest.fixture
def phones(live: Live) -> Phones:
    """Cléo has none."""
    return phones_of(live, {HOST: ANAS, 1: ANAS, 3: BOS})


@pytest.fixture
def contested(live: Live, clock: Clock) -> None:
    """Ana's red 1 was laid on Bo's pad first."""
    to_count(live)
    taps = (("seat-3", "red-1"), ("seat-1", "red-1"), ("seat-1", "red-2"), ("seat-3", "red-3"), ("seat-5", "red-4"))
    live.enter(*(Tapped(0, 0.0, place, card) for place, card in taps))  # type: ignore[arg-type]
    live.enter(*(Pressed(0, 0.0, seat) for seat in (1, 3, 5)))


@pytest.mark.usefixtures("contested")
def test_every_page_says_where_it_counts(live: Live, host: FlaskClient, bo: FlaskClient) -> None:
    assert counts(live) == {1: 2, 3: 1, 5: 1}
    for client, page in ((host, "/host"), (bo, "/seat/3"), (bo, "/"), (bo, "/big")):
        assert SAID in client.get(page).text


@pytest.mark.usefixtures("contested")
def test_two_agree_to_count_it_at_the_other_seat(live: Live, host: FlaskClient, bo: FlaskClient) -> None:
    assert post(host, "/lies-at", card="red-1", seat="3")[1].startswith("That concerns others")
    assert counts(live) == {1: 2, 3: 1, 5: 1}
    assert reply(bo, "/seat/3") == (200, "Put right. Everything after it was judged again.")
    assert counts(live) == {1: 1, 3: 2, 5: 1}


@pytest.mark.usefixtures("contested")
@pytest.mark.parametrize("form", [{"card": "red-1", "seat": "1"}, {"card": "red-2", "seat": "3"}])
def test_what_was_not_read_there_is_not_counted_there(live: Live, host: FlaskClient, form: dict[str, str]) -> None:
    assert post(host, "/lies-at", **form)[0] == 409
    assert counts(live) == {1: 2, 3: 1, 5: 1}


def test_undoing_a_misplay_takes_nothing_else_along(live: Live, host: FlaskClient, bo: FlaskClient) -> None:
    """A card entered for Ana on a phone that Bo's reader has read: her other cards stay."""
    to_count(live)
    live.enter(Tapped(0, 0.0, "seat-3", "red-1"), Tapped(0, 0.0, "seat-1", "red-1", by="phone"))
    live.enter(*(Tapped(0, 0.0, "seat-1", card) for card in ("red-2", "red-3")), Tapped(0, 0.0, "seat-5", "red-4"))
    live.enter(*(Pressed(0, 0.0, seat) for seat in (1, 3, 5)))
    entries = live.ask(lambda match: [verdict.code for verdict in match.public])
    post(host, "/take-back", entry=str(entries.index("in-another-hand")), code="in-another-hand")
    reply(bo, "/seat/3")
    assert counts(live) == {1: 2, 3: 1, 5: 1}
