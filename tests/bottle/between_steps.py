"""A law for every act: whatever fails at any write or sync, it is done once or not at all, and all know which.

An act is wanted, and agreed to if others are asked; somewhere between two steps of the disk the power is cut, or the
disk refuses. Then somebody may say no; then the table is started again. Nothing about a certain act stands here: all
are taken from the table of consent, and what an act has done is what the files say.
"""

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec

from companion.access.seat_rights import who
from companion.acts import table_acts
from companion.acts.decide import Reply, decide, may_agree
from companion.acts.outcome import ActRefused, Outcome
from companion.acts.table import Actor
from companion.errors import NotKept
from companion.events import Player
from companion.live.demo import Hand
from companion.live.pause import Why
from companion.live.simulation import Simulation
from companion.storage.log_reading import OFF, ON
from tests.acts import consent
from tests.acts.tables import ANA, BO, CLEO, CODES, PEOPLE, ZED, in_short
from tests.bottle.broken import Broken
from tests.bottle.disk import Luck, PowerCut, Trouble, plugged_in
from tests.bottle.machine import folder_in_memory, running
from tests.bottle.table import Table
from tests.bottle.wishes import WISHES, Wish
from tests.web.table import TestHand

LOT = 4
ADDRESSES: Mapping[str, str] = {ANA: "192.0.2.1", BO: "192.0.2.7", CLEO: "192.0.2.5", ZED: "192.0.2.7"}
"""Where each phone is; the newcomer may be Bo in another browser."""
BY_HAND = (table_acts.LayCards, table_acts.PressBuzzer, table_acts.LiftCard)
"""Acts at a virtual table, which has a hand."""


class Fault(Enum):
    """What happens at one operation of the disk."""

    CUT = "the power is cut, and what was not synchronised is gone"
    TORN = "the power is cut, and what was not synchronised is there in part"
    KILLED = "the program is killed"
    FULL = "the disk is full from then on"
    FAILS = "a write fails"
    FAILING = "all writes fail from then on"
    SYNC_FAILS = "a sync fails"
    SYNC_FAILING = "all syncs fail from then on"


LUCK = {Fault.CUT: Luck.NONE, Fault.TORN: Luck.ANY, Fault.KILLED: Luck.ALL}
TROUBLE = {
    Fault.FULL: Trouble.FULL,
    Fault.FAILS: Trouble.FAILING,
    Fault.FAILING: Trouble.FAILING,
    Fault.SYNC_FAILS: Trouble.SYNC_FAILS,
    Fault.SYNC_FAILING: Trouble.SYNC_FAILS,
}
ONCE = (Fault.FAILS, Fault.SYNC_FAILS)


class Case(msgspec.Struct, frozen=True):
    """When which fault comes upon an act."""

    fault: Fault
    operation: int
    """Of the disk, counted from the wish."""
    declined: bool
    """Whether somebody says no after the fault."""

    def __str__(self) -> str:
        return f"{self.fault.value}, at operation {self.operation}, declined: {self.declined}"


class Told(Enum):
    """What people were told of an act."""

    NOTHING = "nothing, or that it can't be stored"
    REFUSED = "that it can't be done"
    ASKED = "that others are asked"
    DECLINED = "that it was declined"
    DONE = "that it is done"


class Clean(msgspec.Struct, frozen=True):
    """What comes of an act where nothing fails."""

    phone: str
    """Who wants it: one that must ask others, if there is one."""
    told: Told
    operations: int
    """Of the disk, until it is done."""
    before: Any
    asked: Any
    """What was stored once others were asked."""
    after: Any


