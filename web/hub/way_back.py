"""The page to which a phone comes back once it has chosen another language."""

from urllib.parse import urlsplit

from flask import current_app, request
from werkzeug.exceptions import HTTPException


def page_address() -> str:
    """Return the address of the page that answers this request; for a refused form, of the form's page."""
    if request.method == "GET":
        return request.full_path.removesuffix("?")
    path = "/" + request.path.split("/")[1]
    return path if _is_page(path) else "/keeper"


def way_back(address: str) -> str:
    """Return an address if it is one of our pages, else the wall's: a form may ask for anything (open redirect)."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return "/"
    is_on_this_site = address.startswith("/") and not parts.netloc
    return address if is_on_this_site and _is_page(parts.path) else "/"


def _is_page(path: str) -> bool:
    try:
        current_app.url_map.bind("").match(path, "GET")
    except HTTPException:
        return False
    return True
