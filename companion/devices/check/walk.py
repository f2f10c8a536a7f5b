"""The walk around the table: press every button, lay a card on every reader, and check that the right one is heard.

Pure: sensings in, progress out; terminal and page share it. A first answer from the wrong place may be the person's own
mistake, so they are told and may try again; the same wrong answer twice, or no right one, is a fault of the table.
"""

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from companion.devices.sensing import Appeared, Buzzed, Gone, Sensing
from companion.events import place_of

TOGETHER_S = 0.1
"""Presses at two seats closer than this are one hand on two buttons, or two wires that touch."""
BOTH_S = 1.0
"""Seconds after which a card seen at two places counts as read by both antennas, and not as carried over."""
PATIENCE_S = 30.0
"""Seconds after which a step is skipped: enough to walk around a table."""


class Act(StrEnum):
    """What is done at a step."""

    PRESS = "press"
    LAY = "lay"


class Step(Struct, frozen=True):
    """One thing to do, at one place: "seat-1", "centre"."""

    act: Act
    place: str


class StepResult(StrEnum):
    """The outcome of a step."""

    RIGHT = "right"
    WRONG = "wrong"
    """Another place was heard instead."""
    BOTH = "both"
    """Another place was heard as well."""
    SKIPPED = "skipped"


class Found(Struct, frozen=True):
    """A step that is done."""

    step: Step
    answer: StepResult
    heard: str = ""
    """The other place."""


class Walk(Struct, frozen=True):
    """The progress of a walk."""

    steps: tuple[Step, ...]
    """All of them, in order."""
    found: tuple[Found, ...] = ()
    """The outcomes of those that are done."""
    instead: str = ""
    """What was heard at the step under way, if it was the wrong place."""
    since: float = 0.0
    """When this step began, or something was heard in it."""
    alone: bool = False
    """Whether the previous step was skipped because nothing came."""
    pressed: Buzzed | None = None
    """The last press."""
    lying: tuple[Appeared, ...] = ()
    """Cards that lie somewhere."""
    second: Appeared | None = None
    """A card that lies elsewhere too: it is being carried over, or both readers see it."""

    @property
    def next_step(self) -> Step | None:
        """The step under way; None at the end."""
        return self.steps[len(self.found)] if len(self.found) < len(self.steps) else None

    @property
    def lies_already(self) -> bool:
        """Whether a card already lies where one should be laid, which proves nothing until it is laid again."""
        step = self.next_step
        return step is not None and step.act is Act.LAY and any(card.place == step.place for card in self.lying)


def around(seats: Sequence[int], places: Sequence[str]) -> tuple[Step, ...]:
    """Return a walk's steps: first every seat's button, then every reader's place."""
    presses = (Step(Act.PRESS, place_of(seat)) for seat in sorted(seats))
    return (*presses, *(Step(Act.LAY, place) for place in places))


def advance(walk: Walk, sensing: Sensing) -> Walk:
    """Return the walk after a sensing."""
    match sensing:
        case Buzzed():
            return _pressed(walk, sensing)
        case Appeared(place, uid, _) if any(card.uid == uid and card.place != place for card in walk.lying):
            return replace(walk, lying=lie(walk.lying, sensing), second=sensing)
        case Appeared(place, _, at):
            return _answered(replace(walk, lying=lie(walk.lying, sensing)), Act.LAY, place, at)
        case Gone():
            return _gone(walk, sensing)
        case _:
            return walk


def lie(lying: tuple[Appeared, ...], sensing: Sensing) -> tuple[Appeared, ...]:
    """Return the cards that lie somewhere after a sensing."""
    match sensing:
        case Appeared():
            return (*lying, sensing)
        case Gone(place, uid, _):
            return tuple(card for card in lying if (card.place, card.uid) != (place, uid))
    return lying


def waited(walk: Walk, at: float) -> Walk:
    """Return the walk at a later time: a step may have run out, or a card may be read at two places."""
    second = walk.second
    if second is not None and at - second.at >= BOTH_S:
        places = [card.place for card in walk.lying if card.uid == second.uid]
        return _both(replace(walk, second=None), Act.LAY, places, at)
    if walk.next_step is None or at - walk.since < PATIENCE_S:
        return walk
    passed = replace(passed_over(walk, at), alone=True)
    while walk.alone and passed.next_step is not None:
        passed = passed_over(passed, at)  # two steps without an answer: nobody is walking
    return passed


def passed_over(walk: Walk, at: float) -> Walk:
    """Skip the current step, or end it as wrong if it had a wrong answer. At the end this changes nothing."""
    return _done(walk, StepResult.WRONG if walk.instead else StepResult.SKIPPED, walk.instead, at)


def sentence_of(step_found: Found) -> tuple[str, dict[str, str]]:
    """Return the outcome of a step as a sentence's code and facts."""
    if step_found.answer is StepResult.RIGHT:
        return "walk-right", {}
    return f"walk-{step_found.answer}-{step_found.step.act}", {
        "place": step_found.step.place,
        "heard": step_found.heard,
    }


def unproven(walk: Walk) -> tuple[Step, ...]:
    """Return the steps that did not come out right."""
    right = {step_found.step for step_found in walk.found if step_found.answer is StepResult.RIGHT}
    return tuple(step for step in walk.steps if step not in right)


def _pressed(walk: Walk, press: Buzzed) -> Walk:
    previous = walk.pressed
    place = place_of(press.seat)
    walk = replace(walk, pressed=press)
    if previous is not None and previous.seat != press.seat and abs(press.at - previous.at) < TOGETHER_S:
        return _both(walk, Act.PRESS, [place_of(previous.seat), place], press.at)
    return _answered(walk, Act.PRESS, place, press.at)


def _gone(walk: Walk, gone: Gone) -> Walk:
    second = walk.second
    walk = replace(walk, lying=lie(walk.lying, gone))
    if second is None or second.uid != gone.uid:
        return walk
    walk = replace(walk, second=None)  # it was carried over
    return walk if gone.place == second.place else _answered(walk, Act.LAY, second.place, gone.at)


def _answered(walk: Walk, act: Act, place: str, at: float) -> Walk:
    step = walk.next_step
    if step is None or step.act is not act:
        return walk
    if place == step.place:
        return _done(walk, StepResult.RIGHT, "", at)
    if place == walk.instead:
        return _done(walk, StepResult.WRONG, place, at)
    if walk.found and walk.found[-1] == Found(Step(act, place), StepResult.RIGHT):
        return replace(walk, since=at)  # a repeat at the previous step's place, which was right
    return replace(walk, instead=place, since=at)


def _both(walk: Walk, act: Act, places: Sequence[str], at: float) -> Walk:
    """Note that two places answered at once, of which the first may have ended the previous step as right."""
    last = walk.found[-1] if walk.found else None
    if (
        last
        and last.step.act is act
        and last.step.place in places
        and last.answer in (StepResult.RIGHT, StepResult.BOTH)
    ):
        other_place = next(place for place in places if place != last.step.place)
        return replace(walk, found=(*walk.found[:-1], Found(last.step, StepResult.BOTH, other_place)), since=at)
    step = walk.next_step
    if step is None or step.act is not act:
        return walk
    return _done(walk, StepResult.BOTH, next(place for place in places if place != step.place), at)


def _done(walk: Walk, answer: StepResult, heard: str, at: float) -> Walk:
    step = walk.next_step
    if step is None:
        return walk
    return replace(walk, found=(*walk.found, Found(step, answer, heard)), instead="", since=at, alone=False)
