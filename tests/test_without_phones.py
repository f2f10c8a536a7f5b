"""All games are played to their ends by people who look at the big screen and the lamps, and hold no phone."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hands_without_phones import GAMES
from tests.slips_without_phones import SLIPS, clumsy
from tests.waiting import until
from tests.without_phones import OFFER, Answer, Family, family


@pytest.mark.long
@pytest.mark.parametrize(("slug", "hands", "options"), GAMES, ids=[slug for slug, *_ in GAMES])
def test_a_game_is_played_to_its_end_and_the_next_match_begins(
    tmp_path: Path, slug: str, hands: Callable[[Family], Answer], options: dict[str, str]
) -> None:
    with family(tmp_path) as people:
        people.begin(slug, **options)
        people.play(hands(people))
        people.pause(5)
        people.press(2)
        until(lambda: "It begins in ten seconds" in people.screen())
        until(lambda: people.lit("waiting") == [*people.playing])
        until(lambda: OFFER not in people.screen() and "ten seconds" not in people.screen())


@pytest.mark.long
@pytest.mark.parametrize(("slug", "hands", "options"), GAMES, ids=[slug for slug, *_ in GAMES])
def test_whoever_slips_in_every_way_and_does_what_the_screen_says_comes_to_the_end_all_the_same(
    tmp_path: Path, slug: str, hands: Callable[[Family], Answer], options: dict[str, str]
) -> None:
    with family(tmp_path) as people:
        people.begin(slug, **options)
        answer, to_come = clumsy(people, hands(people), SLIPS[slug])
        people.play(answer)
    assert not to_come
