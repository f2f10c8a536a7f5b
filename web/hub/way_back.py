"""The page to which a phone comes back once it has chosen another language."""

from urllib.parse import urlsplit

from flask import current_app, request
from werkzeug.exceptions import HTTPException


def page_address() -> str:
    """Return the address of the page that is the answer to this request; for a refused form, of the page it is on."""
    if request.method == "GET":
        return request.full_path.removesuffix("?")
    path = "/" + request.path.split("/")[1]
    return path if _is_page(path) else "/keeper"


def way_back(address: str) -> str:
    """Return the address of one of our pages, or else that of the wall: a form can ask for anything."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return "/"
    is_here = address.startswith("/") and not parts.netloc
    return address if is_here and _is_page(parts.path) else "/"


def _is_page(path: str) -> bool:
    try:
        current_app.url_map.bind("").match(path, "GET")
    except HTTPException:
        return False
    return True
