"""The page in which tests look at rendered pages."""

from flask import Flask
from playwright.sync_api import Browser

from companion.kit.in_chromium import Glass, Rendered
from tests.chromium import DESK, PHONE

COLOUR = "() => [getComputedStyle(document.body).color]"
INK = {"red": "rgb(255, 0, 0)", "blue": "rgb(0, 0, 255)"}


def linking(*inks: str, path: str = "/") -> Rendered:
    links = "".join(f'<link rel="stylesheet" href="/{ink}.css">' for ink in inks)
    return Rendered(path, "en", f"<!doctype html><html lang=en><title>Ink</title>{links}<body><p>Written.")


def test_a_page_is_seen_in_its_own_sheets_in_their_order_whatever_was_seen_before(browser: Browser) -> None:
    app = Flask(__name__)
    app.add_url_rule("/<ink>.css", view_func=lambda ink: (f"body {{ color: {ink} }}", {"Content-Type": "text/css"}))
    with browser.new_context() as context:
        glass = Glass(context.new_page(), app.test_client())
        lines = glass.ask(
            [linking("red", "blue"), linking("blue", "red"), linking("red"), linking("red", "blue")], COLOUR, PHONE
        )
    last = [line.partition(": ")[2] for line in lines]
    assert last == [INK["blue"], INK["red"], INK["red"], INK["blue"]]


def test_what_is_found_is_told_in_the_order_asked(browser: Browser) -> None:
    with browser.new_context() as context:
        glass = Glass(context.new_page(), Flask(__name__).test_client())
        lines = glass.ask([linking(path="/b"), linking(path="/a")], "() => ['seen']", PHONE, DESK)
    assert [line.partition(" ")[0] for line in lines] == ["/b", "/a"] * 2
