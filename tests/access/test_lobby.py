"""Sitting down before a match: what a phone gets by it, and when; names and looks that nobody mixes up."""

from itertools import count

import pytest
from msgspec.structs import replace

from companion.access import lobby, people, player_looks, seat_rights
from companion.access.lobby import LookTaken, NameTaken, NeedsCode, Playing, SeatTaken
from companion.access.people import Guest, People
from companion.access.player_looks import Face
from companion.access.seat_rights import HOST, Rights

NEW = seat_rights.new(str(number) for number in count(1))
FOX = Face("fox", "red")
OWL = Face("owl", "blue")
NOW = Playing(7, frozenset({1, 3}))
BETWEEN = Playing()


def sat(rights: Rights, phone: str, seat: int, name: str, playing: Playing = BETWEEN, **more: object) -> Rights:
    face: object = more.get("face", Face(player_looks.ANIMALS[seat], player_looks.COLOURS[seat]))
    return lobby.sit(rights, phone, seat, Guest(name, face), playing, by_code=bool(more.get("by_code")))  # type: ignore[arg-type]


def names(rights: Rights) -> dict[int, str]:
    return {seat: guest.name for seat, guest in rights.people.seated.items()}


@pytest.fixture
def two() -> Rights:
    """Ana and Bo play with phones of their own."""
    return lobby.begin(sat(sat(NEW, "ana", 1, "Ana"), "bo", 3, "Bo"), {1: "Ana", 3: "Bo"})


def test_who_sits_down_holds_nothing_until_the_match_begins() -> None:
    waiting = sat(NEW, "ana", 1, "Ana")
    assert waiting.holders == {}
    assert seat_rights.who(waiting, "ana").waits == {1}
    assert lobby.begin(waiting, {1: "Ana", 3: "Bo"}).holders == {1: "ana"}


def test_who_was_sent_away_gets_nothing() -> None:
    waiting = lobby.leave(sat(NEW, "ana", 1, "Ana"), {1})
    assert lobby.begin(waiting, {1: "Ana", 3: "Bo"}).holders == {}


def test_a_seat_that_somebody_holds_is_not_taken(two: Rights) -> None:
    with pytest.raises(SeatTaken):
        sat(two, "zoe", 3, "Bo")


def test_a_seat_where_somebody_waits_is_not_taken() -> None:
    with pytest.raises(SeatTaken):
        sat(sat(NEW, "ana", 1, "Ana"), "zoe", 1, "Ana")


def test_a_seat_of_the_match_under_way_is_taken_by_its_code_alone(two: Rights) -> None:
    without = seat_rights.free(two, {3})
    with pytest.raises(NeedsCode):
        sat(without, "bo", 3, "Bo", NOW)
    assert seat_rights.claim(without, "bo", two.codes[3])[0].holders[3] == "bo"


def test_where_people_want_codes_so_is_every_seat() -> None:
    with pytest.raises(NeedsCode):
        sat(NEW, "ana", 1, "Ana", by_code=True)
    claimed, _ = seat_rights.claim(NEW, "ana", NEW.codes[1])
    assert names(sat(claimed, "ana", 1, "Ana", by_code=True)) == {1: "Ana"}


def test_a_late_comer_waits_at_a_free_seat_for_the_next_match(two: Rights) -> None:
    late = sat(two, "zoe", 5, "Zoé", NOW)
    assert seat_rights.who(late, "zoe").parts == frozenset()
    assert lobby.begin(late, {1: "Ana", 3: "Bo", 5: "Zoé"}).holders == {1: "ana", 3: "bo", 5: "zoe"}


def test_a_code_goes_before_whoever_waits() -> None:
    claimed, _ = seat_rights.claim(sat(NEW, "stranger", 1, "Ana"), "ana", NEW.codes[1])
    assert lobby.begin(claimed, {1: "Ana", 3: "Bo"}).holders == {1: "ana"}


def test_a_name_that_the_host_typed_is_taken_by_its_owner_alone(two: Rights) -> None:
    typed = lobby.begin(two, {1: "Ana", 3: "Bo", 5: "Zoé"})
    with pytest.raises(SeatTaken):
        sat(typed, "cleo", 5, "Cléo")
    assert seat_rights.who(sat(typed, "zoe", 5, "zoé"), "zoe").waits == {5}


@pytest.mark.parametrize("name", ["ana", " ANA", "\u0410na"])
def test_two_whom_nobody_tells_apart_do_not_sit_at_one_table(two: Rights, name: str) -> None:
    with pytest.raises(NameTaken, match="Ana sits at seat 1"):
        sat(two, "other", 5, name)


