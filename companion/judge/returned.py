"""Verdicts that a correction brings back to the end of the story; told long ago, they must not be shown as new."""

from collections.abc import Collection, Mapping, Sequence

import msgspec

from companion.game import Observer, Verdict, reads_as_misplay
from companion.judge import views
from companion.judge.match import Match

Said = tuple[int, str]
"""A verdict that was told: the seq of its event, and its code."""


class LastSaid(msgspec.Struct, frozen=True):
    """What pages show an observer as just said; None: nothing."""

    news: Said | None = None
    """The newest moment, while nothing has been decided since."""
    slip: Said | None = None
    """A misplay, until anything else is told."""
    message: Said | None = None
    """The latest verdict told to this seat alone, until a public one is about this seat."""

    @property
    def all(self) -> frozenset[Said]:
        """Everything that is shown so."""
        return frozenset(
            verdict_said for verdict_said in (self.news, self.slip, self.message) if verdict_said is not None
        )

    def without(self, returned: Collection[Said]) -> "LastSaid":
        """Return it without those verdicts that have returned."""
        return LastSaid(
            *(
                None if verdict_said in returned else verdict_said
                for verdict_said in (self.news, self.slip, self.message)
            )
        )


def last_said(match: Match, observer: Observer) -> LastSaid:
    """Return what pages show this observer as just said, including what corrections have brought back."""
    last = match.public[-1] if match.public else None
    slip = last if last is not None and reads_as_misplay(last) else None
    return LastSaid(_as_said(_news(match, observer)), _as_said(slip), _as_said(_message(match, observer)))


def brought_back(
    earlier: Mapping[Observer, LastSaid], later: Mapping[Observer, LastSaid], told_before: Sequence[Verdict]
) -> frozenset[Said]:
    """Return what is shown as just said only since a correction, though it had been told before it."""
    reappeared = {verdict_said for observer, last in later.items() for verdict_said in last.all - earlier[observer].all}
    return frozenset(
        verdict_said
        for verdict_said in reappeared
        if any(_as_said(verdict) == verdict_said for verdict in reversed(told_before))
    )


def _news(match: Match, observer: Observer) -> Verdict | None:
    newest = views.newest(
        {
            "game": match.game.slug,
            "over": match.over,
            "winners": match.outcome.winners,
            "told": views.story(match, observer, views.LATEST),
        }
    )
    return match.public[newest.entry] if newest is not None and newest.fresh else None


def _message(match: Match, observer: Observer) -> Verdict | None:
    for verdict in reversed(match.told):
        if verdict.to is not None and verdict.to == observer:
            return verdict
        if verdict.to is None and verdict.facts.get("seat") == observer:
            return None
    return None


def _as_said(verdict: Verdict | None) -> Said | None:
    return None if verdict is None else (verdict.seq, verdict.code)
