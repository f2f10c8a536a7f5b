"""Answers phones' connectivity checks, so that they stay on the table's own Wi-Fi, which has no internet.

Only plain http can be answered: a phone that also checks by https shows "limited connection", and can be told to stay.
"""

from flask import Flask, Response, request

_SUCCESS = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"
_MOZILLAS = "https://support.mozilla.org/kb/captive-portal"
_ANSWERS = {
    "/generate_204": ("", 204),
    "/gen_204": ("", 204),
    "/hotspot-detect.html": (_SUCCESS, 200),
    "/library/test/success.html": (_SUCCESS, 200),
    "/connecttest.txt": ("Microsoft Connect Test", 200),
    "/ncsi.txt": ("Microsoft NCSI", 200),
    "/success.txt": ("success\n", 200),
    "/canonical.html": (f'<meta http-equiv="refresh" content="0;url={_MOZILLAS}"/>', 200),
    "/check_network_status.txt": ("NetworkManager is online\n", 200),
}
HOSTS = (
    "connectivitycheck.gstatic.com",
    "connectivitycheck.android.com",
    "clients3.google.com",
    "captive.apple.com",
    "www.msftconnecttest.com",
    "www.msftncsi.com",
    "detectportal.firefox.com",
    "nmcheck.gnome.org",
)


def answer(app: Flask) -> None:
    """Answer the checks. Put on before the guards of `security`, which refuse the names that they come under."""
    app.before_request(_answered)


def _answered() -> Response | None:
    name = request.host.partition(":")[0].lower()
    if name not in HOSTS or request.method not in ("GET", "HEAD"):
        return None
    if request.path not in _ANSWERS:
        return None
    text, status = _ANSWERS[request.path]
    return Response(text, status, mimetype="text/plain" if request.path.endswith(".txt") else "text/html")
