"""Runs a table, real or virtual: starts its devices, match, club and page in order, and stops them again."""

import logging
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from gevent.event import Event
from msgspec import Struct
from msgspec.structs import replace

from companion import __version__, games
from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST
from companion.cli import address
from companion.cli.address import Door, PageEnd
from companion.cli.output import announce
from companion.config import Table
from companion.devices import drivers
from companion.devices.buzzer_box import programs
from companion.devices.check.checkup import Checkup
from companion.devices.check.walk import around
from companion.devices.drivers import virtual
from companion.devices.lamp_cues import Lamps
from companion.devices.listening import Listening, start_all
from companion.devices.monotonic_clock import PAUSE, TableClock
from companion.devices.sensing import Source
from companion.devices.supply import SupplyWatch
from companion.house.telling import HouseTeller
from companion.languages import LANGUAGES
from companion.live.background_judging import Recount
from companion.live.bots import Bots
from companion.live.demo import Demo
from companion.live.lamps import cues
from companion.live.simulation import Simulation
from companion.live.starting import SeatedPeople
from companion.live.table import Live
from companion.live.unattended import Unattended
from companion.machine import watchdog
from companion.machine.table_unit import is_one_of_many
from companion.measuring.figures_file import FiguresFile, figures_of
from companion.network.page_address import PageAddress, address_of
from companion.network.staying_connected import moves
from companion.network.wifi import Wifi
from companion.report.asking import answer_questions
from companion.report.running import RunningReport
from companion.storage.ailments import Ailment, AilmentCode
from companion.storage.files import club_of, phones_of
from companion.storage.integrity import find_unread, see_that_it_is_whole
from companion.storage.last_copy import is_lost, keep_copy, says_something
from companion.storage.log import Log
from companion.storage.opening import LogFault
from companion.tags.deck_file import Decks
from companion.threads import LastingThread, Rounds
from companion.versions import launcher
from companion.versions.commit import full_version
from companion.versions.host_wishes import Machine
from companion.voice import PLAYER
from companion.web import Room, create_app
from companion.web.render.words import PageWords
from companion.web.server import serve
from companion.web.site import archive_of

if TYPE_CHECKING:  # clubs, MQTT, HTTP, backups, sound: imported late, by tables that use them
    from companion.backups.at_table import Restoration, TableBackups
    from companion.club.publisher import Publisher
    from companion.house.broker import HomeBroker
    from companion.house.webhooks import Webhook
    from companion.voice.loudspeaker import Loudspeaker

CONTACTS_EVERY_S = 2.0
"""Seconds between two looks for buttons whose contact stays closed, while nobody plays."""
RESTS = 4.0
"""Pause after verifying a match of the log, as a multiple of the time that it took."""


_journal = logging.getLogger(__name__)


class Start(Struct, frozen=True, eq=False):
    """The circumstances of a table's start."""

    door: Door
    file: Path | None = None
    """Its settings file, which the setup can rewrite; None if it has none."""
    wifi: Wifi | None = None
    """Keeps the table on a network; None: the system does."""
    restored: "Restoration | None" = None
    """The outcome of a restore just before; None: there was none."""


class _Part(Protocol):
    """Something that runs beside the page."""

    def start(self) -> None:
        """Start it."""

    def stop(self) -> None:
        """Stop it."""


def keep(table: Table, start: Start) -> PageEnd:
    """Run a table until it is stopped, set up again, restored from a backup, or on another network.

    Raises `NotNow` and `TagsFault` if it can't start.
    """
    decks = Decks(table.tags, goes_on_without=True)
    for line in said_of_packages(table, decks):
        _journal.warning(line)
    see_that_it_is_whole(table.log)
    # First: a second companion should fail at the log, which says what is wrong, and not at its port.
    with closing(Log(table.log, writes=True)) as log:
        table = replace(table, page=start.door.open(table.page))
        phones = Phones(phones_of(table.log))
        clock = TableClock(log.last_at(), 0.0 if table.simulated else PAUSE)
        if not table.simulated:
            with suppress(LogFault):  # minutes told of this match then have those of the pause
                log.note_off(clock())
        sources = _started(table, clock)
        buttons = [source.name for source in sources[len(table.readers) :]]
        press_window = table.shout.window
        apart = table.apart
        live = Live(
            log, clock, decks, simulated=table.simulated, press_window=press_window, apart=apart, buttons=buttons
        )
        _keep_copies(table, start.file, decks)
        misplaced = Ailment(AilmentCode.PORT_TAKEN, start.door.trouble, {"port": table.page.port})
        ailments = [ailment for ailment in (decks.ailment(), start.door.trouble and misplaced) if ailment]
        return _play(table, live, clock, sources, phones, start, ailments)


def _keep_copies(table: Table, settings: Path | None, decks: Decks) -> None:
    """Keep a copy of each small file with which the table has just started, as one that is known to be good."""
    if settings:
        keep_copy(settings)
    decks.keep_copy()
    keep_copy(phones_of(table.log))


