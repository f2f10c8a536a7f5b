"""`make pictures`, its moving part: a demonstration as the big screen tells it, from its first card to its winners.

It is recorded at half its speed, so that a busy machine misses little. Then it is cut for whoever only passes by: what
is staged goes by a little faster, what is routine much faster, and nothing stands for longer than its headline is read.
"""

import io
import random
import tempfile
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from msgspec import Struct
from PIL import Image
from playwright.sync_api import Browser, Page

from companion.live.demo import Demo
from tests.web.table import TestHand, app_with, living, phones_of, serving

GAME, CHANCE = "stop-it", 3
"""Which match is told: one whose winner is seen to earn it."""
RECORDED = 0.5
"""Seconds of the demonstration in one of its recording."""
SHOWS = "document.querySelector('.opening') ? 'opening' : document.querySelector('.ledge[id], .podium') ? 'stage' : ''"
OVER = "document.querySelector('.come')?.getAnimations().every(one => one.playState === 'finished')"
"""Whether the last that comes is there: whoever has watched is asked to the table."""
CUT = {"opening": (1.0, 1.3), "stage": (1.4, 1.0), "": (4.0, 0.7)}
"""How many times as fast it goes by, and for how many seconds a picture stands at most."""
BEGINS, ENDS = 2.6, 3.5
"""Seconds for which the first picture stands, and the last one."""
EACH = 0.12
"""Seconds for which every picture stands at least."""


class Shot(Struct, frozen=True):
    """What is seen from some time on."""

    at: float
    """In seconds of the demonstration."""
    picture: bytes
    shows: str


def film_of_demo(browser: Browser) -> bytes:
    """Have a demonstration play, and return what is to be seen of it as one picture that moves."""
    with tempfile.TemporaryDirectory() as folder, living(Path(folder), _now, simulated=True) as live:
        hand = TestHand(live)
        demo = Demo(live, hand, random.Random(CHANCE))
        with serving(app_with(live, phones_of(live, {}), hand=hand, demo=demo)) as port:
            page = browser.new_page(viewport={"width": 800, "height": 450}, locale="en", color_scheme="dark")
            page.goto(f"http://127.0.0.1:{port}/big")
            page.evaluate("document.body.classList.add('started')")  # the screen has been started
            demo.start(GAME)
            try:
                page.wait_for_selector(".told")
                return bound(cut(recorded(page)))
            finally:
                demo.stop()
                page.context.close()


def _now() -> float:
    """Return the demonstration's time, in seconds."""
    return time.monotonic() * RECORDED


def recorded(page: Page) -> list[Shot]:
    """Return what a page shows until nothing more comes."""
    session = page.context.new_cdp_session(page)
    session.send("Animation.enable")
    session.send("Animation.setPlaybackRate", {"playbackRate": RECORDED})
    shots: list[Shot] = []
    over = False
    while not over:
        shows = page.evaluate(SHOWS)
        over = page.evaluate(OVER)
        shots.append(Shot(_now(), page.screenshot(animations="allow"), shows))
    return shots


def cut(shots: Sequence[Shot]) -> list[tuple[bytes, float]]:
    """Return each picture that is left, and the seconds for which it stands."""
    new = [shots[0], *(shot for earlier, shot in pairwise(shots) if shot.picture != earlier.picture)]
    film = [(new[0].picture, BEGINS)]
    for shot, following in pairwise(new[1:]):
        faster, most = CUT[shot.shows]
        stands = min((following.at - shot.at) / faster, most)
        if film[-1][1] < EACH:
            stands += film.pop()[1]
        film.append((shot.picture, stands))
    return [*film, (new[-1].picture, ENDS)]


def bound(film: Sequence[tuple[bytes, float]]) -> bytes:
    """Bind pictures into one that moves."""
    out = io.BytesIO()
    first, *later_frames = (Image.open(io.BytesIO(picture)).convert("RGB") for picture, _ in film)
    stand = [round(seconds * 1000) for _, seconds in film]
    first.save(
        out, "WEBP", save_all=True, append_images=later_frames, duration=stand, loop=0, quality=55, minimize_size=True
    )
    return out.getvalue()
