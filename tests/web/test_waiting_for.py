"""What the table waits for, by what a seat can do at a simulated table."""

from typing import Any

from companion.game.simulated_world import DEAL, Move
from companion.web.render.waiting_for import task
from companion.web.render.words import PageWords

WORDS = PageWords("hearts", "en", {1: "Ana", 2: "Bo"}, "dealt")


def waits(code: str, **facts: Any) -> dict[str, Any]:
    return {"table": {"now": {"code": code, "seat": 2, "dealt": "no", **facts}}, "over": False}


def test_while_nobody_can_do_anything_else_every_page_says_who_deals() -> None:
    view = waits("now-pass-left", seats=[1, 2])
    said = "Bo deals, or whoever is quicker."
    assert task(view, WORDS, None, (), (Move(1, DEAL), Move(2, DEAL))).text == said
    assert task(view, WORDS, 1, (), (Move(1, DEAL),)).text == said
    assert task(view, WORDS, None).text == "Ana and Bo: choose 3 cards to pass left."


def test_whoever_holds_the_card_that_leads_reads_so_on_their_own_page_only() -> None:
    view = waits("now-first", card="clubs-2")
    assert task(view, WORDS, 1, (), (Move(1, "lay", "clubs-2"),)).text == "You lead with the 2 of clubs."
    for other in (2, None):
        assert task(view, WORDS, other).text == "Whoever holds the 2 of clubs leads it."
