"""The table of consent holds every act, and what must be so in all of it is so."""

import re
from typing import Any, get_args

import pytest

from companion.access.seat_rights import HOST, Who, who
from companion.acts import decide
from companion.acts.act import ACTS
from companion.acts.outcome import Consent, PlannedAct
from companion.acts.plan import planned
from companion.acts.question import NEWCOMER, Questions, Vain
from tests.acts.consent import ACTORS, ALL, STATES, anew, around, rows, written
from tests.acts.tables import actor


def test_every_act_every_phone_and_every_state_is_in_it() -> None:
    assert {type(act) for act in ALL.values()} == {*ACTS}
    assert len(rows()) == len(ALL) * len(STATES)
    assert {len(cells) for cells in rows().values()} == {len(ACTORS)}


def test_the_rules_name_at_each_consent_the_acts_that_need_it() -> None:
    """So that who must agree to what is read on one page."""
    rules = re.split(r"\n(?=\d\. )", decide.__doc__ or "")
    paragraphs = {consent: rule for consent in Consent for rule in rules if f". {consent.name} " in rule}
    for act in ALL.values():
        at = around(act)
        for phone in ACTORS.values():
            plan = planned(act, actor(phone, at, "192.0.2.7", anew(act, str(phone))), at)
            if isinstance(plan, PlannedAct) and plan.needs is not None:
                assert f"`{type(act).__name__}`" in paragraphs[plan.needs.consent]


IN_NO_STATE = {
    "prolonged": "only its time begins anew",
    "later": "a start counts by another clock; `test_acting.py` starts tables again",
    "without_switching_off": "a start leaves that question out",
    "known_as": "whoever asks is known by another text, and is the same",
}
"""What else becomes of questions, and why no act comes out otherwise by it."""


def test_every_state_that_a_question_can_come_to_is_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new step of `Questions` needs a state in `tests/acts/consent.py`, or a reason why it makes none."""
    steps = {
        name
        for name, step in vars(Questions).items()
        if getattr(step, "__annotations__", {}).get("return") == "Questions"
    }
    steps_taken: set[str] = set()
    ended: set[str] = set()
    askers: set[int] = set()
    for name in steps:
        step = getattr(Questions, name)

        def noted(*about: Any, step: Any = step, name: str = name) -> Questions:
            steps_taken.add(name)
            questions: Questions = step(*about)
            if questions.latest is not None:
                ended.add(questions.latest.vain)
                askers.add(min(questions.latest.asker, 1))
            return questions

        monkeypatch.setattr(Questions, name, noted)
    rows.__wrapped__()
    assert sorted(steps - steps_taken) == sorted(IN_NO_STATE)
    assert ended == {*get_args(Vain)}
    assert askers == {HOST, NEWCOMER, 1}


def test_every_kind_of_phone_is_in_it() -> None:
    """Whatever `decide` may ask of a phone is so of one, and not of another."""
    phones = [who(around(act).rights, phone) for act in ALL.values() for phone in ACTORS.values()]
    kinds = {*Who.__struct_fields__, "host"} - {"phone"}
    assert {kind for kind in kinds if len({bool(getattr(phone, kind)) for phone in phones}) == 2} == kinds


def test_no_act_is_possible_for_nobody() -> None:
    """Or the table would say nothing about it."""
    for act in ALL:
        assert any(cell.startswith(("asks", "does")) for cell in rows()["nothing is asked", act]), act


def test_nobody_does_after_asking_in_vain_what_they_may_not_do_at_all() -> None:
    for (state, act), cells in rows().items():
        for cell_at_first, cell in zip(rows()["nothing is asked", act], cells, strict=True):
            if not cell_at_first.startswith(("asks", "does")):
                assert cell == cell_at_first, (state, act)


def test_only_the_host_goes_on_without_an_answer() -> None:
    for (state, act), cells in rows().items():
        after_all = [phone for phone, cell in zip(ACTORS, cells, strict=True) if cell == "does it after all"]
        assert after_all in ([], ["host"]), (state, act)


BESIDE_PLAY = ("cheer", "see the last act again")
"""What the big screen shows beside play comes after what people ask each other there."""


def test_what_is_ones_own_alone_waits_for_no_question() -> None:
    for (state, act), cells in rows().items():
        for cell_at_first, cell in zip(rows()["nothing is asked", act], cells, strict=True):
            if cell_at_first == "does it" and act not in BESIDE_PLAY:
                assert cell == "does it", (state, act)


def test_of_what_was_declined_the_host_only_ends_the_match() -> None:
    for act in ALL:
        hosts_cell = rows()["nothing is asked", act][0]
        if hosts_cell.startswith("asks"):
            assert rows()["it was declined", act][0] == ("does it after all" if act == "end the match" else hosts_cell)


def test_read_back_the_document_says_the_whole_table() -> None:
    sections = sections_of(written())
    usual = cells_of(sections["nothing is asked"])
    assert {(state, act): {**usual, **cells_of(sections[state])}[act] for state in STATES for act in ALL} == rows()


def test_the_document_says_nothing_twice() -> None:
    """So that it is read: acts with the same outcomes share a row, and a later section has only what differs."""
    sections = sections_of(written())
    usual = cells_of(sections["nothing is asked"])
    for state, lines in sections.items():
        outcomes = [cells for _, cells in lines]
        assert len(outcomes) == len({*outcomes}), state
        if state != "nothing is asked":
            assert [act for act, cells in cells_of(lines).items() if cells == usual[act]] == [], state


def sections_of(document: str) -> dict[str, list[tuple[list[str], tuple[str, ...]]]]:
    """Return, by state, the rows: the acts that each names, and what comes of them for each phone."""
    sections: dict[str, list[tuple[list[str], tuple[str, ...]]]] = {}
    for section in document.split("\n## Where ")[1:]:
        state, _, table = section.partition("\n")
        rows_of_cells = [line.strip("| ").split(" | ") for line in table.strip().splitlines()[2:]]
        sections[state] = [(acts.split(", "), tuple(cells)) for acts, *cells in rows_of_cells]
    return sections


def cells_of(lines: list[tuple[list[str], tuple[str, ...]]]) -> dict[str, tuple[str, ...]]:
    return {act: cells for acts, cells in lines for act in acts}
