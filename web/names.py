"""The pages by name. A name stands in a stream's address and in every form, so that an answer finds its way back."""

import re

import msgspec

from companion.game import Observer

_NAME = re.compile(r"(score|big|table|story|host|codes|join)|(host|seat|story)-([1-6])")
_ELSEWHERE = {"score": "/", "codes": "/host/codes"}


class Page(msgspec.Struct, frozen=True):
    """One page: what kind, and for which seat."""

    kind: str
    """score, big, table, story, seat, host, codes or join."""
    seat: int | None = None

    @property
    def name(self) -> str:
        """Its name in forms and stream addresses."""
        return self.kind if self.seat is None else f"{self.kind}-{self.seat}"

    @property
    def observer(self) -> Observer:
        """Who looks. The host is a player too: entering for a seat, he sees what the public sees."""
        return self.seat if self.kind in ("seat", "story") else None

    @property
    def url(self) -> str:
        """Where it is."""
        start = _ELSEWHERE.get(self.kind, f"/{self.kind}")
        return start if self.seat is None else f"{start}/{self.seat}"


def named(name: str) -> Page | None:
    """Give the page of this name; None where there is none."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    alone, with_seat, seat = match.groups()
    return Page(with_seat, int(seat)) if seat else Page(alone)
