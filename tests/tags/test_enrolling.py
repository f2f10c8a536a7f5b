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


def begun(*cards: str, **more: object) -> Enrolling:
    """An enrolling of these cards only."""
    return Enrolling(Deck("kartel", GAME.box()), cards or GAME.cards_of(GAME.box()), OTHERS, **more)  # type: ignore[arg-type]


def stickers(was: Enrolling, *uids: str) -> Enrolling:
    for uid in uids:
        was = read(was, Tag(uid))
    return was


def said(was: Enrolling) -> tuple[str, dict[str, object]]:
    assert was.answer
    return was.answer.code, dict(was.answer.facts)


def test_cards_get_their_stickers_in_the_order_of_the_box() -> None:
    now = stickers(begun(), "04040401", "04040402")
    assert now.deck.tags == {"red-boss": "04040401", "red-money": "04040402"}
    assert now.next == "red-1"
    assert said(now) == ("sticker-new", {"card": "red-money"})


def test_a_sticker_read_again_is_told_with_its_card_and_changes_nothing() -> None:
    now = stickers(begun(), "04040401", "04040402")
    again = stickers(now, "04040401")
    assert said(again) == ("sticker-twice", {"card": "red-boss"})
    assert again.twice == ("red-boss",)
    assert (again.deck, again.next) == (now.deck, now.next)


def test_a_sticker_of_another_deck_is_told_with_its_game() -> None:
    now = stickers(begun(), "040404FF")
    assert said(now) == ("sticker-other-game", {"game": "stop-it", "id": "blue-3"})
    assert not now.deck.tags


def test_a_virtual_card_is_known_without_any_sticker() -> None:
    assert said(stickers(begun(), "virtual:kartel/red-3")) == ("sticker-twice", {"card": "red-3"})


def test_a_phone_is_no_card() -> None:
    now = read(begun(), Tag(PHONE, TagKind.PHONE))
    assert said(now) == ("phone-read", {})
    assert (now.strangers, now.deck.tags) == (1, {})


def test_a_pass_is_taken_only_when_it_is_laid_once_more() -> None:
    bus_card = Tag("01020304", TagKind.PASS)
    now = read(begun(), bus_card)
    assert said(now) == ("sticker-pass", {})
    assert not now.deck.tags
    assert read(now, bus_card).deck.tags == {"red-boss": "01020304"}


def test_a_pass_laid_again_after_something_else_is_asked_for_again() -> None:
    bus_card = Tag("01020304", TagKind.PASS)
    now = read(stickers(read(begun(), bus_card), "04040401"), bus_card)
    assert said(now) == ("sticker-pass", {})


def test_a_skipped_card_comes_back_at_the_end() -> None:
    now = skip(begun("red-1", "red-3", "blue-1"))
    assert said(now) == ("sticker-skipped", {"card": "red-1"})
    now = stickers(now, "04040401", "04040402")
    assert now.next == "red-1"
    assert skip(now).next == "red-1", "it is the only one left"


def test_another_card_may_be_chosen_next() -> None:
    now = choose(begun("red-1", "red-3", "blue-1"), "blue-1")
    assert said(now) == ("sticker-chosen", {"card": "blue-1"})
    assert stickers(now, "04040401").deck.tags == {"blue-1": "04040401"}


def test_a_card_the_box_does_not_hold_cannot_be_chosen() -> None:
    with pytest.raises(ValueError, match="green-1"):
        choose(begun("red-1"), "green-1")


def test_a_lost_sticker_is_replaced_and_the_old_one_counts_no_longer() -> None:
    now = choose(stickers(begun("red-1", "red-3"), "04040401", "04040402"), "red-1")
    assert said(now) == ("sticker-again", {"card": "red-1"})
    assert now.next == "red-1"
    now = stickers(now, "04040403")
    assert said(now) == ("sticker-renewed", {"card": "red-1"})
    assert now.deck.tags == {"red-1": "04040403", "red-3": "04040402"}
    assert now.next is None
    assert said(stickers(now, "04040401")) == ("sticker-none-wanted", {})


