"""CLUB.toml: the hub's club and broker, its page, and its season."""

from pathlib import Path
from typing import Any

import msgspec

from companion.club_settings import ClubSettings, read_club
from companion.config import PageSettings, checked_page
from companion.settings import Wrong, converted, read


class SeasonSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[season]`: how results are summed up."""

    ratings: bool = False
    """Whether the standings show a skill, of everybody who has played eight matches."""


class ClubFile(msgspec.Struct, frozen=True):
    """The contents of CLUB.toml."""

    club: ClubSettings
    page: PageSettings
    season: SeasonSettings
    store: Path
    """The hub's database."""


class _FileSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings before the first section; there are none."""


def load(path: Path) -> ClubFile:
    """Read and check a hub's file; paths in it are relative to it. Raises `ConfigFault`."""
    return read(path, "the hub's CLUB.toml", lambda raw: _checked(raw, path))


def _checked(raw: dict[str, Any], path: Path) -> ClubFile:
    if of_a_table := next((key for key in ("reader", "buzzers") if key in raw), ""):
        raise Wrong("this is a table's file, for `companion run`. Give the path of the hub's CLUB.toml", key=of_a_table)
    page = checked_page(converted(raw.pop("page", {}), PageSettings, "page"), path)
    season = converted(raw.pop("season", {}), SeasonSettings, "season")
    if "club" not in raw:
        raise Wrong('write [club], and below it broker = "mqtt://host:1883" and club = "our-club"')
    club = read_club(_named(raw.pop("club")), path)
    converted(raw, _FileSettings, beside=("club", "page", "season"))
    return ClubFile(club, page, season, path.with_suffix(".sqlite"))


def _named(club: Any) -> Any:
    """Give a club without a name that of its topics."""
    return {**club, "name": club.get("name") or club.get("club", "")} if isinstance(club, dict) else club
