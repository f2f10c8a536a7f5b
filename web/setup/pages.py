"""The setup's page: one address, which shows the next step."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from flask import Blueprint, Response, current_app, jsonify, make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue
from jinja2 import Environment
from msgspec.structs import replace

from companion import player_names
from companion.access import seat_rights
from companion.access.seat_rights import Held, NoSuchCode, phone_of
from companion.backups import finding
from companion.backups.at_table import bring_back_at_once
from companion.backups.finding import FoundBackup
from companion.devices.check.walk import Act, Step
from companion.errors import CompanionError, WrongInput
from companion.setup import table_plan as steps
from companion.setup import whose_setup
from companion.setup.session import NothingToWrite, NotWritten
from companion.setup.table_plan import SEATS, Stage, TablePlan
from companion.setup.whose_setup import StillThere, is_free, is_new, may_set_up, sets_up
from companion.web.feed import Feed, Message
from companion.web.http.cookies import remember
from companion.web.http.form_answers import Refused, at_table, by_script
from companion.web.http.language import language, switched, wished
from companion.web.http.one_page_answers import answer_on
from companion.web.http.phone import COOKIE, new_token
from companion.web.render import to_scan
from companion.web.render.environment import rendered_at_once
from companion.web.render.fault_words import said_to_builders
from companion.web.render.without_a_match import page_context
from companion.web.render.words import PageWords
from companion.web.routes.streams import message, sent
from companion.web.setup.drawing import devices_of, pads_of, seats_of
from companion.web.setup.sentences import CURES, ask_step, cure_of, name_place, say_remark
from companion.web.setup.site import UPLOAD, Work, is_seen_to_set_up, phone, work

LONGEST = 40
"""Most characters of a table's name; a port's name may have twice as many."""

routes = Blueprint("setup", __name__)


@routes.get("/")
@routes.get("/<path:elsewhere>")
def enter(elsewhere: str = "") -> ResponseReturnValue:
    """Redirect the phone that sets the table up to the page; show it to others at the address they asked for.

    So a television with the big screen shows that again afterwards.
    """
    return redirect("/setup", 303) if may_set_up(work().phones.rights, phone()) else shown()


@routes.get("/setup")
def look() -> str:
    """Show the next step or, to other phones, that the table is being set up."""
    return shown()


@routes.get("/stream/setup")
def stream() -> Response:
    """Stream the live part until the settings file is written."""
    of = work()
    env = current_app.jinja_env
    chosen_language = language()
    phone_here = phone()
    is_mine = may_set_up(of.phones.rights, phone_here)
    feed = of.feeds.get((is_mine, chosen_language))
    if feed is None:
        feed = of.feeds[is_mine, chosen_language] = Feed(
            lambda: Message(message(_live(env, of, chosen_language, is_mine=is_mine))),
            of.bell.next_ring,
            lambda: None if of.setup.written.is_set() else of.phones.rights,
        )
    return sent(feed, lambda: not of.setup.written.is_set() and is_seen_to_set_up(of, phone_here) == is_mine)


@routes.get("/qr.svg")
def qr() -> Response:
    """Draw the page's address as a QR code."""
    return Response(to_scan.svg(work().address), mimetype="image/svg+xml")


@routes.post("/language")
def switch() -> ResponseReturnValue:
    """Remember the language that this phone wants."""
    return switched(make_response(redirect("/setup", 303)))


@routes.post("/setup/claim")
def claim() -> ResponseReturnValue:
    """Give this phone the setup for the host's code."""
    token = new_token()
    try:
        whose_setup.claim(work().phones, phone_of(token), request.form.get("code", ""), phone())
    except (NoSuchCode, Held):
        raise Refused(403, "wrong-code") from None
    return _keep(_back(), token)


@routes.post("/setup/take-over")
def take_over() -> ResponseReturnValue:
    """Let this phone continue a new table's setup that another phone began and left."""
    token = new_token()
    try:
        whose_setup.take_over(work().phones, work().setup.table, phone_of(token), phone())
    except StillThere:
        raise Refused(409, "setup-still-there") from None
    return _keep(_back(), token)


@routes.post("/setup/begin")
def begin() -> ResponseReturnValue:
    """Set the name and language, and search for devices. The first phone to do so becomes the host's."""
    token = ""
    if is_free(work().phones.rights):
        token = new_token()
        whose_setup.begin(work().phones, phone_of(token), phone())
    else:
        _for_keeper()
    wish = wished()
    if not wish:
        raise Refused(400, "http-400")
    typed = player_names.written(request.form.get("name", ""))[:LONGEST]
    name = typed or PageWords(None, wish).say("setup-name-default")
    in_play = "without-phones" not in request.form
    work().setup.change(lambda plan: replace(plan, name=name, language=wish, phones_in_play=in_play, stage=Stage.FOUND))
    if not work().setup.plan.devices:
        work().setup.look()
    return switched(_keep(_back(), token))


@routes.post(UPLOAD)
def bring_back() -> ResponseReturnValue:
    """Restore a backup on a new table: one that the phone sends, or one at hand. That phone becomes the host's."""
    of = work()
    if not is_new(of.setup.table):
        raise Refused(409, "setup-backup-later")
    rights = of.phones.rights
    token = ""
    if is_free(rights):
        token = new_token()
        rights = seat_rights.first(rights, phone_of(token), phone())
    else:
        _for_keeper()
    sent = request.files.get("backup")
    key = request.form.get("backup", "")
    if sent:
        save = partial(finding.save, sent.stream)
    elif key:
        save = partial(finding.copy_plain, finding.path_of(key, finding.find_backups(of.setup.path, of.mounts)))
    else:
        raise Refused(400, "aid-no-backup")
    at_table(lambda: of.setup.end_with(lambda: bring_back_at_once(of.setup.path, save, rights)))
    of.done.set()
    return _keep(_back(), token)


