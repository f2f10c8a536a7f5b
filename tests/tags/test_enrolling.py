"""Which card is wanted next, and what a tag means that was read while stickers are put on."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import games
from companion.devices.sensing import Tag, TagKind
from companion.events import PHONE
from companion.game import AnyGame
from companion.tags import enrolling
from companion.tags.deck import Deck
from companion.tags.enrolling import Enrolling, choose, read, skip, take_back

GAME = games.known()["kartel"]
OTHERS = {"040404FF": ("stop-it", "blue-3")}


def new_enrolling(*cards: str, **more: object) -> Enrolling:
    """An enrolling of these cards only."""
    return Enrolling(Deck("kartel", GAME.box()), cards or GAME.cards_of(GAME.box()), OTHERS, **more)  # type: ignore[arg-type]


def stickers(was: Enrolling, *uids: str) -> Enrolling:
    for uid in uids:
        was = read(was, Tag(uid))
    return was


def answer_of(was: Enrolling) -> tuple[str, dict[str, object]]:
    assert was.answer
    return was.answer.code, dict(was.answer.facts)


def test_cards_get_their_stickers_in_the_order_of_the_box() -> None:
    session = stickers(new_enrolling(), "04040401", "04040402")
    assert session.deck.tags == {"red-boss": "04040401", "red-money": "04040402"}
    assert session.next == "red-1"
    assert answer_of(session) == ("sticker-new", {"card": "red-money"})


def test_a_sticker_read_again_is_told_with_its_card_and_changes_nothing() -> None:
    session = stickers(new_enrolling(), "04040401", "04040402")
    again = stickers(session, "04040401")
    assert answer_of(again) == ("sticker-twice", {"card": "red-boss"})
    assert again.twice == ("red-boss",)
    assert (again.deck, again.next) == (session.deck, session.next)


def test_a_sticker_of_another_deck_is_told_with_its_game() -> None:
    session = stickers(new_enrolling(), "040404FF")
    assert answer_of(session) == ("sticker-other-game", {"game": "stop-it", "id": "blue-3"})
    assert not session.deck.tags


def test_a_virtual_card_is_known_without_any_sticker() -> None:
    assert answer_of(stickers(new_enrolling(), "virtual:kartel/red-3")) == ("sticker-twice", {"card": "red-3"})


def test_a_phone_is_no_card() -> None:
    session = read(new_enrolling(), Tag(PHONE, TagKind.PHONE))
    assert answer_of(session) == ("phone-read", {})
    assert (session.strangers, session.deck.tags) == (1, {})


def test_a_pass_is_taken_only_when_it_is_laid_once_more() -> None:
    bus_card = Tag("01020304", TagKind.PASS)
    session = read(new_enrolling(), bus_card)
    assert answer_of(session) == ("sticker-pass", {})
    assert not session.deck.tags
    assert read(session, bus_card).deck.tags == {"red-boss": "01020304"}


def test_a_pass_laid_again_after_something_else_is_asked_for_again() -> None:
    bus_card = Tag("01020304", TagKind.PASS)
    session = read(stickers(read(new_enrolling(), bus_card), "04040401"), bus_card)
    assert answer_of(session) == ("sticker-pass", {})


def test_a_skipped_card_comes_back_at_the_end() -> None:
    session = skip(new_enrolling("red-1", "red-3", "blue-1"))
    assert answer_of(session) == ("sticker-skipped", {"card": "red-1"})
    session = stickers(session, "04040401", "04040402")
    assert session.next == "red-1"
    assert skip(session).next == "red-1", "it is the only one left"


def test_another_card_may_be_chosen_next() -> None:
    session = choose(new_enrolling("red-1", "red-3", "blue-1"), "blue-1")
    assert answer_of(session) == ("sticker-chosen", {"card": "blue-1"})
    assert stickers(session, "04040401").deck.tags == {"blue-1": "04040401"}


def test_a_card_the_box_does_not_hold_cannot_be_chosen() -> None:
    with pytest.raises(ValueError, match="green-1"):
        choose(new_enrolling("red-1"), "green-1")


def test_a_lost_sticker_is_replaced_and_the_old_one_counts_no_longer() -> None:
    session = choose(stickers(new_enrolling("red-1", "red-3"), "04040401", "04040402"), "red-1")
    assert answer_of(session) == ("sticker-again", {"card": "red-1"})
    assert session.next == "red-1"
    session = stickers(session, "04040403")
    assert answer_of(session) == ("sticker-renewed", {"card": "red-1"})
    assert session.deck.tags == {"red-1": "04040403", "red-3": "04040402"}
    assert session.next is None
    assert answer_of(stickers(session, "04040401")) == ("sticker-none-wanted", {})


def test_the_old_sticker_of_a_card_that_gets_a_new_one_is_told_as_such() -> None:
    session = stickers(choose(stickers(new_enrolling("red-1"), "04040401"), "red-1"), "04040401")
    assert answer_of(session) == ("sticker-still-old", {"card": "red-1"})
    assert session.next == "red-1"


def test_a_new_sticker_may_be_skipped_and_the_old_one_stays() -> None:
    session = skip(choose(stickers(new_enrolling("red-1"), "04040401"), "red-1"))
    assert (session.next, session.deck.tags) == (None, {"red-1": "04040401"})


def test_the_last_sticker_is_taken_back_and_its_card_wanted_again() -> None:
    session = take_back(stickers(new_enrolling(), "04040401", "04040402"))
    assert answer_of(session) == ("sticker-taken-back", {"card": "red-money"})
    assert session.deck.tags == {"red-boss": "04040401"}
    assert session.next == "red-money"


def test_a_renewed_sticker_taken_back_is_the_old_one_again() -> None:
    session = take_back(stickers(choose(stickers(new_enrolling("red-1"), "04040401"), "red-1"), "04040403"))
    assert session.deck.tags == {"red-1": "04040401"}
    assert session.next == "red-1"


def test_nothing_put_on_is_nothing_to_take_back() -> None:
    assert answer_of(take_back(new_enrolling())) == ("sticker-nothing-back", {})


def test_when_every_card_has_a_sticker_one_more_is_for_none() -> None:
    session = stickers(new_enrolling("red-1"), "04040401", "04040402")
    assert answer_of(session) == ("sticker-none-wanted", {})
    assert answer_of(skip(session)) == ("sticker-none-wanted", {})


def test_one_card_alone_is_over_when_it_has_its_sticker() -> None:
    session = choose(new_enrolling("red-1", alone=True), "red-1")
    assert not session.over
    assert not read(session, Tag(PHONE, TagKind.PHONE)).over
    assert stickers(session, "04040401").over


@given(st.sampled_from(["04040401", "04040402", "040404FF", "virtual:kartel/blue-3", "virtual:stop-it/red-1"]))
def test_while_a_match_is_on_every_known_sticker_gets_the_same_answer(uid: str) -> None:
    session = choose(stickers(new_enrolling("red-1", "red-3"), "04040401", "04040402"), "red-1")
    sealed = msgspec.structs.replace(session, sealed=True)
    read_sealed = read(sealed, Tag(uid))
    assert msgspec.structs.replace(read_sealed, answer=None) == msgspec.structs.replace(sealed, answer=None)
    assert answer_of(read_sealed) == ("sticker-known", {})


steps = st.lists(
    st.one_of(
        st.tuples(st.just("read"), st.sampled_from([f"04{n:02X}" for n in range(9)])),
        st.tuples(st.just("choose"), st.sampled_from(["red-1", "red-3", "blue-1"])),
        st.tuples(st.sampled_from(["skip", "take_back"]), st.none()),
    ),
    max_size=40,
)


@given(steps)
def test_whatever_is_done_no_sticker_stands_for_two_cards(acts: list[tuple[str, str | None]]) -> None:
    session = new_enrolling("red-1", "red-3", "blue-1")
    for act, uid_or_card in acts:
        if act == "read":
            session = stickers(session, str(uid_or_card))
        elif act == "choose":
            session = choose(session, str(uid_or_card))
        else:
            session = getattr(enrolling, act)(session)
        uids = list(session.deck.tags.values())
        assert len(uids) == len(set(uids))
        assert [*session.deck.tags] == [card for card in GAME.deck if card in session.deck.tags]


# Boxes


@pytest.mark.parametrize("game", games.known().values(), ids=games.known().keys())
def test_a_box_holds_cards_of_the_deck_each_once(game: AnyGame) -> None:
    cards = game.cards_of(game.box())
    assert len(set(cards)) == len(cards)
    assert set(cards) <= set(game.deck)


def test_the_tokens_of_stop_me_go_are_as_many_as_the_owner_counts() -> None:
    game = games.known()["stop-me-go"]
    assert not [card for card in game.wanted(game.box()) if card.startswith("token")]
    cards = game.wanted(msgspec.convert({"tokens_1": 3, "tokens_3": 1}, game.box))
    assert cards[-4:] == ("token-1-1", "token-1-2", "token-1-3", "token-3-1")
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"tokens_1": 11}, game.box)
