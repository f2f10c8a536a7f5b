"""What the schedule shows: who plays where and when, who is called, and when rounds begin."""

import time
from datetime import datetime, timedelta
from typing import Any

from companion import player_names
from companion.club.hub import schedule
from companion.club.hub.hub import Hub
from companion.club.hub.known_table import KnownTable
from companion.club.hub.schedule import Appointment
from companion.web.hub.wall_pages import by_name, sought

CALLED_FOR = 90
"""Seconds for which every screen shows whom the keeper has called."""
LOOKED_AGAIN = 10
"""Seconds after which a phone that follows somebody looks again."""


def schedule_context(of: Hub, searched: str = "") -> dict[str, Any]:
    """Return what the schedule shows; `searched` is part of the names searched for."""
    cup = of.tournament.now()
    is_sought = sought(searched)
    every = appointments_of(of)
    shown = [one for one in every if any(map(is_sought, one.people))]
    return {
        "wanted": searched,
        "appointments": shown,
        "due": [one for one in shown if one.turn in ("now", "playing")],
        "starts": [(number + 1, clock(at)) for number, at in schedule.round_starts(cup.of).items()] if cup else [],
        "timed": cup is not None,
        "minutes": cup.of.timetable.minutes if cup and cup.of.timetable else "",
        "clock": clock,
        **places_context(of),
    }


def places_context(of: Hub) -> dict[str, Any]:
    """Return what says where people play: a table's name, and the table itself where it is not there now."""
    tables = of.follower.tables()
    away = {table.table: table for table in tables.values() if table.state != "ready"}
    return {
        "table_of": of.follower.name_of,
        "away": away,
        "told_on": of.follower.told_on,
    }


def tables_to_move_to(of: Hub) -> list[tuple[KnownTable, bool]]:
    """Return the tables that are there, and of each whether it is free; these come first."""
    appointments = appointments_of(of)
    due_at = {one.table for one in appointments if one.turn in ("now", "playing")}
    there = [table for table in by_name(of.follower.tables().values()) if table.state == "ready"]
    free = {table.table: table.table not in due_at and (table.match is None or table.over) for table in there}
    return [(table, free[table.table]) for table in sorted(there, key=lambda table: not free[table.table])]


def call_context(of: Hub) -> dict[str, Any]:
    """Return whom every screen calls just now: nobody once they sit, or after a while."""
    keeping = of.keeper.now
    if not keeping.called or time.time() > keeping.called_at + CALLED_FOR:
        return {"called_names": (), "called_to": ""}
    appointment = next((one for one in appointments_of(of) if one.people == keeping.called), None)
    if appointment is None or appointment.turn in ("played", "playing"):
        return {"called_names": (), "called_to": ""}
    return {"called_names": appointment.people, "called_to": of.follower.name_of(appointment.table)}


def is_due(of: Hub, people: tuple[str, ...]) -> bool:
    """Return whether these people are to play together."""
    return any(one.people == people and one.turn != "played" for one in appointments_of(of))


def clock(at: float | None) -> str:
    """Write a time of the hub's day; "" if there is none."""
    return datetime.fromtimestamp(at).astimezone().strftime("%H:%M") if at is not None else ""


def moment_of(typed: str, today: datetime) -> float | None:
    """Return the moment nearest to now at which a clock shows this; None: it is no time of day."""
    try:
        wanted = datetime.strptime(typed.strip(), "%H:%M").time()
    except ValueError:
        return None
    days = [datetime.combine(today.date() + timedelta(days), wanted).astimezone() for days in (-1, 0, 1)]
    return min(days, key=lambda day: abs(day - today)).timestamp()


def appointments_of(of: Hub) -> list[Appointment]:
    """Return all that are to play, those of the tournament first."""
    at_tables = {
        table.table: {player_names.key(player.name) for player in table.players}
        for table in of.follower.tables().values()
        if table.state == "ready" and table.match is not None and not table.over
    }
    cup = of.tournament.now()
    bracket = of.bracket.now()
    return [
        *(schedule.appointments(cup, at_tables) if cup else []),
        *(schedule.duels(bracket, at_tables) if bracket else []),
    ]
