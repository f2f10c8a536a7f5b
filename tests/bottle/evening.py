"""An evening: steps in, a broken promise out. What a step does is drawn from its lot by what the table is like then."""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion import threads
from companion.access.player_looks import ANIMALS, COLOURS, Face
from companion.access.seat_rights import HOST
from companion.acts import match_acts, seat_acts, upkeep_acts
from companion.acts.act import Act
from companion.acts.decide import Reply, may_agree
from companion.errors import CompanionError
from companion.events import Elapsed, Event, Lifted, Pressed, Said, Tapped, place_of
from companion.judge import corrections
from companion.judge.match import Match
from companion.kit.random_matches import _anything, _next
from companion.storage.ailments import AilmentCode
from companion.storage.opening import LogFault
from tests.bottle.disk import SPOILED, Luck, PowerCut, Trouble, plugged_in
from tests.bottle.machine import running
from tests.bottle.promises import Broken, Promises
from tests.bottle.steps import Step
from tests.bottle.table import LOOKER, PHONES, POCKETS, SEATS, STRANGER, Table, raising

NEW_NAMES = ("Gus", "Hal", "Ida")
LOOK_ALIKE: tuple[Callable[[str], tuple[str, str]], ...] = (
    lambda name: (name, name.upper()),
    lambda name: (name, f"{name[0]}\u200b{name[1:]}"),
    lambda name: (name, "".join(chr(ord(letter) + 0xFEE0) if letter.isascii() else letter for letter in name)),
    lambda name: (f"N'{name}", f"N\u2019{name}"),
    lambda name: (f"{name}-Lou", f"{name}\u2011Lou"),
)
"""Two spellings of a name that nobody tells apart: capitals, an invisible space, full width, what phones type."""
FACES = tuple(Face(animal, colour) for animal, colour in zip(ANIMALS, COLOURS, strict=False))
WELL_IN_CLUB = 150.0
"""Seconds after which all is well between a table, its broker and the hub, however it was."""
HARDLY = 0.02
"""How many seconds it takes a program that was killed to start again."""


class Ended(Exception):
    """The table gives first aid, and nobody plays any more."""


