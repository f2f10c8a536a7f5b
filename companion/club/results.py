"""A match's result for the club, made from the public view alone, so that it reveals nothing more."""

import logging
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.access.people import People, card_of
from companion.club.club_cards import is_without_secret
from companion.club.payloads import MatchResult, SeatedPlayer
from companion.events import Started
from companion.judge import views
from companion.judge.match import judge
from companion.storage.entries import Entry
from companion.storage.log import Log
from companion.storage.opening import LogFault

_journal = logging.getLogger(__name__)


def result_of(entry: Entry, options: dict[str, Any], view: Mapping[str, Any], people: People) -> MatchResult:
    """Return the result of a match from its public view, as revision 1."""
    players = tuple(SeatedPlayer(player["seat"], player["name"]) for player in view["players"])
    result = MatchResult(
        match=entry.id,
        revision=1,
        began=entry.began or entry.noted,  # the payload needs a time; it is sent again once the right one is known
        game=view["game"],
        options=options,
        players=players,
        over=view["over"],
        scores=dict(view["scores"]),
        winners=tuple(view["winners"]),
        simulated=entry.simulated,
        demo=entry.counts_for_nobody,  # the payload has no other field for a match that was left out
    )
    return renamed(result, people)


def renamed(result: MatchResult, people: People) -> MatchResult:
    """Return a result with players' corrected names, and their club cards."""
    names = people.corrected.get(result.match, {})
    named = [(player.seat, names.get(player.seat, player.name)) for player in result.players]
    return replace(result, players=tuple(SeatedPlayer(seat, name, _card(people, name)) for seat, name in named))


def _card(people: People, name: str) -> str:
    card = card_of(people, name)
    return "" if is_without_secret(card) else card


def judged(log: Log, entry: Entry, people: People) -> MatchResult | None:
    """Judge a match of the log again, and return its result; None if it can't be judged."""
    try:
        match = judge(log.events(entry.id))
        return result_of(entry, match.started.options, views.view(match, None), people)
    except Exception:  # a fault of a game, or a damaged match: `companion replay` and the pages report it too
        _journal.exception("club: match %d can't be judged, so its result is not told", entry.id)
        return None


def begun(log: Log, number: int) -> tuple[Entry, dict[str, Any]]:
    """Return a match's entry in the log, and its options. Raises `LogFault`."""
    entry = log.match(number)
    first = log.events(number)[0]
    if entry is None or not isinstance(first, Started):
        raise LogFault(f"match {number} in {log.path} does not begin with its start")
    return entry, first.options
