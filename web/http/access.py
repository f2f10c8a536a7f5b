"""Access control: one line for every route, checked in one place. A route without a line is denied to everybody."""

from collections.abc import Mapping

from flask import Flask, abort, flash, make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.access import seat_rights
from companion.access.seat_rights import Who
from companion.events import SEATS
from companion.web.http.form_answers import Refused, waiting_place, words
from companion.web.http.language import language
from companion.web.http.named_match import named_match
from companion.web.http.phone import Right, has, me, right_to
from companion.web.render.page_names import Page, kept_fresh
from companion.web.site import dealing, site

ANYBODY, PLAYER, HOLDER, WAITING, HOST, FIRST = Right

BY_HAND: Mapping[str, Right] = {
    "manual_entry.enter": PLAYER,
    "corrections.choose": HOST,
    "corrections.put_right": HOST,
    "corrections.lies_at": PLAYER,
    "virtual.lay": HOST,
    "virtual.lift": HOST,
    "virtual.press": HOST,
}
"""Routes that enter events by hand, denied in a match with simulated things: the simulation would not know of them, and
it never misreads or misses anything.
"""
RIGHTS: Mapping[str, Right] = {
    "static": ANYBODY,
    "brought.emblem": ANYBODY,
    "brought.style": ANYBODY,
    "brought.older_sheet": ANYBODY,
    "brought.older_style": ANYBODY,
    "brought.posters": ANYBODY,
    "brought.older_posters": ANYBODY,
    "api.public": ANYBODY,
    "api.stream": ANYBODY,
    "api.results": ANYBODY,
    "api.match": ANYBODY,
    "api.people": ANYBODY,
    "api.described": ANYBODY,
    "api.overlay": ANYBODY,
    "health.health": ANYBODY,
    "pages.score": ANYBODY,
    "pages.big": ANYBODY,
    "pages.story": ANYBODY,
    "pages.own": ANYBODY,
    "pages.qr": ANYBODY,
    "pages.switch": ANYBODY,
    "reading_aloud.choose": PLAYER,
    "reading_aloud.hear": PLAYER,
    "reading_aloud.play_again": PLAYER,
    "pages.seat": HOLDER,
    "pages.story_of": HOLDER,
    "pages.host": FIRST,
    "pages.host_match": FIRST,
    "pages.host_table": FIRST,
    "curing.cure": FIRST,
    "curing.cured": ANYBODY,
    "upkeep.show": FIRST,
    "upkeep.update": FIRST,
    "upkeep.clock": FIRST,
    "upkeep.ask_the_day": FIRST,
    "upkeep.tell_the_day": FIRST,
    "upkeep.off": FIRST,
    "measuring.show": FIRST,
    "measuring.tell": FIRST,
    "upkeep.report": HOST,
    "backups.hand_out": HOST,
    "backups.write_to_stick": HOST,
    "backups.choose": HOST,
    "backups.compare": HOST,
    "backups.bring_back": HOST,
    "backups.drop": HOST,
    "pages.host_for": HOST,
    "pages.codes": HOST,
    "pages.table": FIRST,
    "streams.stream": ANYBODY,  # and then what its page needs
    "lobby.join": ANYBODY,
    "lobby.sit": ANYBODY,
    "lobby.wait": ANYBODY,  # others are led to where they may
    "lobby.leave": WAITING,
    "lobby.send_away": HOST,
    "lobby.move": HOST,
    "lobby.hints": PLAYER,
    "lobby.sit_out": ANYBODY,  # whoever waits, as well as whoever plays
    "lobby.rename": PLAYER,
    "another_browser.here": ANYBODY,  # by its address, and then by who has the seat
    "joining.scanned": ANYBODY,
    "joining.claim": ANYBODY,
    "joining.hand_on": PLAYER,
    "joining.keep": PLAYER,
    "joining.free": PLAYER,
    "joining.renew": HOST,
    "agreement.answer": ANYBODY,  # the asker may withdraw; the route itself decides who may answer
    "agreement.object_to_announcement": PLAYER,
    "taking_back.take_back": PLAYER,
    "beside_play.cheer": ANYBODY,
    "beside_play.allow": HOST,
    "beside_play.look_again": PLAYER,
    "matches.start": FIRST,
    "matches.again": FIRST,
    "matches.pause": HOST,
    "matches.go_on": HOST,
    "earlier_matches.enter_for": HOST,
    "earlier_matches.leave_out": HOST,
    "earlier_matches.count_again": HOST,
    "matches.end": HOST,
    "demo.start": FIRST,
    "demo.stop": FIRST,
    "demo.leave": ANYBODY,
    "demo.pause": FIRST,
    "demo.go_on": FIRST,
    "demo.step": FIRST,
    "demo.pace": FIRST,
    "how.show": ANYBODY,
    "act_cards.show": ANYBODY,
    "history.latest": ANYBODY,
    "history.evening": ANYBODY,
    "seasons.latest": ANYBODY,
    "seasons.one": ANYBODY,
    "seasons.its_standings": ANYBODY,
    "seasons.keep": HOST,
    "seasons.drop": HOST,
    "people.everybody": ANYBODY,
    "people.show": ANYBODY,
    "people.hide": PLAYER,
    "history.match": ANYBODY,
    "under_other_rules.of_match": ANYBODY,
    "under_other_rules.of_evening": ANYBODY,
    "tonight.scenes": ANYBODY,
    "souvenirs.then": ANYBODY,
    "souvenirs.nth": ANYBODY,
    "souvenirs.of_match": ANYBODY,
    "souvenirs.of_evening": ANYBODY,
    "history.every_match": ANYBODY,
    "history.season_standings": ANYBODY,
    "history.evening_standings": ANYBODY,
    "history.figures": ANYBODY,
    "bg_stats.match": ANYBODY,
    "bg_stats.evening": ANYBODY,
    "pages.tags": FIRST,
    "tags.begin": FIRST,
    "tags.skip": FIRST,
    "tags.take_back": FIRST,
    "tags.choose": FIRST,
    "tags.end": FIRST,
    "check.look": FIRST,
    "check.stream": FIRST,
    "check.begin": FIRST,
    "check.pass_over": FIRST,
    "check.end": FIRST,
    "loudspeaker.look": HOST,
    "loudspeaker.choose": HOST,
    "network.look": HOST,
    "network.code": ANYBODY,
    "network.join": HOST,
    "network.own": HOST,
    "after_setup.look": ANYBODY,  # others are led to where they sit down
    "after_setup.begin": HOST,
    "play.begin": FIRST,
    "play.sit": ANYBODY,
    "play.come_back": ANYBODY,  # by the key that the phone had when it held the seat
    "play.wait_for": PLAYER,
    "play.move": PLAYER,
    "play.have_read": PLAYER,
    **BY_HAND,
}
"""Endpoint → who may call it."""
STARTS = ("pages.host_match", "matches.start", "play.begin")
"""Routes that start a match. A phone that comes too late for one is led to the match that was started."""


