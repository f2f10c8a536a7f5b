"""The secrets of a table, and texts without them.

The secrets are known, so they can be taken out: every code, every name that anybody has had here, every card by its id
(a fault's words may contain a sealed one), every sticker's number.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress

from companion import games
from companion.access import rights_file
from companion.access.rights_file import PhonesFault
from companion.config import Table
from companion.events import Started
from companion.storage.files import phones_of
from companion.storage.log import Log
from companion.storage.opening import LogFault

_UID = re.compile(r"\b(?:[0-9A-Fa-f]{2}[: -]?){4,10}\b")
_CODE = re.compile(r"(?i)(\bcode is |\bCLUB-)\S+")
_SECRET = re.compile(r"(?im)^(\s*\w*(?:password|secret|token|key|code)\w*\s*=\s*).*$")


def secrets(table: Table) -> Mapping[str, str]:
    """Return every secret word, and what replaces it."""
    secret_words = {card: "[card]" for game in games.known().values() for card in game.deck}
    secret_words |= dict.fromkeys(_names(table), "[name]")
    with suppress(PhonesFault):
        rights = rights_file.load(phones_of(table.log))
        secret_words |= dict.fromkeys((*rights.codes.values(), *rights.passing.values()), "[code]")
        secret_words |= dict.fromkeys(rights.holders.values(), "[phone]")
    return secret_words


def without(parts: Mapping[str, str], secret: Mapping[str, str]) -> dict[str, str]:
    """Return texts without the secrets."""
    words = sorted(filter(None, secret), key=len, reverse=True)
    any_of = re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in words) or r"(?!)", re.IGNORECASE)
    lower = {word.lower(): put for word, put in secret.items()}
    return {name: _clean(any_of.sub(lambda at: lower[at[0].lower()], text)) for name, text in parts.items()}


def _clean(text: str) -> str:
    return _UID.sub("[number]", _SECRET.sub(r"\1[secret]", _CODE.sub(r"\1[code]", text)))


def _names(table: Table) -> Iterator[str]:
    if table.club:
        yield table.club.name
    with suppress(PhonesFault):
        people = rights_file.load(phones_of(table.log)).people
        yield from (guest.name for guest in people.seated.values())
        yield from (person.name for person in people.known)
        yield from (name for names in people.corrected.values() for name in names.values())
    if not table.log.exists():
        return
    with closing(Log(table.log, writes=False)) as log:
        for match in log.numbers():
            with suppress(LogFault):
                first, *_ = log.events(match)
                assert isinstance(first, Started)
                yield from (player.name for player in first.players)
