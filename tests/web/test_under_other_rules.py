"""House rules, seen afterwards, on the pages."""

import pytest
from flask.testing import FlaskClient


def test_a_match_is_shown_under_its_other_rules(looking: FlaskClient) -> None:
    page = looking.get("/otherwise/3").text
    assert page.count("As it was played: ") == 1
    assert "Gangsters of a free boss: count nothing" in page


def test_a_time_is_shown_in_its_unit_and_a_table_only_where_points_differ(looking: FlaskClient) -> None:
    page = looking.get("/otherwise/4?tie_window=0.005").text
    assert ">0.5\u00a0ms</option>" in page
    assert "Too close to call within: 5\u00a0ms" in page
    assert "(seconds)" not in page
    variants = page.split('class="variant')[1:]
    assert [("<table" in variant) == ("<td><strong>" in variant) for variant in variants] == [True] * len(variants)
    assert 0 < page.count("<table") < len(variants)


def test_rules_that_would_have_changed_nothing_are_left_out(looking: FlaskClient) -> None:
    """A match in which no other rule changes a winner or a point says so, in one sentence."""
    for match in (2, 3, 4):
        page = looking.get(f"/otherwise/{match}").text
        variants = page.split('class="variant')[1:]
        assert all("<table" in variant for variant in variants)
        assert ("No other rule would have changed anything." in page) == (not variants)


def test_rules_are_chosen_together(looking: FlaskClient) -> None:
    page = looking.get("/otherwise/3?money=False&free_gang=zero").text
    assert "With the money tokens: no · Gangsters of a free boss: count nothing" in page
    assert 'id="asked"' not in looking.get("/otherwise/3?money=perhaps&ring=True").text


def test_a_game_of_which_nothing_more_may_be_told_says_so(looking: FlaskClient) -> None:
    assert "never turned up" in looking.get("/otherwise/5").text


def test_an_evening_tells_of_each_match(looking: FlaskClient) -> None:
    page = looking.get("/otherwise/2026-11-20").text
    assert page.count("As it was played:") == 4


def test_where_no_rule_could_be_another_none_is_offered(looking: FlaskClient) -> None:
    offered = ['href="/otherwise/' in looking.get(f"/results/{match}").text for match in (5, 3)]
    assert offered == [False, True]


@pytest.mark.parametrize("of", ["6", "7", "99", "x"])
def test_only_what_is_over_is_judged_otherwise(looking: FlaskClient, of: str) -> None:
    assert looking.get(f"/otherwise/{of}").status_code == 404


@pytest.mark.parametrize("path", ["/otherwise/3", "/otherwise/4", "/otherwise/2026-11-20"])
def test_no_rule_is_offered_that_the_moves_would_break(looking: FlaskClient, path: str) -> None:
    page = looking.get(path).text
    assert "forbid" not in page
    assert "the match would go on" not in page
