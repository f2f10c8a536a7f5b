"""Who is host, who holds a seat, and which codes change that."""

import itertools

import pytest

from companion.access import seat_rights
from companion.access.seat_rights import HOST, Held, Leaver, NoSuchCode, Rights

CODES = [f"{sign}23456" for sign in seat_rights.ALPHABET]
NEW = seat_rights.new(iter(CODES))
HOSTS = NEW.codes[HOST]
OF_1 = NEW.codes[1]
OF_3 = NEW.codes[3]


def claimed(*claims: tuple[str, str], start: Rights = NEW) -> Rights:
    """Phones claim by codes, one after the other."""
    for phone, code in claims:
        start, _ = seat_rights.claim(start, phone, code)
    return start


def test_at_first_every_phone_is_a_spectator() -> None:
    assert seat_rights.who(NEW, "ana").parts == frozenset()
    assert seat_rights.who(NEW, None).parts == frozenset()


def test_a_phone_may_hold_several_seats_and_be_host_as_well() -> None:
    rights = claimed(("tablet", OF_1), ("tablet", OF_3), ("tablet", HOSTS))
    assert seat_rights.who(rights, "tablet").parts == {HOST, 1, 3}
    assert seat_rights.who(rights, "tablet").host


@pytest.mark.parametrize("code", ["", "A2345", "A234567", "ZZZZZZ", "Ä23456", "\ud800"])
def test_any_other_code_opens_nothing(code: str) -> None:
    with pytest.raises(NoSuchCode):
        seat_rights.claim(NEW, "bo", code)


def test_a_held_seat_is_not_opened_by_its_code() -> None:
    with pytest.raises(Held):
        claimed(("bo", OF_3), ("cleo", OF_3))


def test_small_letters_blanks_and_dashes_are_no_mistake() -> None:
    assert seat_rights.read(" k7q-m2x\n".replace("\n", "")) == "K7QM2X"
    assert seat_rights.read("k7q m2x") == "K7QM2X"


def test_a_seat_handed_on_leaves_its_phone_only_when_it_is_claimed() -> None:
    handing = seat_rights.hand_on(claimed(("bo", OF_3)), 3, "NEW234")
    assert seat_rights.who(handing, "bo").parts == {3}
    rights = claimed(("cleo", "NEW234"), start=handing)
    assert seat_rights.who(rights, "bo").parts == frozenset()
    assert seat_rights.who(rights, "cleo").parts == {3}


def test_the_code_to_hand_on_works_once() -> None:
    rights = claimed(("cleo", "NEW234"), start=seat_rights.hand_on(claimed(("bo", OF_3)), 3, "NEW234"))
    with pytest.raises(NoSuchCode):
        seat_rights.claim(rights, "dede", "NEW234")
    with pytest.raises(Held):
        seat_rights.claim(rights, "bo", OF_3)


def test_who_keeps_a_seat_voids_the_code() -> None:
    rights = seat_rights.keep(seat_rights.hand_on(claimed(("bo", OF_3)), 3, "NEW234"), 3)
    with pytest.raises(NoSuchCode):
        seat_rights.claim(rights, "cleo", "NEW234")


def test_a_seat_that_nobody_holds_is_not_handed_on() -> None:
    assert seat_rights.hand_on(NEW, 3, "NEW234") == NEW


def test_a_free_seat_is_opened_by_its_own_code_again() -> None:
    freed = seat_rights.free(seat_rights.hand_on(claimed(("bo", OF_3)), 3, "NEW234"), {3})
    assert seat_rights.who(freed, "bo").parts == frozenset()
    assert seat_rights.who(claimed(("cleo", OF_3), start=freed), "cleo").parts == {3}
    with pytest.raises(NoSuchCode):
        seat_rights.claim(freed, "cleo", "NEW234")


def test_the_first_becomes_host_and_nobody_after_him() -> None:
    rights = seat_rights.first(seat_rights.first(NEW, "ana"), "bo")
    assert seat_rights.who(rights, "ana").host
    assert not seat_rights.who(rights, "bo").host


def test_the_host_is_passed_on() -> None:
    passing = seat_rights.hand_on(seat_rights.first(NEW, "ana"), HOST, "NEW234")
    rights = claimed(("bo", "NEW234"), start=passing)
    assert seat_rights.who(rights, "bo").host
    assert not seat_rights.who(rights, "ana").host


def test_the_hosts_own_code_takes_the_part_of_a_lost_phone() -> None:
    assert seat_rights.who(claimed(("new", HOSTS), start=seat_rights.first(NEW, "lost")), "new").host


def test_new_codes_leave_everybody_his_seat_and_the_hosts_code() -> None:
    rights_before = claimed(("bo", OF_3))
    rights_after = seat_rights.renew(rights_before, seat_rights.unused_codes(rights_before, iter(CODES)))
    assert rights_after.holders == rights_before.holders
    assert rights_after.codes[HOST] == HOSTS
    assert not {rights_after.codes[seat] for seat in seat_rights.SEATS} & set(rights_before.codes.values())


def test_no_code_is_given_twice() -> None:
    twice = itertools.chain.from_iterable(zip(CODES, CODES, strict=True))
    fresh = list(seat_rights.unused_codes(NEW, twice))
    assert len(fresh) == len(set(fresh)) == len(CODES) - len(NEW.codes)


def test_a_file_that_is_read_gives_no_phone_away() -> None:
    assert seat_rights.phone_of("secret") != "secret"
    assert len(seat_rights.phone_of("secret")) == 64


def test_the_alphabet_has_thirty_signs_that_look_different() -> None:
    assert len(set(seat_rights.ALPHABET)) == 30
    assert not set(seat_rights.ALPHABET) & set("01OILU")


def test_what_the_host_has_freed_is_known_until_another_match_begins() -> None:
    freed = seat_rights.go(claimed(("bo", OF_3)), 3, "Bo", freed=True)
    assert (freed.holders, freed.gone) == ({}, {3: Leaver("Bo", "bo", freed=True)})
    assert 3 in claimed(("cleo", OF_3), start=freed).gone
    assert seat_rights.reseat(freed, {1: 1, 3: 3}, {1, 3}).gone == {}


def test_a_seat_that_is_returned_is_not_told_of() -> None:
    assert seat_rights.free(claimed(("bo", OF_3)), {3}).gone == {}


def test_a_phone_known_by_another_text_holds_what_it_held() -> None:
    rights_before = claimed(("ana", HOSTS), ("ana", OF_1), ("bo", OF_3))
    assert seat_rights.known_as(rights_before, "ana", "anew").holders == {HOST: "anew", 1: "anew", 3: "bo"}
    assert seat_rights.known_as(rights_before, None, "anew") == rights_before


def test_no_code_is_guessable_within_a_day() -> None:
    good_at_a_time = 2 * len(seat_rights.PARTS)
    tries = 10_000 * 24 * 3600  # a second's, far more than the page can answer
    assert tries * good_at_a_time / len(seat_rights.ALPHABET) ** seat_rights.LENGTH < 1 / 40_000
