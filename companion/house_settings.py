"""What of a table's file is for the house around it: a broker at home, and programs that want to be called."""

import re
from enum import StrEnum
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from companion import games
from companion.broker_settings import BrokerSettings, checked_broker
from companion.settings import Wrong, converted, with_files, written_value

MOST_WEBHOOKS = 8


class HouseEvent(StrEnum):
    """What happens at every table, whatever is played; a game's own news has the name of its ruling."""

    MATCH_BEGINS = "match-begins"
    WINNER = "winner"
    MATCH_ENDED = "match-ended"
    """People have ended it early: nobody has won."""
    BREAK = "break"
    GOES_ON = "goes-on"
    """After a break, or after an early end."""
    CORRECTED = "corrected"
    """Something was taken back or put right, and points or news changed."""
    NOT_RECORDING = "not-recording"
    RECORDING = "recording"
    """Again."""


def event_names() -> frozenset[str]:
    """Return all that may happen: at every table, and as news in the games that are installed."""
    news = (code for game in games.known().values() for code, kind in game.rulings.items() if kind.weight)
    return frozenset((*HouseEvent, *news))


class HouseSettings(BrokerSettings, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`[mqtt]`: the broker at home that is told what happens at the table, as everybody sees it; needs no club."""

    home_assistant: bool = False
    """Whether Home Assistant finds the table by itself at this broker."""


class WebhookSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[[webhook]]`: an address that is called when something happens at the table, as everybody sees it."""

    url: str
    """What is called, by POST: "http://host/path" or "https://host/path"."""
    events: tuple[str, ...] = ()
    """What it is called for, by name, for example ["match-begins", "winner"]; [] for everything."""
    secret_file: str = ""
    """The file with the secret by which calls are signed, and that only its owner may read (chmod 600); "" for none."""


def read_house(raw: Any, path: Path) -> HouseSettings:
    """Check the `[mqtt]` section of the file at `path`; its own files are relative to that. Raises `Wrong`."""
    house: HouseSettings = converted(raw, HouseSettings, "mqtt")
    return checked_broker(house, raw, path, "mqtt")


def read_webhooks(raw: Any, path: Path) -> tuple[WebhookSettings, ...]:
    """Check the `[[webhook]]` sections of the file at `path`. Raises `Wrong`, also for an event that is not known."""
    if not isinstance(raw, list):
        raise Wrong("write [[webhook]], with two brackets on each side", key="webhook")
    if len(raw) > MOST_WEBHOOKS:
        raise Wrong(f"{len(raw)} webhooks: at most {MOST_WEBHOOKS}", section="webhook", index=MOST_WEBHOOKS)
    return tuple(_webhook(index, entry, path) for index, entry in enumerate(raw))


def _webhook(index: int, raw: Any, path: Path) -> WebhookSettings:
    webhook: WebhookSettings = converted(raw, WebhookSettings, "webhook", index)
    if not _is_address(webhook.url):
        why = f'url = {written_value("url", raw)}: it must be like "http://host:8123/path"'
        raise Wrong(why, section="webhook", index=index, key="url")
    for event in webhook.events:
        if event not in event_names():
            why = f"there is no event {event!r}; known: {', '.join(sorted(event_names()))}"
            raise Wrong(why, section="webhook", index=index, key="events")
    return with_files(webhook, path, "webhook", "secret_file")


def _is_address(written: str) -> bool:
    try:
        parts = urlsplit(written)
        port = parts.port
    except ValueError:  # half of an IPv6 address, a port that is none
        return False
    plain = not parts.username and not parts.fragment and re.fullmatch(r"[!-~]+", written)
    return bool(parts.scheme in ("http", "https") and parts.hostname and port != 0 and plain)