def said_of_packages(table: Table, decks: Decks) -> Iterator[str]:
    """Yield lines on games and drivers that were left out, and on decks of games that are not installed."""
    yield from map(str, games.left_out())
    if not table.simulated:  # a virtual table needs no driver, so none is imported
        yield from map(str, drivers.left_out())
    for slug in decks.strange:
        bearer = games.bearer_of(slug)
        if bearer == slug:
            yield f"{decks.path} has a deck of {slug!r}, which is not installed here: it is kept, and not used"
        else:
            yield f"{decks.path} has a deck of {slug!r}, which is played with {bearer!r}: rename its section to that"


def _started(table: Table, clock: TableClock) -> Sequence[Source]:
    """Open and start the table's devices; those that do not answer yet are logged, and join in later."""
    sources: Sequence[Source] = [sensor.open(clock) for sensor in table.sensors]
    for wrong in start_all(sources):
        _journal.warning(wrong)
    return sources


def _play(
    table: Table,
    live: Live,
    clock: TableClock,
    sources: Sequence[Source],
    phones: Phones,
    start: Start,
    ailments: Sequence[Ailment],
) -> PageEnd:
    set_up_again = Event()
    restore = Event()
    moved = moves(start.wifi)
    hand = virtual.VirtualHand(sources) if table.simulated else None
    demo = Demo(live, hand) if hand else None
    simulation = Simulation(live) if hand else None
    page = address_of(table.page)
    _keep_lamps_lit(sources, live)
    # Whatever goes wrong from here on, all threads are stopped in reverse order: one left would keep the process alive.
    with ExitStack() as ending:
        _run(live, ending)
        for ailment in ailments:
            live.ailing.note(ailment)
        if simulation:
            _play_empty_seats(simulation, live, ending)
        _run(LastingThread("losses", partial(_look_for_what_is_lost, table.log, live)), ending)
        supply = SupplyWatch()
        _run(supply, ending)
        live.ask_who_plays_next(SeatedPeople(phones, lambda: live.snapshot, phones_in_play=table.phones.in_play))
        checkup = _listen(table, live, clock, sources, ending)
        unattended = Unattended(live, demo, phones) if demo else None
        if demo and unattended:
            ending.callback(demo.stop)
            _run(LastingThread("show", unattended.keep_looking), ending)
        publisher = _publisher(table, live, phones, page.url)
        if publisher:
            page.watch(lambda: publisher.tell_address(page.url))
            _run(publisher, ending)
        language = table.language or LANGUAGES[0]
        loudspeaker = _loudspeaker(table, phones, language)
        listeners = (*_at_home(table, page), *([loudspeaker] if loudspeaker else ()))
        if listeners:
            house = HouseTeller(lambda: live.snapshot, lambda: phones.rights.people, language, listeners)
            live.watch(house.look)
            _run(house, ending)
        _welcome(page, table, phones.rights.codes[HOST])
        figures = None if simulation else FiguresFile(figures_of(table.log))
        report = RunningReport(start.file, table, live, checkup, supply, publisher, listeners, figures)
        room = Room(
            live=live,
            phones=phones,
            found_at=page,
            hand=hand,
            demo=demo,
            unattended=unattended,
            simulation=simulation,
            checkup=checkup,
            supply=supply,
            figures=figures,
            by_code=table.phones.joining == "codes",
            phones_in_play=table.phones.in_play,
            origins=table.page.origins,
            proxies=table.page.proxies,
            name=table.name,
            seats=table.offered_seats,
            language=table.language,
            wifi=start.wifi,
            set_up=set_up_again if start.file else None,
            club=publisher,
            at_home=listeners,
            loudspeaker=loudspeaker,
            machine=machine(),
            report=report,
            backups=_backups(start.file, table),
            restore=restore if start.file else None,
            restored=start.restored,
        )
        _run(LastingThread("questions", partial(answer_questions, table.log, report.state)), ending)
        app = create_app(room)
        _run(Recount(live, archive_of(app)), ending)
        with watchdog.watched(live, table.page):
            serve(app, start.door.socket, (set_up_again, restore, moved), table.page.tls, table.page.proxies)
    ends = ((set_up_again, PageEnd.SET_UP), (restore, PageEnd.RESTORE), (moved, PageEnd.NEXT))
    return next((end for event, end in ends if event.is_set()), PageEnd.OVER)


def _run(part: _Part, ending: ExitStack) -> None:
    """Start a part of the table, to be stopped with `ending`."""
    part.start()
    ending.callback(part.stop)


def _play_empty_seats(simulation: Simulation, live: Live, ending: ExitStack) -> None:
    bots = Bots(simulation)
    live.watch(bots.look)
    simulation.resume()
    _run(bots, ending)


