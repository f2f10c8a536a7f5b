"""What the keeper of a tournament does and sees on its page, and everybody on the screens."""

import html
import re
from collections.abc import Sequence

import pytest
from flask.testing import FlaskClient

from companion.club.hub.hub import Hub
from companion.club.hub.tournament import POD_SIZES, DrawnRound, Kind
from tests.club.hub.pages import shown
from tests.club.hub.paper import from_paper, paper


def draw_first_round(hub: Hub, page: FlaskClient, people: str = "Ana Bo Cy", rounds: int = 1) -> None:
    """Draw the first round, with the keeper at the page."""
    page.post("/keeper", data={"code": hub.keeper.now.code})
    hub.tournament.begin(people.split(), rounds, 3)
    hub.tournament.draw(1, [])


def rounds_of(hub: Hub) -> Sequence[DrawnRound]:
    cup = hub.tournament.now()
    return cup.of.drawn if cup else ()


def enter(page: FlaskClient, *places: int, number: int = 0, at: int = 0) -> int:
    """Enter a group's places from paper, and return the answer's status."""
    return page.post("/tournament/places", data=paper(page, [*map(str, places)], number, at)).status_code


@pytest.mark.parametrize(
    ("rounds", "message"), [(2, "Dee. They play from the next round on."), (1, "which is the last: Dee.")]
)
def test_who_comes_when_every_group_has_played_is_let_in_and_told_when_they_play(
    hub: Hub, page: FlaskClient, rounds: int, message: str
) -> None:
    draw_first_round(hub, page, rounds=rounds)
    enter(page, 1, 2, 3)
    assert page.post("/tournament/enter", data={"name": "Dee"}).status_code == 303
    assert message in shown(page, "/tournament")


@pytest.mark.parametrize(("places", "message"), [((2, 2, 3), "Nobody has place 1."), ((1, 3, 3), "but no place 2.")])
def test_what_is_wrong_with_places_is_said(hub: Hub, page: FlaskClient, places: tuple[int, ...], message: str) -> None:
    draw_first_round(hub, page)
    answer = page.post("/tournament/places", data=paper(page, [*map(str, places)]))
    assert answer.status_code == 400
    assert message in answer.get_data(as_text=True)


def test_a_pair_that_meets_for_the_third_time_is_told_as_two_earlier_meetings(hub: Hub, page: FlaskClient) -> None:
    draw_first_round(hub, page, rounds=3)
    hub.tournament.draw(2, [], given_up=1)
    hub.tournament.draw(3, [], given_up=2)
    text = shown(page, "/tournament?round=2")
    assert "Earlier meetings within these groups: 6 (two for a pair that has met twice)." in text
    assert "Pairs" not in text


def test_no_page_shows_a_number_with_which_nobody_can_draw_again(hub: Hub, page: FlaskClient) -> None:
    draw_first_round(hub, page)
    hub.bracket.begin(["Ana", "Bo"], [], by_lot=True)
    for path in ("/tournament", "/tournament/sheet", "/bracket", "/bracket/sheet"):
        assert "by number" not in shown(page, path)


def test_a_round_is_drawn_over_one_that_is_not_played_only_if_the_keeper_is_sure(hub: Hub, page: FlaskClient) -> None:
    draw_first_round(hub, page, rounds=3)
    assert "A group of round 1 has not played." in shown(page, "/tournament")
    refused = page.post("/tournament/draw", data={"round": 2})
    assert (refused.status_code, len(rounds_of(hub))) == (400, 1)
    assert "say so below" in refused.get_data(as_text=True)
    assert page.post("/tournament/draw", data={"round": 2, "sure": 1}).status_code == 303
    assert page.post("/tournament/draw", data={"round": 2, "sure": 1}).status_code == 400
    assert len(rounds_of(hub)) == 2


def test_after_a_round_that_is_played_the_next_is_drawn_without_a_question(hub: Hub, page: FlaskClient) -> None:
    draw_first_round(hub, page, rounds=2)
    enter(page, 1, 2, 3)
    assert "has not played" not in shown(page, "/tournament")
    assert page.post("/tournament/draw", data={"round": 2}).status_code == 303
    assert len(rounds_of(hub)) == 2


def test_who_has_won_is_told_once_every_group_of_the_last_round_has_played(hub: Hub, page: FlaskClient) -> None:
    draw_first_round(hub, page, people="Ana Bo Cy Dee Eve Finn")
    page.post("/scene", data={"scene": "round"})
    enter(page, 1, 2, 3)
    assert all("the tournament!" not in shown(page, path) for path in ("/", "/tournament"))
    enter(page, 1, 2, 3, at=1)
    winners = sorted(pod.people[0] for pod in rounds_of(hub)[0].pods)
    assert all(f"{' and '.join(winners)} share the first place!" in shown(page, path) for path in ("/", "/tournament"))


