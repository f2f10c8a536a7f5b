"""Removes a table's secrets from texts.

Known secrets are replaced: every code, every name that anybody has had here, every card by id (an error message may
contain a sealed one); by their form also stickers' numbers, passwords and logins in URLs.
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path

from companion import games
from companion.access import rights_file
from companion.access.rights_file import PhonesFault
from companion.access.seat_rights import Rights
from companion.config import Table
from companion.events import Started
from companion.storage.files import phones_of
from companion.storage.last_copy import copy_of
from companion.storage.log import Log
from companion.storage.opening import LogFault
from companion.storage.salvage import readable

_UID = re.compile(r"\b(?:[0-9A-Fa-f]{2}[: -]?){4,10}\b")
_CODE = re.compile(r"(?i)(\bcode is |\bCLUB-)\S+")
_SECRET = re.compile(r"(?im)^(\s*[\"']?\w*(?:password|secret|token|key|code|url)\w*[\"']?\s*=\s*).*$")
_LOGIN = re.compile(r"(://)[^/\s@]*@")
"""A login in a URL. No setting may contain one, but a keeper may have tried, and then the table can't start."""


def secrets(table: Table) -> Mapping[str, str]:
    """Return every secret word with its replacement."""
    secret_words = {card: "[card]" for game in games.known().values() for card in game.deck}
    secret_words |= dict.fromkeys(_names(table), "[name]")
    for rights in _rights(table):
        secret_words |= dict.fromkeys((*rights.codes.values(), *rights.passing.values()), "[code]")
        secret_words |= dict.fromkeys(rights.holders.values(), "[phone]")
    return secret_words


def names_are_known(table: Table) -> bool:
    """Return whether all files with people's names can be read: only then can names be removed from free text."""
    phones = phones_of(table.log)
    try:
        for _ in _names_in_matches(table.log):
            pass
        return not os.path.lexists(phones) or bool([*_rights(table)])
    except LogFault:
        return False


def without(parts: Mapping[str, str], secret: Mapping[str, str]) -> dict[str, str]:
    """Return texts with the secrets replaced."""
    # The longest first: a name may contain another.
    words = sorted(filter(None, secret), key=len, reverse=True)
    any_of = re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in words) or r"(?!)", re.IGNORECASE)
    lower = {word.lower(): put for word, put in secret.items()}
    return {name: _clean(any_of.sub(lambda at: lower[at[0].lower()], text)) for name, text in parts.items()}


def _clean(text: str) -> str:
    return _UID.sub("[number]", _SECRET.sub(r"\1[secret]", _LOGIN.sub(r"\1[secret]@", _CODE.sub(r"\1[code]", text))))


def _names(table: Table) -> Iterator[str]:
    if table.club:
        yield table.club.name
    for rights in _rights(table):
        yield from (guest.name for guest in rights.people.seated.values())
        yield from (person.name for person in rights.people.known)
        yield from (name for names in rights.people.corrected.values() for name in names.values())
    try:
        yield from _names_in_matches(table.log)
    except LogFault:
        yield from _names_that_can_be_read(table.log)


def _names_in_matches(path: Path) -> Iterator[str]:
    """Yield the names of all players in a log. Raises `LogFault`."""
    if os.path.lexists(path):
        with closing(Log(path, writes=False)) as log:
            for match in log.numbers():
                yield from _players_of(log, match)


def _names_that_can_be_read(damaged: Path) -> Iterator[str]:
    with suppress(OSError), readable(damaged) as log:  # on a full disk it can't be looked through
        if log is None:
            return
        for match in log.traces():
            with suppress(LogFault):
                yield from _players_of(log, match)


def _players_of(log: Log, match: int) -> Iterator[str]:
    """Yield the names of a match's players. Raises `LogFault`."""
    started, *_ = log.events(match)
    if isinstance(started, Started):
        yield from (player.name for player in started.players)


def _rights(table: Table) -> Iterator[Rights]:
    """Yield the rights in the phones' file and in its copy, which may contain different people."""
    phones = phones_of(table.log)
    for file in (phones, copy_of(phones)):
        with suppress(PhonesFault):
            yield rights_file.load(file)
