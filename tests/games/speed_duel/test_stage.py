"""What the big screen plays of Speed, and that it shows no more than what lies there."""

import re
from pathlib import Path

import pytest

from companion.events import Player, Pressed, Tapped
from tests.games.playing import watched

TWO = (Player(1, "Ana"), Player(3, "Bo"))
TURNED = tuple(Tapped(0, 0.0, "centre", card) for card in ("hearts-6", "spades-11"))
BOTH_STUCK = (Pressed(0, 0.0, 1), Pressed(0, 0.0, 3))


def laid(*ranks: int) -> tuple[Tapped, ...]:
    """Return red cards, laid one after the other."""
    return tuple(Tapped(0, 0.0, "centre", f"hearts-{rank}") for rank in ranks)  # type: ignore[arg-type]


def text(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


@pytest.mark.parametrize(
    ("events", "moment"),
    [
        (TURNED, ""),
        ((*TURNED, BOTH_STUCK[0]), ""),
        ((*TURNED, *BOTH_STUCK), "stuck"),
        ((*TURNED, *BOTH_STUCK, Tapped(0, 0.0, "centre", "clubs-2")), ""),
        ((*TURNED, *laid(7, 8)), "few"),
        ((*TURNED, *laid(7, 8, 9)), ""),
        ((*TURNED, *laid(7, 8, 9, 10, 11, 12, 13)), "last-card"),
    ],
)
def test_a_moment_is_played_from_the_act_that_made_it_until_the_next(
    tmp_path: Path, events: tuple[Tapped | Pressed, ...], moment: str
) -> None:
    with watched("speed-duel", tmp_path, TWO, cards=8) as (live, page):
        live.enter(*events)
        assert re.findall(r"sd-plays-([\w-]+)", page("/big")) == ([moment] if moment else [])


def test_the_end_tells_how_many_cards_the_other_still_had(tmp_path: Path) -> None:
    with watched("speed-duel", tmp_path, TWO, cards=5) as (live, page):
        live.enter(*TURNED, *laid(7, 8, 9, 10))
        assert "Bo had 4 cards left." in text(page("/big")).replace(" .", ".")


def test_everybody_sees_who_laid_the_latest_card(tmp_path: Path) -> None:
    with watched("speed-duel", tmp_path, TWO) as (live, page):
        assert "Laid last" not in page("/big")
        live.enter(*TURNED)
        assert "Laid last: Bo." in text(page("/big"))
        live.enter(*laid(7))
        for path in ("/", "/big"):
            assert "Laid last: Ana." in text(page(path))


def test_the_big_screen_names_no_card_but_those_on_top(tmp_path: Path) -> None:
    with watched("speed-duel", tmp_path, TWO, cards=6) as (live, page):
        live.enter(*TURNED, *BOTH_STUCK)
        assert re.findall(r'aria-label="([^"]* of [^"]*)"', page("/big")) == ["6 of hearts", "jack of spades"]