def test_a_first_place_that_is_shared_is_shared_on_the_certificates_too(hub: Hub, page: FlaskClient) -> None:
    draw_first_round(hub, page)
    enter(page, 1, 1, 3)
    text = shown(page, "/tournament/certificates")
    assert text.count("Place 1 of 3, shared") == 2
    assert text.count("Place 3 of 3<") == 1


def test_who_leads_has_not_won_before_the_last_round(hub: Hub, page: FlaskClient) -> None:
    draw_first_round(hub, page, rounds=2)
    enter(page, 1, 2, 3)
    assert "the tournament!" not in shown(page, "/tournament")
    hub.tournament.draw(2, [])
    for number, drawn in enumerate(rounds_of(hub)):
        enter(page, *(1 if name == "Ana" else 2 for name in drawn.pods[0].people), number=number)
    assert "Ana wins the tournament!" in shown(page, "/tournament")


def leave(page: FlaskClient, name: str) -> None:
    assert page.post("/tournament/leave", data={"name": name}).status_code == 303


@pytest.mark.parametrize("kind", ["groups", "swiss", "round-robin"])
def test_who_has_played_nothing_is_taken_out_without_a_trace(hub: Hub, page: FlaskClient, kind: Kind) -> None:
    page.post("/keeper", data={"code": hub.keeper.now.code})
    hub.tournament.begin(["Ana", "Bo", "Cy", "Dee", "Mistake"], 3, POD_SIZES[kind][0], kind)
    hub.tournament.draw(1, [])
    leave(page, "Mistake")
    assert "Mistake" not in shown(page, "/tournament") + shown(page, "/tournament/standings")
    assert "walk-over" not in shown(page, "/tournament/standings").casefold()


def test_who_has_played_leaves_and_keeps_what_they_played(hub: Hub, page: FlaskClient) -> None:
    draw_first_round(hub, page, people="Ana Bo Cy Dee", rounds=2)
    enter(page, 1, 2, 3, 4)
    name = rounds_of(hub)[0].pods[0].people[0]
    leave(page, name)
    assert f"{name} <small>has left</small>" in " ".join(shown(page, "/tournament/standings").split())


def test_before_somebody_leaves_the_page_asks_and_says_what_becomes_of_what_they_played(
    hub: Hub, page: FlaskClient
) -> None:
    draw_first_round(hub, page, people="Ana Bo Cy Dee", rounds=2)
    warnings = re.findall("<details><summary>(?:Ana|Bo|Cy|Dee)</summary><p>(.*?)</p>", shown(page, "/tournament"))
    assert [*map(html.unescape, warnings)] == ["They have played nothing yet, and are taken out without a trace."] * 4
    enter(page, 1, 2, 3, 4)
    warnings = re.findall("<details><summary>(?:Ana|Bo|Cy|Dee)</summary><p>(.*?)</p>", shown(page, "/tournament"))
    assert [*map(html.unescape, warnings)] == ["What they have played stays. Let in again, they play on."] * 4


def test_what_is_entered_from_paper_is_chosen_from_places_so_that_points_cannot_be_meant(
    hub: Hub, page: FlaskClient
) -> None:
    draw_first_round(hub, page)
    text = shown(page, "/tournament?round=0&pod=0")
    assert "Places, not points: place 1 is the first. Who ties shares a place." in text
    assert text.count('<select name="place" required>') == 3
    assert re.findall(r'<option value="\d">(.+?)</option>', text) == ["Place 1", "Place 2", "Place 3"] * 3


def test_points_are_refused_as_points(hub: Hub, page: FlaskClient) -> None:
    draw_first_round(hub, page)
    for typed in (["9", "6", "4"], ["120", "60", "0"], ["2:1", "1", "0"]):
        answer = page.post("/tournament/places", data=paper(page, typed))
        assert (answer.status_code, "not points" in answer.get_data(as_text=True)) == (400, True)


def test_a_result_that_is_in_can_be_corrected_from_what_it_is(hub: Hub, page: FlaskClient) -> None:
    draw_first_round(hub, page)
    assert "Enter a result from paper" in shown(page, "/tournament")
    enter(page, 3, 1, 2)
    assert "Correct the result" in shown(page, "/tournament")
    assert "Enter a result from paper" not in shown(page, "/tournament")
    assert re.findall(r'<option value="(\d)" selected>', shown(page, "/tournament?pod=0&round=0")) == ["3", "1", "2"]


def test_a_result_that_was_entered_can_be_cleared(hub: Hub, page: FlaskClient) -> None:
    draw_first_round(hub, page)
    assert "Clear what was entered" not in shown(page, "/tournament?round=0&pod=0")
    enter(page, 3, 1, 2)
    assert "Clear what was entered" in shown(page, "/tournament?round=0&pod=0")
    assert enter(page) == 303
    assert "Correct the result" not in shown(page, "/tournament")