class Evening:
    """One table from its first step to its last."""

    def __init__(self, folder: Path, first: Step, table: Callable[[Path, int], Table] = Table) -> None:
        self.table = table(folder, first.lot)
        self.promises = Promises(self.table)
        self.events: Counter[str] = Counter()
        """What happened, by its kind."""
        self._first = first

    def begin(self) -> None:
        """Start the companion, and a match; or have people come who start the first one later."""
        table = self.table
        table.open()
        table.seat_phones()
        table.machine.passes(1.0)
        if self._first.after:
            self._come()
        else:
            table.live.begin(table.slug, table.people, table.options)

    def _come(self) -> None:
        chance = random.Random(self._first.lot)
        for player, face in zip(self.table.people, FACES, strict=False):
            self._wants(f"phone-{player.seat}", seat_acts.SitDown(player.seat, player.name, face))
            self._empty_pocket(player.seat, chance)
        self.promises.tell(self._tell)

    def take(self, step: Step) -> None:
        """Do one step, and see that every promise holds. Raises `Broken`."""
        table = self.table
        chance = random.Random(step.lot)
        self.events[step.kind] += 1
        try:
            if not table.is_open:
                self._start()
            if table.is_open:
                table.passes(step.after / 1000)
                STEPS[step.kind](self, chance)
            elif step.kind in OF_THE_MACHINE:
                STEPS[step.kind](self, chance)
        except PowerCut:
            pass
        self._restore_power(chance)
        if table.is_open:
            with suppress(PowerCut):  # who looks has a game's view built, and what its code raises is written down
                self.promises.hold()
            self._restore_power(chance)

    def end(self) -> None:
        """The faults stop; after a while all must be well."""
        table = self.table
        table.disk.mend()
        table.raises = 0
        if not table.is_open:
            self._start()
        with suppress(PowerCut):
            table.passes(3.0)
        self.promises.are_well()
        if table.club is not None:
            table.club.broker.delay = 0.0
            table.club.broker.is_up = True
            table.passes(WELL_IN_CLUB)
            self.promises.are_well_in_the_club()
        self._restart()
        self.promises.hold()

    def _start(self) -> None:
        """Start the companion; while the disk does not let it, it says so, and is tried again later."""
        table = self.table
        try:
            table.open()
        except CompanionError as wrong:
            if table.disk.has_refused_to_sync and getattr(wrong, "code", None) is AilmentCode.LOG_DAMAGED:
                # Every start writes once; what several of them could not synchronise passes for damage after a cut.
                raise Ended from wrong
            if table.disk.trouble in (Trouble.NONE, Trouble.SLOW) and not table.disk.is_off:
                raise Broken("a table starts whenever its disk works", repr(wrong)) from wrong
        except PowerCut:
            table.lose_power(Luck.NONE)
        else:
            table.machine.passes(HARDLY)
            self.promises.started()

    def _restore_power(self, chance: random.Random) -> None:
        """Start the machine if the power was cut."""
        if self.table.disk.is_off:
            self.promises.power_is_cut()
            self.table.lose_power(chance.choice([*Luck]))
            self._start()

    def _restart(self) -> None:
        self.promises.stops()
        self.table.stop()
        self._start()

    # People and cards.

    def _match(self) -> Match | None:
        played = self.table.live._judging.played
        return None if played is None else played.match

    def next(self, chance: random.Random) -> None:
        """What may well come next in the match."""
        match = self._match()
        if match is None or match.over:
            self.begin_match(chance)
            return
        self._happens(_likely(match, chance, noise=0.0), chance)

    def noise(self, chance: random.Random) -> None:
        """Whatever a real table throws in."""
        match = self._match()
        if match is not None:
            self._happens(_likely(match, chance, noise=1.0), chance)

    def _happens(self, event: Event, chance: random.Random) -> None:
        table = self.table
        match event:
            case Tapped(place=place, card=card):
                table.lay(place, card)
                if chance.random() < 0.5:
                    table.lift(place)
            case Pressed(seat=seat):
                at = table.live.clock() - chance.choice((0.0, 0.0, 0.0004, 0.01))
                table.press(seat, at)
            case Lifted(place=place):
                table.lift(place)
            case Said(seat=seat, what=what, value=value):
                phone = self._host() if seat == "host" else table.phones.rights.holders.get(seat, self._host())
                self._wants(phone, match_acts.EnterWord(seat, what, value))
            case Elapsed():
                due = table.live._judging._delay_due()
                table.passes(1.0 if due is None else min(60.0, max(0.0, due - table.live.clock()) + 0.01))
            case _:
                pass
        self.promises.tell(self._tell)

    def _tell(self) -> bool:
        return self.table.retell()

    def together(self, chance: random.Random) -> None:
        """Several things are sensed at once."""
        match = self._match()
        if match is None:
            return
        for _ in range(chance.randint(2, 5)):
            event = _likely(match, chance, noise=0.3)
            if isinstance(event, Tapped):
                self.table.lay(event.place, event.card)
            elif isinstance(event, Pressed):
                self.table.press(event.seat)
        self.promises.tell(self.table.tell_together)

    def hurry(self, chance: random.Random) -> None:
        """Cards come more quickly than a reader looks."""
        match = self._match()
        if match is None:
            return
        event = _likely(match, chance, noise=0.3)
        if isinstance(event, Tapped):
            self.table.hurry(event.place, event.card)
            self.promises.tell(self._tell)

    def belated(self, chance: random.Random) -> None:
        """A press is heard of late: it may be of a break, or of the match before."""
        self.table.press(chance.choice(SEATS), self.table.live.clock() - chance.choice((0.5, 5.0, 60.0, 600.0)))
        self.promises.tell(self._tell)

    def pocket(self, chance: random.Random) -> None:
        """People lay on pads what they have with them, perhaps for a moment."""
        for seat in chance.sample(SEATS, chance.randint(1, 6)):
            self._empty_pocket(seat, chance)
        self.promises.tell(self._tell)

    def _empty_pocket(self, seat: int, chance: random.Random) -> None:
        self.table.lay_tag(place_of(seat), chance.choice(POCKETS))
        if chance.random() < 0.5:
            self.table.lift(place_of(seat))

    def lift(self, chance: random.Random) -> None:
        """Somebody clears a place."""
        if self.table.lying:
            self.table.lift(chance.choice(sorted(self.table.lying)))
            self.promises.tell(self._tell)

    # Phones.

    def _host(self) -> str:
        return self.table.phones.rights.holders.get(HOST, LOOKER)

    def _wants(self, phone: str, act: Act) -> None:
        self.promises.wants(phone, act)

    def wish(self, chance: random.Random) -> None:
        """Some phone wants something."""
        phone = chance.choice((self._host(), *PHONES)) if chance.random() < 0.5 else self._host()
        act = self._wish(chance)
        if act is not None:
            self._wants(phone, act)

    def _wish(self, chance: random.Random) -> Act | None:
        table = self.table
        match = self._match()
        seat = chance.choice(SEATS)
        number = table.live.snapshot.match
        past = chance.choice((None, None, number, chance.randint(1, (number or 0) + 1)))
        told = None if match is None or not match.public else chance.randrange(len(match.public))
        card = chance.choice([*table.game.deck])
        makers: list[Callable[[], Act]] = [
            lambda: match_acts.EnterPress(seat, match=past),
            lambda: match_acts.EnterCards(place_of(seat), (card,), match=past),
            lambda: match_acts.LiesAt(card, seat, match=past),
            lambda: match_acts.TakeBack(seat=seat, match=past),
            lambda: seat_acts.FreeSeat(seat),
            lambda: seat_acts.Rename(seat, chance.choice(NEW_NAMES)),
            lambda: seat_acts.TakeOver(seat, chance.choice(NEW_NAMES)),
            lambda: seat_acts.GoOnHere(seat),
            match_acts.End,
            match_acts.Again,
            lambda: match_acts.LeaveOut(past or 1),
            lambda: match_acts.CountAgain(past or 1),
            *[lambda: match_acts.TakeUp(chance.randint(1, number or 1))] * 2,
            lambda: match_acts.StartMatch(table.slug, None if chance.random() < 0.5 else self._names(chance)),
        ]
        if match is not None and told is not None:
            entry = _told(match, told)
            makers += [lambda: match_acts.TakeBack(entry, match=past)] * 5
            offered = sorted(corrections.offered(match))
            if offered:
                at = chance.choice(offered)
                makers += [
                    lambda: match_acts.PutRight(_told(match, at), card, chance.choice([*table.game.deck]), match=past)
                ] * 3
        return chance.choice(makers)()

    def _names(self, chance: random.Random) -> dict[int, str]:
        return {player.seat: player.name for player in self.table.people if chance.random() < 0.9}

    def answer(self, chance: random.Random) -> None:
        """Some phone answers what is asked; mostly one that may."""
        table = self.table
        situation = table.acting.situation()
        question = situation.question
        if question is None:
            return
        asked = [phone for phone in PHONES if may_agree(question, table.actor(phone).who, situation.seats)]
        phone = chance.choice(asked if asked and chance.random() < 0.8 else PHONES)
        reply = chance.choice((Reply.YES, Reply.YES, Reply.YES, Reply.NO, Reply.NOBODY))
        self.promises.answers(phone, question, reply)

    def enter(self, chance: random.Random) -> None:
        """Some phone enters by hand what may come next, whosever it is."""
        match = self._match()
        if match is None:
            return
        act = entered(_likely(match, chance, noise=0.5))
        if act is not None:
            self._wants(chance.choice(PHONES), act)

    def regret(self, chance: random.Random) -> None:
        """Some phone takes back what a seat has laid, or what was told last, whosever it is."""
        match = self._match()
        if match is None:
            return
        laid = [match_acts.TakeBack(seat=seat) for seat in match.seats if match.taps_of(seat)]
        newest = range(max(0, len(match.public) - 3), len(match.public))
        acts = [*laid, *(match_acts.TakeBack(_told(match, entry)) for entry in newest)]
        if acts:
            self.here(chance)
            self._wants(chance.choice(PHONES), chance.choice(acts))
            self.answer(chance)

    def here(self, chance: random.Random) -> None:
        """Most phones are looked at, or one."""
        for phone in PHONES if chance.random() < 0.5 else (chance.choice(PHONES),):
            self.table.actor(phone)

    def begin_match(self, chance: random.Random) -> None:
        """The host starts a match."""
        self._wants(self._host(), match_acts.StartMatch(self.table.slug, self._names(chance), dict(self.table.options)))

    def twins(self, chance: random.Random) -> None:
        """The host starts a match under typed names, two of which look the same."""
        names = {player.seat: player.name for player in self.table.people}
        first, second, *_ = names
        names[first], names[second] = chance.choice(LOOK_ALIKE)(names[first])
        self._wants(self._host(), match_acts.StartMatch(self.table.slug, names, dict(self.table.options)))

    def pause(self, chance: random.Random) -> None:
        """The host takes a break for all."""
        self._wants(self._host(), match_acts.TakeBreak())

    def go_on(self, chance: random.Random) -> None:
        """They go on."""
        self._wants(self._host(), match_acts.GoOnWithMatch())

    def sit(self, chance: random.Random) -> None:
        """A phone sits down."""
        name = chance.choice((*NEW_NAMES, *(player.name for player in self.table.people)))
        self._wants(chance.choice(PHONES), seat_acts.SitDown(chance.choice(SEATS), name, chance.choice(FACES)))

    def claim(self, chance: random.Random) -> None:
        """A phone types a code: a part's own, one to hand on, or a wrong one."""
        rights = self.table.phones.rights
        codes = [*rights.codes.values(), *rights.passing.values(), "WRONG"]
        if chance.random() < 0.3 and rights.holders:
            part = chance.choice(sorted(rights.holders))
            self._wants(rights.holders[part], chance.choice((seat_acts.HandOn, seat_acts.KeepSeat))(part))
        self._wants(chance.choice((LOOKER, STRANGER, *PHONES)), seat_acts.ClaimSeat(chance.choice(codes)))

    def browser(self, chance: random.Random) -> None:
        """One or two in turn want a seat whose phone is there, as that phone's other browser; mostly that says no."""
        holders = {seat: phone for seat, phone in self.table.phones.rights.holders.items() if seat}
        newcomers = [phone for phone in PHONES if phone not in self.table.phones.rights.holders.values()]
        if not holders:
            return
        seat = chance.choice(sorted(holders))
        self.table.actor(holders[seat])
        for phone in chance.sample(newcomers, min(2, len(newcomers))):
            self._wants(phone, seat_acts.GoOnHere(seat))
            question = self.table.acting.situation().question
            if question is not None and chance.random() < 0.8:
                self.promises.answers(holders[seat], question, Reply.NO)

    def leave(self, chance: random.Random) -> None:
        """Somebody gets up, is moved, is sent away, or sits out."""
        seat = chance.choice(SEATS)
        to = chance.choice(SEATS)
        acts = (
            seat_acts.GetUp(seat),
            seat_acts.SendAway(seat),
            seat_acts.MoveGuest(seat, to),
            seat_acts.SitOut(seat, chance.random() < 0.5),
            seat_acts.FreeSeat(seat),
        )
        holder = self.table.phones.rights.holders.get(seat, LOOKER)
        self._wants(chance.choice((self._host(), holder)), chance.choice(acts))

    def walk(self, chance: random.Random) -> None:
        """Somebody begins a walk around the table, or ends it."""
        self._wants(self._host(), upkeep_acts.EndWalk() if self.table.checkup.walking else upkeep_acts.WalkAround())

    def hear(self, chance: random.Random) -> None:
        """A seat wants to hear its cards, or to play again."""
        seat = chance.choice(SEATS)
        holder = self.table.phones.rights.holders.get(seat, LOOKER)
        self._wants(holder, match_acts.HearCards(seat) if chance.random() < 0.6 else match_acts.PlayCards(seat))

    def wait(self, chance: random.Random) -> None:
        """Nothing happens for a while."""
        self.table.passes(chance.choice((5.0, 30.0, 95.0)))

    # What goes wrong.

    def restart(self, chance: random.Random) -> None:
        """The companion is stopped, and started again."""
        self._restart()

    def cut(self, chance: random.Random) -> None:
        """The power is cut now."""
        self.table.disk.is_off = True

    def cut_within(self, chance: random.Random) -> None:
        """The power is cut within one of the next acts, at any write."""
        self.table.disk.cut_after(chance.randint(1, chance.choice((3, 12, 60))))

    def cut_among_own(self, chance: random.Random) -> None:
        """The power is cut while phones or questions are written."""
        self.table.disk.cut_among_own(chance.randint(1, 8))

    def spoil(self, chance: random.Random) -> None:
        """Something is wrong with the disk from now on."""
        self.table.disk.trouble = chance.choice(SPOILED)

    def unreadable(self, chance: random.Random) -> None:
        """Whatever SQLite must read from the disk fails from now on."""
        self.table.disk.stop_reading()

    def answer_unkept(self, chance: random.Random) -> None:
        """The disk refuses while somebody answers, and works again at once."""
        self.table.disk.trouble = chance.choice((Trouble.FULL, Trouble.FAILING))
        try:
            self.answer(chance)
        finally:
            self.table.disk.mend()

    def unheard(self, chance: random.Random) -> None:
        """The program is killed before the box hears that its presses are kept, which it then tells again."""
        box = self.table.box
        box.waiting.extendleft(reversed(box.acknowledged))
        box.acknowledged = ()
        self._restart()

    def mend(self, chance: random.Random) -> None:
        """The disk works again."""
        self.table.disk.mend()

    def raises(self, chance: random.Random) -> None:
        """The game's code raises, a few times."""
        self.table.raises = chance.choice((1, 1, 2, 5, 20))

    def broker(self, chance: random.Random) -> None:
        """Something is wrong with the way to the club, or it is well again."""
        club = self.table.club
        if club is None:
            return
        club.broker.delay = chance.choice((0.0, 0.0, 0.05, 2.0))
        what = chance.choice(("down", "forgets", "up", "up", "cut"))
        if what == "up":
            club.broker.is_up = True
        elif what == "cut":
            club.broker.cut(chance.choice([*club.broker.sessions, ""]))
        else:
            club.broker.goes_down(forgets=what == "forgets")

    def hub(self, chance: random.Random) -> None:
        """The hub is killed, and starts again some time later."""
        if self.table.club is not None:
            self.table.club.hub_stops()

    def lie(self, chance: random.Random) -> None:
        """A table that lies has its say."""
        if self.table.club is not None:
            self.table.club.lie(chance)

    def flood(self, chance: random.Random) -> None:
        """A table that lies sends more results than people can play, and once those are kept as many again."""
        if self.table.club is not None:
            for _ in range(2):
                self.table.club.flood(chance)
                self.table.passes(5.0)

    def clock(self, chance: random.Random) -> None:
        """The wall clock is set."""
        self.table.machine.jumps()
        if chance.random() < 0.2:
            self._wants(self._host(), upkeep_acts.TellDay("2026-11-28T20:00"))


