"""Another language: wherever it is chosen, the same page is shown."""

import html
import re

import pytest
from flask.testing import FlaskClient

from companion.club.hub.hub import Hub
from companion.web.hub import wall
from tests.club.hub.conftest import Joined
from tests.club.hub.pages import shown
from tests.club.hub.tables import ONE
from tests.waiting import until

PAGES = [
    "/",
    "/?page=0",
    "/overlay",
    "/find?name=An",
    f"/table/{ONE}",
    "/season",
    "/tournament",
    "/tournament?round=0&pod=0",
    "/tournament/sheet",
    "/tournament/standings",
    "/tournament/certificates?name=A%26o",
    "/bracket",
    "/bracket/sheet",
    "/schedule",
    "/schedule?name=Ana",
    "/keeper",
    "/join",
]
"""All that people read, with what they may have searched for."""


def language_form(text: str) -> dict[str, str]:
    form = re.search('<form method="post" action="/language".*?</form>', text, re.DOTALL)
    return (
        {name: html.unescape(value) for name, value in re.findall('name="(\\w+)" value="([^"]*)"', form[0])}
        if form
        else {}
    )


@pytest.mark.parametrize("path", PAGES)
def test_another_language_leads_back_to_the_same_page(hub: Hub, page: FlaskClient, joined: Joined, path: str) -> None:
    table = joined(ONE)
    until(lambda: table.asked)
    form = language_form(shown(page, path))
    answer = page.post("/language", data=form | {"language": "de"})
    assert (answer.status_code, answer.location) == (303, path)
    assert 'lang="de"' in page.get(answer.location).get_data(as_text=True)


def test_every_page_of_the_hub_is_among_those(page: FlaskClient) -> None:
    addresses = page.application.url_map.bind("localhost")
    tried = {addresses.match(path.partition("?")[0], "GET")[0] for path in PAGES}
    rules = [rule for rule in page.application.url_map.iter_rules() if "GET" in (rule.methods or ())]
    for rule in rules:
        if rule.endpoint not in tried and not rule.arguments and not rule.rule.startswith("/stream/"):
            assert page.get(rule.rule).mimetype != "text/html", rule.rule


@pytest.mark.parametrize(
    "back", ["//elsewhere.example", "https://elsewhere.example/", "/nowhere", "/language", "tournament", ""]
)
def test_another_language_leads_nowhere_but_to_a_page_of_the_hub(page: FlaskClient, back: str) -> None:
    assert page.post("/language", data={"language": "de", "back": back}).location == "/"


def test_another_language_leads_from_a_refused_form_to_its_page(hub: Hub, page: FlaskClient) -> None:
    page.post("/keeper", data={"code": hub.keeper.now.code})
    answer = page.post("/tournament/new", data={"people": "Ana", "rounds": "1", "pod": "99"})
    assert answer.status_code == 400
    form = language_form(answer.get_data(as_text=True))
    assert page.post("/language", data=form | {"language": "de"}).location == "/tournament"


def test_no_page_that_renews_itself_by_loading_again_has_a_field_from_which_it_would_take_what_is_typed(
    hub: Hub, page: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wall, "last_page", lambda _: 1)
    page.post("/keeper", data={"code": hub.keeper.now.code})
    hub.tournament.begin(["Ana", "Bo", "Cy"], 2, 2, "swiss")
    hub.tournament.draw(1, [])
    rules = [rule for rule in page.application.url_map.iter_rules() if "GET" in (rule.methods or ())]
    pages = {str(rule) for rule in rules if not rule.arguments and "stream" not in str(rule)}
    renewing = 0
    for path in sorted({*pages, "/?page=1", "/?page=1&turn", "/schedule?name=a", "/schedule?move=Ana"}):
        answer = page.get(path)
        if "Refresh" in answer.headers or 'http-equiv="refresh"' in answer.text:
            renewing += 1
            assert not re.search(r"<textarea|<select|<input(?! type=.hidden)", answer.text), path
    assert renewing >= 4
