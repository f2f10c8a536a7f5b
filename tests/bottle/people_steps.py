"""What people at a table and their phones do in a step; each is drawn from its lot by what the table is like then."""

import random
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from companion.access.player_looks import ANIMALS, COLOURS, Face
from companion.access.seat_rights import HOST
from companion.acts import match_acts, seat_acts, upkeep_acts
from companion.acts.act import Act
from companion.acts.decide import Reply, may_agree
from companion.events import Elapsed, Event, Lifted, Pressed, Said, Tapped, place_of
from companion.judge import corrections
from companion.judge.match import Match
from companion.kit.random_matches import _anything, _next
from tests.bottle.table import LOOKER, PHONES, POCKETS, SEATS, STRANGER

if TYPE_CHECKING:
    from tests.bottle.evening import Evening

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


def _match(evening: "Evening") -> Match | None:
    played = evening.table.live._judging.played
    return None if played is None else played.match


def next_in_match(evening: "Evening", chance: random.Random) -> None:
    """What may well come next in the match."""
    match = _match(evening)
    if match is None or match.over:
        begin_match(evening, chance)
        return
    _happens(evening, _likely(match, chance, noise=0.0), chance)


def noise(evening: "Evening", chance: random.Random) -> None:
    """Whatever a real table throws in."""
    match = _match(evening)
    if match is not None:
        _happens(evening, _likely(match, chance, noise=1.0), chance)


def _happens(evening: "Evening", event: Event, chance: random.Random) -> None:
    table = evening.table
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
            phone = host(evening) if seat == "host" else table.phones.rights.holders.get(seat, host(evening))
            evening.promises.wants(phone, match_acts.EnterWord(seat, what, value))
        case Elapsed():
            due = table.live._judging._delay_due()
            table.passes(1.0 if due is None else min(60.0, max(0.0, due - table.live.clock()) + 0.01))
        case _:
            pass
    evening.promises.sensed.tell(evening.table.retell)


def together(evening: "Evening", chance: random.Random) -> None:
    """Several things are sensed at once."""
    match = _match(evening)
    if match is None:
        return
    for _ in range(chance.randint(2, 5)):
        event = _likely(match, chance, noise=0.3)
        if isinstance(event, Tapped):
            evening.table.lay(event.place, event.card)
        elif isinstance(event, Pressed):
            evening.table.press(event.seat)
    evening.promises.sensed.tell(evening.table.tell_together)


def hurry(evening: "Evening", chance: random.Random) -> None:
    """Cards come more quickly than a reader looks."""
    match = _match(evening)
    if match is None:
        return
    event = _likely(match, chance, noise=0.3)
    if isinstance(event, Tapped):
        evening.table.hurry(event.place, event.card)
        evening.promises.sensed.tell(evening.table.retell)


def belated(evening: "Evening", chance: random.Random) -> None:
    """A press is heard of late: it may be of a break, or of the match before."""
    evening.table.press(chance.choice(SEATS), evening.table.live.clock() - chance.choice((0.5, 5.0, 60.0, 600.0)))
    evening.promises.sensed.tell(evening.table.retell)


def pocket(evening: "Evening", chance: random.Random) -> None:
    """People lay on pads what they have with them, perhaps for a moment."""
    for seat in chance.sample(SEATS, chance.randint(1, 6)):
        empty_pocket(evening, seat, chance)
    evening.promises.sensed.tell(evening.table.retell)


def empty_pocket(evening: "Evening", seat: int, chance: random.Random) -> None:
    evening.table.lay_tag(place_of(seat), chance.choice(POCKETS))
    if chance.random() < 0.5:
        evening.table.lift(place_of(seat))


def lift(evening: "Evening", chance: random.Random) -> None:
    """Somebody clears a place."""
    if evening.table.lying:
        evening.table.lift(chance.choice(sorted(evening.table.lying)))
        evening.promises.sensed.tell(evening.table.retell)


# Phones.


def host(evening: "Evening") -> str:
    return evening.table.phones.rights.holders.get(HOST, LOOKER)


