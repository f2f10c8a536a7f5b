"""Laws of whole matches, played at random by the booklet."""

import random
import re
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.events import Event, Said, Tapped
from companion.judge.match import Match, judge
from companion.judge.record import decode, encode
from tests.games.stop_me_go.evening import Evening
from tests.games.stop_me_go.table import five
from tests.games.table import seen

seeds = st.integers(0, 2**32)
often = settings(max_examples=12, deadline=None)
ACTION = {each for seat in range(1, 7) for each in five(seat)}
TOKENS = [f"token-{value}-{copy}" for value in range(4) for copy in range(1, 11)]


@given(seeds)
@often
def test_a_match_without_mistakes_has_no_misplay(seed: int) -> None:
    table = Evening(seed).play().table
    assert table.misplays == []
    assert table.over


@given(seeds)
@often
def test_what_breaks_the_rules_is_a_misplay_and_nothing_else_is(seed: int) -> None:
    evening = Evening(seed, strewn=0.3).play()
    assert [seq for seq in evening.table.misplays if seq not in evening.unclear] == evening.wrong


@given(seeds)
@often
def test_three_tokens_or_the_highest_sum_win(seed: int) -> None:
    """`Evening` sees to it that every round's token goes to the owner of the best gangster."""
    evening = Evening(seed, strewn=0.1).play()
    table = evening.table
    assert table.over
    assert len(evening.won) <= len(table.seats) + 2
    if evening.third:
        assert table.winners == evening.third
        assert table.sealed
        return
    sums = {seat: sum(value or 0 for value in values) for seat, values in evening.tokens.items()}
    assert len(evening.won) == len(table.seats) + 2
    assert table.points == sums
    assert table.winners == sorted(seat for seat in sums if sums[seat] == max(sums.values()))


@given(seeds)
@often
def test_one_agent_and_nobody_else_may_take_a_token_after_the_fourth_flip(seed: int) -> None:
    evening = Evening(seed)
    evening.round()
    table = evening.table
    assert table.awaited == list(range(1, 11))
    assert table.takers == []
    assert table.sealed
    table.retract(evening.last_token)
    assert table.takers == evening.won
    assert table.awaited == []


@given(seeds)
@often
def test_cards_are_turned_up_only_while_every_hand_holds_one(seed: int) -> None:
    """Four gangsters are out then; after a capture nobody lays any more."""
    evening = Evening(seed)
    evening.round()
    events = evening.table.match.events
    flips = {seq for seq, _ in evening.turned}
    first = min(flips)
    laid = [seq for seq in range(2, first) if isinstance(events[seq - 1], Tapped) and events[seq - 1].card in ACTION]
    assert len(laid) >= 4 * len(evening.table.seats)
    for upto in range(1, len(events)):
        match = judge(events[:upto])
        said = judge([*events[:upto], Said(upto + 1, events[upto].at, "host", "flip")])
        assert (len(said.misplays) == len(match.misplays)) == (upto + 1 in flips)


@given(seeds, st.data())
@often
def test_what_means_nothing_might_as_well_not_have_happened(seed: int, data: st.DataObject) -> None:
    evening = Evening(seed, strewn=0.3).play()
    events = evening.table.match.events
    upto = data.draw(st.integers(1, len(events)))
    with_all = judge(events[:upto])
    without = judge(renumbered([event for event in events[:upto] if event.seq not in evening.idle]))
    quiet = not set(evening.unclear) & set(range(upto + 1))
    if quiet:
        assert everybody(with_all) == everybody(without)


@given(seeds, st.data())
@often
def test_go_and_stop_are_sealed_until_the_flip(seed: int, data: st.DataObject) -> None:
    """Everybody may have laid other cards: where the same was turned up, everything else looks the same."""
    evening = Evening(seed, strewn=0.3).play(data.draw(st.integers(1, 2)))
    events = evening.table.match.events
    upto = data.draw(st.integers(2, len(events)))
    one, other = judge(events[:upto]), judge(disguised(evening, upto, random.Random(seed)))
    assert alike(everybody(one)) == alike(everybody(other))
    assert [misplay.seq for misplay in one.misplays] == [misplay.seq for misplay in other.misplays]


def disguised(evening: Evening, upto: int, chance: random.Random) -> list[Event]:
    """The same events, but in each round every agent has other cards where he had those that nobody has seen."""
    others: dict[tuple[int, str], str] = {}
    for number in range(len(evening.begun)):
        seen_cards = {
            each
            for seq, cards in evening.turned
            if seq <= upto and evening.round_of(seq) == number
            for each in cards.values()
        }
        for seat in evening.table.seats:
            others |= {(number, each): other for each, other in exchange(five(seat), seen_cards, chance).items()}
    return [
        replace(event, card=others.get((evening.round_of(event.seq), event.card), event.card))
        if isinstance(event, Tapped)
        else event
        for event in evening.table.match.events[:upto]
    ]


def exchange(cards: Sequence[str], seen_cards: set[str], chance: random.Random) -> dict[str, str]:
    """Any exchange of five cards that keeps GO and STOP of those that were seen."""
    stop = cards[-1]
    to_be_stop = stop if stop in seen_cards else chance.choice([each for each in cards if each not in seen_cards])
    go = [each for each in cards if each != stop]
    chance.shuffle(go)
    return {each: stop if each == to_be_stop else go.pop() for each in cards}


def alike(texts: list[str]) -> list[str]:
    """To people the four GO of a colour look alike."""
    return [re.sub(r"-go-\d", "-go", text) for text in texts]


@given(seeds, st.data())
@often
def test_a_tokens_value_is_sealed_until_all_are_won(seed: int, data: st.DataObject) -> None:
    evening = Evening(seed, strewn=0.2).play()
    events = evening.table.match.events
    upto = data.draw(st.integers(2, len(events) if evening.third else evening.last_token - 1))
    others = dict(zip(TOKENS, random.Random(seed).sample(TOKENS, len(TOKENS)), strict=True))
    disguised = [replace(e, card=others.get(e.card, e.card)) if isinstance(e, Tapped) else e for e in events[:upto]]
    assert everybody(judge(events[:upto])) == everybody(judge(disguised))


@given(seeds, st.data())
@often
def test_whatever_happens_the_judge_goes_on(seed: int, data: st.DataObject) -> None:
    """Events left out, told twice and told in another order: there is always a judgement."""
    evening = Evening(seed, strewn=0.3).play()
    first, *rest = evening.table.match.events
    chance = random.Random(seed)
    for _ in range(data.draw(st.integers(1, 12))):
        at, to = chance.randrange(len(rest)), chance.randrange(len(rest))
        match chance.randrange(3):
            case 0:
                del rest[at]
            case 1:
                rest.insert(to, rest[at])
            case 2:
                rest[at], rest[to] = rest[to], rest[at]
    events = renumbered([first, *rest])
    match = judge(events)
    assert all(misplay.code != "judge-failed" for misplay in match.misplays)
    assert bool(match.outcome.winners) == match.over
    assert everybody(judge(decode(encode(events)))) == everybody(match)


def everybody(match: Match) -> list[str]:
    return [seen(match, who) for who in (None, *match.seats)]


def renumbered(events: Sequence[Event]) -> list[Event]:
    return [replace(event, seq=seq) for seq, event in enumerate(events, 1)]
