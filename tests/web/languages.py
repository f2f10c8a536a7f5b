"""English words on a French page, and French ones on an English page.

What a driver says of its device is English everywhere, and the page says so (`lang="en"`). A game's title is its name.
"""

import html
import re
from functools import cache

from companion import games
from companion.web.render.words import page_entries
from companion.words import catalogue

WORD = re.compile(r"\w+")
ENGLISH = {*WORD.findall("the and your you with this that here it its has have from what which who not can is are")}
FRENCH = {*WORD.findall("le la les et vos votre avec cette ici une des du qui que ne est sont au aux à")}
OTHERS = re.compile(r'<(\w+)(?: [^>]*)? lang="(?:en|fr)"[^>]*>.*?</\1>', re.DOTALL)
"""What says itself that it is in a language of its own."""
ATTRIBUTE = re.compile(r' (?:aria-label|title|placeholder|alt|data-sure|data-unsent)="([^"]*)"')


def words_of_page(page: str) -> str:
    """Return all that a page says, labels too, but titles of games and what is in a language of its own."""
    body = OTHERS.sub(" ", page[page.index("<title>") :])
    text = " | ".join((re.sub(r"<[^>]*>", " | ", body), *ATTRIBUTE.findall(body)))
    text = html.unescape(text).replace("\u00a0", " ")
    for game in games.known().values():
        text = text.replace(game.title, "…")
    return text.replace("stop it !", "…")


@cache
def codes() -> frozenset[str]:
    words_found = {*page_entries(), *(code for slug in (None, *games.known()) for code in catalogue(slug))}
    return frozenset(code for code in words_found if "-" in code)


def foreign(text: str, strange: set[str]) -> list[str]:
    """Return every stretch of a page's text with two of these words or more, or with the code of a sentence."""
    stretches = [" ".join(part.split()) for part in text.split("|")]
    return [
        part
        for part in stretches
        if len(strange & {*WORD.findall(part.lower())}) > 1 or codes() & {*re.findall(r"[\w-]+", part)}
    ]
