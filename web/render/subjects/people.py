"""Who sits where, and their phones."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup
from msgspec import Struct

from companion.access import player_looks, seat_rights
from companion.access.people import People
from companion.access.player_looks import Face
from companion.access.seat_rights import HOST, Leaver, Rights, Who
from companion.judge.views import told_so_far
from companion.live.snapshot import Snapshot
from companion.web.render import players, to_scan
from companion.web.render.page_names import Page
from companion.web.render.players import corrected_names, faces_of, names_of, replacing
from companion.web.render.subjects.match import AboutMatch
from companion.web.render.subjects.page import AboutPage
from companion.web.render.subjects.simulation import SimulationShown

NEWS = 5
"""Entries of the story after which it is no longer news that somebody left, or that nobody agreed."""


class Place(Struct, frozen=True):
    """Somebody who has sat down at a seat."""

    name: str
    face: Face
    waits: bool
    """Whether their phone gets the seat when the next match begins."""
    phone: bool
    """Whether the seat has a phone, now or from the next match."""
    out: bool = False
    """Whether they keep the seat and sit out the next match."""


class PeopleShown(Struct, frozen=True):
    """Who sits where, and who has just left."""

    rights: Rights
    just_gone: Mapping[int, Leaver] = {}

    @property
    def people(self) -> People:
        """What is known of everybody who has ever played here."""
        return self.rights.people

    def past(self) -> "PeopleShown":
        """Return what a page about another match may show."""
        return PeopleShown(self.rights)


def people_now(rights: Rights, snapshot: Snapshot) -> PeopleShown:
    """Return who sits where now."""
    entries = told_so_far(snapshot.views.get(None))
    just_gone = {seat: leaver for seat, leaver in rights.gone.items() if entries - leaver.told < NEWS}
    return PeopleShown(rights, just_gone)


@dataclass(frozen=True, eq=False)
class AboutPeople:
    """About who sits where, and their phones."""

    _shown: PeopleShown
    _simulation: SimulationShown
    _page: AboutPage
    _match: AboutMatch
    _join_address: str

    @cached_property
    def faces(self) -> Mapping[int, Face]:
        """How the player of each seat looks: `chip(seat)` of `parts.html` draws it."""
        number = match_of(self._page.page, self._page.snapshot)
        return faces_of(self._match.view, self._page.words.names, self._shown.people, number)

    @cached_property
    def other_look(self) -> str:
        """On a seat's own page: why its player looks different from what they chose; "" if they look as chosen."""
        words = self._page.words
        return players.other_look(self._page.seat or 0, words.names, self.faces, self._shown.people, words)

    @cached_property
    def lobby(self) -> Mapping[int, Place]:
        """Who has sat down, by seat: for the match under way and for the next one."""
        seated = self._shown.people.seated
        looks = player_looks.apart({seat: guest.face for seat, guest in seated.items() if guest.face}, {})
        return {
            seat: Place(
                guest.name,
                looks[seat],
                waits=bool(guest.phone),
                phone=bool(guest.phone) or seat in self.held,
                out=guest.out,
            )
            for seat, guest in sorted(seated.items())
        }

    @cached_property
    def hosted(self) -> bool:
        """Whether the table has a host."""
        return HOST in self.held

    @cached_property
    def who(self) -> Who:
        """The phone that sees this page: its `parts`, and whether it is the `host`'s."""
        rights = self._shown.rights
        page = self._page.page
        part = HOST if page.kind in ("host", "table", "codes", "mend") else page.seat
        if part is None:
            return seat_rights.who(rights, None)
        if page.kind == "lobby" and part in rights.people.seated:
            return seat_rights.who(rights, rights.people.seated[part].phone)
        return seat_rights.who(rights, rights.holders.get(part))

    @property
    def held(self) -> Mapping[int, str]:
        """The parts that have a phone (seats, and 0 for the host), and which."""
        return self._shown.rights.holders

    @property
    def gone(self) -> Mapping[int, Leaver]:
        """Who has left their seat since the match began, by seat."""
        return self._shown.rights.gone

    @cached_property
    def left_to_bots(self) -> Mapping[int, Leaver]:
        """By seat, who has just left the match that the page shows, and has a bot play on for them."""
        bots = self._simulation.bots or ()
        return {seat: leaver for seat, leaver in self._shown.just_gone.items() if seat in bots}

    @cached_property
    def left_free(self) -> Mapping[int, Leaver]:
        """By seat, who has just left that match, at a table where no bots play."""
        if self._simulation.bots is not None:
            return {}
        return {seat: leaver for seat, leaver in self._shown.just_gone.items() if leaver.freed or seat not in self.held}

    @cached_property
    def is_own_page(self) -> bool:
        """Whether it is the page of a phone that holds a part: its seat's, or the host's."""
        return bool(self.who.parts) and self._page.page.kind in ("host", "seat")

    @cached_property
    def came(self) -> Mapping[int, str]:
        """At a simulated table: by seat, whom a player who was not there when the match began has replaced."""
        if not self._simulation.dealt:
            return {}
        view = self._page.snapshot.views.get(None)
        names = corrected_names(view, self._shown.people, self._page.snapshot.match)
        return replacing(self._shown.rights, (self._simulation.bots or {}).keys(), names_of(view), names)

    @cached_property
    def codes(self) -> Mapping[int, str]:
        """Every part's code, only on the page of codes."""
        return self._shown.rights.codes if self._page.page.kind == "codes" else {}

    @cached_property
    def passing(self) -> Mapping[int, str]:
        """The codes by which another phone gets this phone's own parts."""
        return {part: code for part, code in self._shown.rights.passing.items() if part in self.who.parts}

    def way_in(self, code: str) -> Markup:
        """Return the QR code of the page that joins with this code."""
        return to_scan.inline(f"{self._join_address}/{code}")


def match_of(page: Page, snapshot: Snapshot) -> int:
    """Return the number of the match that a page shows, or 0."""
    if page.kind in ("results", "mend", "otherwise", "then"):
        number = page.of.partition("-")[0] if page.kind == "then" else page.of
        return int(number) if number.isdigit() else 0
    return snapshot.match or 0
