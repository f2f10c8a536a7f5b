"""The pages by name. A stream's address and every form contain the name, so that the answer returns to that page."""

import re
from typing import Literal

import msgspec

from companion.events import SEATS, place_of
from companion.game import Observer

_NAME = re.compile(
    r"(score|big|table|story|host|codes|join|check|tags|results|season|setup|network|loudspeaker|act-cards)|(host|seat|story|lobby)-"
    rf"([1-{max(SEATS)}])"
    r"|((?:results|evening|season|otherwise)-(?:[0-9]{1,9}|[0-9]{4}-[0-9]{2}-[0-9]{2})|people-[0-9a-f]{12}|then-[0-9]{1,9}-[0-9]{1,9}|how-[a-z][a-z-]{0,40}|host-(?:match|table)|mend-[0-9]{1,9}-[0-6])"
)
LIVE = ("score", "big", "seat", "lobby", "host", "codes", "table", "tags")
"""The kinds of pages that a stream keeps up to date."""
Aloud = Literal["", "short", "normal", "everything"]
Speaker = Literal["reader", "page"]
_ELSEWHERE = {"score": "/", "codes": "/host/codes"}


class Page(msgspec.Struct, frozen=True):
    """One page: what kind, and for which seat."""

    kind: str
    """score, big, table, story, seat, lobby, host, codes, join, check, tags, setup, first-aid, network, loudspeaker,
    results, mend, evening, season, people, how, act-cards, otherwise or then; api: what other programs are told.
    """
    seat: int | None = None
    of: str = ""
    """Which match, evening, season, person, moment or game; which tab of the host's page."""
    aloud: Aloud = ""
    """How much of the page the phone reads aloud to a player who plays by ear; "" for all other players."""
    speaker: Speaker = "reader"
    """What reads it aloud: the phone's screen reader, or the page itself with the phone's voice."""

    @property
    def name(self) -> str:
        """Its name in forms and stream addresses."""
        return "-".join((self.kind, *self._which))

    @property
    def observer(self) -> Observer:
        """The observer. The host is a player too: entering for a seat, they see what the public sees."""
        return self.seat if self.kind in ("seat", "story") else None

    @property
    def own_seat(self) -> int | None:
        """The seat whose player's own page it is; None: nobody's."""
        return self.seat if self.kind == "seat" else None

    @property
    def own_place(self) -> str:
        """The place of that seat; "": nobody's."""
        return "" if self.own_seat is None else place_of(self.own_seat)

    @property
    def draws_table(self) -> bool:
        """Whether it draws the table for all who look."""
        return self.kind in ("big", "score", "table", "then")

    @property
    def url(self) -> str:
        """The page's path."""
        if self.kind == "mend":
            return f"/results/{self.of}/enter/{self.seat or 0}"
        if self.kind == "then":
            return "/results/{}/then/{}".format(*self.of.split("-"))
        return "/".join((_ELSEWHERE.get(self.kind, f"/{self.kind}"), *self._which))

    @property
    def match(self) -> str:
        """The number of the match of the log that forms on this page are about; "" for the one on the table."""
        return self.of if self.kind == "mend" or (self.kind == "results" and self.of.isdigit()) else ""

    @property
    def _which(self) -> tuple[str, ...]:
        if self.kind == "mend":
            return self.of, str(self.seat or 0)
        return (str(self.seat),) if self.seat else (self.of,) if self.of else ()


def named(name: str) -> Page | None:
    """Return the page with this name, or None."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    alone, with_seat, seat, of = match.groups()
    if of:
        kind, _, of = of.partition("-")
        if kind == "mend":
            of, _, entered_for = of.partition("-")
            return Page(kind, int(entered_for) or None, of)
        return Page(kind, of=of)
    return Page(with_seat, int(seat)) if seat else Page(alone)


def kept_fresh(name: str) -> Page | None:
    """Return the page with this name, if a stream keeps it fresh, or None."""
    page = named(name)
    return page if page and page.kind in LIVE else None


API = Page("api")
"""The match on the table as other programs get it."""
