"""A box that takes its time, in emulated time."""

import pytest

from tests.devices.hearing import cabled, companion_at


def later(box, answer):
    """Answer a question only once three more are asked."""
    lines = []

    def answered(line):
        lines.append(line)
        if len(lines) > 3:
            answer(lines.pop(0))

    return answered


def slowly(box, answer):
    """Take longer over each time that is asked for than until the next is."""
    free_at = [box.time.now]

    def answered(line):
        free_at.append(max(free_at[-1], box.time.now) + 0.2 * line.startswith(b"T "))
        box.time.after(free_at[-1] - box.time.now, lambda: answer(line))

    return answered


@pytest.mark.parametrize("answering", [later, slowly])
def test_a_box_that_is_asked_faster_than_it_answers_is_understood(answering):
    with cabled() as box:
        box._answer = answering(box, box._answer)
        with companion_at(box) as table:
            box.press(1)
            table.until(lambda: table.presses)