@pytest.mark.parametrize("face", [Face("fox", "green"), Face("cat", "red")])
def test_no_two_have_the_same_animal_or_colour(face: Face) -> None:
    with pytest.raises(LookTaken):
        sat(sat(NEW, "ana", 1, "Ana", face=FOX), "bo", 3, "Bo", face=face)


def test_who_sits_elsewhere_leaves_the_old_seat_with_the_phone(two: Rights) -> None:
    moved = sat(two, "bo", 5, "Bo")
    assert (names(moved), moved.holders) == ({1: "Ana", 5: "Bo"}, {1: "ana"})
    assert lobby.begin(moved, {1: "Ana", 5: "Bo"}).holders == {1: "ana", 5: "bo"}


def test_a_second_person_on_a_phone_leaves_the_first_their_seat(two: Rights) -> None:
    opened, _ = seat_rights.claim(two, "bo", two.codes[5])
    assert names(sat(opened, "bo", 5, "Zoé")) == {1: "Ana", 3: "Bo", 5: "Zoé"}
    beside = sat(two, "bo", 2, "Zoé")
    assert lobby.begin(beside, names(beside)).holders == {1: "ana", 2: "bo", 3: "bo"}


def test_whoever_waits_for_a_seat_keeps_it_when_their_phone_opens_another_for_somebody_else() -> None:
    opened, _ = seat_rights.claim(sat(NEW, "bo", 3, "Bo"), "bo", NEW.codes[5])
    assert names(sat(opened, "bo", 5, "Zoé")) == {3: "Bo", 5: "Zoé"}


def test_who_shares_a_phone_moves_alone(two: Rights) -> None:
    assert names(sat(sat(two, "bo", 2, "Zoé"), "bo", 4, "Bo")) == {1: "Ana", 2: "Zoé", 4: "Bo"}


def test_who_merely_waits_may_move_and_change_their_name_at_once() -> None:
    assert names(sat(sat(NEW, "bo", 3, "Bo"), "bo", 4, "Bob")) == {4: "Bob"}


def test_the_host_moves_whoever_waits() -> None:
    moved = lobby.move(sat(NEW, "ana", 1, "Ana"), 1, 2)
    assert lobby.begin(moved, {2: "Ana", 3: "Bo"}).holders == {2: "ana"}
    with pytest.raises(SeatTaken):
        lobby.move(sat(moved, "bo", 1, "Bo"), 1, 2)


def test_a_name_that_is_put_right_costs_nobody_the_phone(two: Rights) -> None:
    right = lobby.rename(two, 7, 3, "Bob")
    assert (right.holders, right.people.corrected) == (two.holders, {7: {3: "Bob"}})
    assert lobby.begin(right, {1: "Ana", 3: "Bob"}).holders == {1: "ana", 3: "bo"}
    assert [person.name for person in right.people.known] == ["Bob", "Ana"]
    with pytest.raises(NameTaken):
        lobby.rename(two, 7, 3, "ANA")


def test_in_a_match_a_phone_puts_its_own_name_right(two: Rights) -> None:
    assert sat(two, "bo", 3, "Bob", NOW).people.corrected == {7: {3: "Bob"}}
    assert sat(two, "bo", 3, "Bob").people.corrected == {}  # after it somebody else may sit there with that phone


def test_where_somebody_else_sits_down_the_phone_of_who_sat_there_holds_it_no_more(two: Rights) -> None:
    assert lobby.begin(two, {1: "Ana", 3: "Dédé"}).holders == {1: "ana"}


def test_phones_go_with_their_people_to_the_seats_that_the_host_types(two: Rights) -> None:
    assert lobby.begin(two, {3: "Ana", 5: "Bo"}).holders == {3: "ana", 5: "bo"}


def test_the_host_types_names_for_those_without_a_phone() -> None:
    waiting = sat(NEW, "ana", 1, "Ana")
    assert lobby.who_plays(waiting, {1: "", 3: "Bo"}) == {1: "Ana", 3: "Bo"}
    with pytest.raises(SeatTaken):
        lobby.who_plays(waiting, {1: "Cléo", 3: "Bo"})


def test_people_are_known_again_with_their_looks() -> None:
    begun = lobby.begin(sat(NEW, "ana", 1, "Ana", face=OWL), {1: "Ana", 3: "Bo"})
    later = lobby.begin(lobby.leave(begun, {1, 3}), {2: "Zoé", 4: "ANA"})
    assert [person.name for person in later.people.known] == ["Zoé", "ANA", "Bo"]
    assert people.look(later.people, "ana") == OWL


