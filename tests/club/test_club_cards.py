"""A club card: whose it is sits where it is read; in a match it is no play, and shows nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.access import lobby
from companion.access.people import Guest
from companion.access.rights_file import Phones
from companion.club.club_cards import ClubCards, card_of
from companion.devices.sensing import Appeared, Tag, TagKind
from companion.events import PHONE
from tests.club.broker import Follower
from tests.club.member import CLUB, Member
from tests.live.table import Table
from tests.waiting import until

TAG = "04C1C1C1C1C1C1"
OTHER = "04C2C2C2C2C2C2"
SECRET = "the club's secret"


class Clubroom(Table):
    """A table that takes club cards."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.phones = Phones(folder / "phones")
        self.recognise()

    def recognise(self, secret: str = "") -> None:
        """Start to take club cards, as at a start of the program."""
        cards = ClubCards(CLUB, self.phones, lambda: self.live.snapshot.under_way is not None, secret)
        self.live.withhold_cards(cards.recognises, cards.show)

    def sits(self, seat: int, name: str, phone: str | None = None) -> None:
        seated = {**self.phones.rights.people.seated, seat: Guest(name, phone=phone)}
        self.phones.change(lambda rights: replace(rights, people=replace(rights.people, seated=seated)))

    def shows(self, seat: int, tag: str = TAG) -> None:
        self.lay(f"seat-{seat}", tag)
        self.lift(f"seat-{seat}", tag)

    @property
    def seated(self) -> dict[int, str]:
        return {seat: guest.name for seat, guest in self.phones.rights.people.seated.items()}


UNRECOGNISABLE = [
    Tag(PHONE, TagKind.PHONE),
    Tag(PHONE),
    Tag("04A1B2C3D4E5F6", TagKind.PHONE),
    Tag("08A1B2C3", TagKind.PASS),
    Tag("00000000", TagKind.PASS),
    Tag("FFFFFFFFFFFFFF", TagKind.STICKER),
    Tag("04A1B2", TagKind.PASS),
    Tag("virtual:stop-it/never-printed"),
]
"""A phone, whatever a driver says of it, what draws its number by chance, and what has none."""


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Clubroom]:
    room = Clubroom(tmp_path)
    yield room
    room.close()


def test_a_card_is_theirs_who_sits_there_and_then_seats_them_anywhere(room: Clubroom) -> None:
    room.shows(1)  # nobody sits there: whose is it?
    assert room.phones.rights.people.cards == {}
    room.sits(1, "Ana")
    room.shows(1)
    room.shows(4)
    assert room.seated == {4: "Ana"}
    room.phones.change(lambda rights: lobby.rename(rights, None, 4, "Anna"))
    room.shows(2)
    assert room.seated == {2: "Anna"}


def test_whoever_takes_another_card_has_that_one_alone(room: Clubroom) -> None:
    room.sits(1, "Ana")
    room.shows(1)
    room.shows(1, OTHER)
    assert room.phones.rights.people.cards == {card_of(CLUB, OTHER): "Ana"}


def test_a_card_moves_its_owner_and_nobody_else(room: Clubroom) -> None:
    room.sits(1, "Bo")
    room.sits(3, "Ana")
    room.shows(3)
    room.shows(4)
    assert room.seated == {1: "Bo", 4: "Ana"}


def test_nobody_is_sent_away_by_a_card_who_sits_there_by_phone(room: Clubroom) -> None:
    room.sits(1, "Ana")
    room.shows(1)
    room.sits(2, "Bo", phone="bos")
    room.shows(2)
    assert room.seated == {1: "Ana", 2: "Bo"}


def test_in_a_match_a_card_is_no_play_and_nothing_changes(room: Clubroom) -> None:
    room.sits(1, "Ana")
    room.shows(1)
    room.begin()
    events_before = room.events
    rights = room.phones.rights
    snapshot = room.live.snapshot
    room.shows(1)
    room.shows(2)
    assert (room.events, room.phones.rights, room.live.snapshot.views) == (events_before, rights, snapshot.views)
    room.shows(2, OTHER)  # nobody's: the match is told of a card that it does not know, as ever
    assert len(room.events) > len(events_before)


def test_a_game_s_card_is_no_club_card(room: Clubroom) -> None:
    room.sits(1, "Ana")
    room.lay("seat-1", "040404AA")
    assert room.phones.rights.people.cards == {}


@pytest.mark.parametrize("tag", UNRECOGNISABLE)
def test_what_has_no_number_of_its_own_is_nobodys_card(room: Clubroom, tag: Tag) -> None:
    room.sits(1, "Ana")
    for place in ("seat-1", "seat-4"):
        room.live.tell(Appeared(place, tag.uid, room.live.clock(), tag.kind))
        room.lift(place, tag.uid)
    assert room.phones.rights.people.cards == {}
    assert room.seated == {1: "Ana"}


def test_what_was_once_everybodys_card_is_nobodys_again(room: Clubroom) -> None:
    cards = {card_of(CLUB, PHONE): "Ana", card_of(CLUB, TAG): "Bo"}
    room.phones.change(lambda rights: replace(rights, people=replace(rights.people, cards=cards)))
    room.recognise()
    assert room.phones.rights.people.cards == {card_of(CLUB, TAG): "Bo"}


def test_by_the_clubs_secret_a_card_is_another_and_stays_its_owners(room: Clubroom) -> None:
    room.sits(1, "Ana")
    room.shows(1)
    room.recognise(SECRET)
    room.shows(3)
    assert room.seated == {3: "Ana"}
    assert room.phones.rights.people.cards == {card_of(CLUB, TAG, SECRET): "Ana"}
    room.begin()
    events_before = room.events
    room.shows(2)
    assert room.events == events_before


def test_no_tags_number_is_kept_and_a_card_is_another_in_another_club(room: Clubroom) -> None:
    room.sits(1, "Ana")
    room.shows(1)
    room.log.close()
    assert not [file for file in room.log.path.parent.iterdir() if TAG.encode() in file.read_bytes()]
    assert card_of(CLUB, TAG) != card_of("thursday", TAG)
    assert card_of(CLUB, TAG, SECRET) != card_of(CLUB, TAG, "another")


def test_a_result_names_the_cards_of_who_played(member: Member, follower: Follower) -> None:
    card = card_of(CLUB, TAG, SECRET)
    member.people = replace(member.people, cards={card: "Ana", card_of(CLUB, OTHER): "Bo"})
    member.joined()
    member.begin()
    member.begin()
    member.settled()
    until(lambda: follower.of("result"))
    with_card = {"seat": 1, "name": "Ana", "card": card}
    assert follower.of("result")[0]["players"] == [with_card, {"seat": 2, "name": "Bo"}]  # his would tell his tag


def test_whoever_gets_a_card_or_loses_it_has_it_in_all_their_results(member: Member, follower: Follower) -> None:
    member.joined()
    member.begin()
    member.begin()
    member.settled()
    until(lambda: follower.of("result"))
    card = card_of(CLUB, TAG, SECRET)
    assert member.publisher
    for number, cards in enumerate(({card: "Ana"}, {}), 2):
        member.people = replace(member.people, cards=cards)
        member.publisher.look()
        until(lambda number=number: len(follower.of("result")) == number)  # type: ignore[misc]
    assert [result["revision"] for result in follower.of("result")] == [1, 2, 3]
    assert [result["players"][0].get("card") for result in follower.of("result")] == [None, card, None]
