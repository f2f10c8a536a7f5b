"""The table's network, which the host may change; and the QR code of its own Wi-Fi."""

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
from companion.web.site import or_404, site

PAGE = Page("network")

routes = Blueprint("network", __name__)


@routes.get("/network")
def look() -> str:
    """Show the state of the network, and the networks in reach."""
    wifi = or_404(site().wifi)
    if not wifi.standing.wanted:  # while it joins one, a search would wait for its lock
        at_table(wifi.search)
    return render_template(
        "network.html", **site().screens.frame(PAGE, language()), standing=wifi.standing, by_name=_by_name()
    )


@routes.get("/wifi.svg")
def code() -> Response:
    """Draw the QR code by which a phone joins the table's own Wi-Fi."""
    own_network = or_404(or_404(site().wifi).standing.own)
    return Response(to_scan.svg(own_network.code), mimetype="image/svg+xml")


@routes.post("/network/join")
def join() -> ResponseReturnValue:
    """Join a network, after the answer: once the table has changed networks, this phone can't reach it any more."""
    or_404(site().wifi)
    return done(JoinNetwork(request.form.get("ssid", ""), request.form.get("password", "")), PAGE.url)


@routes.post("/network/own")
def own() -> ResponseReturnValue:
    """Open the table's own network, leaving the present one."""
    or_404(site().wifi)
    return done(OpenNetwork(), PAGE.url)


def _by_name() -> str:
    """Return the site's URL under this machine's mDNS name."""
    port = urlsplit(site().address).port
    return f"http://{socket.gethostname().partition('.')[0]}.local{f':{port}' if port else ''}/"
