"""A whole table in one thread: the real log, judge, intake, acts, rights and questions on a disk in a bottle.

What has a thread of its own at a real table gets its turns here: the judge works whenever it is asked, or time passes;
readers and the box tell until they are heard, as they must.
"""

import random
import shutil
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from msgspec.structs import replace

from companion import games, threads
from companion.access import seat_rights
from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST, Rights
from companion.acts.act import Act
from companion.acts.decide import Reply
from companion.acts.kept_questions import KeptQuestions
from companion.acts.table import Actor
from companion.club.club_cards import ClubCards, card_of
from companion.devices.check.checkup import Checkup
from companion.devices.check.walk import around
from companion.devices.lamp_cues import Light
from companion.devices.monotonic_clock import TableClock
from companion.devices.sensing import VIRTUAL, Appeared, Buzzed, Gone, Hurried, Sensing
from companion.errors import NotKept
from companion.events import PHONE, Player
from companion.game import AnyGame
from companion.games import places
from companion.history.archive import Archive
from companion.kit.random_matches import NAMES, secrets
from companion.live.acting import Acting, Carried
from companion.live.beside_play import ShownBeside
from companion.live.demo import Hand
from companion.live.lamps import cues
from companion.live.simulation import Simulation
from companion.live.snapshot import Snapshot
from companion.live.starting import SeatedPeople
from companion.live.table import Live
from companion.live.upkeep import Upkeep
from companion.storage import files
from companion.storage.integrity import see_that_it_is_whole
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from tests.bottle.club import CLUB, TAGS, Club
from tests.bottle.disk import WORKING, Disk, Luck
from tests.bottle.machine import Machine

SEATS = range(1, 7)
LOOKER = "phone-looker"
STRANGER = "phone-stranger"
PHONES = (*(f"phone-{seat}" for seat in SEATS), LOOKER, STRANGER)
POCKETS = (*TAGS, PHONE, "08D1C2B3")
"""What people have with them that a reader reads: tags, a phone or bank card, and a pass that draws its number anew."""
RETELLS = 0.2
"""Seconds until a source that was not heard tells the same again."""
RETELLS_LATER = 20.0
"""Likewise while the disk is known to refuse: a real source goes on as before, but to hear the same no is no news."""
TICK = 0.0001
"""The least that time passes by, in seconds."""
SPINS = 1000
"""Rounds of the judge without a pause that are too many."""


_COUNTS = (f"(SELECT count(*) FROM {name})" for name in ("match", "event", "pause", "decision"))
_ALL_STORED = f"SELECT {', '.join(_COUNTS)}"


class Spins(Exception):
    """The judge works on and on, though nothing happens."""


class Box:
    """The buzzer box: it keeps its presses until they are acknowledged, and outlasts the companion."""

    def __init__(self) -> None:
        self.waiting: deque[Buzzed] = deque()
        self.acknowledged: tuple[Buzzed, ...] = ()
        """The presses that it was last told are kept."""
        self.number = 0


