"""What a seat's own page says to a player who does not look at it: what was told, and what the table waits for."""

from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import Any

from msgspec import Struct

from companion.web.render.news import News
from companion.web.render.subjects.match import AboutMatch
from companion.web.render.subjects.page import AboutPage
from companion.web.render.waiting_for import Task
from companion.words import figure

_LATELY = 5
"""How many entries a page says that is not played by ear: what happened between two looks."""


class Says(IntEnum):
    """How much a player must have wished to hear, for a line to be said unasked."""

    SHORT = 1
    NORMAL = 2
    EVERYTHING = 3
    ASKED = 4
    """It is said only to those who ask for it."""


class Line(Struct, frozen=True):
    """One line, as `spoken-lines.html` shows it."""

    says: Says
    of: str
    """What it is about: of the same kind only the newest is said, but all news and cards."""
    text: str
    mark: str = ""
    """By which it is the same line as before; "": it is the same as long as it says the same."""


def told_lines(page: AboutPage, match: AboutMatch) -> Iterator[Line]:
    """Yield what was told lately, the newest in the words in which it is news, and what only this seat was told."""
    assert match.view is not None
    told = match.told
    hint = told.hint
    news = match.news
    over = match.view["over"]
    of_match = page.snapshot.match
    news_says = Says.SHORT if over or (news is not None and news.own) else Says.NORMAL
    is_news_told = False
    sentences = told.public if page.page.aloud else told.public[-_LATELY:]
    for sentence in sentences:
        mark = f"{of_match} {sentence.entry} {sentence.mark}"
        if news is not None and (sentence.entry, sentence.code) == (news.entry, news.code):
            is_news_told = True
            yield Line(news_says, "news", _headline(news), mark)
        elif sentence.misplay and sentence == hint:
            is_own = sentence.facts.get("seat") == page.seat
            yield Line(Says.SHORT if is_own else Says.NORMAL, "news", sentence.text, mark)
        else:
            ends_match = over and sentence is sentences[-1]
            yield Line(Says.SHORT if ends_match else Says.NORMAL, "news", sentence.tells_doer, mark)
    if news is not None:
        mark = f"{of_match} {news.entry} {news.code}"
        if not is_news_told:
            yield Line(news_says, "news", _headline(news), mark)
        if page.page.aloud and news.why and not news.repeats:
            yield Line(Says.ASKED, "why", news.why, mark)
    if told.private is not None:
        yield Line(Says.SHORT, "private", told.private.text)


def _headline(news: News) -> str:
    headline = "".join(news.headline)
    if not news.more:
        return headline
    stop = "" if headline.endswith((".", "!", "?")) else "."
    return f"{headline}{stop} {''.join(news.more)}"


def task_lines(page: AboutPage, match: AboutMatch, task: Task) -> Iterator[Line]:
    """Yield whose turn it is, what to do, with which cards, and, to those who want everything, who is waited for."""
    assert match.view is not None
    if page.snapshot.ended:
        yield Line(Says.SHORT, "task", page.say("now-ended"))
        return
    if match.view["over"]:
        yield Line(Says.SHORT, "task", page.say("now-over"))
        return
    if page.snapshot.pause:
        return
    is_turn = task.state == "turn"
    if is_turn and not task.text.startswith(page.say("your-turn")):
        yield Line(Says.SHORT, "turn", page.say("spoken-turn"))
    yield Line(Says.SHORT if is_turn or task.state == "all" else Says.NORMAL, "task", task.text)
    cards = match.table["now"].get("cards")
    if is_turn and cards:
        yield Line(Says.SHORT, "reach", page.say("spoken-reach", cards=cards))
    if task.state in ("done", "wait") and task.seats and page.words.names_of(task.seats) not in task.text:
        yield Line(Says.EVERYTHING, "awaited", page.say("spoken-awaited", seats=task.seats))


def points_lines(page: AboutPage, view: Mapping[str, Any]) -> Iterator[Line]:
    """Yield everybody's points, to those who play by ear and want everything."""
    if not page.page.aloud:
        return
    for seat, points in view["scores"].items():
        if points is None:
            continue
        if int(seat) == page.seat:
            text = page.say("spoken-own-points", points=figure(points))
        else:
            text = page.say("spoken-points", seat=int(seat), points=figure(points))
        yield Line(Says.EVERYTHING, f"points-{seat}", text)
