"""The keeper's pages: choosing the screens' scene, inviting tables, renaming people, and ignored messages."""

import logging
from io import BytesIO
from urllib.parse import urlsplit

from flask import Blueprint, Response, g, make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException, ServiceUnavailable

from companion import player_names, threads
from companion.club.credentials import WrongCredentials, authorities
from companion.club.hub.follower import TableIsThere
from companion.club.hub.keeper_rights import SCENES, Scene
from companion.club.hub.store import HubFault
from companion.club.hub.tournament import LONGEST_NAME
from companion.club.invitation import Invitation, encode
from companion.web.http.cookies import remember
from companion.web.http.downloads import download
from companion.web.http.form_answers import Refused, at_table, code_of
from companion.web.http.language import language
from companion.web.http.problems import is_for_programs, problem
from companion.web.hub.current_hub import hub
from companion.web.hub.wall import board
from companion.web.hub.wall_pages import A_PAGE, by_name, found, sought
from companion.web.hub.way_back import page_address
from companion.web.render import to_scan
from companion.web.render.without_a_match import page_context
from companion.web.render.words import PageWords

COOKIE = "keeper"
AUTHORITY = "club-ca.crt"
"""The file of the broker's certificate authority, which a table keeps beside table.toml."""
_journal = logging.getLogger(__name__)
_HERE = ("localhost", "127.0.0.1", "::1")

routes = Blueprint("keeping", __name__)


@routes.get("/keeper")
def keeper(message: str = "") -> str:
    """Show the keeper the state of the club, and others the form for the code; `message` is a refusal."""
    of = hub()
    keeps = _is_keeper()
    if not keeps and "known" in request.args:  # the code was right just now, so this browser keeps no cookies
        message = PageWords(None, language()).say("hub-cookie")
    every = by_name(of.follower.tables().values()) if keeps else []
    searched = request.args.get("name", "")
    # Without a search, offline tables come first: they need the keeper's attention.
    by_need = sorted(every, key=lambda table: table.state == "ready")
    tables = found(every, searched) if searched else by_need[:A_PAGE]
    name_of = {table.table: table.name for table in every}
    ignored = sorted((name_of.get(table, table), topic, many) for (table, topic), many in of.follower.ignored.items())
    season = of.season.now.tables
    everybody = season[0][1] if season and keeps else []
    is_sought = sought(searched)
    people = [person for person in everybody if is_sought(person.name)][:A_PAGE]
    persons_by_id = {person.id: person for person in of.people.now.known}
    keys = {
        person.key: persons_by_id[person.key].keys if person.key in persons_by_id else (person.key,)
        for person in people
    }
    return render_template(
        "club-keeper.html",
        **around(),
        message=message,
        to=request.path if request.method == "POST" else "/keeper",
        typed=[(name, text) for name, text in request.form.items(multi=True) if name not in ("code", "page")],
        keeping=of.keeper.now,
        scenes=SCENES,
        people=people,
        known=persons_by_id,
        with_cards={key for key in keys if any(raw.startswith("card ") for raw in keys[key])},
        told_on=of.follower.told_on,
        tables=tables,
        wanted=searched,
        more=searched or len(tables) < len(every) or len(people) < len(everybody),
        behind=of.follower.behind,
        ignored=ignored if keeps else [],
        trouble=of.follower.trouble,
        disk_trouble=of.follower.disk_trouble,
        thread_faults=threads.faults(),
        file_name=of.store.path.name,
        stuck_threads=threads.stuck(),
    )


@routes.post("/keeper")
def claim() -> ResponseReturnValue:
    """Make the phone that sent the code the keeper's."""
    for_keeper()
    return redirect("/keeper?known", 303)


@routes.post("/keeper/code")
def renew_code() -> ResponseReturnValue:
    """Make a new code, logged for the terminal; every other keeper's phone has to type it again."""
    for_keeper()
    rights = hub().keeper
    rights.renew(_token())
    _journal.warning("the keeper's code is now %s", rights.now.code)
    return redirect("/keeper#code", 303)


@routes.post("/scene")
def scene() -> ResponseReturnValue:
    """Choose the scene of every screen of the club."""
    for_keeper()
    chosen: Scene | None = next((scene for scene in SCENES if scene == request.form.get("scene")), None)
    if chosen is None:
        raise Refused(400, "hub-400")
    hub().keeper.show(chosen, request.form.get("table", ""))
    board().changed()
    return redirect("/keeper", 303)


@routes.post("/people")
def call() -> ResponseReturnValue:
    """Rename a person; with another person's name, the two are merged."""
    for_keeper()
    name = request.form.get("name", "")
    key = request.form.get("key", "")
    if not player_names.key(name) or len(name) > LONGEST_NAME or key not in _everybody():
        raise Refused(400, "cup-name", most=LONGEST_NAME, name=name[: 2 * LONGEST_NAME])
    hub().people.call(key, name, _everybody())
    hub().season.look()
    return redirect("/keeper", 303)


