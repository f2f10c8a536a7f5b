"""What the judge tells: why an act is refused, and what was ruled."""

import pytest

from companion.words import Words
from tests.games.kartel.table import BOX, Table

FAR = "; ".join(f"centre: {card}" for card in BOX[:-7])
NEAR = "; ".join(f"centre: {card}" for card in BOX[:-6])
WHOLE = "; ".join(f"centre: {card}" for card in BOX)


@pytest.mark.parametrize(
    ("acts", "code"),
    [
        ("!2: red-1", "not-your-turn"),
        ("!row: red-1", "wrong-pad"),
        ("!row: red-boss", "wrong-pad"),
        ("!prison: red-1", "only-bosses-to-prison"),
        ("1: red-1; !2: red-1", "won-already"),
        ("1: red-boss; !2: red-boss", "in-prison-already"),
        ("!1: done", "no-ring"),
        ("!1: roll 5", "not-on-the-die"),
        ("!2: roll 3", "not-your-roll"),
    ],
)
def test_why_an_act_is_refused(acts: str, code: str) -> None:
    table = Table().acts(acts)
    assert table.match.misplays[-1].code == code


@pytest.mark.parametrize(
    ("acts", "code"),
    [
        ("!1: red-1", "read-at-centre"),
        (f"{WHOLE}; !1: {BOX[0]}", "ring-done-first"),
        (f"{FAR}; !host: done", "ring-far-from-done"),
        (f"{NEAR}; !host: done", "ring-incomplete"),
        ("!1: roll 3", "read-ring-first"),
        (f"{WHOLE}; host: done; !1: done", "ring-done-already"),
        (f"{WHOLE}; host: done; !1: {BOX[0]}", "roll-first"),
        (f"{WHOLE}; host: done; 1: roll 2; !1: roll 2", "rolled-already"),
        (f"{WHOLE}; host: done; 1: roll 2; !1: {BOX[2]}", "out-of-reach"),
    ],
    ids=lambda value: value[-30:],
)
def test_why_an_act_is_refused_at_a_ring(acts: str, code: str) -> None:
    table = Table(ring=True).acts(acts)
    assert table.match.misplays[-1].code == code


def test_money_is_refused_without_money_and_a_press_at_any_time() -> None:
    table = Table(money=False).acts("!1: red-money")
    table.press(1)
    assert [misplay.code for misplay in table.match.misplays] == ["without-money", "no-buzzers"]


@pytest.mark.parametrize(
    ("acts", "codes"),
    [
        ("1: red-1; 2: red-boss; 3: red-3", ["won", "boss-jailed", "won-closed"]),
        ("1: green-1; 2: red-boss", ["won", "boss-jailed-alone"]),
    ],
)
def test_what_is_ruled(acts: str, codes: list[str]) -> None:
    table = Table().acts(acts)
    assert [verdict.code for verdict in table.match.verdicts] == codes


@pytest.mark.parametrize(
    ("acts", "sentence"),
    [
        ("1: red-3; 2: blue-2a; 3: red-boss", "Ana takes the lead: −3 → 3"),
        ("1: red-money; 2: blue-money; 3: green-1; 1: red-2a; 2: red-boss", "Ana gains points: 1 → 2"),
        ("1: red-money; 2: blue-1; 3: green-2a; 1: red-boss", "Ana still leads: 3 → 0"),
        ("1: blue-money; 2: red-money; 3: green-1; 1: orange-money; 2: red-boss", "Bo loses points: 3 → 0"),
        ("1: red-money; 2: blue-1; 3: red-1; 1: red-boss", "Cléo takes the lead: −1 → 1"),
        ("1: red-money; 2: blue-1; 3: blue-money; 1: blue-boss", "Ana takes the lead with 3"),
        ("1: red-3; 2: blue-money; 3: red-boss", "Ana and Bo share the lead: 3"),
        ("1: red-3; 2: blue-money; 3: green-money; 1: red-boss", "Nobody leads alone: 3"),
        (
            "1: red-3; 2: orange-boss; 3: yellow-boss; 1: blue-boss; 2: green-boss; 3: red-boss",
            "The fifth boss! Ana wins with 3",
        ),
    ],
)
def test_an_arrest_is_told_by_what_it_made_of_the_lead(acts: str, sentence: str) -> None:
    table = Table().acts(acts)
    jailed = next(verdict for verdict in reversed(table.match.verdicts) if verdict.code == "boss-jailed")
    words = Words("kartel", "en", {1: "Ana", 2: "Bo", 3: "Cléo"})
    assert words.say("news-boss-jailed", jailed.facts) == sentence
