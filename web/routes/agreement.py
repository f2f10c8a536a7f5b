"""Two must agree: a correction that concerns others needs the host and one other seat.

Whoever wants it asks; the other kind of phone is shown the question: a seat's if the host asks, the host's if a seat
does. The host alone suffices if one hand lays everything at a virtual table, or if no other player's phone is in the
room. Somebody who wants to join in is let in by anybody who plays. The player of a seat to be freed is asked first, and
somebody else only once their phone has been silent for a while.
"""

import math
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import gevent
from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.access.another_browser import SILENT
from companion.access.seat_rights import HOST, Who
from companion.errors import CompanionError, NotKept
from companion.game import Verdict
from companion.live.pause import Paused
from companion.live.table import Plan
from companion.web.agreement import GOES_ON_WITHOUT, NEWCOMER, EarlierMatch, Question, goes_before, may_agree
from companion.web.http import phone
from companion.web.http.form_answers import Refused, answered, at_table, words
from companion.web.http.named_match import named_match
from companion.web.render.players import names_of
from companion.web.routes.about_match import ask_match, describe_match, names_of_phone
from companion.web.site import site

About = tuple[str, Mapping[str, Any]] | None
"""What it is about: a sentence's code and facts."""

_LOOKS_AGAIN = 0.01
"""Seconds."""
routes = Blueprint("agreement", __name__)


class NeedsAgreement(CompanionError):
    """A plan that this phone may not carry out alone; `then` is carried out once two agree."""

    def __init__(self, code: str, facts: Mapping[str, Any], then: Plan, about: About = None) -> None:
        super().__init__(code)
        self.code, self.facts, self.then, self.about = code, facts, then, about


def entered(plan: Plan, said: Callable[[tuple[Verdict, ...], EarlierMatch | None], str]) -> ResponseReturnValue:
    """Carry out a plan, deciding and acting in one step; ask another phone if it raises `NeedsAgreement`.

    `said` puts into words what the judge said, in which match: None for the one on the table.
    """
    number = named_match()
    if number is not None:
        return _entered_afterwards(number, plan, said)
    live = site().live
    try:
        return answered(said(at_table(lambda: live.act(plan)), None))
    except NeedsAgreement as needed:
        then = needed.then
        return agreed(
            needed.code, needed.facts, lambda: said(at_table(lambda: live.act(then)), None), about=needed.about
        )


def _entered_afterwards(
    number: int, plan: Plan, said: Callable[[tuple[Verdict, ...], EarlierMatch | None], str]
) -> ResponseReturnValue:
    """Have a plan for a match that is over or was ended agreed to: nothing in it is anybody's alone any more."""
    if not phone.me().host:
        raise Refused(403, "for-host")
    live = site().live
    try:
        ask_match(number, lambda match: plan(match, live.clock()))
    except NeedsAgreement as needed:
        then, match = needed.then, _described(number)

        def act(names: Collection[str]) -> str:
            return said(at_table(lambda: live.act_afterwards(number, then, names)), match)

        return agreed_about(number, needed.code, needed.facts, act, about=needed.about)
    raise Refused(409, "moved-on")


def agreed_about(
    number: int,
    code: str,
    facts: Mapping[str, Any],
    act: Callable[[Collection[str]], str],
    *,
    about: About = None,
) -> ResponseReturnValue:
    """Have the host do something with a match that is over or was ended, as `agreed` does. `act` is told the names of
    who asked and who agreed.
    """
    if not phone.me().host:
        raise Refused(403, "for-host")
    asker = names_of_phone()
    return agreed(
        code,
        facts,
        lambda: act(tuple(dict.fromkeys((*asker, *names_of_phone())))),
        about=about,
        earlier=_described(number),
    )


def _described(number: int) -> EarlierMatch:
    """Return an earlier match, and who is asked about it. Raises `NotInLog`."""
    holders, me = site().phones.rights.holders, phone.me().phone
    seats_here = {seat for seat in seats() if holders.get(seat, me) != me and _is_there(holders[seat])}
    return describe_match(number, seats_here)