def test_only_so_many_are_remembered() -> None:
    full = People()
    for number in range(people.REMEMBERED + 9):
        full = people.played(full, [Guest(f"P{number}")])
    assert len(full.known) == people.REMEMBERED


def test_nobody_at_a_table_looks_like_another() -> None:
    looks = player_looks.apart({2: FOX, 5: FOX}, {4: "blue"})
    assert looks[2] == FOX
    assert looks[4].colour == "blue"
    assert len({look.animal for look in looks.values()}) == len({look.colour for look in looks.values()}) == 6


def test_a_free_look_that_is_chosen_changes_nobody_else() -> None:
    assert player_looks.apart({4: Face("bear", "blue")}, {})[3] == player_looks.of_seat(3)


def test_whoever_never_chose_a_look_keeps_the_one_they_were_given() -> None:
    named = lobby.begin(NEW, {1: "Ana", 3: "Bo"})
    assert [people.wish(named.people, name) for name in ("Ana", "Bo")] == [Face("fox", "red"), Face("cat", "yellow")]
    later = lobby.begin(lobby.leave(named, {1, 3}), {1: "Zoé", 4: "Bo"})
    assert later.people.seated[4].face == Face("cat", "yellow")
    assert later.people.seated[1].face == Face("bear", "blue")  # the fox is Ana's


def test_whoever_is_there_keeps_their_look_and_who_comes_later_the_one_they_chose() -> None:
    knows = lobby.begin(sat(NEW, "bo", 3, "Bo", face=FOX), {3: "Bo", 4: "Ana"})
    without = lobby.begin(knows, {4: "Ana", 5: "Cléo"})
    waits = sat(without, "zoe", 6, "Zoé", face=FOX)
    with_both = lobby.begin(waits, {1: "Bo", 4: "Ana", 6: "Zoé"})
    assert with_both.people.seated[6].face == FOX
    assert with_both.people.seated[1].face not in (None, FOX)
    assert people.wish(with_both.people, "Bo") == FOX


def test_whoever_sits_down_without_a_look_takes_nobodys() -> None:
    waits = sat(NEW, "bo", 3, "Bo", face=FOX)
    assert sat(waits, "ana", 1, "Ana", face=None).people.seated[3].face == FOX


def test_a_bot_gives_way_and_its_look_is_nobodys() -> None:
    playing = lobby.begin(NEW, {1: "Ana", 3: "Bot Kim", 4: "Bot Max"})
    came = lobby.take_over(playing, "bo", NOW, 3, "Bo")
    assert came.people.seated[3].face == Face("cat", "yellow")  # they go on as the bot looked
    chose = sat(came, "bo", 3, "Bo", NOW, face=Face("octopus", "green"))
    assert chose.people.seated[4].face == Face("frog", "blue")
    left = lobby.hand_over(seat_rights.free(chose, {3}), NOW, 3, {1: "Ana", 3: "Bot Kim"})
    assert left.people.seated[3].face == Face("cat", "yellow")
    assert people.wish(left.people, "Bo") == Face("octopus", "green")
    assert lobby.take_over(left, "bo", NOW, 3, "Bo").people.seated[3].face == Face("octopus", "green")


def test_whoever_comes_back_to_their_seat_from_a_bot_is_called_and_looks_as_before(two: Rights) -> None:
    people_before = people.wear(two.people, 7, {1, 3})
    seated = two.people.seated[3]
    gone = lobby.hand_over(seat_rights.go(replace(two, people=people_before), 3, "Bo"), NOW, 3, {1: "Bot Kim"})
    assert [seat_rights.who(gone, phone).left for phone in ("bo", "ana", "eve", "")] == [{3}, set(), set(), set()]
    assert gone.people.corrected[7][3] == "Bot Max"  # for Bot Kim is somebody's place by now
    back = lobby.come_back(seat_rights.known_as(gone, "bo", "anew"), "anew", NOW, 3)
    assert (back.holders[3], back.people.seated[3]) == ("anew", seated)
    assert (back.gone, back.people.worn[7][3]) == ({}, people_before.worn[7][3])
    for phone, rights in (("bo", back), ("eve", gone), ("bo", replace(gone, holders={**gone.holders, 3: "eve"}))):
        with pytest.raises(SeatTaken):
            lobby.come_back(rights, phone, NOW, 3)


def test_a_phone_known_by_another_token_keeps_its_place() -> None:
    waiting = sat(NEW, "old", 1, "Ana")
    assert seat_rights.who(seat_rights.known_as(waiting, "old", "new"), "new").waits == {1}
    assert seat_rights.who(seat_rights.known_as(waiting, None, "new"), "new").waits == frozenset()
    assert HOST not in waiting.holders
