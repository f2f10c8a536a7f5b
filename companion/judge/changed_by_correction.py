"""The public differences that a correction made to a match. Nothing sealed goes into them."""

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from companion.game import Misplay, Ruling, Verdict
from companion.judge.match import Match


class Told(msgspec.Struct, frozen=True):
    """Public facts of a match, for comparison."""

    scores: Mapping[int, int | None]
    rulings: Counter[bytes]
    """Those that were news."""
    misplays: Counter[bytes]


class Change(msgspec.Struct, frozen=True):
    """What changed when the match was judged again."""

    scores: Mapping[int, tuple[int | None, int | None]]
    """By seat, before and after, where they differ."""
    rulings: int
    """How many rulings that were news have changed, vanished or appeared."""
    misplays: int
    """How many acts break the rules now that did not before."""
    act_of: int | None = None
    """The seat whose act was taken back without replacement; None: nobody's, or several may have done it."""
    act: Ruling | None = None
    """The public ruling on the act that was taken back; None: there was none, or another act replaces it."""


def everybody_told(match: Match, since: int = 0) -> Told:
    """Return the public facts of a match, leaving out its first `since` public verdicts."""
    public = match.public[since:]
    rulings = (verdict for verdict in public if match.game.kind_of(verdict.code).weight)
    misplays = (verdict for verdict in public if isinstance(verdict, Misplay))
    return Told(dict(match.outcome.scores), counted(rulings), counted(misplays))


def counted(verdicts: Iterable[Verdict]) -> Counter[bytes]:
    """Count verdicts by code and facts."""
    return Counter(msgspec.json.encode((verdict.code, verdict.facts), order="sorted") for verdict in verdicts)


def change(earlier: Told, later: Told, act_of: int | None = None, act: Ruling | None = None) -> Change | None:
    """Return the differences, with the act that was taken back; None if nothing public changed."""
    scores = {
        seat: (earlier.scores[seat], points) for seat, points in later.scores.items() if earlier.scores[seat] != points
    }
    vanished = earlier.rulings - later.rulings
    added = later.rulings - earlier.rulings
    rulings = max(vanished.total(), added.total())
    misplays = (later.misplays - earlier.misplays).total()
    return Change(scores, rulings, misplays, act_of, act) if scores or rulings or misplays else None
