"""The schedule's context: appointments, calls and the rounds' begins."""

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
"""Seconds for which every screen shows a call."""
LOOKED_AGAIN = 10
"""Seconds after which a page that follows a person reloads."""


def schedule_context(of: Hub, searched: str = "") -> dict[str, Any]:
    """Return the schedule's context; `searched` is a part of the names to show."""
    cup = of.tournament.now()
    is_sought = sought(searched)
    every = appointments_of(of)
    shown = [appointment for appointment in every if any(map(is_sought, appointment.people))]
    return {
        "wanted": searched,
        "appointments": shown,
        "due": [appointment for appointment in shown if appointment.turn in ("now", "playing")],
        "starts": [(number + 1, clock(at)) for number, at in schedule.round_starts(cup.of).items()] if cup else [],
        "timed": cup is not None,
        "minutes": cup.of.timetable.minutes if cup and cup.of.timetable else "",
        "clock": clock,
        **places_context(of),
    }


def places_context(of: Hub) -> dict[str, Any]:
    """Return the context for naming tables: their names, and those that are offline."""
    tables = of.follower.tables()
    away = {table.table: table for table in tables.values() if table.state != "ready"}
    return {
        "table_of": of.follower.name_of,
        "away": away,
        "told_on": of.follower.told_on,
    }


def tables_to_move_to(of: Hub) -> list[tuple[KnownTable, bool]]:
    """Return the online tables, and of each whether it is free; free ones come first."""
    appointments = appointments_of(of)
    due_at = {appointment.table for appointment in appointments if appointment.turn in ("now", "playing")}
    ready = [table for table in by_name(of.follower.tables().values()) if table.state == "ready"]
    free = {table.table: table.table not in due_at and (table.match is None or table.over) for table in ready}
    return [(table, free[table.table]) for table in sorted(ready, key=lambda table: not free[table.table])]


def call_context(of: Hub) -> dict[str, Any]:
    """Return the people being called; nobody once they play, or after `CALLED_FOR`."""
    keeping = of.keeper.now
    if not keeping.called or time.time() > keeping.called_at + CALLED_FOR:
        return {"called_names": (), "called_to": ""}
    called = (appointment for appointment in appointments_of(of) if appointment.people == keeping.called)
    appointment = next(called, None)
    if appointment is None or appointment.turn in ("played", "playing"):
        return {"called_names": (), "called_to": ""}
    return {"called_names": appointment.people, "called_to": of.follower.name_of(appointment.table)}


def is_due(of: Hub, people: tuple[str, ...]) -> bool:
    """Return whether these people have a match together still to be played."""
    return any(appointment.people == people and appointment.turn != "played" for appointment in appointments_of(of))


def clock(at: float | None) -> str:
    """Write a time of day; "" for None."""
    return datetime.fromtimestamp(at).astimezone().strftime("%H:%M") if at is not None else ""


def moment_of(typed: str, today: datetime) -> float | None:
    """Return the moment nearest to `today` at which a clock shows the typed time; None if it is no time of day."""
    try:
        wanted = datetime.strptime(typed.strip(), "%H:%M").time()
    except ValueError:
        return None
    days = [datetime.combine(today.date() + timedelta(days), wanted).astimezone() for days in (-1, 0, 1)]
    return min(days, key=lambda day: abs(day - today)).timestamp()


def appointments_of(of: Hub) -> list[Appointment]:
    """Return all appointments, the tournament's first."""
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
