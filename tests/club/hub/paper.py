"""What a tournament's keeper enters from paper."""

import html
import re
from collections.abc import Sequence

from flask.testing import FlaskClient

from companion.club.hub.paper_results import written
from companion.club.hub.tournament import Tournament


def from_paper(tournament: Tournament, number: int, pod: int, places: Sequence[int]) -> Tournament:
    """Enter a pod's places, by its number."""
    return written(tournament, number, tournament.drawn[number].pods[pod].people, places)


def paper(page: FlaskClient, places: Sequence[str], number: int = 0, pod: int = 0) -> dict[str, object]:
    """Return what the page's form for a pod sends once these places are chosen."""
    text = page.get(f"/tournament?round={number}&pod={pod}").text
    people = re.findall(r'name="player" value="([^"]*)"', text)
    return {"round": number, "player": [*map(html.unescape, dict.fromkeys(people))], "place": [*places]}
