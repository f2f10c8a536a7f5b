"""No English on a French page, and no French on an English one: every page in many states.

What a driver says of its device is English everywhere, and the page says so (`lang="en"`). A game's title is its name.
"""

import html
import re
from functools import cache
from pathlib import Path

import pytest

from companion import games
from companion.devices.sensing import Crowded, Failed, Working
from companion.live.table import Live
from companion.words import catalogue
from tests.web.scenes import SCENES, Scene, pages_of, stood
from tests.web.table import app_of
from web.render.words import page_entries

PAGES = ("/big", "/host/codes", "/join", "/story", "/results", "/season", "/tags", "/not-there")
WORD = re.compile(r"\w+")
ENGLISH = {*WORD.findall("the and your you with this that here it its has have from what which who not can is are")}
FRENCH = {*WORD.findall("le la les et vos votre avec cette ici une des du qui que ne est sont au aux à")}
OTHERS = re.compile(r'<(\w+)(?: [^>]*)? lang="(?:en|fr)"[^>]*>.*?</\1>', re.DOTALL)
"""What says itself that it is in a language of its own."""
ATTRIBUTE = re.compile(r' (?:aria-label|title|placeholder|alt|data-sure|data-unsent)="([^"]*)"')


def said(page: str) -> str:
    """Give all that a page says, labels too, but titles of games and what is in a language of its own."""
    body = OTHERS.sub(" ", page[page.index("<title>") :])
    text = " | ".join((re.sub(r"<[^>]*>", " | ", body), *ATTRIBUTE.findall(body)))
    text = html.unescape(text).replace("\u00a0", " ")
    for game in games.known().values():
        text = text.replace(game.title, "…")
    return text.replace("stop it !", "…")


@cache
def codes() -> frozenset[str]:
    found = {*page_entries(), *(code for slug in (None, *games.known()) for code in catalogue(slug))}
    return frozenset(code for code in found if "-" in code)


def foreign(text: str, strange: set[str]) -> list[str]:
    """Give every stretch of a page's text with two of these words or more, or with the code of a sentence."""
    stretches = [" ".join(part.split()) for part in text.split("|")]
    return [
        part
        for part in stretches
        if len(strange & {*WORD.findall(part.lower())}) > 1 or codes() & {*re.findall(r"[\w-]+", part)}
    ]


@pytest.mark.parametrize("scene", SCENES, ids=[scene.name for scene in SCENES])
def test_a_page_speaks_one_language(scene: Scene, tmp_path: Path) -> None:
    with stood(scene, tmp_path) as live:
        live.tell(Failed("reader seat-2", "no answer: is it plugged in?", 0.0), Crowded("seat-3", 0.0))
        live.tell(Working("buzzers", "box 1.0 and what it is", 0.0))
        client = app_of(live).test_client()
        for path in (*pages_of(live), *PAGES):
            for language, strange in (("fr", ENGLISH), ("en", FRENCH)):
                page = client.get(path, query_string={"lang": language}).text
                assert f'<html lang="{language}">' in page
                assert foreign(said(page), strange) == [], (path, language)


def test_english_on_a_french_page_is_found_and_a_drivers_is_not(live: Live) -> None:
    assert foreign("Score | Press it when the card is here | now-ready", ENGLISH) == [
        "Press it when the card is here",
        "now-ready",
    ]
    live.tell(Failed("reader seat-2", "no answer: is it the cable?", 0.0))
    page = app_of(live).test_client().get("/host?lang=fr").text
    assert "is it the cable?" in page
    assert "is it the cable?" not in said(page)


def test_a_reader_is_named_in_french(live: Live) -> None:
    live.tell(Failed("reader seat-2", "no answer", 0.0))
    assert "lecteur, place 2" in app_of(live).test_client().get("/?lang=fr").text