class TableOfOneAct(Table):
    """Ana, Bo and Cléo count, and what the act is about is there."""

    def __init__(self, folder: Path, wish: Wish) -> None:
        super().__init__(folder, LOT)
        self.slug = "stop-it"
        self.window = 0.0
        self.club = None
        self.people = PEOPLE
        self.wish = wish
        self.act = wish.act
        self.around = wish.around

    def hand(self) -> Hand | None:
        return TestHand(self.live) if isinstance(self.act, BY_HAND) else None

    def things(self) -> Simulation | None:
        return Simulation(self.live, lambda: "seed") if self.around.simulated or isinstance(self.act, BY_HAND) else None

    def begin(self) -> None:
        """Have the table come to be as the table of consent states it."""
        around = self.around
        self.open()
        self.phones.change(lambda _: around.rights)
        self.come_in()
        if around.earlier is not None:
            for _ in range(around.earlier.number):
                self._play()
        self._play()
        if around.earlier is not None and around.earlier.left_out:
            self.live.leave_out(around.earlier.number, ())
        if around.play is not None and around.play.pause is not None:
            self.live.pause(Why(around.play.pause))

    def come_in(self) -> None:
        """Have every phone give a sign of itself."""
        for phone, address in ADDRESSES.items():
            self.phones.here(who(self.phones.rights, phone), address)

    def _play(self) -> None:
        around = self.around
        simulation = self.simulation
        if simulation is not None and around.dealt is not None and around.play is not None:
            people = tuple(Player(seat, name) for seat, name in around.play.names.items())
            simulation.begin(self.slug, people, dict.fromkeys(around.bots, "easy"))
            if self.wish.is_moved:
                simulation.play(simulation.sights[3].moves[0])
            return
        assert around.match is not None
        self.live.begin(self.slug, PEOPLE, {})
        for event in around.match.events[1:]:
            self.machine.passes(1.0)
            self.live.enter(event)

    def actor(self, phone: str) -> Actor:
        actor = super().actor(phone)
        return Actor(actor.who, actor.address, consent.anew(self.act, phone))

    def address_of(self, phone: str) -> str:
        return ADDRESSES[phone]

    def who_wants(self) -> str:
        """Return a phone that must ask others, if there is one; else one that may do it."""
        outcomes = {phone: in_short(self._foreseen(phone)) for phone in ADDRESSES}
        return next(
            phone for kind in ("asks", "does") for phone, outcome in outcomes.items() if outcome.startswith(kind)
        )

    def _foreseen(self, phone: str) -> Outcome:
        actor = self.actor(phone)
        return self.acting._doing.foresee(self.act, actor, lambda situation: decide(self.act, actor, situation))

    def wants(self, phone: str) -> Told:
        """Have a phone want it."""
        try:
            carried = self.do(phone, self.act)
        except NotKept:
            return Told.NOTHING
        except ActRefused:
            return Told.REFUSED
        return Told.ASKED if carried.asked else Told.DONE

    def answers(self, reply: Reply) -> Told:
        """Have a phone answer that may, if anything is asked."""
        situation = self.acting.situation()
        question = situation.question
        if question is None:
            return Told.NOTHING
        phone = next(phone for phone in ADDRESSES if may_agree(question, self.actor(phone).who, situation.seats))
        try:
            carried = self.answer(phone, question.id, reply)
        except NotKept:
            return Told.NOTHING
        except ActRefused:
            return Told.REFUSED
        return Told.DECLINED if carried.said.code == "ask-declined" else Told.DONE

    def stored(self) -> Any:
        """Return all that an act may change, but not when it was."""
        rows = self.log._rows
        events = [
            (match, {name: field for name, field in msgspec.json.decode(body).items() if name != "at"})
            for match, body in rows("SELECT match, CAST(body AS BLOB) FROM event ORDER BY match, seq")
        ]
        rights = msgspec.to_builtins(self.phones.rights, str_keys=True)
        rights["codes"] = [part for part, code in self.phones.rights.codes.items() if code != CODES[part]]
        rights["passing"] = [*rights["passing"]]
        return (
            rows("SELECT id, simulated FROM match ORDER BY id"),
            events,
            rows("SELECT match, why FROM pause WHERE why NOT IN (?, ?) ORDER BY id", ON, OFF),
            rows("SELECT match, names, what FROM decision ORDER BY id"),
            rights,
            self._world(),
        )

    def _world(self) -> Any:
        """Return what is kept of the simulated things of the match on the table: a start goes on with it."""
        kept = None if self.simulation is None else self.simulation.playing
        return None if kept is None else msgspec.to_builtins(kept, str_keys=True)


@contextmanager
def table_of(wish: Wish) -> Iterator[TableOfOneAct]:
    with folder_in_memory() as folder:
        table = TableOfOneAct(folder, wish)
        with running(table.machine), plugged_in(table.disk):
            table.begin()
            try:
                yield table
            finally:
                table.gone()


def clean(wish: Wish) -> Clean:
    """Have an act done where nothing fails."""
    with table_of(wish) as table:
        phone = table.who_wants()
        before = table.stored()
        began = table.disk.operations
        told = table.wants(phone)
        asked = table.stored()
        if told is Told.ASKED and table.answers(Reply.YES) is not Told.DONE:
            told = Told.REFUSED
        return Clean(phone, told, table.disk.operations - began, before, asked, table.stored())