class Table:
    """The table; `restart` and `cut` begin it anew on the files that are left."""

    def __init__(self, folder: Path, lot: int) -> None:
        chance = self.chance = random.Random(lot)
        self.folder = folder
        self.machine = Machine(chance)
        self.disk = Disk(folder, chance, self.machine.passes)
        self.slug = chance.choice(sorted(slug for slug in games.known() if not slug.startswith("bottle-")))
        self.window = chance.choice((0.0, 0.0, 0.05))
        game = games.known()[self.slug]
        seats = chance.sample(SEATS, chance.randint(max(2, game.fewest_players), game.most_players))
        self.people = tuple(Player(seat, NAMES[seat - 1]) for seat in sorted(seats))
        self.options: dict[str, Any] = chance.choice(secrets(games.known()[self.slug]).OPTIONS)
        self.raises = 0
        """How many more calls of the game's code raise."""
        self.box = Box()
        self.lying: dict[str, str] = {}
        """Place → uid of the card that lies there."""
        self.untold: dict[str, list[Sensing]] = {}
        """By reader, what it could not tell yet."""
        self.lamps: dict[int, Light] = {}
        self.snapshot_shown: Snapshot | None = None
        """What the lamps show."""
        self.is_open = False
        self.looks = 0
        """How often a new snapshot was shown."""
        self.started_at = 0.0
        self.signs: dict[str, float] = {}
        """When each phone last wanted something, or was looked at."""
        self.hurries = 0
        """How often the companion has heard, since it started, that cards came too quickly for a reader."""
        beyond = random.Random(f"club {lot}")
        self.club = Club(self.machine, beyond) if beyond.random() < 0.5 else None
        self.secret = random.Random(f"secret {lot}").choice(("", "the club's secret"))
        """With which the club's cards are known; "" while the table has not heard it."""
        self.club_cards = {card_of(CLUB, tag, secret) for tag in TAGS for secret in ("", self.secret)}
        """All that can be somebody's."""

    @property
    def game(self) -> AnyGame:
        return games.known()[self.slug]

    # From its first day to its last.

    def open(self) -> None:
        """Start the companion on what the disk holds. Raises `LogFault` and `PhonesFault`."""
        log = self.folder / "log.sqlite"
        see_that_it_is_whole(log)
        self.log = Log(log, writes=True)
        try:
            self._open()
        except BaseException:
            self.log.close()
            raise
        self.is_open = True
        self.started_at = self.machine.now
        self.hurries = 0

    def _open(self) -> None:
        path = self.log.path
        self.phones = Phones(files.phones_of(path), self.machine)
        self.archive = Archive(path)
        self.rights_on_their_way: list[Rights] = []
        store = self.phones._store

        def stores(rights: Rights) -> None:
            if not self.disk.is_off:  # what a cut leaves undone runs on here, and would not at a real table
                coming = self.phones._coming  # those of the match that is about to begin
                self.rights_on_their_way[:] = [rights] if coming is None else [rights, coming.rights]
            store(rights)

        self.phones._store = stores  # type: ignore[method-assign]
        clock = TableClock(self.log.last_at())
        if self.log.latest():
            self.log.note_off(clock())
        self.decks = Decks(None)
        self.live = Live(
            self.log, clock, self.decks, press_window=self.window, buttons=None if self.window else ["box"]
        )
        self.live.watch(self._shown)
        self.checkup = Checkup(
            [], around(tuple(SEATS), places()), clock, "", self.live.tell, lambda: self.live.snapshot.under_way
        )
        self.live.withhold_while(lambda: self.checkup.walking)
        self.live.ask_who_plays_next(SeatedPeople(self.phones))
        self.questions = KeptQuestions(path, lambda: None, self.machine)
        self.simulation = self.things()
        if self.simulation is not None:
            self.simulation.resume()
        self.acting = Acting(
            self.live,
            self.phones,
            self.questions,
            ShownBeside(lambda: None, self.machine),
            simulation=self.simulation,
            demo=None,
            hand=self.hand(),
            upkeep=Upkeep(checkup=self.checkup),
            by_code=False,
            evening=tuple,
        )
        if self.club is not None:
            self.club.table_starts(self.live, lambda: self.phones.rights.people)
            cards = ClubCards(CLUB, self.phones, lambda: self.live.snapshot.under_way is not None, self.secret)
            self.live.withhold_cards(cards.recognises, cards.show)
        self._shown()
        self.untold = {place: [Appeared(place, uid, clock(), already=True)] for place, uid in self.lying.items()}

    def hand(self) -> Hand | None:
        """Return what lays cards and presses buzzers for phones; None: only people do."""
        return None

    def things(self) -> Simulation | None:
        """Return what simulates cards and buttons; None: they are there."""
        return None

    def seat_phones(self) -> None:
        """Have every player's phone hold their seat; the first is the host's as well."""
        first = self.people[0].seat
        held = {HOST: f"phone-{first}", **{player.seat: f"phone-{player.seat}" for player in self.people}}
        self.phones.change(lambda rights: Rights(rights.codes, held))

    def close(self) -> None:
        """Stop in good order."""
        self.is_open = False
        if self.club is not None:
            self.club.table_stops()
        self.log.close()

    def stop(self) -> None:
        """Stop it, to be started again."""
        self.close()
        self.machine.wall.program_starts_again()

    def lose_power(self, luck: Luck) -> None:
        """Have the machine be off at once."""
        self.disk.is_off = True
        if self.is_open:
            self.close()
        if self.club is not None:
            self.club.hub_stops()
        self.disk.restore(luck)
        if luck is Luck.ALL:
            self.machine.wall.program_starts_again()
        else:
            self.machine.starts_again()
            self.signs.clear()  # they are times of a clock that begins anew

    def gone(self) -> None:
        """Clear the files away."""
        if self.is_open:
            self.disk.is_off = True
            self.close()
        if self.club is not None:
            self.club.hub_stops()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _shown(self) -> None:
        self.looks += 1
        self.snapshot_shown = self.live.snapshot
        self.lamps = dict(cues(self.snapshot_shown))

    # Time.

    def passes(self, seconds: float) -> None:
        """Let time pass: whatever is due meanwhile happens at its moment."""
        end = self.machine.now + seconds
        spins = 0
        told_at = self.machine.now
        while end - self.machine.now >= TICK:
            retell_at = told_at + (RETELLS if self.disk.trouble in WORKING else RETELLS_LATER)
            due = self.live._worker.rest()
            step = min(due, end - self.machine.now)
            if self.club is not None:
                step = min(step, self.club.rest())
            if self.sources():
                step = min(step, max(0.0, retell_at - self.machine.now))
            self.machine.passes(max(step, TICK))
            spins = spins + 1 if step < TICK else 0
            if spins > SPINS:
                raise Spins
            self.live._worker.work()
            if self.club is not None:
                self.club.turn(self)
            if self.sources() and self.machine.now >= retell_at:
                told_at = self.machine.now
                self.retell()

    # What is sensed.

    def press(self, seat: int, at: float | None = None) -> str:
        """Have a button be pressed; return what the press is known by."""
        self.box.number += 1
        origin = f"pico-BOTTLE-{self.box.number}"
        moment = self.live.clock() if at is None else at
        self.box.waiting.append(Buzzed(seat, moment, 0.0, origin))
        return origin

    def lay(self, place: str, card: str) -> None:
        """Have a card be laid."""
        self.lay_tag(place, f"{VIRTUAL}{self.slug}/{card}" if card in self.game.deck else TAGS[0])

    def lay_tag(self, place: str, uid: str) -> None:
        """Have anything be laid that a reader reads."""
        if self.lying.get(place):
            self.lift(place)
        self.lying[place] = uid
        self.untold.setdefault(place, []).append(Appeared(place, uid, self.live.clock()))

    def may_be_owners(self, tag: object) -> bool:
        """Whether it may be a club card, which is no card of a match."""
        return self.club is not None and tag in TAGS

    def lift(self, place: str) -> None:
        """Have whatever lies there be lifted."""
        uid = self.lying.pop(place, None)
        if uid is not None:
            self.untold.setdefault(place, []).append(Gone(place, uid, self.live.clock()))

    def hurry(self, place: str, card: str) -> None:
        """Have a card be laid as others are taken away: its reader may have missed one."""
        self.lay(place, card)
        self.untold[place].append(Hurried(place, self.live.clock()))

    def sources(self) -> list[tuple[str, tuple[Sensing, ...]]]:
        """Return what each source has to tell."""
        boxed = [("box", tuple(self.box.waiting))] if self.box.waiting else []
        return [*boxed, *((place, tuple(told)) for place, told in self.untold.items() if told)]

    def heard(self, source: str, told: tuple[Sensing, ...]) -> None:
        """Let a source forget what was taken."""
        self.hurries += sum(isinstance(sensing, Hurried) for sensing in told)
        if source == "box":
            self.box.acknowledged = tuple(self.box.waiting.popleft() for _ in told)
        else:
            del self.untold[source][: len(told)]

    def retell(self) -> bool:
        """Have every source tell what it has; return whether all were heard."""
        all_heard = True
        for source, told in self.sources():
            try:
                self.checkup.tell(*told)
            except NotKept:
                all_heard = False
            else:
                self.heard(source, told)
        return all_heard

    def tell_together(self) -> bool:
        """Likewise, all in one round of the judge."""
        brought = [(source, told, self.live._worker.bring(told)) for source, told in self.sources()]
        self.live._worker.work()
        all_heard = True
        for source, told, job in brought:
            if job.done.exception() is None:
                self.heard(source, told)
            else:
                all_heard = False
        return all_heard

    # What phones want.

    def actor(self, phone: str) -> Actor:
        """Return a phone that wants something: it gives a sign of itself by that."""
        self.signs[phone] = self.machine.now
        who = seat_rights.who(self.phones.rights, phone)
        self.phones.here(who, self.address_of(phone))
        return Actor(who, self.address_of(phone), phone)

    def address_of(self, phone: str) -> str:
        """Return the address at which a phone is; those of the seats share one."""
        return f"192.0.2.{len(phone)}"

    def do(self, phone: str, act: Act) -> Carried:
        """Have a phone want something. Raises as `Acting` does."""
        alone = self.acting.do_alone(act, self.actor(phone))
        if alone is not None:
            return alone
        with self.acting.turn:
            return self.acting.carry_out(act, self.actor(phone))

    def answer(self, phone: str, name: str, answer: Reply) -> Carried:
        """Have a phone answer."""
        with self.acting.turn:
            return self.acting.answer(name, answer, self.actor(phone))

    # What there is.

    def events_stored(self, match: int) -> int:
        """Return how many events of a match are on disk, as far as SQLite tells."""
        return int(self.log._rows("SELECT count(*) FROM event WHERE match = ?", match)[0][0])

    def stored_under(self, origin: str) -> int:
        """Return how many events bear this origin."""
        return len(self.log._rows("SELECT 1 FROM event WHERE origin = ?", origin))

    def all_stored(self) -> tuple[int, ...]:
        """Return how many rows each table of the log has."""
        return tuple(self.log._rows(_ALL_STORED)[0])


def faults_of_the_program() -> list[str]:
    """Return what the program has raised where nobody expects it."""
    return [f"{fault.thread}: {fault.kind} at {fault.where}" for fault in threads.faults() if fault.kind != "PowerCut"]


@contextmanager
def raising(table: Table) -> Iterator[None]:
    """Have the game's code raise in this block as often as the table says."""

    def wrapped(call: Callable[..., Any]) -> Callable[..., Any]:
        def called(*about: Any) -> Any:
            if table.raises > 0:
                table.raises -= 1
                raise ZeroDivisionError("the game's code raises")
            return call(*about)

        return called

    game = table.game
    whose = game.moves.taps.whose and wrapped(game.moves.taps.whose)
    taps = replace(game.moves.taps, judge=wrapped(game.moves.taps.judge), whose=whose)
    presses = game.moves.presses and replace(game.moves.presses, judge=wrapped(game.moves.presses.judge))
    moves = replace(game.moves, taps=taps, presses=presses)
    raises = replace(game, moves=moves, view=wrapped(game.view), now=wrapped(game.now))
    with mock.patch.dict(games.known(), {table.slug: raises}):
        yield
