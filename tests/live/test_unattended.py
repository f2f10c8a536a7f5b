"""A match plays itself where nobody is, and leaves at the first sign of people."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import games
from companion.access.rights_file import Phones
from companion.access.seat_rights import first
from companion.live.demo import Telling
from companion.live.pause import Why
from companion.live.table import Live
from companion.live.unattended import AFTER_A_MATCH_S, BEFORE_A_MATCH_S, Unattended
from tests.web.table import PEOPLE, Clock, TestDemo, living, phones_of


class Shown(TestDemo):
    """A demonstration that remembers which games it was started with."""

    def __init__(self, live: Live):
        super().__init__(live)
        self.games: list[str] = []

    def start(self, game: str, upon: object = None, *, by_itself: bool = False) -> None:
        self.live.begin_demo(game, PEOPLE[: games.known()[game].most_players], {}, None)
        self.games.append(game)
        self._tell(Telling(game, by_itself=by_itself))


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    with living(tmp_path, Clock(), simulated=True) as live:
        yield live


@pytest.fixture
def phones(live: Live) -> Phones:
    return phones_of(live, {})


@pytest.fixture
def demo(live: Live) -> Shown:
    return Shown(live)


@pytest.fixture
def ticks() -> Clock:
    return Clock()


@pytest.fixture
def unattended(live: Live, demo: Shown, phones: Phones, ticks: Clock) -> Unattended:
    """Watched by a big screen; it has looked once."""
    unattended = Unattended(live, demo, phones, ticks)  # type: ignore[arg-type]
    unattended.is_watched = lambda: True
    unattended.look()
    return unattended


def test_a_demonstration_begins_once_nobody_has_been_there_for_minutes(
    unattended: Unattended, demo: Shown, ticks: Clock
) -> None:
    ticks.now += BEFORE_A_MATCH_S - 1
    unattended.look()
    assert demo.games == []
    ticks.now += 1
    unattended.look()
    assert demo.games == [next(iter(games.known()))]
    assert demo.telling is not None
    assert demo.telling.by_itself


def test_it_leaves_at_the_first_act_of_a_phone(
    unattended: Unattended, demo: Shown, phones: Phones, live: Live, ticks: Clock
) -> None:
    ticks.now += BEFORE_A_MATCH_S
    unattended.look()
    phones.change(lambda rights: first(rights, "a" * 64))
    unattended.look()
    assert demo.telling is None
    assert live.snapshot.in_play is None


def test_one_that_people_asked_for_stays(unattended: Unattended, demo: Shown, phones: Phones) -> None:
    demo.start("kartel")
    phones.change(lambda rights: first(rights, "a" * 64))
    unattended.look()
    assert demo.telling is not None


def test_nothing_begins_where_no_screen_is_on_or_people_play(
    unattended: Unattended, demo: Shown, live: Live, ticks: Clock
) -> None:
    unattended.is_watched = lambda: False
    ticks.now += AFTER_A_MATCH_S
    unattended.look()
    unattended.is_watched = lambda: True
    live.begin("stop-it", PEOPLE, {})
    unattended.look()
    ticks.now += AFTER_A_MATCH_S
    unattended.look()
    assert demo.games == []


def test_after_a_match_its_winners_stand_longer(unattended: Unattended, demo: Shown, live: Live, ticks: Clock) -> None:
    live.begin("stop-it", PEOPLE, {})
    live.pause(Why.ENDED)
    unattended.look()
    ticks.now += AFTER_A_MATCH_S - 1
    unattended.look()
    assert demo.games == []
    ticks.now += 1
    unattended.look()
    assert len(demo.games) == 1


def test_each_game_is_shown_once_until_people_have_been_there(
    unattended: Unattended, demo: Shown, phones: Phones, ticks: Clock
) -> None:
    def pass_an_hour() -> None:
        for _ in range(12):
            ticks.now += AFTER_A_MATCH_S
            unattended.look()
            demo.stop()
            unattended.look()

    pass_an_hour()
    assert demo.games == [*games.known()]
    phones.change(lambda rights: first(rights, "a" * 64))
    pass_an_hour()
    assert demo.games == [*games.known()] * 2
