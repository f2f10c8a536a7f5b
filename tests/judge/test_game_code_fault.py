"""What a game's code raised, named so that its author finds it."""

from pathlib import Path

import jinja2
import pytest

from companion.judge.game_code_fault import fault_of
from companion.words import Words


def test_what_a_template_asks_for_in_vain_is_told_with_the_template(tmp_path: Path) -> None:
    (tmp_path / "seat.html").write_text("<p>\n{{ say('no-such-word') }}")
    page = jinja2.Environment(loader=jinja2.FileSystemLoader(tmp_path)).get_template("seat.html")
    with pytest.raises(KeyError) as raised:
        page.render(say=Words("kartel", "en").say)
    assert fault_of("kartel", "page", raised.value).where == f"page: KeyError at {tmp_path / 'seat.html'}:2"
