"""The end of a match on the big screen: who has won, once it has been played."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from companion import games
from companion.events import Player, Retracted
from companion.kit.in_chromium import Glass, at_every_moment
from companion.kit.random_matches import random_match
from tests.chromium import Opened, in_still_time
from tests.web.table import Clock, app_of, app_with, client_of, enter_all, living, phones_of, post
from tests.web.test_big import AMISS, ASKED, HELD, LATEST, SIZES, UPRIGHT
from tests.web.test_states import all_of_scripts


def test_a_phone_names_the_winner_at_once_and_beside_a_big_screen_as_that_does(
    tmp_path: Path, served: Callable[[Flask], Opened], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last boss goes to prison: that is played first, and then the podium."""
    monkeypatch.setattr("companion.web.feed.TICK", 0.1)
    started, *acts = random_match(games.known()["kartel"], 1, undo=0.0, noise=0.0, most=600)
    with living(tmp_path, Clock(), simulated=True) as live:
        look = served(app_of(live))

        def begin() -> None:
            live.begin("kartel", started.players, started.options)
            live.enter(*acts[:-1])

        def opened(path: str) -> Page:
            return look(path, viewport=SIZES[0], reduced_motion="no-preference", go=in_still_time)

        begin()
        pages = [opened(path) for path in (f"/seat/{started.players[0].seat}", "/")]
        live.enter(acts[-1])
        for page in pages:
            expect(page.locator(".won")).to_have_count(1)
            assert page.evaluate(HELD) == []
        big = opened("/big")
        for page in pages:
            expect(page.locator(".won .soon")).to_have_count(1)
            assert page.evaluate(HELD) == []
        begin()
        for page in (*pages, big):
            expect(page.locator(".won")).to_have_count(0)
        live.enter(acts[-1])
        for page in (*pages, big):
            expect(page.locator(".won")).to_have_count(1)
            assert page.evaluate(HELD) == [11800]
        assert big.evaluate(LATEST) <= 4000, "its last figure is read before the winners come"


def test_whoever_sits_down_once_the_end_has_been_played_is_named_at_once(
    tmp_path: Path, served: Callable[[Flask], Opened], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.feed.TICK", 0.1)
    started, *acts = random_match(games.known()["kartel"], 2, undo=0.0, noise=0.0, most=600)
    with living(tmp_path, Clock(), simulated=True) as live:
        app = app_with(live, phones_of(live, {}))
        live.begin("kartel", started.players, started.options)
        live.enter(*acts[:-1])
        big = served(app)("/big", viewport=SIZES[0], reduced_motion="no-preference", go=in_still_time)
        live.enter(acts[-1])
        again = big.locator(".ledge .now > span")
        expect(again).to_have_text("Again? The host starts the next match.")
        expect(again).to_have_css("opacity", "0")
        big.evaluate("document.getAnimations().forEach((one) => one.finish())")
        expect(again).to_have_css("opacity", "1")
        assert post(client_of(app, None), "/sit", seat=2, name="Bo", animal="owl", colour="pink")[0] == 200
        bo = big.locator("#come > span")
        expect(bo).to_have_count(1)
        assert bo.evaluate("(one) => getComputedStyle(one).opacity") == "1"


def test_the_podium_stands_whatever_people_are_called(tmp_path: Path) -> None:
    started, *acts = random_match(games.known()["kartel"], 1, undo=0.0, noise=0.0, most=600)
    with living(tmp_path, Clock()) as live:
        live.begin(
            "kartel", tuple(Player(player.seat, "-" * (1 + at)) for at, player in enumerate(started.players)), {}
        )
        live.enter(*acts)
        assert 'class="podium' in app_of(live).test_client().get("/big").text


@pytest.mark.parametrize("slug", games.known())
def test_beside_the_winners_stands_what_the_match_is_remembered_for(slug: str, tmp_path: Path) -> None:
    # In few matches of these anything is remembered but their end.
    seed = {"hearts": 20, "crazy-eights": 2}.get(slug, 4)
    started, *acts = random_match(games.known()[slug], seed, undo=0.0, noise=0.0, most=5000)
    with living(tmp_path, Clock()) as live:
        live.begin(slug, started.players, started.options)
        enter_all(live, acts)
        page = app_of(live).test_client().get("/big").text
        assert page.count('class="slip best"') >= 2
        assert live.snapshot.highlights
        live.enter(Retracted(0, 0.0, acts[-1].seq))
        assert not live.snapshot.highlights


@pytest.mark.parametrize("seed", [1, 4], ids=["six", "four"])
@pytest.mark.parametrize("slug", sorted(games.known()))
def test_after_a_demonstration_the_winners_stand_beside_the_way_to_the_table(
    tmp_path: Path, glass: Glass, slug: str, seed: int
) -> None:
    started, *acts = random_match(games.known()[slug], seed, undo=0.0, noise=0.0, most=900)

    def over(begin: Callable[[str, tuple[Player, ...], Mapping[str, Any]], object]) -> Iterator[str]:
        begin(slug, started.players, started.options)
        enter_all(live, acts)
        yield "over"

    with living(tmp_path, Clock(), simulated=True) as live:
        client = app_of(live).test_client()
        pages = at_every_moment(client, ["/big"], over(live.begin_demo))
        assert live.snapshot.views[None]["over"]
        page = client.get("/big").text
        assert '<li class="laid"><svg' in page.partition('class="once-more')[2]
        assert list(over(live.begin))
        assert 'class="slip come"' not in client.get("/big").text
    amiss = f"() => innerWidth < innerHeight ? ({ASKED})() : ({all_of_scripts(AMISS, ASKED)})()"
    assert glass.ask(pages, amiss, *SIZES, UPRIGHT) == []
