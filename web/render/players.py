"""The players of the match that a page shows: names, faces, and whom they replaced."""

from collections.abc import Mapping, Set
from typing import Any

from companion.access import people, player_looks
from companion.access.people import People
from companion.access.player_looks import Face
from companion.access.seat_rights import Rights
from companion.player_names import is_bots
from companion.web.render.words import PageWords


def names_of(view: Mapping[str, Any] | None) -> dict[int, str]:
    """Return who sits where, as typed."""
    return {player["seat"]: player["name"] for player in view["players"]} if view else {}


def corrected_names(view: Mapping[str, Any] | None, people_known: People, match: int | None) -> dict[int, str]:
    """Return who sits where in this match: as corrected, or else as typed."""
    return {**names_of(view), **people_known.corrected.get(match or 0, {})}


def faces_of(
    view: Mapping[str, Any] | None, names: Mapping[int, str], people_known: People, match: int = 0
) -> dict[int, Face]:
    """Return how each seat looks, or looked in this match; where a game deals colours, players wear their cards'."""
    worn = people_known.worn.get(match, {})
    # People come before bots: of two with the same look, the first gets it.
    people_first = sorted(names.items(), key=lambda item: is_bots(item[1]))
    chosen = {seat: worn.get(seat) or people.look(people_known, name) for seat, name in people_first}
    dealt = view["table"].get("colours") if view else None
    cards = {int(seat): colour for seat, colour in dealt.items() if colour} if isinstance(dealt, Mapping) else {}
    return player_looks.apart({seat: face for seat, face in chosen.items() if face}, cards)


def other_look(
    seat: int, names: Mapping[int, str], looks: Mapping[int, Face], people_known: People, words: PageWords
) -> str:
    """Return why a seat's player looks different from what they chose."""
    wish = people.wish(people_known, names[seat]) if seat in names else None
    look = looks[seat or 1]
    if wish is None or wish == look:
        return ""
    part = "animal" if wish.colour == look.colour else "colour"
    wished_look = words.say(f"look-{getattr(wish, part)}")
    actual_look = words.say(f"look-{getattr(look, part)}")
    alike = (
        other_seat
        for other_seat in names
        if other_seat != seat and getattr(looks[other_seat], part) == getattr(wish, part)
    )
    twin = next(alike, None)
    if twin is None:
        return words.say("look-of-cards", {"look": actual_look})
    return words.say(f"given-{part}", {"name": names[twin], "wished": wished_look, "look": actual_look})


def replacing(rights: Rights, bots: Set[int], typed: Mapping[int, str], called: Mapping[int, str]) -> dict[int, str]:
    """Return, by seat, the name that was replaced since the match began: a bot's, or that of a player who left."""
    persons = [seat for seat in typed if seat in rights.holders and seat not in bots]
    came = [seat for seat in persons if is_bots(typed[seat]) or seat in rights.gone]
    return {seat: typed[seat] for seat in came if called[seat] != typed[seat]}