@pytest.mark.parametrize(("language", "button"), [("de", "Eintragen"), ("fr", "Enregistrer"), ("es", "Guardar")])
def test_a_result_and_a_time_are_written_down_and_not_entered_as_a_door_is(
    hub: Hub, page: FlaskClient, language: str, button: str
) -> None:
    draw_first_round(hub, page)
    for path in ("/tournament?round=0&pod=0", "/schedule?"):
        assert f'<button class="quiet">{button}</button>' in shown(page, f"{path}&lang={language}")


@pytest.mark.parametrize(
    ("people", "kind", "pod", "explanation"),
    [
        (5, "round-robin", "", "Groups that come of it now (number × people): 1 × 5."),
        (14, "round-robin", "", "Groups that come of it now (number × people): 2 × 5, 1 × 4."),
        (5, "round-robin", "4", "Groups that come of it now (number × people): 1 × 3, 1 × 2."),
        (7, "swiss", "2", "Tables that come of it now (number × people): 3 × 2."),
        (9, "swiss", "", "Tables that come of it now (number × people): 3 × 3."),
        (11, "groups", "", "Groups that come of it now (number × people): 2 × 4, 1 × 3."),
    ],
)
def test_how_many_play_together_follows_from_the_kind_and_is_told_before_the_draw(
    hub: Hub, page: FlaskClient, people: int, kind: Kind, pod: str, explanation: str
) -> None:
    page.post("/keeper", data={"code": hub.keeper.now.code})
    names = "\n".join(f"P{number}" for number in range(people))
    page.post("/tournament/new", data={"people": names, "rounds": "4", "pod": pod, "kind": kind})
    assert explanation in html.unescape(shown(page, "/tournament"))
    page.post("/tournament/draw", data={"round": 1})
    assert explanation not in html.unescape(shown(page, "/tournament"))


def test_who_are_too_few_are_told_nothing_of_groups_before_the_draw(hub: Hub, page: FlaskClient) -> None:
    page.post("/keeper", data={"code": hub.keeper.now.code})
    page.post("/tournament/new", data={"people": "Ana", "rounds": "4", "pod": "", "kind": "round-robin"})
    assert "that come of it" not in shown(page, "/tournament")


def test_a_certificate_tells_the_kind_of_the_tournament_and_that_it_goes_on(hub: Hub, page: FlaskClient) -> None:
    draw_first_round(hub, page, rounds=2)
    hub.tournament.change(lambda cup: from_paper(cup, 0, 0, (1, 2, 3)))
    assert "Tournament in groups" in shown(page, "/tournament/certificates")
    assert "After round 1 of 2" in shown(page, "/tournament/certificates")
    hub.tournament.draw(2, [])
    assert "After round 1 of 2" in shown(page, "/tournament/certificates")
    enter(page, 1, 2, 3, number=1)
    assert "of 2" not in shown(page, "/tournament/certificates")


def test_a_certificate_from_the_first_round_says_so(hub: Hub, page: FlaskClient) -> None:
    draw_first_round(hub, page, people="Ana Bo Cy Dee Eve Finn")
    enter(page, 1, 2, 3)
    assert "During round 1 of 1" in shown(page, "/tournament/certificates")


def test_every_screen_can_show_how_the_tournament_stands(hub: Hub, page: FlaskClient) -> None:
    page.post("/keeper", data={"code": hub.keeper.now.code})
    page.post("/scene", data={"scene": "cup"})
    assert "There is no tournament" in shown(page)
    draw_first_round(hub, page)
    enter(page, 1, 2, 3)
    first = rounds_of(hub)[0].pods[0].people[0]
    assert f'<th scope="row">1. {first}' in shown(page)
    assert f"{first} wins the tournament!" in shown(page)


def test_a_form_from_before_somebody_left_enters_nothing_for_others(hub: Hub, page: FlaskClient) -> None:
    page.post("/keeper", data={"code": hub.keeper.now.code})
    hub.tournament.begin(["Ana", "Bo", "Cy", "Dee", "Eve", "Finn"], 2, 2, "swiss")
    hub.tournament.draw(1, [])
    form = paper(page, ["1", "2"])
    leave(page, rounds_of(hub)[0].pods[0].people[0])
    answer = page.post("/tournament/places", data=form)
    assert (answer.status_code, "no such group any more" in answer.text) == (400, True)
    assert not any(pod.by_hand for pod in rounds_of(hub)[0].pods)


def test_a_page_from_before_a_draw_draws_no_other_round(hub: Hub, page: FlaskClient) -> None:
    draw_first_round(hub, page, rounds=3)
    enter(page, 1, 2, 3)
    assert page.post("/tournament/draw", data={"round": 2}).status_code == 303
    enter(page, 1, 2, 3, number=1)
    answer = page.post("/tournament/draw", data={"round": 2})
    assert (answer.status_code, "Round 2 is not the next any more." in answer.text) == (400, True)
    assert len(rounds_of(hub)) == 2
