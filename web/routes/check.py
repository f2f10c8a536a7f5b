"""The devices' live state and the walk around the table: `companion check` on a phone."""

import math
from collections.abc import Iterator

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue
from gevent.event import Event

from companion import threads
from companion.acts.upkeep_acts import EndWalk, PassOver, WalkAround
from companion.club.membership import Membership
from companion.devices.check.checkup import Checked
from companion.devices.check.walk import Found, Step, sentence_of, unproven
from companion.devices.figures import ButtonsFigures, ReaderFigures
from companion.devices.supply import finding_of
from companion.versions.commit import full_version
from companion.web.feed import Feed, Message
from companion.web.http.form_answers import answered
from companion.web.http.language import language
from companion.web.render.fault_words import said_to_builders
from companion.web.render.page_names import Page
from companion.web.render.words import PageWords
from companion.web.routes.acting import done
from companion.web.routes.forms import whole
from companion.web.routes.streams import may_still, message, sent
from companion.web.site import Site, or_404, site

REFRESH_S = 0.4
"""Seconds between two updates, only while somebody looks at the page."""

PAGE = Page("check")

routes = Blueprint("check", __name__)


@routes.get("/check")
def look() -> str:
    """Show the page."""
    or_404(site().checkup)
    return render_template("frame.html", **site().screens.frame(PAGE, language()), live=_fragment(site(), language()))


@routes.get("/stream/check")
def stream() -> Response:
    """Stream the page's live part, now and whenever it changes."""
    or_404(site().checkup)
    of = site()
    chosen_language = language()
    hearing = of.feeds.get((PAGE, chosen_language))
    if hearing is None:
        hearing = of.feeds[PAGE, chosen_language] = Feed(
            look=lambda: Message(message(_shared(of, chosen_language))),
            next_ring=Event,  # never set: no bell rings for devices' figures, so the pace alone counts
            rights=lambda: of.phones.rights,
            pace=REFRESH_S,
        )
    return sent(hearing, may_still(PAGE))


@routes.post("/check/walk")
def begin() -> ResponseReturnValue:
    """Begin a walk around the table."""
    return _done(WalkAround())


@routes.post("/check/next")
def pass_over() -> ResponseReturnValue:
    """Skip the step that the form names."""
    step = whole(request.form.get("step", ""), 3)
    return answered("") if step is None else _done(PassOver(step))


@routes.post("/check/end")
def end() -> ResponseReturnValue:
    """End the walk."""
    return _done(EndWalk())


def _done(act: WalkAround | PassOver | EndWalk) -> ResponseReturnValue:
    or_404(site().checkup)
    answer = done(act)
    site().bell.ring()  # the snapshot is the same, the pages are not
    return answer


def _shared(of: Site, lang: str) -> bytes:
    """Return the live part; rendered at most once per half `REFRESH_S` and language, however many phones look."""
    clock_now = of.clock()
    at, fragment = of.devices_page.get(lang, (-math.inf, b""))
    if clock_now - at >= REFRESH_S / 2:
        fragment = _fragment(of, lang).encode()
        of.devices_page[lang] = clock_now, fragment
    return fragment


def _fragment(of: Site, lang: str) -> str:
    assert of.checkup is not None
    context = of.screens.frame(PAGE, lang)
    words = context["words"]
    clock_now = of.live.clock()
    walk = of.checkup.look()
    more = {
        "devices": [(device, _rows(device, words), _ago(device, clock_now)) for device in of.checkup.devices()],
        "thread_faults": threads.faults(),
        "stuck_threads": threads.stuck(),
        "weakness": finding_of(of.supply.supply) if of.supply else "",
        "version": full_version(),
        "at_home": of.at_home,
        "club": of.club.membership if of.club else None,
        "club_word": _club_word(of.club.membership) if of.club else "",
        "walk": walk,
        "unproven": [_named(step, words) for step in unproven(walk)] if walk else [],
        "playing": of.live.snapshot.under_way is not None,
        "step_name": lambda step: _named(step, words),
        "came_of": lambda finding: _came_of(finding, words),
        "fault_said_exactly": lambda name, fault, has_worked: said_to_builders(name, fault, has_worked, words),
    }
    return of.screens.rendered("live-check.html", {**context, **more})


def _club_word(membership: Membership) -> str:
    if membership.hindrance is None:
        return "club-member" if membership.tried else "club-trying"
    return f"club-{membership.hindrance.name.lower().replace('_', '-')}"


def _named(step: Step, words: PageWords) -> str:
    return words.say(f"walk-name-{step.act}", {"place": words.place(step.place)})


def _came_of(finding: Found, words: PageWords) -> str:
    code, facts = sentence_of(finding)
    return words.say(code, {name: words.place(place) for name, place in facts.items()})


def _rows(device: Checked, words: PageWords) -> Iterator[tuple[str, str]]:
    """Yield a device's figures, each with its name."""
    match device.figures:
        case ReaderFigures(polls=polls, read=read, faults=faults):
            if polls is not None:
                yield words.say("check-polls"), f"{polls:.0f}"
            if read is not None:
                yield words.say("check-read"), f"{100 * read:.0f}"
            yield words.say("check-faults"), str(faults)
        case ButtonsFigures(buttons=buttons, faults=faults):
            for button in buttons:
                place = {"place": words.say("seat-number", {"number": button.seat})}
                yield words.say("check-presses", place), str(button.presses)
                if button.bounce is not None:
                    span = words.span(round(1_000_000 * button.bounce.lasted))
                    yield (
                        words.say("check-bounces", place),
                        words.say("check-bounce", {"edges": button.bounce.edges, "span": span}),
                    )
            yield words.say("check-faults"), str(faults)


def _ago(device: Checked, clock_now: float) -> str:
    """Return how long ago a device's last fault was; "" if it had none, or if a finding already says so."""
    at = device.figures.last_fault_at if device.figures else None
    if at is None or any(finding.code == "device-faulted" for finding in device.findings):
        return ""
    seconds = round(clock_now - at)
    return f"{seconds} s" if seconds < 60 else f"{seconds // 60} min"