def agreed(
    code: str,
    facts: Mapping[str, Any],
    act: Callable[[], str],
    *,
    about: About = None,
    not_of: Collection[int] = (),
    go: str | None = None,
    earlier: EarlierMatch | None = None,
) -> ResponseReturnValue:
    """Do what concerns others if this phone may do it alone, then go to page `go`; else ask, and wait there if that is
    the asker's own seat.

    `not_of`: seats that have no say in it; `earlier`: the match that it is about, if that is not the one being played.
    """
    who = phone.me()
    if not who.host and not who.parts & seats():
        raise Refused(403, "for-players")
    with _in_turn():
        others = _others(who, not_of if earlier is None else seats() - earlier.asked)
        asked = _has_asked(who, code, facts, about, earlier)
        if who.host and (not others or (asked and not any(map(_waited, others)))):
            said = act()
            if asked:
                site().questions.settle(code)
            return answered(said, go)
        _ask(who, code, facts, about, act, earlier=earlier)
    waits = go if go in {f"/seat/{part}" for part in who.parts} else None  # at one's own seat, where it will go on
    return answered(words().say("asked-a-player" if who.host else "asked-the-host"), waits)


def agreed_by_holder(code: str, seat: int, holder: str, act: Callable[[], str], **more: str) -> ResponseReturnValue:
    """Have the host do what the phone that holds a seat may decline.

    That phone is asked first. Once it has been silent for a while, the host asks again, and it is done without an
    answer.
    """
    facts = {"number": seat, "seat": seat, **more}
    seconds = _waited(holder) if _is_there(holder) and not _one_hand() else 0.0
    if site().questions.is_wanted("ask-other-browser", seat):  # its player is in another browser already
        seconds = min(seconds, max(0.0, SILENT - site().phones.unheard(holder)))
    if seconds and (question := asked_of(seat)) is not None and question.by_host:
        raise Refused(409, "ask-not-silent", number=seat, seconds=math.ceil(seconds))
    if seconds:
        _ask(phone.me(), code, facts, None, act, of=seat)
        return answered(words().say("asked-its-phone", facts))
    theirs = {part for part, phone in site().phones.rights.holders.items() if phone == holder}
    return agreed(code, facts, act, not_of={seat} | theirs)


def let_in(code: str, seat: int, name: str, newcomer: str, act: Callable[[], str]) -> ResponseReturnValue:
    """Have a player agree to let in a phone without a seat. If none of their phones is there, it is let in, but for a
    seat to which somebody else may come back.
    """
    here = site()
    rights = here.phones.rights
    playing = (rights.holders.get(part) for part in (HOST, *seats()))
    if not any(phone and phone != newcomer and here.phones.in_the_room(phone) for phone in playing):
        left = rights.gone.get(seat)
        if left is not None and left.phone != newcomer and here.phones.in_the_room(left.phone):
            raise Refused(409, "may-come-back", name=left.name)
        return answered(act(), f"/seat/{seat}")
    if here.questions.is_closed_to_newcomers(here.live.snapshot.match):
        raise Refused(403, "newcomers-ask-no-more", number=seat)
    _ask(Who(newcomer, frozenset()), code, {"seat": seat, "name": name}, None, act)
    return answered(words().say("asked-who-plays", {"seat": seat}), "/")


def ask_phone_of(seat: int, code: str, newcomer: str, act: Callable[[], str]) -> None:
    """Ask the phone that holds a seat for something that a phone without a part wants."""
    name = words().name(seat)
    _ask(Who(newcomer, frozenset()), code, {"number": seat, "name": name}, None, act, of=seat)


@routes.post("/answer")
def answer() -> ResponseReturnValue:
    """Agree, decline, or withdraw one's own question."""
    with _in_turn():
        return _answered()


@contextmanager
def _in_turn() -> Iterator[None]:
    """Wait until nothing else is carried out that two agreed to; other phones need not wait as well."""
    lock = site().questions.carrying_out
    while not lock.acquire(blocking=False):
        gevent.sleep(_LOOKS_AGAIN)
    try:
        yield
    finally:
        lock.release()


def _answered() -> ResponseReturnValue:
    who, question = phone.me(), open_question()
    wish, name = request.form.get("answer"), request.form.get("question")
    agrees = wish == "yes"
    if question is None or question.id != name:
        done = site().questions.is_done(name, site().live.snapshot.match)
        if done is not None and may_agree(done, who, seats()):
            return answered(words().say("ask-done" if agrees else "ask-done-already"))
        raise Refused(409, "ask-lapsed")
    if not may_agree(question, who, seats()) and (agrees or who.phone != question.phone):
        raise Refused(403, "ask-not-you")
    if not agrees:
        if wish == "nobody" and who.host and question.by_newcomer:
            site().questions.close_to_newcomers(question.match)
        if who.phone == question.phone:
            site().questions.close()
        else:
            site().questions.decline(question)
        return answered(words().say("ask-declined"))
    said = _carried_out(question)  # to the asker
    return answered(words().say("newcomer-plays", question.facts) if question.code == "ask-sit" else said)


