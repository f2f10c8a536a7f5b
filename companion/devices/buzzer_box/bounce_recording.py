"""Chooses the button whose bounces the box is asked to record. Pure: no port, no clock of its own.

The box records one button at a time, at its next press. The press is told at once, and the walk goes on to the next
button; but the box answers the previous question only once the contact rests, so that question stays open for a while.
"""

from secrets import randbelow

from companion.devices.buzzer_box.protocol import AskBounces, Bounces
from companion.devices.figures import Bounce

STAYS_S = 0.5
"""Seconds for which a question stays open when another button is wanted: nobody reaches the next seat sooner."""

_ASK_S = 0.1


class Recording:
    """The questions to one box, and its answers."""

    def __init__(self) -> None:
        self.worst: dict[int, Bounce] = {}
        """By button, its answer."""
        self._wanted: int | None = None
        self._question: AskBounces | None = None
        self._stays_until = self._ask_at = float("-inf")

    def want(self, button: int | None, at: float) -> None:
        """Have only this button recorded at its next press; None for none."""
        if button != self._wanted:
            self._wanted = button
            # The contact of the button asked about last may still be moving: its question stays for a while.
            self._stays_until = at + STAYS_S if self._question else float("-inf")

    def question(self, at: float) -> AskBounces | None:
        """Return the question to ask now, if any."""
        question = self._question
        button = self._wanted
        if (question is None or question.button != button) and at >= self._stays_until:
            self._question = None if button is None else AskBounces(randbelow(2**32), button)
            self._ask_at = at
        if self._question is None or at < self._ask_at:
            return None
        self._ask_at = at + _ASK_S
        return self._question

    def hear(self, answer: Bounces) -> None:
        """Take an answer; one to another question, or one that says "waits", changes nothing."""
        question = self._question
        if (
            question is None
            or (answer.nonce, answer.button) != (question.nonce, question.button)
            or answer.contact == "waits"
        ):
            return
        self._question = None  # asking again would record the next press
        bounce = Bounce(answer.edges, answer.settled / 1e6)
        worst = self.worst.get(answer.button)
        if worst is None or (bounce.lasted, bounce.edges) > (worst.lasted, worst.edges):
            self.worst[answer.button] = bounce
