"""The context of the tournament's and the bracket's pages."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from companion.club.hub import tournament
from companion.club.hub.draw import TooFew
from companion.club.hub.hub import Hub
from companion.club.hub.tournament import KINDS, POD_SIZES, USUAL_PODS, Tournament
from companion.club.hub.tournament_book import TournamentNow
from companion.web.hub.schedule_page import appointments_of, clock, places_context
from companion.web.hub.wall_pages import sought

MOST_PEOPLE = 50
"""Most people in a list; others, and those to be removed, are searched for by name."""


def tournament_context(of: Hub, searched: str = "") -> dict[str, Any]:
    """Return the context of a tournament's pages; `searched` is a part of the names to show."""
    cup = of.tournament.now()
    is_sought = sought(searched)
    people = cup.of.people if cup else ()
    left = cup.of.left if cup else ()
    names_found = {name for name in (*people, *left) if is_sought(name)}
    return {
        "cup": cup,
        "wanted": searched,
        "more": bool(searched) or len(people) > MOST_PEOPLE,
        "most": MOST_PEOPLE,
        "waiting": tournament.waiting(cup.of) if cup else [],
        "here": [name for name in people if name in names_found],
        "standing": [standing for standing in cup.standings if standing.name in names_found] if cup else [],
        "pods_of": lambda drawn: [
            (number, pod) for number, pod in enumerate(drawn.pods) if not searched or names_found & {*pod.people}
        ],
        # Reversed, so that a tournament's appointment wins over a duel of the same two: the last one stays in a dict.
        "appointed": {appointment.people: appointment for appointment in reversed(appointments_of(of))},
        "clock": clock,
        "missing": _missing(cup, of.follower.name_of) if cup else [],
        "shape": _shape(cup.of) if cup and not cup.of.drawn else "",
        "kinds": KINDS,
        "usual_pods": USUAL_PODS,
        "pod_sizes": range(min(POD_SIZES.values())[0], max(largest for _, largest in POD_SIZES.values()) + 1),
        **places_context(of),
        "ordered": lambda pod, places: sorted(zip(places, pod.people, strict=True)) if places else [],
    }


def _shape(of: Tournament) -> str:
    """Write the sizes of the pods that a draw would make, such as "2 × 5, 1 × 4"; "" for too few people."""
    try:
        sizes = tournament.next_shape(of)
    except TooFew:
        return ""
    return ", ".join(f"{number} × {size}" for size, number in Counter(sizes).items())


def _missing(cup: TournamentNow, name_of: Callable[[str], str]) -> list[str]:
    """Return a line for each pod of the last round without a result: its people and table."""
    last_round = zip(cup.of.drawn[-1].pods, cup.places[-1], strict=True) if cup.of.drawn else ()
    unplayed = [pod for pod, places in last_round if places is None]
    tables = [name_of(pod.table) for pod in unplayed]
    return [
        ", ".join(pod.people) + (f" ({table})" if table else "") for pod, table in zip(unplayed, tables, strict=True)
    ]


MOST_DRAWN = 8
"""Most duels in a column that can be read across a room."""


def bracket_context(of: Hub) -> dict[str, Any]:
    """Return the context of a bracket's pages."""
    bracket = of.bracket.now()
    rounds = bracket.rounds if bracket else ()
    open_duels = [duel for duels in rounds for duel in duels if duel.winner is None and None not in duel.people]
    # Of several open duels at one table, the earliest is the one that is called.
    called = {duel.table: duel for duel in reversed(open_duels)}
    unfinished = (number for number, duels in enumerate(rounds) if any(duel.winner is None for duel in duels))
    readable = (number for number, duels in enumerate(rounds) if len(duels) <= MOST_DRAWN)
    return {
        "bracket": bracket,
        "rounds": rounds,
        "open_now": sorted(open_duels, key=lambda duel: duel not in called.values()),
        "called": [*called.values()],
        "going_on": next(unfinished, len(rounds) - 1),
        "drawn_from": next(readable, 0),
        **places_context(of),
    }
