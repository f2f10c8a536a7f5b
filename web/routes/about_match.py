"""A match of the log that a form names: what is asked about it, and in whose words."""

from collections.abc import Callable, Collection
from typing import TypeVar

from companion import player_names
from companion.judge.match import Match
from companion.web.agreement import EarlierMatch
from companion.web.http import phone
from companion.web.http.form_answers import at_table, words
from companion.web.http.language import language
from companion.web.render.players import corrected_names
from companion.web.render.words import PageWords
from companion.web.site import site

T = TypeVar("T")


def ask_match(number: int | None, question: Callable[[Match], T]) -> T:
    """Ask about a match of the log; None: the one on the table. Raises `NoMatch` and `NotInLog`."""
    live = site().live
    if number is None:
        return at_table(lambda: live.ask(question))
    return at_table(lambda: live.ask_about(number, question))


def describe_match(number: int, seats_here: Collection[int]) -> EarlierMatch:
    """Return what a question about a match of the log says of it, and whom it asks: its own people, if their phones are
    among those at these seats; else whoever sits there now. They see what is done, and the results are theirs too.

    Raises `NotInLog`.
    """
    game, names = ask_match(number, lambda match: (match.game.slug, {**match.names}))
    people, snapshot = site().phones.rights.people, site().live.snapshot
    played = {**names, **people.corrected.get(number, {})}
    now_called = corrected_names(snapshot.views.get(None), people, snapshot.match)
    keys = {player_names.key(name) for name in played.values() if name}
    its_people = {seat for seat in seats_here if player_names.key(now_called.get(seat, "")) in keys}
    return EarlierMatch(number, game, played, frozenset(its_people or seats_here))


def words_of(match: EarlierMatch | None) -> PageWords:
    """Return the words for a match of the log, in this request's language; None: for the one on the table."""
    return words() if match is None else PageWords(match.game, language(), match.names)


def names_of_phone() -> tuple[str, ...]:
    """Return what the players of this request's phone are called in the match on the table."""
    snapshot = site().live.snapshot
    called = corrected_names(snapshot.views.get(None), site().phones.rights.people, snapshot.match)
    return tuple(called[seat] for seat in sorted(phone.me().parts) if called.get(seat))
