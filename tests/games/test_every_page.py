"""What a match shows, whatever it waits for: every part of every page renders, and nothing on it is cut off."""

from pathlib import Path

import pytest

from companion import games
from companion.game import AnyGame
from companion.kit.pages import shown, test_every_page_renders_whatever_the_match_waits_for  # noqa: F401
from tests.web.looking import NARROW_TO_WIDE, UNFIT, Glass, at_every_moment
from tests.web.table import app_of, living


@pytest.mark.parametrize("game", games.known().values(), ids=games.known().keys())
def test_nothing_is_cut_off_and_every_button_fits_a_thumb_however_long_the_names(
    game: AnyGame, tmp_path: Path, glass: Glass
) -> None:
    with living(tmp_path, simulated=True) as live:
        paths = ("/", "/big", "/seat/1", "/seat/2", "/host", "/host/1", "/table")
        found = at_every_moment(app_of(live).test_client(), paths, shown(live, game))
    assert not (amiss := glass.ask(found, UNFIT, *NARROW_TO_WIDE[::4])), "\n".join(amiss)
