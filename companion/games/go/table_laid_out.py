"""What the pages of ¡Go! draw of what lies on the table: whose hand is shown, in which order, and what stands out.

`table` is what `view` shows; hands are as a simulated table knows them (`sees`), open to all in a demonstration.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from companion.games.go.cards import COLOUR, COLOURS, DECK

Hand = Mapping[str, Any]
"""What `sees` tells of a hand."""


class HandOnTable(Struct, frozen=True):
    """A player's hand among those that lie around the table."""

    seat: int
    calls: bool
    takes: bool
    """Whether they hold a card that they took, and are to throw one away."""
    open_hand: Hand | None
    role: str
    """The code of what is said of them; "": nothing."""
    acts: bool
    """Whether their row stands out."""
    is_awaited: bool
    has_least: bool
    is_example: bool


class LaidOutTable(Struct, frozen=True):
    """The table with its row, its piles and all hands."""

    begun: bool
    row: str | None
    """Its open card."""
    is_row_taken: bool
    """Whether a card of the row was just taken: it is seen to go before the next one changes what counts."""
    lying_row: Sequence[str]
    """All of its cards that are known, as at a simulated table; at a real one only the open card is."""
    discard_from: int | None
    """Which of the hands, from 1, threw the open discard away; None: nobody just now."""
    are_hands_open: bool
    example: int | None
    """The seat whose hand is explained."""
    most: int
    """The largest penalty of an open hand."""
    gaps: Sequence[str] | None
    """The colours of a series in which there is room; None: nobody may add to one."""
    groups: Mapping[str, Any] | None
    """The divided hand from which examples are taken."""
    places: tuple[HandOnTable, ...]
    last_round: Mapping[str, Any] | None
    """The latest round that was scored."""


def lay_out_table(
    table: Mapping[str, Any], seats: Sequence[int], telling: Any, sight: Mapping[str, Any] | None
) -> LaidOutTable:
    """Lay out the table. `telling`: what a demonstration tells, or None; `sight`: what lies open at a simulated
    table.
    """
    call = table["call"]
    turn = table["turn"]
    scored = _scored_rounds(table)
    begun = _has_begun(turn)
    row = (call or turn)["row"] if call or turn else None
    is_row_taken = bool(turn and not call and turn["took"] == "row" and not turn["row"])
    hands: Mapping[int, Hand] = {}
    if telling and (turn or call):
        hands = telling.before if is_row_taken and telling.before else telling.hands
    example = None
    if hands and turn and not call and not scored and not turn["took"] and len(turn["seen"]) < 2:
        example = telling.followed or seats[0]
    penalties = [hand["held"]["penalty"] for hand in hands.values() if hand["penalty"] is not None]
    acting = _acting(call, turn, example) if hands or call else None
    division = call["division"] if call else None
    has_gaps = division and call["series"]["colours"] and len(call["series"]["values"]) < 11
    least = min(penalties, default=None)
    waiting = () if hands else table["now"].get("seats", ())
    return LaidOutTable(
        begun=begun,
        row=row,
        is_row_taken=is_row_taken,
        lying_row=_lying_row(hands, sight) if turn and (row or is_row_taken) else (),
        discard_from=seats.index(turn["may_call"]) + 1 if turn and turn["may_call"] and not turn["took"] else None,
        are_hands_open=bool(hands),
        example=example,
        most=max([0, *penalties]),
        gaps=call["series"]["colours"] if has_gaps else None,
        groups=division or (hands[acting]["held"] if hands and acting is not None else None),
        places=tuple(
            _place(seat, table, hands.get(seat), acting, example, least, waiting) for seat in _around(seats, call)
        ),
        last_round=scored[-1] if scored else None,
    )


