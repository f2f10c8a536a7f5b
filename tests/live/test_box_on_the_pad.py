"""A sticker on a game's box, laid in the middle between two matches, starts that game: nobody needs a phone."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from companion import games
from companion.access import people
from companion.access.lobby import show_card
from companion.access.seat_rights import Rights
from companion.act_cards import SLUG, box_of
from companion.devices.sensing import VIRTUAL, Appeared
from companion.languages import LANGUAGES
from companion.live.announcement import NOTICE
from companion.live.starting import SeatedPeople
from companion.words import Words
from tests.live.evening import ANA, BO, Evening
from tests.web.table import Clock, living, phones_of

CENTRE = "centre"


def lay_box(evening: Evening, game: str, place: str = CENTRE) -> None:
    evening.lay(place, f"{VIRTUAL}{SLUG}/{box_of(game).id}")


@pytest.mark.parametrize("game", games.known())
def test_a_box_announces_its_game_with_those_who_sit_there_and_starts_it(ended: Evening, game: str) -> None:
    players = ended.started.players
    lay_box(ended, game)
    announced = ended.live.snapshot.announced
    assert announced is not None
    assert announced.intent.code == "announced-box"
    ended.wait(NOTICE)
    assert (ended.started.game, ended.started.players) == (game, players)
    assert ended.live.snapshot.people_play


def test_anybody_says_no_by_a_button(ended: Evening) -> None:
    number = ended.number
    lay_box(ended, "kartel")
    ended.press_after(3, BO)
    assert ended.live.snapshot.announced is None
    ended.wait(NOTICE)
    assert ended.number == number


def test_another_box_takes_the_place_of_the_first(ended: Evening) -> None:
    lay_box(ended, "kartel")
    ended.wait(NOTICE / 2)
    lay_box(ended, "go")
    ended.wait(NOTICE / 2)
    assert ended.started.game == "stop-it"
    ended.wait(NOTICE / 2)
    assert ended.started.game == "go"


def test_while_a_match_is_on_a_box_says_nothing(evening: Evening) -> None:
    lay_box(evening, "kartel")
    assert evening.live.snapshot.announced is None
    assert evening.started.game == "stop-it"


def test_at_a_seat_a_box_says_nothing(ended: Evening) -> None:
    lay_box(ended, "kartel", f"seat-{ANA}")
    assert ended.live.snapshot.announced is None


def test_a_box_is_no_card_of_the_match(ended: Evening) -> None:
    lay_box(ended, "stop-it")
    ended.wait(NOTICE)
    events = ended.live.ask(lambda match: len(match.events))
    ended.lift(CENTRE, f"{VIRTUAL}{SLUG}/{box_of('stop-it').id}")
    assert ended.live.ask(lambda match: len(match.events)) == events


@pytest.mark.parametrize("language", LANGUAGES)
def test_boxes_get_their_stickers_as_the_tables_own_cards_do(ended: Evening, language: str) -> None:
    cards = games.with_tags()[SLUG].cards_of(None)
    for slug, game in games.known().items():
        assert box_of(slug).id in cards
        assert game.title in Words(SLUG, language).card(box_of(slug).id)


def test_the_first_match_of_all_is_played_by_those_who_have_sat_down(tmp_path: Path) -> None:
    clock = Clock()
    with living(tmp_path, clock) as live:
        phones = phones_of(live, {})
        for at, name in ((1, "Ana"), (3, "Bo")):
            phones.change(lambda rights, at=at, name=name: show_card(give(rights, name), at, name))  # type: ignore[misc]
        live.ask_who_plays_next(SeatedPeople(phones))
        live.tell(Appeared(CENTRE, f"{VIRTUAL}{SLUG}/{box_of('kartel').id}", clock()))
        clock.now += NOTICE
        for _ in range(2):
            live.ask_any(lambda: None)
        started = live.ask(lambda match: match.started)
    assert (started.game, [player.name for player in started.players]) == ("kartel", ["Ana", "Bo"])


def give(rights: Rights, name: str) -> Rights:
    """Make the club card of this number its owner's."""
    return replace(rights, people=people.give_card(rights.people, name, name))