def test_the_old_sticker_of_a_card_that_gets_a_new_one_is_told_as_such() -> None:
    now = stickers(choose(stickers(begun("red-1"), "04040401"), "red-1"), "04040401")
    assert said(now) == ("sticker-still-old", {"card": "red-1"})
    assert now.next == "red-1"


def test_a_new_sticker_may_be_skipped_and_the_old_one_stays() -> None:
    now = skip(choose(stickers(begun("red-1"), "04040401"), "red-1"))
    assert (now.next, now.deck.tags) == (None, {"red-1": "04040401"})


def test_the_last_sticker_is_taken_back_and_its_card_wanted_again() -> None:
    now = take_back(stickers(begun(), "04040401", "04040402"))
    assert said(now) == ("sticker-taken-back", {"card": "red-money"})
    assert now.deck.tags == {"red-boss": "04040401"}
    assert now.next == "red-money"


def test_a_renewed_sticker_taken_back_is_the_old_one_again() -> None:
    now = take_back(stickers(choose(stickers(begun("red-1"), "04040401"), "red-1"), "04040403"))
    assert now.deck.tags == {"red-1": "04040401"}
    assert now.next == "red-1"


def test_nothing_put_on_is_nothing_to_take_back() -> None:
    assert said(take_back(begun())) == ("sticker-nothing-back", {})


def test_when_every_card_has_a_sticker_one_more_is_for_none() -> None:
    now = stickers(begun("red-1"), "04040401", "04040402")
    assert said(now) == ("sticker-none-wanted", {})
    assert said(skip(now)) == ("sticker-none-wanted", {})


def test_one_card_alone_is_over_when_it_has_its_sticker() -> None:
    now = choose(begun("red-1", alone=True), "red-1")
    assert not now.over
    assert not read(now, Tag(PHONE, TagKind.PHONE)).over
    assert stickers(now, "04040401").over


@given(st.sampled_from(["04040401", "04040402", "040404FF", "virtual:kartel/blue-3", "virtual:stop-it/red-1"]))
def test_while_a_match_is_on_every_known_sticker_gets_the_same_answer(uid: str) -> None:
    now = choose(stickers(begun("red-1", "red-3"), "04040401", "04040402"), "red-1")
    sealed = msgspec.structs.replace(now, sealed=True)
    told = read(sealed, Tag(uid))
    assert msgspec.structs.replace(told, answer=None) == msgspec.structs.replace(sealed, answer=None)
    assert said(told) == ("sticker-known", {})


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
    now = begun("red-1", "red-3", "blue-1")
    for act, what in acts:
        if act == "read":
            now = stickers(now, str(what))
        elif act == "choose":
            now = choose(now, str(what))
        else:
            now = getattr(enrolling, act)(now)
        uids = list(now.deck.tags.values())
        assert len(uids) == len(set(uids))
        assert [*now.deck.tags] == [card for card in GAME.deck if card in now.deck.tags]


# Boxes


@pytest.mark.parametrize("game", games.known().values(), ids=games.known().keys())
def test_a_box_holds_cards_of_the_deck_each_once(game: AnyGame) -> None:
    wanted = game.cards_of(game.box())
    assert len(set(wanted)) == len(wanted)
    assert set(wanted) <= set(game.deck)


def test_the_tokens_of_stop_me_go_are_as_many_as_the_owner_counts() -> None:
    game = games.known()["stop-me-go"]
    assert not [card for card in game.wanted(game.box()) if card.startswith("token")]
    told = game.wanted(msgspec.convert({"tokens_1": 3, "tokens_3": 1}, game.box))
    assert told[-4:] == ("token-1-1", "token-1-2", "token-1-3", "token-3-1")
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"tokens_1": 11}, game.box)
