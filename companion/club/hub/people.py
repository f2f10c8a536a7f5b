"""The people of a club, identified by club card, else by name; the keeper may rename and merge them.

Stored are, of a card, only its digest; of a person, a random id, their name, and the cards and names found in results.
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
    """A person whom the keeper has named."""

    id: str
    name: str
    keys: tuple[str, ...]
    """Keys of their cards, and of the names that were typed for them."""


class ClubPeople(Struct, frozen=True):
    """Everybody whom the keeper has named; others are taken from results as they are."""

    known: tuple[ClubPerson, ...] = ()

    def who(self, player: SeatedPlayer) -> tuple[str, str]:
        """Return a player's key and name; both "" for a player without a name or card."""
        typed = " ".join(player.name.split())
        has_card = player.card and not is_without_secret(player.card)
        key = f"card {player.card}" if has_card else player_names.key(typed)
        person = next((candidate for candidate in self.known if key in candidate.keys), None)
        return (person.id, person.name) if person else (key, typed)


def called(people: ClubPeople, key: str, name: str, everybody: Mapping[str, str]) -> ClubPeople:
    """Rename a person; if others in `everybody` (key → name) have that name already, they are merged."""
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
    """Undo a person's renaming and merging."""
    return replace(people, known=tuple(person for person in people.known if person.id != key))


def with_todays_keys(people: ClubPeople) -> ClubPeople:
    """Return people with their names' keys as this version makes them; a card's key stays."""
    return ClubPeople(
        tuple(replace(person, keys=tuple(dict.fromkeys(map(_todays_key, person.keys)))) for person in people.known)
    )


def _todays_key(stored_key: str) -> str:
    return stored_key if stored_key.startswith("card ") else player_names.key(stored_key)


class PeopleBook:
    """The club's people, stored in the hub's database. Any thread may use it."""

    def __init__(self, store: Store):
        self._kept = KeptValue(store, "people", ClubPeople, ClubPeople())
        today = with_todays_keys(self._kept.now)
        if today != self._kept.now:
            self._kept.change(lambda _: today)

    @property
    def now(self) -> ClubPeople:
        """The people whom the keeper has named so far."""
        return self._kept.now

    def call(self, key: str, name: str, everybody: Mapping[str, str]) -> None:
        """Rename a person, as `called` does."""
        self._kept.change(lambda people: called(people, key, name, everybody))

    def part(self, key: str) -> None:
        """Undo a person's renaming."""
        self._kept.change(lambda people: apart(people, key))
