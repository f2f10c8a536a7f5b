"""Style sheets rewritten for older browsers: they match the same, weigh the same, and look the same."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, Response, request
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, Playwright, ViewportSize

from companion import games
from companion.access import seat_rights
from companion.access.seat_rights import phone_of
from companion.club.hub import club_toml
from companion.club.hub.hub import opened as opened_hub
from companion.live.pause import Why
from companion.live.simulation import Simulation
from companion.network.page_address import fixed
from companion.web.http.app import new_app
from companion.web.hub import create_hub
from companion.web.older.sheets import older
from companion.web.setup import create_setup
from tests.chromium import PHONE, TELEVISION, Opened
from tests.needs import needs
from tests.waiting import until
from tests.web.bots.sitting import begin_with_bots
from tests.web.floor.oldest_chromium import PROGRAM, oldest
from tests.web.scenes import SCENES, stood
from tests.web.setting_up import PLANS, unconfigured
from tests.web.table import PEOPLE, TABLET, Clock, app_of, app_with, living, phones_of, scored, serving, to_count

BOXES = """() => [...document.querySelectorAll("#live *")]
  .filter((one) => one.checkVisibility() && !one.closest(".poster"))
  .map((one) => [one, one.getBoundingClientRect()])
  .map(([one, { left, top, width, height }]) =>
    [`${one.nodeName} ${one.getAttribute("class")}`, left, top, width, height])"""
"""What stands where; in posters older browsers set the names a little higher or lower."""
READY = "window.runs && !document.querySelector('link[rel=stylesheet]:not([href*=older])')"


def css(text: str) -> list[str]:
    return older(text, "s").css.splitlines()


def test_nested_rules_are_written_out() -> None:
    assert css(".a { color: red; & b { top: 0 } .c & { left: 0 } > i { right: 0 } }") == [
        ".a{color:red}",
        ".a b{top:0}",
        ".c .a{left:0}",
        ".a > i{right:0}",
    ]


def test_a_list_weighs_as_much_as_its_heaviest() -> None:
    assert css(":is(.a, #b) i { top: 0 }") == [".a i:not(#_),#b i{top:0}"]
    assert css(".a, #b { i { top: 0 } }") == [".a i:not(#_),#b i{top:0}"]


def test_a_selector_that_a_browser_may_not_know_costs_no_other() -> None:
    assert css(".a, .b:focus-visible { top: 0 }") == [".a{top:0}", ".b:focus-visible{top:0}"]


def test_what_holds_something_bears_a_mark() -> None:
    sheet = older(".a:has(> .b) i { top: 0 } .c:not(:has(i), .d *) { top: 0 }", "s")
    assert [(mark.matches, mark.has) for mark in sheet.for_script.marks] == [
        (".a", ("> .b",)),
        (".c", ("i",)),
        (".d *", ()),
    ]
    assert sheet.css.startswith("[data-older-s-0].a i{top:0}") or sheet.css.startswith(".a[data-older-s-0] i{top:0}")


def test_what_lies_in_a_container_bears_a_mark_that_weighs_as_much() -> None:
    sheet = older("@container (min-width: 20rem) { .a .b i::before { top: 0 } }", "s")
    assert sheet.css == "[data-older-s-in-0]:not(._):not(_)::before{top:0}"
    assert sheet.for_script.within[0].matches == ".a .b i"
    assert sheet.for_script.within[0].conditions == (("min-width", "20rem"),)


def test_a_containers_units_are_lengths_that_a_script_keeps() -> None:
    assert css(".a { width: min(3cqw, 2rem + 1.5cqh) }")[1] == (
        ".a{width:min(calc(3 * var(--cqw)), 2rem + calc(1.5 * var(--cqh)))}"
    )


def test_newer_properties_are_written_as_older_ones() -> None:
    assert css(".a { inset: 0 1px; padding-inline: 2px; rotate: 3deg; translate: 1px; height: 4dvh }") == [
        ".a{top:0;right:1px;bottom:0;left:1px;padding-left:2px;padding-right:2px;"
        "transform:translate(1px) rotate(3deg);height:4vh}"
    ]


def test_all_but_the_first_weigh_nothing_in_either_form() -> None:
    assert css(".a > :where(:not(:first-child)) { top: 0 }") == [".a > * + *{top:0}"]


def test_queries_are_written_as_they_were_in_2020_and_for_whoever_has_a_script() -> None:
    assert css("@media (scripting: enabled) and (min-width: 3rem) { .a { top: 0 } }") == [
        "@media (min-width: 3rem){.a{top:0}}"
    ]
    assert css("@media (scripting: none) { .a { top: 0 } }") == []
    assert css("@media not ((min-width: 3rem) and (min-height: 2rem)) { .a { top: 0 } }") == [
        "@media not all and (min-width: 3rem) and (min-height: 2rem){.a{top:0}}"
    ]


def test_every_sheet_of_a_page_comes_in_both_forms(looking: FlaskClient) -> None:
    for path in ("/static/big", *(f"/games/{slug}/style" for slug in games.known())):
        sheet = looking.get(f"{path}.older.css")
        answer = looking.get(f"{path}.older.json")
        assert sheet.mimetype == "text/css"
        assert "max-age" in sheet.headers["Cache-Control"]
        assert answer.json
        assert answer.json.keys() == {"marks", "within", "containers", "ratios"}
    assert [looking.get(f"/static/{name}").status_code for name in ("no.older.css", "big.older.html")] == [404, 404]


def in_older_sheets(app: Flask) -> Flask:
    """Take from browsers what tells them that they can read the sheets as they are."""

    @app.after_request
    def without_the_newest(answer: Response) -> Response:
        if request.path.endswith("/tokens.css"):
            answer.direct_passthrough = False
            answer.set_data(answer.get_data().replace(b"--newest", b"--older"))
        return answer

    return app


def stand_alike(some: list[list[Any]], other_boxes: list[list[Any]]) -> bool:
    """Say whether everything stands within two pixels of where it stands there."""
    return [name for name, *_ in some] == [name for name, *_ in other_boxes] and all(
        abs(side - other) <= 2
        for (_, *box), (_, *its) in zip(some, other_boxes, strict=True)
        for side, other in zip(box, its, strict=True)
    )


def always_anew(page: Page, url: str) -> None:
    """Have it remember no earlier page, or it would play what is new since that one."""
    page.add_init_script("if (location.host) sessionStorage.clear()")
    page.goto(url)


def looks_alike(as_written: Page, in_older: Page) -> bool:
    return stand_alike(in_older.evaluate(BOXES), as_written.evaluate(BOXES))


@pytest.mark.long
@pytest.mark.parametrize("game", games.known())
def test_a_page_looks_the_same_in_both_forms(game: str, tmp_path: Path, opened: Opened) -> None:
    """All scenes at the same two addresses: what a browser has of the first it need not load and compile again."""
    with ExitStack() as end:
        doors = new_app(), new_app()
        urls = [f"http://127.0.0.1:{end.enter_context(serving(door))}" for door in doors]
        pages = list[Page]()
        for number, scene in enumerate(each for each in SCENES if each.game == game):
            with stood(scene, tmp_path / f"{number}") as live:
                for door, app in zip(doors, (app_of(live), in_older_sheets(app_of(live))), strict=True):
                    door.wsgi_app = app.wsgi_app  # type: ignore[method-assign]
                as_written, in_older = pages = pages or [opened(f"{url}/", go=always_anew) for url in urls]
                for path, size in (("/", PHONE), ("/big", TELEVISION)):
                    for page, url in zip(pages, urls, strict=True):
                        page.set_viewport_size(size)
                        page.goto(url + path)
                    in_older.wait_for_function(READY)
                    until(partial(looks_alike, as_written, in_older), partial("{}, {}".format, scene, path))
                for page in pages:
                    page.goto("about:blank")


@pytest.fixture(scope="module")
def chromium87(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    needs("npm's Chromium 87", PROGRAM.exists())
    with oldest(playwright, tmp_path_factory.mktemp("oldest")) as browser:
        yield browser


@pytest.fixture
def in_oldest(chromium87: Browser) -> Iterator[Callable[[str, ViewportSize], Page]]:
    """Open a page there, without an error."""
    wrong: list[str] = []
    context = chromium87.new_context(locale="en-GB")

    def open_page(url: str, size: ViewportSize) -> Page:
        context.add_cookies([{"name": "phone", "value": TABLET, "domain": "127.0.0.1", "path": "/"}])
        page = context.new_page()
        page.set_viewport_size(size)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(url)
        page.wait_for_function(READY)
        return page

    yield open_page
    context.close()
    assert wrong == []


OFF_THE_FELT = """() => {
  const felt = document.querySelector(".felt").getBoundingClientRect();
  const stage = document.querySelector(".felt > .stage").getBoundingClientRect();
  return stage.height > felt.height * 0.4 && stage.bottom < felt.bottom + 1 && stage.right < felt.right + 1;
}"""


@pytest.mark.parametrize("slug", games.known())
def test_a_television_of_2022_shows_the_table_and_follows_it(
    slug: str, tmp_path: Path, in_oldest: Callable[[str, ViewportSize], Page]
) -> None:
    with living(tmp_path, Clock(), simulated=True) as live:
        live.begin(slug, PEOPLE[: games.known()[slug].most_players], {})
        with serving(app_of(live)) as port:
            page = in_oldest(f"http://127.0.0.1:{port}/big", TELEVISION)
            until(lambda: page.evaluate(OFF_THE_FELT))
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            live.pause(Why.BREAK)
            until(lambda: page.evaluate("document.querySelector('.news.break')?.offsetHeight > 0"))
            assert page.evaluate("['old', 'plain', 'partly'].every((id) => document.getElementById(id).hidden)")


WITHIN_THE_STAGE = """() => {
  const { top, bottom } = document.querySelector(".felt > .stage").getBoundingClientRect();
  const parts = [...document.querySelectorAll(".felt > .stage *")].filter((part) => part.offsetHeight);
  const rects = parts.map((part) => part.getBoundingClientRect());
  return rects.length > 9 && rects.every((rect) => rect.top > top - 12 && rect.bottom < bottom + 12);
}"""


@pytest.mark.parametrize("slug", games.known())
def test_what_is_dealt_stays_below_the_news_on_a_television_of_2022(
    slug: str, tmp_path: Path, in_oldest: Callable[[str, ViewportSize], Page]
) -> None:
    with living(tmp_path, Clock(), simulated=True) as live:
        app = app_with(live, phones_of(live, {}), simulation=Simulation(live, seed=lambda: "always the same"))
        begin_with_bots(app, slug)
        with serving(app) as port:
            page = in_oldest(f"http://127.0.0.1:{port}/big", TELEVISION)
            until(lambda: page.evaluate(WITHIN_THE_STAGE))


def test_a_television_of_2022_that_was_on_before_the_match_shows_how_its_game_looks(
    tmp_path: Path, in_oldest: Callable[[str, ViewportSize], Page]
) -> None:
    with living(tmp_path, Clock(), simulated=True) as live, serving(app_of(live)) as port:
        page = in_oldest(f"http://127.0.0.1:{port}/big", TELEVISION)
        live.begin("kartel", PEOPLE, {})
        until(lambda: page.evaluate("document.querySelector('[data-game=kartel]') !== null"))
        until(lambda: page.evaluate(OFF_THE_FELT))
        assert page.evaluate("document.querySelectorAll('link[href*=\"/games/kartel/style.older.css\"]').length") == 1


def test_a_phone_of_2020_acts(tmp_path: Path, in_oldest: Callable[[str, ViewportSize], Page]) -> None:
    with living(tmp_path, Clock(), simulated=True) as live, serving(app_of(live)) as port:
        live.begin("stop-it", PEOPLE, {})
        to_count(live)
        page = in_oldest(f"http://127.0.0.1:{port}/seat/3", PHONE)
        page.evaluate("[...document.querySelectorAll('.mine button')].find((one) => one.innerText === '4').click()")
        until(lambda: "Got it" in page.evaluate("document.getElementById('live').innerText"))


UNDER_ANOTHER = """() => [...document.querySelectorAll("fieldset label")].filter((label) => {
  if (!label.offsetHeight) return false;
  label.scrollIntoView({ block: "center" });
  const { left, top, width, height } = label.getBoundingClientRect();
  return !label.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}).map((label) => label.innerText)"""


@pytest.mark.parametrize("path", ["/join", "/host"])
def test_every_choice_can_be_tapped_on_a_phone_of_2020(
    path: str, tmp_path: Path, in_oldest: Callable[[str, ViewportSize], Page]
) -> None:
    with living(tmp_path, Clock(), simulated=path == "/join") as live, serving(app_of(live)) as port:
        page = in_oldest(f"http://127.0.0.1:{port}{path}", PHONE)
        assert page.evaluate("document.querySelectorAll('fieldset label').length") > 4
        assert page.evaluate(UNDER_ANOTHER) == []


def shows_what_is_new(page: Page) -> bool:
    """Whether a page is in view as its sheets have it, follows by script, and complains of nothing."""
    complaints = "document.querySelectorAll('#old:not([hidden]), #plain:not([hidden]), #partly:not([hidden])').length"
    return bool(page.evaluate(f"document.documentElement.scrollWidth <= innerWidth && !{complaints}"))


def test_an_overlay_of_2022_follows_the_table(tmp_path: Path, in_oldest: Callable[[str, ViewportSize], Page]) -> None:
    with living(tmp_path, Clock(), simulated=True) as live, serving(app_of(live)) as port:
        live.begin("stop-it", PEOPLE, {})
        page = in_oldest(f"http://127.0.0.1:{port}/overlay", TELEVISION)
        until(lambda: page.evaluate("document.querySelectorAll('#players li').length") == len(PEOPLE))
        scored(live)
        until(lambda: page.evaluate("document.getElementById('news').offsetHeight > 0"))
        assert shows_what_is_new(page)


@pytest.mark.parametrize("stage", PLANS)
def test_a_phone_of_2020_sets_a_table_up(
    stage: str, tmp_path: Path, in_oldest: Callable[[str, ViewportSize], Page]
) -> None:
    work = unconfigured(tmp_path)
    work.phones.change(lambda rights: seat_rights.first(rights, phone_of(TABLET)))
    with serving(create_setup(work)) as port:
        page = in_oldest(f"http://127.0.0.1:{port}/setup", PHONE)
        live_before = page.evaluate("document.getElementById('live').innerHTML")
        work.setup.plan = PLANS[stage]
        work.bell.ring()
        if stage != "name":  # which is how it begins
            until(lambda: page.evaluate("document.getElementById('live').innerHTML") != live_before)
        until(lambda: shows_what_is_new(page))


def test_a_hub_is_shown_by_a_television_of_2022(tmp_path: Path, in_oldest: Callable[[str, ViewportSize], Page]) -> None:
    file = tmp_path / "CLUB.toml"
    file.write_text('[club]\nbroker = "mqtt://127.0.0.1:1"\nclub = "wednesday"\nname = "Wednesday"\n')
    with opened_hub(club_toml.load(file), fixed("http://hub.lan/")) as hub, serving(create_hub(hub)) as port:
        page = in_oldest(f"http://127.0.0.1:{port}/", TELEVISION)
        until(lambda: shows_what_is_new(page))
