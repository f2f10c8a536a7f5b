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
        person = next((candidate for candidate in self.known if key in candidate.keys), None)
        return (person.id, person.name) if person else (key, typed)


def called(people: ClubPeople, key: str, name: str, everybody: Mapping[str, str]) -> ClubPeople:
    """Give somebody this name; if another of `everybody` (key → name) already has it, the two become one."""
    name = " ".join(name.split())
    alike = [
        other_key
        for other_key, other_name in everybody.items()
        if other_key == key or player_names.same(other_name, name)
    ]
    by_id = {person.id: person for person in people.known}
    keys = tuple(
        dict.fromkeys(
            raw
            for alike_key in [key, *alike]
            for raw in (by_id[alike_key].keys if alike_key in by_id else (alike_key,))
        )
    )
    first = next((by_id[alike_key].id for alike_key in [key, *alike] if alike_key in by_id), secrets.token_hex(8))
    strangers = tuple(person for person in people.known if not set(person.keys) & set(keys))
    return ClubPeople((*strangers, ClubPerson(first, name, keys)))


def apart(people: ClubPeople, key: str) -> ClubPeople:
    """Take back whatever name somebody was given, and whom they were merged with."""
    return replace(people, known=tuple(person for person in people.known if person.id != key))


def with_todays_keys(people: ClubPeople) -> ClubPeople:
    """Return people whose names an earlier version kept by its own keys; a card's key stays."""
    return ClubPeople(
        tuple(replace(person, keys=tuple(dict.fromkeys(map(_todays_key, person.keys)))) for person in people.known)
    )


def _todays_key(stored_key: str) -> str:
    return stored_key if stored_key.startswith("card ") else player_names.key(stored_key)


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
        self._kept.change(lambda people: called(people, key, name, everybody))

    def part(self, key: str) -> None:
        """Take back the name that somebody was given."""
        self._kept.change(lambda people: apart(people, key))