STEPS: Mapping[str, Callable[[Evening, random.Random], None]] = {
    "next": Evening.next,
    "noise": Evening.noise,
    "together": Evening.together,
    "lift": Evening.lift,
    "wish": Evening.wish,
    "answer": Evening.answer,
    "enter": Evening.enter,
    "regret": Evening.regret,
    "here": Evening.here,
    "begin": Evening.begin_match,
    "break": Evening.pause,
    "go_on": Evening.go_on,
    "sit": Evening.sit,
    "claim": Evening.claim,
    "leave": Evening.leave,
    "walk": Evening.walk,
    "hear": Evening.hear,
    "wait": Evening.wait,
    "hurry": Evening.hurry,
    "twins": Evening.twins,
    "pocket": Evening.pocket,
    "browser": Evening.browser,
    "restart": Evening.restart,
    "cut": Evening.cut,
    "cut_within": Evening.cut_within,
    "cut_among_own": Evening.cut_among_own,
    "disk": Evening.spoil,
    "answer_unkept": Evening.answer_unkept,
    "unheard": Evening.unheard,
    "mend": Evening.mend,
    "raises": Evening.raises,
    "clock": Evening.clock,
    "broker": Evening.broker,
    "hub": Evening.hub,
    "lie": Evening.lie,
    "flood": Evening.flood,
    "unreadable": Evening.unreadable,
    "belated": Evening.belated,
}

