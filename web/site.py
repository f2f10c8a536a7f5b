"""The shared state of a running site, and how a route gets at it."""

from typing import TypeVar, cast

import msgspec
from flask import Flask, abort, current_app

from companion.acts.kept_questions import KeptQuestions
from companion.events import Player
from companion.history.archive import Archive, NotInLog, NotReadNow
from companion.live.acting import Acting
from companion.live.beside_play import ShownBeside
from companion.live.simulation import Simulation
from companion.live.situations import Evening
from companion.live.upkeep import Upkeep
from companion.web.bell import Bell
from companion.web.fair_queue import Turns
from companion.web.feed import Feed
from companion.web.render.page_names import Page
from companion.web.render.screens import Screens
from companion.web.room import Room

T = TypeVar("T")
_KEY = "companion"


class Site(Room, frozen=True, eq=False, kw_only=True):
    """A room, and what its pages need to show it."""

    bell: Bell
    feeds: dict[tuple[object, str], Feed]
    """By what is streamed, and language."""
    questions: KeptQuestions
    acting: Acting
    """Carries out phones' acts, or asks others first."""
    screens: Screens
    archive: Archive
    looking_back: Turns
    """For requests that read every match ever played."""
    judging_again: Turns
    """For requests that judge a whole match again, so that threads are left for players."""
    devices_page: dict[str, tuple[float, bytes]]
    """The devices' page by language: when it was rendered, and the result."""
    how_pages: dict[tuple[str, str, str], str]
    """How each game is played, by game, language and the guide's table most like this one."""


def open_site(app: Flask, room: Room) -> None:
    """Attach a room to an app, and connect what must hear of its changes."""
    bell = Bell()
    simulation = room.simulation

    def question_changed() -> None:
        if simulation is not None:
            simulation.look()
        bell.ring()

    beside = ShownBeside(bell.ring, room.clock)
    questions = KeptQuestions(room.live.kept_in, question_changed, room.clock)
    feeds: dict[tuple[object, str], Feed] = {}

    def is_big_screen_watched() -> bool:
        return any(feed.heard for (page, _), feed in [*feeds.items()] if page == Page("big"))

    if room.unattended is not None:
        room.unattended.is_watched = is_big_screen_watched

    archive = Archive(
        room.live.kept_in,
        lambda: room.phones.rights.people.corrected,
        room.live.faults.note,
        room.live.ailing.note_lost,
    )

    def evening() -> Evening:
        try:
            results = [result for result in archive.latest() if not result.demo]
            return tuple(
                (result.match, tuple(Player(player.seat, player.name) for player in result.players))
                for result in results
            )
        except (NotInLog, NotReadNow):
            return ()

    app.extensions[_KEY] = Site(
        **msgspec.structs.asdict(room),
        bell=bell,
        feeds=feeds,
        questions=questions,
        screens=Screens(app.jinja_env, room, questions, beside, is_big_screen_watched),
        acting=Acting(
            room.live,
            room.phones,
            questions,
            beside,
            simulation=simulation,
            demo=room.demo,
            hand=room.hand,
            upkeep=Upkeep(
                machine=room.machine,
                checkup=room.checkup,
                wifi=room.wifi,
                backups=room.backups,
                figures=room.figures,
                set_up=room.set_up,
                restore=room.restore,
                unfinished=lambda: [result.match for result in archive.results() if not (result.over or result.demo)],
            ),
            by_code=room.by_code,
            evening=evening,
        ),
        archive=archive,
        looking_back=Turns(),
        judging_again=Turns(),
        devices_page={},
        how_pages={},
    )

    def table_changed() -> None:
        if room.live.snapshot.trouble is not None:
            # While nothing can be recorded an agreed act would be lost; so no question lapses meanwhile.
            questions.prolong()
        bell.ring()

    room.live.watch(table_changed)
    if simulation is not None:
        simulation.watch(bell.ring)
        room.phones.watch(simulation.look)
    room.phones.watch(bell.ring)
    if room.demo is not None:
        room.demo.watch(bell.ring)


def archive_of(app: Flask) -> Archive:
    """Return the archive of past matches that an app reads."""
    return cast(Site, app.extensions[_KEY]).archive


def site() -> Site:
    """Return the site of the current request."""
    return cast(Site, current_app.extensions[_KEY])


def or_404(part: T | None) -> T:
    """Return the subject or feature that a page needs; None is answered with 404."""
    if part is None:
        abort(404)
    return part


def dealing() -> Simulation | None:
    """Return the simulation of the current match; None if its cards and buzzers are not simulated."""
    simulation = site().simulation
    return simulation if simulation is not None and simulation.playing is not None else None