def _listen(table: Table, live: Live, clock: TableClock, sources: Sequence[Source], ending: ExitStack) -> Checkup:
    """Listen to the table's devices; return their checkup, which passes all that they sense on to the match."""
    steps = around(table.seats, table.places)
    checkup = Checkup(sources, steps, clock, programs.version(), live.tell, lambda: live.snapshot.under_way)
    live.withhold_while(lambda: checkup.walking)
    ending.callback(Listening(sources, checkup.tell).stop)
    _run(LastingThread("contacts", partial(_look_at_contacts, checkup)), ending)
    return checkup


def machine() -> Machine | None:
    """Return the machine, if it has the systemd units that carry out its page's wishes; None if it has not."""
    wishes = os.environ.get("RUNTIME_DIRECTORY")
    return Machine(launcher.ROOT, Path(wishes), __version__) if wishes and is_one_of_many() else None


def _backups(file: Path | None, table: Table) -> "TableBackups | None":
    """Return what makes backups of this table; None if it has no file."""
    if file is None:
        return None
    from companion.backups.at_table import TableBackups

    return TableBackups(file, table)


def _publisher(table: Table, live: Live, phones: Phones, page: str) -> "Publisher | None":
    """Return the publisher to the table's club; None if it is in no club."""
    if table.club is None:
        return None
    from companion.club.club_cards import ClubCards
    from companion.club.outbox import OutboxFault, card_secret
    from companion.club.payloads import About
    from companion.club.publisher import Publisher

    about = About(
        name=table.club.name,
        games=tuple(games.known()),
        seats=tuple(sorted(table.seats)),
        languages=LANGUAGES,
        address=page,
        version=full_version(),
        simulated=table.simulated,
    )
    publisher = Publisher(table.club, live, about, lambda: phones.rights.people)
    live.watch(publisher.look)
    phones.watch(publisher.look)
    secret = ""
    with suppress(OutboxFault):  # the publisher reports it
        secret = card_secret(club_of(table.log))
    cards = ClubCards(table.club.club, phones, lambda: live.snapshot.under_way is not None, secret)
    live.withhold_cards(cards.recognises, cards.show)
    return publisher


def _at_home(table: Table, page: PageAddress) -> "Iterator[HomeBroker | Webhook]":
    """Yield the home's broker and webhooks that the settings name."""
    if table.house:
        from companion.club.outbox import OutboxFault, table_id
        from companion.house.broker import HomeBroker
        from companion.house.home_assistant import HomeDevice

        name = table.name or "Game table"
        with suppress(OutboxFault):  # such as a full disk: tried again at the next start
            broker = HomeBroker(table.house, HomeDevice(table_id(club_of(table.log)), name, page.url))
            page.watch(lambda: broker.tell_address(page.url))
            yield broker
    if table.webhooks:
        from companion.house.webhooks import Webhook

        yield from map(Webhook, table.webhooks)


def _loudspeaker(table: Table, phones: Phones, language: str) -> "Loudspeaker | None":
    """Return the loudspeaker; None where there is no program to play sounds."""
    if not shutil.which(PLAYER):
        return None
    from companion.voice.loudspeaker import Loudspeaker

    sample = PageWords(None, language).say("voice-sample")
    loudspeaker = Loudspeaker(table.loudspeaker, lambda: phones.rights.voice, language, sample)
    phones.watch(loudspeaker.look)
    return loudspeaker


def _look_for_what_is_lost(log: Path, live: Live, rounds: Rounds) -> None:
    for unread in find_unread(log, lambda took: rounds.wait(RESTS * took)):
        _journal.warning(unread.fault)
        live.ailing.note_lost([unread.match] if unread.match else [])


def _look_at_contacts(checkup: Checkup, rounds: Rounds) -> None:
    while not rounds.wait(CONTACTS_EVERY_S):
        checkup.look_at_contacts()


def _keep_lamps_lit(sources: Sequence[Source], live: Live) -> None:
    lamps = [source for source in sources if isinstance(source, Lamps)]
    if lamps:
        _light(lamps, live)
        live.watch(lambda: _light(lamps, live))


def _light(lamps: Sequence[Lamps], live: Live) -> None:
    lamp_cues = cues(live.snapshot)
    for source in lamps:
        source.show(lamp_cues)


def _welcome(page: PageAddress, table: Table, code: str) -> None:
    address.show("The table is open", page)
    if table.simulated:
        announce("SIMULATED: cards and buzzers are virtual.")
    announce(f"The first to start a match is host. Should its phone be lost, type {code} at {page.url}join")
    if table.tags and not says_something(table.tags) and not is_lost(table.tags):
        state = "is empty" if table.tags.exists() else "does not exist"
        announce(f"No card has a sticker yet: {table.tags} {state}. Put them on at {page.url}tags")
    announce(f"Everything is kept in {table.log}. Stop with Ctrl-C.")
