"""The club's season, from what its tables told."""

from typing import Any

import msgspec
import pytest

from companion.club.club_cards import card_of
from companion.club.hub import season
from companion.club.hub.people import ClubPeople, ClubPerson, PeopleBook
from companion.club.hub.season import SeasonBook, SeasonNow
from companion.club.hub.store import Store
from tests.club.hub.tables import result


def summed(store: Store, *results: dict[str, Any], table: str = "t", ratings: bool = False) -> SeasonNow:
    for each in results:
        store.take(table, each["match"], each["revision"], msgspec.json.encode(each))
    return SeasonBook(store, PeopleBook(store), ratings=ratings).sum_up()


def won(season_now: SeasonNow) -> dict[str, tuple[int, int]]:
    return {person.name: (person.played, person.won) for person in season_now.tables[0][1]} if season_now.tables else {}


def test_people_are_the_same_at_every_table_however_their_names_are_typed(store: Store) -> None:
    summed(store, result(1))
    season_now = summed(store, result(1, players=[{"seat": 1, "name": " ana "}, {"seat": 2, "name": "Bo"}]), table="u")
    assert won(season_now)["ana"] == (2, 2)


def test_somebody_has_one_spelling_in_all_standings_the_newest(store: Store) -> None:
    def spelt(name: str) -> list[dict[str, Any]]:
        return [{"seat": 1, "name": name}, {"seat": 2, "name": "Bo"}]

    results = (result(1, players=spelt("Ana"), game="kartel"), result(2, players=spelt("ana")))
    assert [[person.name for person in rows] for _, rows in summed(store, *results).tables] == [["ana", "Bo"]] * 3


def test_a_card_without_the_clubs_secret_makes_nobody_one_person(store: Store) -> None:
    everybodys = {"card": card_of("wednesday", "phone")}
    ana = [{"seat": 1, "name": "Ana", **everybodys}, {"seat": 2, "name": "Bo"}]
    dave = [{"seat": 1, "name": "Dave", **everybodys}, {"seat": 2, "name": "Eve"}]
    summed(store, result(1, players=ana), table="t")
    season_now = summed(store, result(1, players=dave), result(2, players=dave), table="u")
    assert won(season_now)["Ana"] == (1, 1)
    assert won(season_now)["Dave"] == (2, 2)


def test_people_who_did_equally_well_stand_by_their_letters_whatever_their_accents(store: Store) -> None:
    named = [{"seat": at + 1, "name": name} for at, name in enumerate(("Zoé", "Émile", "Eva", "anna"))]
    season_now = summed(store, result(1, players=named, scores={}, winners=[]))
    assert [person.name for person in season_now.tables[0][1]] == ["anna", "Émile", "Eva", "Zoé"]


def test_what_is_no_match_of_peoples_counts_nowhere(store: Store) -> None:
    season_now = summed(store, result(1, demo=True), result(2, simulated=True), result(3, over=False), result(4))
    assert (season_now.played, won(season_now)["Ana"]) == (1, (1, 1))


def test_nobody_plays_alone_or_against_themselves(store: Store) -> None:
    twice = [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "ana"}, {"seat": 3, "name": "Cy"}]
    season_now = summed(store, result(1, players=twice), result(2, players=twice[:1]))
    assert (season_now.played, won(season_now)) == (1, {"Cy": (1, 0)})


def test_what_an_earlier_hub_believed_though_it_contradicts_itself_counts_nowhere(store: Store) -> None:
    season_now = summed(store, result(1, winners=[5]), result(2, scores={"1": 10**400}), result(3, began=""), result(4))
    assert (season_now.played, won(season_now)["Ana"]) == (1, (1, 1))


def test_a_correction_takes_the_place_of_what_it_corrects(store: Store) -> None:
    book = SeasonBook(store, PeopleBook(store), ratings=True)
    summed(store, result(1), result(2))
    assert won(book.sum_up())["Bo"] == (2, 0)
    summed(store, result(1, 2, winners=[2], scores={"1": 7, "2": 3, "3": 9}), result(2, 2, over=False))
    assert won(book.sum_up()) == {"Bo": (1, 1), "Ana": (1, 0), "Cy": (1, 0)}
    assert book.sum_up() == SeasonBook(store, PeopleBook(store), ratings=True).sum_up()


def skills(season_now: SeasonNow) -> dict[str, float]:
    return {person.name: person.skill for person in season_now.tables[0][1] if person.skill is not None}


def test_a_skill_is_told_after_eight_matches_and_only_where_the_club_wants_it(store: Store) -> None:
    seven = [result(match) for match in range(1, 8)]
    assert skills(summed(store, *seven, ratings=True)) == {}
    skill_of = skills(summed(store, result(8), ratings=True))
    assert skill_of["Ana"] > skill_of["Bo"] > skill_of["Cy"]
    assert skills(SeasonBook(store, PeopleBook(store), ratings=False).sum_up()) == {}


def test_a_game_that_is_not_known_here_still_has_winners(store: Store) -> None:
    season_now = summed(store, result(1, game="whist", winners=[3]))
    assert won(season_now)["Cy"] == (1, 1)


def test_whom_the_keeper_calls_as_another_is_one_with_them_until_that_is_taken_back(store: Store) -> None:
    people = PeopleBook(store)
    book = SeasonBook(store, people, ratings=True)
    summed(store, result(1), result(2, players=[{"seat": 1, "name": "Anna"}, {"seat": 2, "name": "Bo"}]))
    keys = {person.name: person.key for person in book.sum_up().tables[0][1]}
    people.call(keys["Anna"], "Ana", {key: name for name, key in keys.items()})
    assert won(book.sum_up()) == {"Ana": (2, 2), "Bo": (2, 0), "Cy": (1, 0)}
    assert won(SeasonBook(store, PeopleBook(store), ratings=False).sum_up()) == won(book.now)
    people.part(people.now.known[0].id)
    assert won(book.sum_up()) == {"Ana": (1, 1), "Anna": (1, 1), "Bo": (2, 0), "Cy": (1, 0)}


def test_whom_the_keeper_named_under_an_earlier_spelling_of_names_keeps_that(store: Store) -> None:
    earlier = ClubPeople((ClubPerson("id", "Golo", ("n’golo", "card abc234")),))
    store.keep("people", earlier)
    assert PeopleBook(store).now.known == (ClubPerson("id", "Golo", ("n'golo", "card abc234")),)


def test_while_all_is_summed_anew_the_season_stands_as_it_was(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    people = PeopleBook(store)
    stood = list[int]()
    counted = season.counted
    book = SeasonBook(store, people, ratings=True)
    summed(store, result(1), result(2))
    book.sum_up()
    people.call("ana", "Anna", {})
    monkeypatch.setattr(season, "counted", lambda *which: stood.append(book.now.played) or counted(*which))
    assert book.sum_up().played == 2
    assert stood == [2, 2]


def test_a_club_card_tells_apart_who_have_one_name_and_is_its_owner_under_any(store: Store) -> None:
    card = {"seat": 1, "name": "Ana", "card": "c"}
    bo = {"seat": 2, "name": "Bo"}
    season_now = summed(
        store,
        result(1, players=[card, bo]),
        result(2, players=[{**card, "name": "A."}, bo]),
        result(3, players=[{"seat": 1, "name": "Ana"}, bo]),
    )
    assert sorted((person.name, person.played) for person in season_now.tables[0][1]) == [
        ("A.", 2),
        ("Ana", 1),
        ("Bo", 3),
    ]