def wish(evening: "Evening", chance: random.Random) -> None:
    """Some phone wants something."""
    phone = chance.choice((host(evening), *PHONES)) if chance.random() < 0.5 else host(evening)
    act = _wish(evening, chance)
    if act is not None:
        evening.promises.wants(phone, act)


def _wish(evening: "Evening", chance: random.Random) -> Act | None:
    table = evening.table
    match = _match(evening)
    seat = chance.choice(SEATS)
    number = table.live.snapshot.match
    past = chance.choice((None, None, number, chance.randint(1, (number or 0) + 1)))
    entry_number = None if match is None or not match.public else chance.randrange(len(match.public))
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
        lambda: match_acts.StartMatch(table.slug, None if chance.random() < 0.5 else _names(evening, chance)),
    ]
    if match is not None and entry_number is not None:
        entry = _told(match, entry_number)
        makers += [lambda: match_acts.TakeBack(entry, match=past)] * 5
        offered = sorted(corrections.offered(match))
        if offered:
            at = chance.choice(offered)
            makers += [
                lambda: match_acts.PutRight(_told(match, at), card, chance.choice([*table.game.deck]), match=past)
            ] * 3
    return chance.choice(makers)()


def _names(evening: "Evening", chance: random.Random) -> dict[int, str]:
    return {player.seat: player.name for player in evening.table.people if chance.random() < 0.9}


def answer(evening: "Evening", chance: random.Random) -> None:
    """Some phone answers what is asked; mostly one that may."""
    table = evening.table
    situation = table.acting.situation()
    question = situation.question
    if question is None:
        return
    may_answer = [phone for phone in PHONES if may_agree(question, table.actor(phone).who, situation.seats)]
    phone = chance.choice(may_answer if may_answer and chance.random() < 0.8 else PHONES)
    reply = chance.choice((Reply.YES, Reply.YES, Reply.YES, Reply.NO, Reply.NOBODY))
    evening.promises.answers(phone, question, reply)


def enter(evening: "Evening", chance: random.Random) -> None:
    """Some phone enters by hand what may come next, whosever it is."""
    match = _match(evening)
    if match is None:
        return
    act = entered(_likely(match, chance, noise=0.5))
    if act is not None:
        evening.promises.wants(chance.choice(PHONES), act)


def regret(evening: "Evening", chance: random.Random) -> None:
    """Some phone takes back what a seat has laid, or what was told last, whosever it is."""
    match = _match(evening)
    if match is None:
        return
    laid = [match_acts.TakeBack(seat=seat) for seat in match.seats if match.taps_of(seat)]
    newest = range(max(0, len(match.public) - 3), len(match.public))
    acts = [*laid, *(match_acts.TakeBack(_told(match, entry)) for entry in newest)]
    if acts:
        here(evening, chance)
        evening.promises.wants(chance.choice(PHONES), chance.choice(acts))
        answer(evening, chance)


def here(evening: "Evening", chance: random.Random) -> None:
    """Most phones are looked at, or one."""
    for phone in PHONES if chance.random() < 0.5 else (chance.choice(PHONES),):
        evening.table.actor(phone)


def begin_match(evening: "Evening", chance: random.Random) -> None:
    """The host starts a match."""
    evening.promises.wants(
        host(evening), match_acts.StartMatch(evening.table.slug, _names(evening, chance), dict(evening.table.options))
    )


def twins(evening: "Evening", chance: random.Random) -> None:
    """The host starts a match under typed names, two of which look the same."""
    names = {player.seat: player.name for player in evening.table.people}
    first, second, *_ = names
    names[first], names[second] = chance.choice(LOOK_ALIKE)(names[first])
    evening.promises.wants(host(evening), match_acts.StartMatch(evening.table.slug, names, dict(evening.table.options)))


def pause(evening: "Evening", chance: random.Random) -> None:
    """The host takes a break for all."""
    evening.promises.wants(host(evening), match_acts.TakeBreak())