@routes.post("/setup/look")
def look_again() -> ResponseReturnValue:
    """Search for devices again, also at a port that was typed."""
    _for_keeper()
    if port := request.form.get("port", "").strip()[: 2 * LONGEST]:
        if not Path(port).is_char_device():
            raise Refused(400, "setup-no-port")
        work().setup.look_at(port)
    else:
        work().setup.look()
    return _back()


@routes.post("/setup/walk")
def walk() -> ResponseReturnValue:
    """Set the number of seats, and begin to ask for each place."""
    _for_keeper()
    number = request.form.get("seats", "")
    if number not in map(str, SEATS):
        raise Refused(400, "http-400")
    return _changed(lambda plan: steps.around(plan, int(number)))


@routes.post("/setup/skip")
def skip() -> ResponseReturnValue:
    """Skip the step that the form names, or all remaining steps ("all")."""
    wanted_step = request.form.get("step", "")
    if wanted_step == "all":
        return _changed(steps.finished)
    return _changed(
        lambda plan: next((steps.passed_over(plan, step) for step in plan.steps if _named(step) == wanted_step), plan)
    )


@routes.post("/setup/back")
def back() -> ResponseReturnValue:
    """Undo the last step."""
    return _changed(steps.step_back)


@routes.post("/setup/again")
def again() -> ResponseReturnValue:
    """Ask again for the device at a place."""
    place = request.form.get("place", "")
    return _changed(lambda plan: steps.ask_again(replace(plan, stage=Stage.WALK), place))


@routes.post("/setup/take")
def take() -> ResponseReturnValue:
    """Assign the device that answered to the place asked for, although it belonged to another."""
    return _changed(steps.take)


@routes.post("/setup/write")
def write() -> ResponseReturnValue:
    """Write the settings file; the table itself starts then."""
    _for_keeper()
    try:
        at_table(work().setup.write)
    except NothingToWrite:
        raise Refused(409, "setup-nothing") from None
    except NotWritten as wrong:
        raise Refused(409, "setup-not-written", why=str(wrong)) from None
    work().done.set()
    return _back()


def not_done(wrong: CompanionError) -> ResponseReturnValue:
    """Answer an error with its reason."""
    sentence = PageWords(None, language()).say("aid-not-done")
    return answer_on(shown, f"{sentence} {wrong}", 400 if isinstance(wrong, WrongInput) else 409)


def shown(wrong: str = "") -> str:
    """Return the page; `wrong` says what can't be done."""
    of = work()
    chosen_language = language()
    live = _live(current_app.jinja_env, of, chosen_language, is_mine=is_seen_to_set_up(of, phone())).decode()
    # Without a script the page reloads while something may come; not while somebody types.
    still = of.setup.plan.stage is Stage.NAME and may_set_up(of.phones.rights, phone())
    return render_template("setup.html", **page_context("setup", chosen_language), live=live, wrong=wrong, still=still)


def _live(env: Environment, of: Work, chosen_language: str, *, is_mine: bool) -> bytes:
    """Render the live part; `is_mine`: for the phone that sets the table up."""
    plan = of.setup.plan
    devices = devices_of(plan)
    over = plan.stage is Stage.WALK and plan.next_step is None
    words = PageWords(None, chosen_language)
    step = plan.next_step
    context = {
        **page_context("setup", chosen_language),
        "plan": plan,
        "mine": is_mine,
        "address": of.address,
        "qr": to_scan.qr_file(of.address),
        "seats_drawn": seats_of(plan),
        "pads_drawn": pads_of(plan),
        "devices": devices,
        "readers": sum(device.reads for device in devices),
        "buttons": sum(device.number for device in devices if not device.reads),
        "exactly": lambda silent: said_to_builders(silent.where, silent.fault, has_worked=False, words=words),
        "name_place": lambda place: name_place(place, words),
        "remark": "" if plan.said is None else say_remark(plan.said, words),
        "question": "" if step is None else ask_step(step, words),
        "cures": CURES[step.act] if step else (),
        "cure_of": cure_of,
        "lost": [device for device in devices if not device.works],
        "left": {str(act): len(plan.left(act)) for act in Act},
        "out": of.setup.draft().out if over else (),
        "phones_only": steps.missing(plan) if over else [],
        "buttonless": steps.buttonless(plan) if over else [],
        "over": over,
        "seat_numbers": SEATS,
        "new": is_new(of.setup.table),
        "backups": _backups_at_hand(of),
        "more": steps.own_pads(),
        "step": _named(step) if step else "",
    }
    return rendered_at_once(env, "live-setup.html", context).encode()


def _backups_at_hand(of: Work) -> Sequence[FoundBackup]:
    """Return the backups that a new table may be restored from; offered on its first page only."""
    asks = is_new(of.setup.table) and of.setup.plan.stage is Stage.NAME
    return finding.find_backups(of.setup.path, of.mounts) if asks else ()


def _named(step: Step) -> str:
    return f"{step.act} {step.place}"


def _for_keeper() -> None:
    """Refuse a phone that does not set the table up. Raises `Refused`."""
    if not sets_up(work().phones.rights, phone()):
        raise Refused(403, "setup-others")


def _changed(step: Callable[[TablePlan], TablePlan]) -> ResponseReturnValue:
    _for_keeper()
    work().setup.change(step)
    return _back()


def _back() -> Response:
    """Answer a form: a script with nothing to say, a browser with a redirect to the page."""
    if by_script():
        return jsonify(message="", go=None)
    return make_response(redirect("/setup", 303))


def _keep(answer: Response, token: str) -> Response:
    if token:
        remember(answer, COOKIE, token)
    return answer
