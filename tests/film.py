"""`make pictures`, its moving part: three moments on the big screen, one picture a tenth of a second.

The page's own animations are set to each time in turn, so that a busy machine takes the same film.
"""

import io
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from PIL import Image
from playwright.sync_api import Page

from companion.events import Event, Pressed
from companion.game import Verdict
from companion.judge.match import Match
from companion.live.table import Live
from tests.waiting import until

STEP = 100
"""Milliseconds from one picture to the next."""
SIZE = (800, 450)
AT = "time => document.getAnimations().forEach(one => { one.pause(); one.currentTime = time; })"


class Moment(msgspec.Struct, frozen=True):
    """What is filmed: a match up to some act, that act, and how long the stage takes."""

    match: Callable[[], list[Event]]
    act: Callable[[Match, float], tuple[Event, ...]]
    """(the match, the time) → what is done."""
    seconds: float
    stands: float = 2.0
    """Seconds for which the last picture stands."""


def press(match: Match, now: float) -> tuple[Event, ...]:
    """Press as whoever sits first."""
    return (Pressed(0, now, match.seats[0]),)


def shouts(match: Match, _: float) -> tuple[Event, ...]:
    """Press with two hands, 1.8 ms apart, and with a third long afterwards."""
    _, second, first, third = match.seats
    now = match.events[-1].at + 30  # the match was begun at another table's time
    return (Pressed(0, now, first), Pressed(0, now + 0.0018, second), Pressed(0, now + 0.088, third))


def last(match: Match, now: float) -> tuple[Event, ...]:
    """Do the first thing that ends the match."""
    ends = next(act for act in match.game.acts(match.state) if _after(match, act).over)
    return (msgspec.structs.replace(ends, at=now),)


def _after(match: Match, act: Event) -> Any:
    return match.game.judge(match.state, msgspec.structs.replace(act, seq=len(match.events) + 1))[0]


def brings(code: str) -> Callable[[Match], bool]:
    """Return whether a press brings this ruling now."""

    def brought(match: Match) -> bool:
        verdicts: tuple[Verdict, ...] = match.game.judge(match.state, Pressed(len(match.events) + 1, 10**6, 1))[1]
        return any(one.code == code for one in verdicts)

    return brought


def ends(match: Match) -> bool:
    """Whether an act ends the match now."""
    return not match.over and any(_after(match, act).over for act in match.game.acts(match.state))


def filmed(moment: Moment, live: Live, page: Page) -> Iterator[tuple[Image.Image, int]]:
    """Yield each picture, and the milliseconds for which it stands."""
    page.wait_for_selector(".stage")
    before = page.inner_html("#live")
    live.act(moment.act)
    until(lambda: page.inner_html("#live") != before)
    for time in range(0, round(moment.seconds * 1000) + 1, STEP):
        page.evaluate(AT, time)
        yield _picture(page), STEP
    yield _picture(page), round(moment.stands * 1000)


def _picture(page: Page) -> Image.Image:
    return Image.open(io.BytesIO(page.screenshot(animations="allow"))).convert("RGB")


def bound(pictures: list[tuple[Image.Image, int]]) -> bytes:
    """Bind pictures into one that moves."""
    out = io.BytesIO()
    (first, _), *rest = pictures
    first.save(
        out,
        "WEBP",
        save_all=True,
        append_images=[one for one, _ in rest],
        duration=[stands for _, stands in pictures],
        loop=0,
        quality=55,
        method=4,
    )
    return out.getvalue()
