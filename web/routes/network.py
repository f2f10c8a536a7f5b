"""Which network the table is on: for the host to see and change; and the code by which phones join its own."""

import socket
from urllib.parse import urlsplit

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue

from companion.acts.upkeep_acts import JoinNetwork, OpenNetwork
from companion.web.http.form_answers import at_table
from companion.web.http.language import language
from companion.web.render import to_scan
from companion.web.render.page_names import Page
from companion.web.routes.acting import done
from companion.web.site import site, there

PAGE = Page("network")

routes = Blueprint("network", __name__)


@routes.get("/network")
def look() -> str:
    """Show the state of the network, and what there is to join."""
    wifi = there(site().wifi)
    if not wifi.standing.wanted:  # joining holds the lock that a search would wait for
        at_table(wifi.search)
    return render_template(
        "network.html", **site().screens.frame(PAGE, language()), standing=wifi.standing, by_name=_by_name()
    )


@routes.get("/wifi.svg")
def code() -> Response:
    """Draw the code by which a phone joins the table's own Wi-Fi."""
    own_network = there(there(site().wifi).standing.own)
    return Response(to_scan.svg(own_network.code), mimetype="image/svg+xml")


@routes.post("/network/join")
def join() -> ResponseReturnValue:
    """Join a network. The answer comes first: afterwards this phone may have lost the table, and must follow it."""
    there(site().wifi)
    return done(JoinNetwork(request.form.get("ssid", ""), request.form.get("password", "")), PAGE.url)


@routes.post("/network/own")
def own() -> ResponseReturnValue:
    """Open the table's own network, and leave the one it is on."""
    there(site().wifi)
    return done(OpenNetwork(), PAGE.url)


def _by_name() -> str:
    """Return the page's address under this machine's mDNS name."""
    port = urlsplit(site().address).port
    return f"http://{socket.gethostname().partition('.')[0]}.local{f':{port}' if port else ''}/"
