"""Which button a box is asked to record, and what becomes of its answers."""

from companion.devices.buzzer_box.bounce_recording import STAYS_S, Recording
from companion.devices.buzzer_box.protocol import AskBounces, Bounces
from companion.devices.figures import Bounce


def asked(recording: Recording, now: float) -> AskBounces:
    question = recording.question(now)
    assert question is not None
    return question


def answer(question: AskBounces, contact: str = "closed", edges: int = 4, settled: int = 900) -> Bounces:
    return Bounces("7F3A21B09C4D", question.nonce, question.button, contact, edges, settled)


def test_nothing_is_asked_until_a_button_is_wanted() -> None:
    recording = Recording()
    assert recording.question(0.0) is None
    recording.want(2, 0.0)
    assert asked(recording, 0.0).button == 2


def test_the_same_question_is_asked_until_it_is_answered() -> None:
    recording = Recording()
    recording.want(2, 0.0)
    first = asked(recording, 0.0)
    recording.hear(answer(first, "waits", 0, 0))
    assert asked(recording, 1.0) == first
    recording.hear(answer(first))
    assert recording.worst == {2: Bounce(4, 0.0009)}


def test_the_press_after_is_asked_for_anew_and_the_worst_is_kept() -> None:
    recording = Recording()
    recording.want(2, 0.0)
    recording.hear(answer(asked(recording, 0.0)))
    second = asked(recording, 1.0)
    recording.hear(answer(second, edges=8, settled=100))
    recording.hear(answer(asked(recording, 2.0), edges=2, settled=1200))
    assert recording.worst == {2: Bounce(2, 0.0012)}


def test_an_answer_to_another_question_is_none() -> None:
    recording = Recording()
    recording.want(2, 0.0)
    question = asked(recording, 0.0)
    recording.hear(answer(AskBounces(question.nonce ^ 1, 2)))
    assert recording.worst == {}


def test_the_button_before_may_still_answer_when_the_next_is_wanted() -> None:
    recording = Recording()
    recording.want(1, 0.0)
    first = asked(recording, 0.0)
    recording.want(2, 1.0)
    assert asked(recording, 1.0) == first
    recording.hear(answer(first))
    assert asked(recording, 1.0 + STAYS_S).button == 2
    assert 1 in recording.worst


def test_a_button_that_never_answers_makes_way() -> None:
    recording = Recording()
    recording.want(1, 0.0)
    asked(recording, 0.0)
    recording.want(2, 1.0)
    assert asked(recording, 1.0 + STAYS_S).button == 2


def test_nothing_is_asked_any_more_when_none_is_wanted() -> None:
    recording = Recording()
    recording.want(1, 0.0)
    asked(recording, 0.0)
    recording.want(None, 1.0)
    assert recording.question(1.0 + STAYS_S) is None
