"""Skill ratings with openskill (Plackett-Luce), from the order of places in matches of several players."""

from collections import Counter
from collections.abc import Sequence

from openskill.models import PlackettLuce
from openskill.models.weng_lin.plackett_luce import PlackettLuceRating

ENOUGH = 8
"""Matches after which a rating is shown."""


class Skill:
    """Everybody's rating, updated match by match in the order in which the hub first heard of them."""

    def __init__(self) -> None:
        self._model = PlackettLuce()
        self._of: dict[str, PlackettLuceRating] = {}
        self._played: Counter[str] = Counter()

    def rate(self, people: Sequence[tuple[str, int]]) -> None:
        """Add a match: its players' keys and places."""
        # A person at two seats has no one place.
        if len(people) < 2 or len({key for key, _ in people}) < len(people):
            return
        teams = [[self._of.get(key) or self._model.rating()] for key, _ in people]
        rated = self._model.rate(teams, ranks=[float(place) for _, place in people])
        self._of.update((key, team[0]) for (key, _), team in zip(people, rated, strict=True))
        self._played.update(key for key, _ in people)

    def of_experienced(self) -> dict[str, float]:
        """Return the conservative rating (three standard deviations below the mean) of all who have played enough."""
        return {key: rating.ordinal() for key, rating in self._of.items() if self._played[key] >= ENOUGH}
