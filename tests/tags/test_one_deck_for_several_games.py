"""The cards of an ordinary deck get their tags once, for every game that is played with one."""

from pathlib import Path

import pytest

from companion import games
from companion.game.playing_cards import DECK, PLAYING_CARDS
from companion.tags.deck import card_on
from companion.tags.deck_file import Decks

QUEEN = "04A1B2C3"
TAGS = f'[playing-cards]\nspades-12 = "{QUEEN}"\n'


@pytest.fixture
def decks(tmp_path: Path) -> Decks:
    path = tmp_path / "tags.toml"
    path.write_text(TAGS, encoding="utf-8")
    return Decks(path)


def test_its_tags_are_kept_once_and_not_by_each_game() -> None:
    assert "playing-cards" in games.with_tags()
    assert "hearts" not in games.with_tags()
    assert games.bearer_of("hearts") == "playing-cards"
    assert games.bearer_of("kartel") == "kartel"


def test_whatever_is_played_with_it_is_told_by_its_deck() -> None:
    assert "Hearts" in [game.title for game in games.played_with("playing-cards")]
    assert [game.title for game in games.played_with("kartel")] == ["Kartel"]


def test_a_card_that_has_its_tag_is_known_in_every_game_of_the_deck(decks: Decks) -> None:
    for game in games.played_with("playing-cards"):
        assert card_on(QUEEN, decks.cards, game.slug) == ("spades-12", None)


def test_in_a_game_with_cards_of_its_own_it_is_a_strange_card(decks: Decks) -> None:
    assert card_on(QUEEN, decks.cards, "kartel") == ("?", "playing-cards/spades-12")


def test_virtual_cards_of_one_game_are_those_of_all_games_of_the_deck(decks: Decks) -> None:
    for slug in ("hearts", "playing-cards"):
        assert card_on(f"virtual:{slug}/spades-12", decks.cards, "hearts") == ("spades-12", None)


def test_every_game_of_a_deck_has_its_cards_from_there() -> None:
    for game in games.played_with(PLAYING_CARDS.slug):
        assert all(DECK[card] == game.deck[card] for card in game.deck)


def test_a_deck_that_is_not_put_on_yet_lacks_all_its_cards(tmp_path: Path) -> None:
    assert Decks(tmp_path / "none.toml").deck("playing-cards").missing == tuple(DECK)