OF_THE_MACHINE = ("cut", "disk", "unreadable", "mend", "clock")
"""What happens even while the companion can't start."""


def _likely(match: Match, chance: random.Random, noise: float) -> Event:
    """Return what comes next, or anything; a game's code may raise at that too."""
    try:
        return _next(match, chance, noise, 0.0)
    except ZeroDivisionError:
        return _anything(match, chance)


def entered(event: Event) -> Act | None:
    """Return what a phone enters for it; None: nobody can."""
    match event:
        case Pressed(seat=seat):
            return match_acts.EnterPress(seat)
        case Said(seat=seat, what=what, value=value):
            return match_acts.EnterWord(seat, what, value)
        case Tapped(place=place, card=card):
            return match_acts.EnterCards(place, (card,))
    return None


def _told(match: Match, entry: int) -> Any:
    from companion.acts.told import EntryTold, mark

    verdict = match.public[entry]
    return EntryTold(entry, verdict.code, mark(verdict.code, verdict.facts))


def play(folder: Path, steps: Sequence[Step]) -> tuple[Counter[str], tuple[int, Broken] | None]:
    """Play an evening; return what happened, and after which step which promise was broken first, if one was."""
    threads.forget_faults()
    evening = Evening(folder, steps[0])
    broken: tuple[int, Broken] | None = None
    number = 0
    try:
        with running(evening.table.machine), plugged_in(evening.table.disk), raising(evening.table):
            try:
                evening.begin()
                for step in steps[1:]:
                    number += 1
                    evening.take(step)
                evening.end()
            except Ended:
                pass
            except Broken as found:
                broken = number, found
            except (PowerCut, LogFault, Exception) as wrong:
                found = Broken("nothing raises", f"{type(wrong).__name__}: {wrong}")
                found.__cause__ = wrong
                broken = number, found
            finally:
                evening.table.gone()
    finally:
        threads.forget_faults()
    return evening.events, broken
