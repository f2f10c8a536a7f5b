"""How much of its seat a phone reads aloud: its own wish, so that only its own pages contain what is read."""

from typing import get_args

from flask import request
from msgspec.structs import replace

from companion.web.render.page_names import Aloud, Page

COOKIE = "aloud"
WISHES: tuple[Aloud, ...] = get_args(Aloud)[1:]


def wish() -> Aloud:
    """Return how much the phone of this request reads aloud."""
    cookie = request.cookies.get(COOKIE)
    return next((wish for wish in WISHES if wish == cookie), "")


def as_read_aloud(page: Page) -> Page:
    """Return the page as this request's phone has it: only a seat's own page may be read aloud."""
    return replace(page, aloud=wish()) if page.kind == "seat" else page
