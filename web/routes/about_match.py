"""Questions to a match of the log that a form names, and the words for it."""

from collections.abc import Callable
from typing import TypeVar

from companion.acts.question import EarlierMatch
from companion.judge.match import Match
from companion.web.http.form_answers import at_table, words
from companion.web.http.language import language
from companion.web.render.words import PageWords
from companion.web.site import site

T = TypeVar("T")


def ask_match(number: int | None, question: Callable[[Match], T]) -> T:
    """Ask a question about a match of the log; None: the current one. Raises `NoMatch` and `NotInLog`."""
    live = site().live
    if number is None:
        return at_table(lambda: live.ask(question))
    return at_table(lambda: live.ask_about(number, question))


def words_of(match: EarlierMatch | None) -> PageWords:
    """Return the words for a match of the log, in this request's language; None: for the current one."""
    return words() if match is None else PageWords(match.game, language(), match.names)