def check(app: Flask) -> None:
    """Check every request against `RIGHTS`."""
    app.before_request(_checked)


def _checked() -> ResponseReturnValue | None:
    if request.endpoint is None:
        return None  # there is no such page, which is no secret
    right = RIGHTS.get(request.endpoint)
    if right is None:
        abort(403)
    seat = (request.view_args or {}).get("seat")
    if right is HOLDER and seat not in SEATS:
        abort(404)
    page = kept_fresh((request.view_args or {}).get("name", "")) if request.endpoint == "streams.stream" else None
    if page is not None:
        right = right_to(page)
        seat = page.seat
    who = me()
    phones = site().phones
    phones.here(who, request.remote_addr or "")
    if has(right, who, seat, phones.rights):
        if request.endpoint in BY_HAND and dealing() is not None and named_match() is None:
            raise Refused(409, "simulated-only-moves")
        return None
    late = _late(who) if request.endpoint in STARTS else None
    if request.method in ("GET", "HEAD") and page is None:
        if late is not None and late.go is not None and late.go != "/":
            flash(words().say(late.code, late.facts))
            return redirect(late.go, 303)
        return _lead_to_page(seat if right is HOLDER else None, late)
    if late is not None:
        raise late
    raise Refused(403, "for-players" if right in (PLAYER, WAITING) else "for-holder" if right is HOLDER else "for-host")


def _late(who: Who) -> Refused | None:
    """Return the refusal that leads a phone too late to start a match to its seat; None: it is refused otherwise."""
    if site().live.snapshot.people_play:
        return _started(who)
    go = waiting_place(who)  # whoever was quicker is the host by now, and their match is about to begin
    return None if go is None else Refused(403, "started-already", go=go)


def _started(who: Who) -> Refused:
    """Return the refusal that leads to the match under way, and says who started it."""
    speech = words()
    holders = site().phones.rights.holders
    host = holders[seat_rights.HOST]
    host_seat = min((seat for seat in speech.names if holders.get(seat) == host), default=None)
    own_seat = min(who.parts & speech.names.keys(), default=None)
    code = "started-by" if host_seat else "started-by-host"
    return Refused(403, code, go=f"/seat/{own_seat}" if own_seat else "/", seat=host_seat, game=speech.slug)


def _lead_to_page(seat: int | None, late: Refused | None) -> ResponseReturnValue:
    """Show whose page was asked for, and how to get it on this phone; the same for every phone, to reveal nothing."""
    context = site().screens.frame(Page("join"), language())
    message = late and words().say(late.code, late.facts)
    page = render_template("join.html", **context, wanted=seat, of_host=seat is None, code="", said=message)
    return make_response(page, 403)