def _carried_out(question: Question) -> str:
    """Do what was agreed to, then close the question; it stays open if that can be done later.

    Raises what its act raises.
    """
    questions = site().questions
    try:
        said = question.act()
    except (NotKept, Paused):
        questions.prolong()
        raise
    except CompanionError:  # it can never be done as it was asked
        questions.settle(question.code)
        raise
    questions.done(question)
    return said


def open_question() -> Question | None:
    """Return the question that is open now."""
    here = site()
    return here.questions.current(here.phones.rights, here.live.snapshot.match)


def asked_of(seat: int) -> Question | None:
    """Return the open question, if this seat's phone alone is asked."""
    question = open_question()
    return question if question is not None and question.of == seat else None


def done_by_holder(code: str, seat: int) -> None:
    """Let a question to a seat's phone lapse: its player has done it without answering."""
    question = asked_of(seat)
    if question is not None and question.code == code:
        site().questions.settle(code)


def played_on() -> None:
    """Let the question about a move lapse: a player has gone on without an answer."""
    question = open_question()
    if question is not None and question.stands_still:
        site().questions.decline(question, "played-on")


def unmet(code: str) -> bool:
    """Return whether the host asked for this in vain a while ago: it was declined, or lapsed."""
    question = site().questions.unmet_before(code, site().live.snapshot.match)
    return question is not None and question.by_host


def seats() -> frozenset[int]:
    """Return the seats of the match."""
    return frozenset(names_of(site().live.snapshot.views.get(None)))


def _ask(
    who: Who,
    code: str,
    facts: Mapping[str, Any],
    about: About,
    act: Callable[[], str],
    of: int | None = None,
    earlier: EarlierMatch | None = None,
) -> None:
    asker, questions, there = HOST if who.host else min(who.parts, default=NEWCOMER), site().questions, open_question()
    if there is not None and not goes_before(asker, there):
        mine, asked = who.phone == there.phone, may_agree(there, who, seats())
        same = mine and (there.code, there.facts, there.about) == (code, facts, about)
        same = same and _number(there.earlier) == _number(earlier)
        if not (same and there.of is not None and of is None):  # its phone is off, and the others are asked now
            other = "ask-waits-mine" if mine else "ask-waits-for-me" if asked else "ask-waits"
            raise Refused(409, "ask-waits-same" if same else other)
    assert who.phone
    address = request.remote_addr or "" if asker == NEWCOMER else ""
    seconds = questions.wait_of(who.phone if asker == NEWCOMER else asker)
    if seconds:
        raise Refused(409, "ask-later", seconds=math.ceil(seconds))
    seconds = questions.wait_at(address)
    if seconds:
        raise Refused(409, "ask-later-there", seconds=math.ceil(seconds))
    match = site().live.snapshot.match
    question = Question(
        secrets.token_hex(8), code, facts, about, who.phone, asker, match, 0.0, act, address, of, earlier
    )
    questions.ask(question)


def _has_asked(
    who: Who, code: str, facts: Mapping[str, Any], about: About, earlier: EarlierMatch | None = None
) -> bool:
    """Return whether this phone has asked exactly this, and nobody has answered."""
    there = open_question()
    if there is None or (there.phone, there.code) != (who.phone, code):
        there = site().questions.unmet_before(code, site().live.snapshot.match)
    asked = there is not None and (there.phone, there.facts, there.about) == (who.phone, facts, about)
    asked = asked and there is not None and _number(there.earlier) == _number(earlier)
    return asked and there is not None and there.vain == "silent"


def _number(earlier: EarlierMatch | None) -> int | None:
    return None if earlier is None else earlier.number


def _others(who: Who, not_of: Collection[int]) -> set[str]:
    """Return the phones of other players that are there to be asked."""
    if _one_hand():
        return set()
    holders = site().phones.rights.holders
    others = {holders[seat] for seat in seats().difference(not_of) if seat in holders}
    return {other for other in others if other != who.phone and _is_there(other)}


def _is_there(other: str) -> bool:
    """Return whether a phone is in the room; if no match is under way, one that is off may have gone home."""
    phones, waits = site().phones, site().live.snapshot.people_play
    return phones.in_the_room(other) and (waits or phones.unheard(other) < GOES_ON_WITHOUT)


def _waited(other: str) -> float:
    """Return how long to wait for another phone's answer; 0: go on without it."""
    return site().questions.wait(site().phones.unheard(other))


def _one_hand() -> bool:
    """Return whether one hand lays everything at a virtual table, so that nobody else's phone matters."""
    return site().hand is not None and site().simulation is None
