"""Which button a box is asked to record, and what becomes of its answers."""

import pytest

from companion.devices.buzzer_box.bounce_recording import STAYS_S, Recording
from companion.devices.buzzer_box.protocol import AskBounces, Bounces
from companion.devices.figures import Bounce


@pytest.fixture
def recording() -> Recording:
    """Button 1 is wanted."""
    recording = Recording()
    recording.want(1, 0.0)
    return recording


def question_of(recording: Recording, at: float) -> AskBounces:
    question = recording.question(at)
    assert question is not None
    return question


def answer(question: AskBounces, contact: str = "closed", edges: int = 4, settled: int = 900) -> Bounces:
    return Bounces("7F3A21B09C4D", question.nonce, question.button, contact, edges, settled)


def test_nothing_is_asked_unless_a_button_is_wanted(recording: Recording) -> None:
    assert Recording().question(0.0) is None
    assert question_of(recording, 0.0).button == 1
    recording.want(None, 1.0)
    assert recording.question(1.0 + STAYS_S) is None


def test_the_same_question_is_asked_until_it_is_answered(recording: Recording) -> None:
    first = question_of(recording, 0.0)
    for none in (answer(first, "waits", 0, 0), answer(AskBounces(first.nonce ^ 1, 1))):
        recording.hear(none)
        assert recording.worst == {}
    assert question_of(recording, 1.0) == first
    recording.hear(answer(first))
    assert recording.worst == {1: Bounce(4, 0.0009)}


def test_the_press_after_is_asked_for_anew_and_the_worst_is_kept(recording: Recording) -> None:
    for at, (edges, settled) in enumerate(((4, 900), (8, 100), (2, 1200))):
        recording.hear(answer(question_of(recording, float(at)), edges=edges, settled=settled))
    assert recording.worst == {1: Bounce(2, 0.0012)}


@pytest.mark.parametrize("answers", [True, False])
def test_the_button_before_may_still_answer_when_the_next_is_wanted_and_then_makes_way(
    recording: Recording, answers: bool
) -> None:
    first = question_of(recording, 0.0)
    recording.want(2, 1.0)
    assert question_of(recording, 1.0) == first
    if answers:
        recording.hear(answer(first))
    assert question_of(recording, 1.0 + STAYS_S).button == 2
    assert (1 in recording.worst) == answers