@routes.post("/people/apart")
def part() -> ResponseReturnValue:
    """Undo a person's renaming."""
    for_keeper()
    hub().people.part(request.form.get("key", ""))
    hub().season.look()
    return redirect("/keeper", 303)


@routes.post("/ask")
def ask() -> ResponseReturnValue:
    """Have every table send all its results again."""
    for_keeper()
    hub().follower.ask_all()
    return redirect("/keeper", 303)


@routes.post("/table/forget")
def forget() -> ResponseReturnValue:
    """Remove an offline table from the screens until it is heard again."""
    for_keeper()
    try:
        hub().follower.forget(request.form.get("table", ""))
    except TableIsThere as wrong:
        raise Refused(409, "hub-forget-there", name=wrong.name) from wrong
    board().changed()
    return redirect("/keeper", 303)


@routes.post("/keeper/backup.sqlite")
def back_up() -> ResponseReturnValue:
    """Send the keeper's phone a copy of the hub's database."""
    for_keeper()
    name, copy = at_table(hub().store.pack)
    return download(name, copy, "application/vnd.sqlite3")


@routes.get("/join")
def join() -> str:
    """Show the code by which a table joins; if the broker wants a password, the form by which the keeper makes one."""
    return _invitation("" if hub().club.user else _code())


@routes.post("/join")
def invite() -> str:
    """Make a code that holds a table's user name and password at the broker."""
    for_keeper()
    return _invitation(_code(request.form.get("user", "").strip(), request.form.get("password", "")))


@routes.get(f"/{AUTHORITY}")
def authority() -> Response:
    """Send a table the certificate of the broker's authority, which is no secret."""
    club = hub().club
    if not club.ca:
        return Response("This club has no authority of its own.\n", 404, mimetype="text/plain")
    return download(AUTHORITY, BytesIO(authorities(club).encode()), "application/x-x509-ca-cert")


def refused(wrong: Refused) -> ResponseReturnValue:
    """Show a refusal on the keeper's page, where the code can be typed."""
    return make_response(keeper(said(wrong)), wrong.status)


def said(wrong: Refused) -> str:
    """Put a refusal into words, in the page's language."""
    return PageWords(None, language()).say(wrong.code, wrong.facts)


def failed(wrong: HTTPException) -> ResponseReturnValue:
    """Answer an HTTP error in the page's language."""
    words = PageWords(None, language())
    status = wrong.code or 500
    message = words.say(code_of(words, status, "hub", "http"))
    if is_for_programs():
        return problem(status, message)
    return make_response(render_template("club-refused.html", **around(), message=message), status)


def unkept(wrong: HubFault | WrongCredentials) -> ResponseReturnValue:
    """Answer 503 and log why the hub can't use a file of its own."""
    _journal.error("%s", wrong)
    return failed(ServiceUnavailable())


def around() -> dict[str, object]:
    """Return the context of every page except the wall."""
    of = hub()
    context = page_context("club", language())
    return {**context, "club": of.club, "connected": of.follower.connected}


@routes.app_context_processor
def _for_whom() -> dict[str, object]:
    """Add to every page's context whether the phone is a keeper's, and the page's own address."""
    return {"keeps": _is_keeper(), "way_back": page_address()}


def _everybody() -> dict[str, str]:
    season = hub().season.now.tables
    return {person.key: person.name for person in season[0][1]} if season else {}


def _is_keeper() -> bool:
    return hub().keeper.is_keepers(_token())


def _token() -> str:
    """Return the keeper's token of this phone; "" if it has none."""
    return g.get("token") or request.cookies.get(COOKIE, "")


def for_keeper() -> None:
    """Refuse anybody but the keeper, unless this form holds the code. Raises `Refused`."""
    code = request.form.get("code")
    if code is None and not _is_keeper():
        raise Refused(403, "hub-keepers")
    if code is not None:
        g.token = hub().keeper.claim(code)
        if g.token is None:
            raise Refused(403, "hub-wrong-code")


@routes.after_app_request
def _keep(answer: Response) -> Response:
    """Set the token of a phone that has sent the code."""
    if g.get("token"):
        remember(answer, COOKIE, g.token)
    return answer


def _invitation(code: str) -> str:
    """Render the page by which a table joins; `code` is "" where the keeper has yet to make one."""
    club = hub().club
    drawing = to_scan.inline(code) if code else ""
    file = AUTHORITY if club.ca else ""
    return render_template("club-join.html", **around(), code=code, drawn=drawing, asks=bool(club.user), authority=file)


def _code(user: str = "", password: str = "") -> str:
    """Return the invitation's code. A broker on the hub's own machine gets the hub's host name."""
    of = hub()
    club = of.club
    host, port = club.address
    host = (urlsplit(of.address).hostname or host) if host in _HERE else host
    host_in_url = f"[{host}]" if ":" in host else host
    secret = of.keeper.card_secret if _is_keeper() else ""  # without a broker's password anybody sees the code
    return encode(Invitation(f"mqtt{'s' * club.by_tls}://{host_in_url}:{port}", club.club, user, password, secret))
