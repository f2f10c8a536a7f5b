"""Who is who in a club: by club card, else by name; and whom its keeper has renamed, or recognised as one person.

Of a card only its digest is known; of a person, a random id, their name, and the cards and names found in results.
"""

import secrets
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from companion import player_names
from companion.club.club_cards import is_without_secret
from companion.club.hub.store import KeptValue, Store
from companion.club.payloads import SeatedPlayer


class ClubPerson(Struct, frozen=True):
    """Somebody whom the keeper has named."""

    id: str
    name: str
    keys: tuple[str, ...]
    """Their cards, and names that were typed for them."""


class ClubPeople(Struct, frozen=True):
    """Everybody whom the keeper has named. Others are who the results say they are."""

    known: tuple[ClubPerson, ...] = ()

    def who(self, player: SeatedPlayer) -> tuple[str, str]:
        """Return a player's key and name; "" and "" for nobody in particular."""
        typed = " ".join(player.name.split())
        has_card = player.card and not is_without_secret(player.card)
        key = f"card {player.card}" if has_card else player_names.key(typed)
        found = next((one for one in self.known if key in one.keys), None)
        return (found.id, found.name) if found else (key, typed)


def called(now: ClubPeople, key: str, name: str, everybody: Mapping[str, str]) -> ClubPeople:
    """Give somebody this name; if another of `everybody` (key → name) already has it, the two become one."""
    name = " ".join(name.split())
    alike = [other for other, own in everybody.items() if other == key or player_names.same(own, name)]
    of = {one.id: one for one in now.known}
    keys = tuple(dict.fromkeys(raw for one in [key, *alike] for raw in (of[one].keys if one in of else (one,))))
    first = next((of[one].id for one in [key, *alike] if one in of), secrets.token_hex(8))
    others = tuple(one for one in now.known if not set(one.keys) & set(keys))
    return ClubPeople((*others, ClubPerson(first, name, keys)))


def apart(now: ClubPeople, key: str) -> ClubPeople:
    """Take back whatever name somebody was given, and whom they were merged with."""
    return replace(now, known=tuple(one for one in now.known if one.id != key))


def with_todays_keys(now: ClubPeople) -> ClubPeople:
    """Return people whose names an earlier version kept by its own keys; a card's key stays."""
    return ClubPeople(tuple(replace(one, keys=tuple(dict.fromkeys(map(_todays_key, one.keys)))) for one in now.known))


def _todays_key(kept: str) -> str:
    return kept if kept.startswith("card ") else player_names.key(kept)


class PeopleBook:
    """The club's people, kept in the hub's file. Any thread may use it."""

    def __init__(self, store: Store):
        self._kept = KeptValue(store, "people", ClubPeople, ClubPeople())
        if (today := with_todays_keys(self._kept.now)) != self._kept.now:
            self._kept.change(lambda _: today)

    @property
    def now(self) -> ClubPeople:
        """Who is known now."""
        return self._kept.now

    def call(self, key: str, name: str, everybody: Mapping[str, str]) -> None:
        """Give somebody this name, as `called` does."""
        self._kept.change(lambda now: called(now, key, name, everybody))

    def part(self, key: str) -> None:
        """Take back the name that somebody was given."""
        self._kept.change(lambda now: apart(now, key))
