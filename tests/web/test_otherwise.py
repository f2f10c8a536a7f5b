"""House rules, seen afterwards, on the pages."""

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from tests.web.evenings import evenings
from tests.web.table import app_of, living


@pytest.fixture(scope="module")
def phone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    folder = tmp_path_factory.mktemp("otherwise")
    evenings(folder)
    with living(folder, simulated=True) as live:
        yield app_of(live).test_client()


def test_a_match_is_shown_under_its_other_rules(phone: FlaskClient) -> None:
    page = phone.get("/otherwise/3").text
    assert "As it was played: Bo." in page
    assert "With the money tokens: no" in page


def test_rules_are_chosen_together(phone: FlaskClient) -> None:
    page = phone.get("/otherwise/3?money=False&free_gang=zero").text
    assert "With the money tokens: no · Gangsters of a free boss: count nothing" in page
    assert 'id="asked"' not in phone.get("/otherwise/3?money=perhaps&ring=True").text


def test_a_game_of_which_nothing_more_may_be_told_says_so(phone: FlaskClient) -> None:
    assert "never turned up" in phone.get("/otherwise/5").text


def test_an_evening_tells_of_each_match(phone: FlaskClient) -> None:
    page = phone.get("/otherwise/2026-11-20").text
    assert page.count("As it was played:") == 4


@pytest.mark.parametrize("of", ["6", "7", "99", "x"])
def test_only_what_is_over_is_judged_otherwise(phone: FlaskClient, of: str) -> None:
    assert phone.get(f"/otherwise/{of}").status_code == 404