def see(wish: Wish, usual: Clean, case: Case) -> None:
    """Have a fault come upon an act. Raises `Broken`."""
    with table_of(wish) as table:
        law = _Law(table, usual, f"{wish.act}: {case}")
        law.have_it_wanted(case.fault, case.operation)
        if case.declined:
            law.have_it_declined()
        law.restart(LUCK.get(case.fault))
        law.have_it_finished()


def cases(name: str, usual: Clean, each: int | None = None) -> Iterator[Case]:
    """Return every fault, at each operation or at `each` by lot, and whether somebody says no then."""
    chance = random.Random(name)
    operations = range(1, usual.operations + 1)
    for fault in Fault:
        for operation in operations if each is None else chance.sample(operations, min(each, len(operations))):
            for declined in (False, True) if usual.told is Told.ASKED else (False,):
                yield Case(fault, operation, declined)


def tried(name: str, each: int | None = None) -> Iterator[Broken | None]:
    """Try an act with these cases; return what promise each breaks, or None."""
    wish = WISHES[name]
    usual = clean(wish)
    if usual.told is Told.REFUSED or usual.before == usual.after:
        yield Broken(
            "an act stores something; else `STORES_NOTHING` says why, or `tests/acts/consent.py` lets it", name
        )
        return
    for case in cases(name, usual, each):
        try:
            see(wish, usual, case)
        except Broken as broken:
            yield broken
        else:
            yield None


class _Law:
    def __init__(self, table: TableOfOneAct, usual: Clean, about: str) -> None:
        self._table = table
        self._usual = usual
        self._about = about
        self._told = Told.NOTHING

    def have_it_wanted(self, fault: Fault, operation: int) -> None:
        disk = self._table.disk
        if fault in LUCK:
            disk.cut_after(operation)
        else:
            disk.trouble_after(operation, TROUBLE[fault], once=fault in ONCE)
        with suppress(PowerCut):
            self._told = self._table.wants(self._usual.phone)
            if self._told is Told.ASKED:
                told = self._table.answers(Reply.YES)
                self._told = Told.ASKED if told is Told.NOTHING else told

    def have_it_declined(self) -> None:
        """First while the disk is as it is, then once it works."""
        if self._table.disk.is_off:
            return
        for mend in (lambda: None, self._table.disk.mend):
            mend()
            told = self._table.answers(Reply.NO)
            if told is not Told.NOTHING:
                self._told = told
                return

    def restart(self, luck: Luck | None) -> None:
        """See that what was told is so afterwards."""
        table = self._table
        if table.disk.is_off:
            assert luck is not None
            table.lose_power(luck)
        else:
            table.disk.mend()
            table.stop()
        table.open()
        table.come_in()
        stored = table.stored()
        is_done = stored == self._usual.after
        is_undone = stored in (self._usual.before, self._usual.asked)
        is_asked = table.acting.situation().question is not None
        self._see("an act is done whole, or not at all", is_done or is_undone, _apart(self._usual, stored))
        self._see("what is done is asked no longer", not (is_done and is_asked))
        match self._told:
            case Told.DONE:
                self._see("what was told to be done is stored", is_done)
            case Told.DECLINED:
                self._see("what was declined is never done", is_undone)
                self._see("what was declined is asked no longer", not is_asked)
            case Told.ASKED:
                self._see("what was asked is done, or still asked", is_done or is_asked)

    def have_it_finished(self) -> None:
        """See that it can be done in the end, and is done once."""
        if self._told is Told.DECLINED or self._told is Told.REFUSED:
            return
        table = self._table
        for _ in range(2):
            if table.stored() == self._usual.after:
                break
            if table.answers(Reply.YES) is Told.NOTHING:
                table.wants(self._usual.phone)
        self._see("in the end it is done, and once", table.stored() == self._usual.after)

    def _see(self, promise: str, is_kept: bool, found: object = "") -> None:
        if not is_kept:
            raise Broken(promise, f"{self._about}; told: {self._told.value} {found}")


def _apart(usual: Clean, stored: Any) -> str:
    """Return what of a state is neither as before nor as after."""
    parts = zip(stored, usual.before, usual.after, strict=True)
    return "; ".join(f"{part}" for part, before, after in parts if part not in (before, after))[:400]