def go_on(evening: "Evening", chance: random.Random) -> None:
    """They go on."""
    evening.promises.wants(host(evening), match_acts.GoOnWithMatch())


def sit(evening: "Evening", chance: random.Random) -> None:
    """A phone sits down."""
    name = chance.choice((*NEW_NAMES, *(player.name for player in evening.table.people)))
    evening.promises.wants(chance.choice(PHONES), seat_acts.SitDown(chance.choice(SEATS), name, chance.choice(FACES)))


def claim(evening: "Evening", chance: random.Random) -> None:
    """A phone types a code: a part's own, one to hand on, or a wrong one."""
    rights = evening.table.phones.rights
    codes = [*rights.codes.values(), *rights.passing.values(), "WRONG"]
    if chance.random() < 0.3 and rights.holders:
        part = chance.choice(sorted(rights.holders))
        evening.promises.wants(rights.holders[part], chance.choice((seat_acts.HandOn, seat_acts.KeepSeat))(part))
    evening.promises.wants(chance.choice((LOOKER, STRANGER, *PHONES)), seat_acts.ClaimSeat(chance.choice(codes)))


def browser(evening: "Evening", chance: random.Random) -> None:
    """One or two in turn want a seat whose phone is there, as that phone's other browser; mostly that says no."""
    holders = {seat: phone for seat, phone in evening.table.phones.rights.holders.items() if seat}
    newcomers = [phone for phone in PHONES if phone not in evening.table.phones.rights.holders.values()]
    if not holders:
        return
    seat = chance.choice(sorted(holders))
    evening.table.actor(holders[seat])
    for phone in chance.sample(newcomers, min(2, len(newcomers))):
        evening.promises.wants(phone, seat_acts.GoOnHere(seat))
        question = evening.table.acting.situation().question
        if question is not None and chance.random() < 0.8:
            evening.promises.answers(holders[seat], question, Reply.NO)


def leave(evening: "Evening", chance: random.Random) -> None:
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
    holder = evening.table.phones.rights.holders.get(seat, LOOKER)
    evening.promises.wants(chance.choice((host(evening), holder)), chance.choice(acts))


def walk(evening: "Evening", chance: random.Random) -> None:
    """Somebody begins a walk around the table, or ends it."""
    evening.promises.wants(
        host(evening), upkeep_acts.EndWalk() if evening.table.checkup.walking else upkeep_acts.WalkAround()
    )


def hear(evening: "Evening", chance: random.Random) -> None:
    """A seat wants to hear its cards, or to play again."""
    seat = chance.choice(SEATS)
    holder = evening.table.phones.rights.holders.get(seat, LOOKER)
    evening.promises.wants(holder, match_acts.HearCards(seat) if chance.random() < 0.6 else match_acts.PlayCards(seat))


def wait(evening: "Evening", chance: random.Random) -> None:
    """Nothing happens for a while."""
    evening.table.passes(chance.choice((5.0, 30.0, 95.0)))


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


def come(evening: "Evening", chance: random.Random) -> None:
    """People sit down before the first match, with what is in their pockets."""
    for player, face in zip(evening.table.people, FACES, strict=False):
        evening.promises.wants(f"phone-{player.seat}", seat_acts.SitDown(player.seat, player.name, face))
        empty_pocket(evening, player.seat, chance)
    evening.promises.sensed.tell(evening.table.retell)


STEPS: Mapping[str, Callable[["Evening", random.Random], None]] = {
    "next": next_in_match,
    "noise": noise,
    "together": together,
    "lift": lift,
    "wish": wish,
    "answer": answer,
    "enter": enter,
    "regret": regret,
    "here": here,
    "begin": begin_match,
    "break": pause,
    "go_on": go_on,
    "sit": sit,
    "claim": claim,
    "leave": leave,
    "walk": walk,
    "hear": hear,
    "wait": wait,
    "hurry": hurry,
    "twins": twins,
    "pocket": pocket,
    "browser": browser,
    "belated": belated,
}
