"""How a route carries out an act: it hands it to `Acting`, and puts the result into words."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import gevent
from flask import request
from flask.typing import ResponseReturnValue

from companion.access.seat_rights import HOST, phone_of
from companion.acts.act import Act
from companion.acts.match_acts import EnterCards, EnterPress, EnterWord
from companion.acts.sentence import NOTHING
from companion.acts.table import Actor, Situation
from companion.game import Ruling, refuses_at_once
from companion.live.acting import Carried
from companion.web.http import phone
from companion.web.http.form_answers import answered, at_table, page_of_form, words
from companion.web.routes.about_match import words_of
from companion.web.site import site

LOOKS_AGAIN = 0.01
"""Seconds between two polls of the lock: it is a thread's, so a greenlet must not block on it."""


def done(act: Act, go: str | None = None) -> ResponseReturnValue:
    """Carry out an act, or ask others for it; then go to page `go`."""
    carried = carried_out(act)
    return answered(in_words(carried), go if not carried.asked else waiting_at(go))


def done_at_seat(act: Act) -> ResponseReturnValue:
    """Carry out an act that gives this phone a seat, and go to its page; while others are asked, to the score."""
    carried = carried_out(act)
    return answered(in_words(carried), "/" if carried.asked else address_of_gained_part(carried))


def carried_out(act: Act) -> Carried:
    """Carry out an act of this phone, or ask others for it. Raises `ActRefused`, `NotKept`, `Paused` and others."""
    # Made in advance: an act that gives this phone a part makes it known by a new token.
    token = phone.new_token()
    actor = Actor(phone.me(), request.remote_addr or "", phone_of(token))
    acting = site().acting
    carried = at_table(lambda: acting.do_alone(act, actor))
    if carried is None:
        with in_turn():
            carried = at_table(lambda: acting.carry_out(act, actor))
    if carried.known_as is not None:
        phone.keep(token)
    return carried


def address_of_gained_part(carried: Carried) -> str | None:
    """Return the page of the seat, or of the host's part, that an act gave this phone; None: it gave none."""
    seat = None if carried.plan is None else carried.plan.seat
    if seat is None or seat == HOST:
        return "/host" if seat == HOST else None
    holder = site().phones.rights.holders.get(seat)
    return f"/seat/{seat}" if holder == (carried.known_as or phone.me().phone) else f"/lobby/{seat}"


def waiting_at(go: str | None) -> str | None:
    """Return the page on which to wait for an answer: `go` if it is the asker's own seat; None: the form's page."""
    return go if go in {f"/seat/{part}" for part in phone.me().parts} else None


def table_now() -> Situation:
    """Return the table's situation at this request."""
    return site().acting.situation()


def this_phone() -> Actor:
    """Return the phone of this request."""
    return Actor(phone.me(), request.remote_addr or "")


def in_words(carried: Carried) -> str:
    """Put the result of an act into words, as far as the form's page may know it."""
    if carried.said != NOTHING:
        return words().say(carried.said.code, carried.said.facts)
    is_entered = carried.plan is not None and isinstance(carried.plan.act, EnterPress | EnterCards | EnterWord)
    return _what_the_judge_said(carried) if is_entered else ""


@contextmanager
def in_turn() -> Iterator[None]:
    """Hold the lock under which acts that may need agreement are carried out, without blocking other phones."""
    turn = site().acting.turn
    while not turn.acquire(blocking=False):
        gevent.sleep(LOOKS_AGAIN)
    try:
        yield
    finally:
        turn.release()


def _what_the_judge_said(carried: Carried) -> str:
    speech = words_of(carried.earlier)
    observer = page_of_form().observer if carried.earlier is None else None  # the form's page is checked against rights
    news = [verdict for verdict in carried.verdicts if isinstance(verdict, Ruling) or refuses_at_once(verdict)]
    sayings = [partial(speech.say, verdict.code, verdict.facts) for verdict in news if verdict.to in (None, observer)]
    sentences = [site().live.faults.tried(speech.slug or "", "words", say, str) for say in sayings]
    return " ".join(filter(None, sentences)) or speech.say("noted")