def _scored_rounds(table: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [entry for entry in table["rounds"] if not entry["void"]]


def _has_begun(turn: Mapping[str, Any] | None) -> bool:
    """Return whether anything was turned up, thrown away or taken in this round."""
    return bool(turn and (turn["row"] or turn["discard"] or turn["took"]))


def _around(seats: Sequence[int], call: Mapping[str, Any] | None) -> list[int]:
    """Return the caller first."""
    if not call:
        return list(seats)
    return [call["caller"], *(seat for seat in seats if seat != call["caller"])]


def _acting(call: Mapping[str, Any] | None, turn: Mapping[str, Any], example: int | None) -> int:
    """Return whose row stands out: whoever has just done something, or else is waited for."""
    if call:
        return int(call["caller"])
    return example or (turn["active"] if turn["took"] else turn["may_call"] or turn["active"])


def _lying_row(hands: Mapping[int, Hand], sight: Mapping[str, Any] | None) -> Sequence[str]:
    hand_or_table = next(iter(hands.values())) if hands else sight or {}
    cards: Sequence[str] = hand_or_table.get("row", ())
    return cards


def _place(
    seat: int,
    table: Mapping[str, Any],
    hand: Hand | None,
    acting: int | None,
    example: int | None,
    least: int | None,
    waiting: Sequence[int],
) -> HandOnTable:
    call = table["call"]
    turn = None if call else table["turn"]
    calls = bool(call and seat == call["caller"])
    is_active = bool(turn and seat == turn["active"])
    role = ""
    if calls:
        role = "is-caller"
    elif seat == example:
        role = "is-example"
    elif is_active and acting is None:
        role = "is-active"
    elif not table["turn"] and not call and seat == table["first"]:
        role = "is-first"
    return HandOnTable(
        seat=seat,
        calls=calls,
        takes=bool(is_active and turn["took"]) if turn else False,
        open_hand=hand,
        role=role,
        acts=seat == acting,
        is_awaited=seat in waiting,
        has_least=hand is not None and hand["held"]["penalty"] == least,
        is_example=seat == example,
    )


class CountedHand(Struct, frozen=True):
    """A hand of a scored round, as it was divided."""

    seat: int
    division: Mapping[str, Any]
    calls: bool
    wins: bool
    has_point: bool
    nth: int
    """When it is opened: the caller's first, then from the best to the worst, from 2."""
    values_added: tuple[str, ...]
    saved: int
    """How much more it would have left over without what it added to the caller's series."""


class CountedRound(Struct, frozen=True):
    """A scored round."""

    most: int
    """Its largest penalty."""
    example_added: Sequence[str]
    """A card that was added to the caller's series, if any was."""
    hands: tuple[CountedHand, ...]
    additions: tuple[tuple[int, Mapping[str, Any]], ...]
    """When each of the others' hands is opened, and how it was divided."""
    not_looked_at: tuple[int, ...]


def lay_out_round(entry: Mapping[str, Any], seats: Sequence[int]) -> CountedRound:
    """Lay out a scored round, the caller's hand first."""
    divisions = entry["divisions"]
    caller = str(entry["caller"])
    other_keys = [str(seat) for seat in seats if str(seat) in divisions and str(seat) != caller]
    by_penalty = sorted(divisions, key=lambda key: divisions[key]["penalty"])
    nths = {key: nth for nth, key in enumerate((key for key in by_penalty if key != caller), 2)}
    added = [card for division in divisions.values() for card in division["additions"]]
    return CountedRound(
        most=max(division["penalty"] for division in divisions.values()),
        example_added=added[:1],
        hands=tuple(
            CountedHand(
                seat=int(key),
                division=divisions[key],
                calls=key == caller,
                wins=bool(entry["points"][key] or entry["perfect"]),
                has_point=bool(entry["points"][key]),
                nth=nths.get(key, 1),
                values_added=tuple(str(DECK[card].value) for card in divisions[key]["additions"]),
                saved=entry["alone"][key] - divisions[key]["penalty"] if divisions[key]["additions"] else 0,
            )
            for key in (caller, *other_keys)
        ),
        additions=tuple((nths[key], divisions[key]) for key in other_keys),
        not_looked_at=tuple(seat for seat in seats if str(seat) not in divisions) if entry["perfect"] else (),
    )


class OwnHand(Struct, frozen=True):
    """How a player's own hand lies at a simulated table."""

    colour: str | None
    """What would be thrown out now, if nothing is counted yet."""
    is_judged: bool
    """Whether it lies as the judge has divided it."""
    calls: bool
    groups: tuple[tuple[str, Sequence[str]], ...] | None
    """What is said over each group, and its cards; None: it is in no groups."""


def lay_out_own_hand(
    table: Mapping[str, Any], sees: Hand, seat: int, is_best_asked: bool, say: Callable[..., str]
) -> OwnHand:
    """Lay out an own hand: counted, as the judge divided it until the next cards are dealt; while cards are swapped, as
    it would be counted now; while a series is put together, no card moves.
    """
    call = table["call"]
    turn = table["turn"]
    scored = _scored_rounds(table)
    calls = bool(call and call["caller"] == seat)
    judged = None
    entry = None
    if calls:
        entry = call
        judged = call["division"]
    elif scored and not call and not _has_begun(turn):
        entry = scored[-1]
        judged = entry["divisions"].get(str(seat))
    row = sees["row"]
    colour = COLOURS[COLOUR[row[-1]]] if (turn or is_best_asked) and row and not judged else None
    gone = [card for card in sees["hand"] if card not in sees["series"] and card not in sees["left"]]
    if is_best_asked:
        thrown_out = judged["eliminated"] if judged else gone
        in_hand = [card for card in sees["hand"] if card not in thrown_out]
        over_gone = say("band-gone", colour=colour)
        return OwnHand(colour, bool(judged), calls, (("", in_hand), (over_gone, thrown_out)))
    if judged:
        assert entry is not None
        added = (say("band-added", caller=entry["caller"]), judged["additions"])
        return OwnHand(colour, True, calls, _groups(judged, added, entry["colour"], say))
    if colour:
        held = {"series": sees["series"], "eliminated": gone, "left": sees["left"], "penalty": sees["penalty"]}
        return OwnHand(colour, False, calls, _groups(held, ("", ()), colour, say))
    return OwnHand(None, False, calls, None)


def _groups(
    division: Mapping[str, Any], added: tuple[str, Sequence[str]], colour: str | None, say: Callable[..., str]
) -> tuple[tuple[str, Sequence[str]], ...]:
    return (
        (say("band-series"), division["series"]),
        added,
        (say("band-left", sum=division["penalty"]), division["left"]),
        (say("band-gone", colour=colour), division["eliminated"]),
    )
