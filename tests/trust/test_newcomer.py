"""What a newcomer finds to press on the page of their seat."""

from pathlib import Path

from companion import games
from companion.kit.button_laws import forms_of
from tests.trust.newcomer import true_of
from tests.web.table import PEOPLE, Clock, app_of, living, post


def test_whoever_shouts_with_a_phone_alone_finds_their_stop_card(tmp_path: Path) -> None:
    clock = Clock()
    with living(tmp_path, clock) as live:
        live.begin("stop-it", PEOPLE, dict(games.known()["stop-it"].in_ten_minutes))
        phone = app_of(live, virtual=False).test_client()
        for clock.now in (5, 10):
            post(phone, "/enter", page="seat-1", kind="pressed", seat="1")
        page = phone.get("/seat/1").text
        likely = live.ask(lambda match: match.game.moves.likely(match.state))
        shown = {form.first("card") for form in true_of(likely, forms_of(page), page)}
    assert {"red-stop-1", "special-stop-1"} <= shown
