"""Two boxes that a busy machine has only just met: both kept a press, and are compared over their cables.

So it is when the companion starts again in the middle of a match. Nothing but the clocks is real here; what an exchange
takes is assumed.
"""

import random

from companion.config import ACROSS_DEVICES
from companion.devices.buzzer_box.device_time import BoxClock
from tests.trust.findings import Finding

_GAPS_MS = (0, 1, 4, 6, 11, 15, 20, 30, 50)
_QUICKLY_S, _STALLED_S = 0.001, 0.04
"""Seconds that one way of an exchange takes: at most so many, or up to so many."""
_STALLS = 0.2
_PPM = 30e-6
_ASKED_EVERY_S = 0.05


def trial_of_two(rounds: int, seed: int) -> Finding:
    """Press both boxes while nobody listens."""
    chance = random.Random(seed)
    wrong = 0
    worst = 0.0
    for number in range(rounds):
        gap = _GAPS_MS[number % len(_GAPS_MS)] / 1e3
        pressed = chance.uniform(0.1, 2.0)
        one, other = (_placed(chance, at) for at in (pressed, pressed + gap))
        wrong += other - one < -ACROSS_DEVICES or (gap == 0 and one - other < -ACROSS_DEVICES)
        wrong += abs(other - one) <= ACROSS_DEVICES and gap > 2 * ACROSS_DEVICES
        worst = max(worst, abs(other - one - gap) * 1e3)
    what = "two boxes only just met, one way in five held up: nobody is told first who was second (emulated)"
    return Finding(what, rounds, wrong, f"seed {seed}; at most {worst:.3g} ms off")


def _placed(chance: random.Random, pressed: float) -> float:
    """Return when a box's press was, on the table's clock, as it is told once the box's clock is known well enough."""
    rate = 1 + chance.uniform(-_PPM, _PPM)
    began = chance.uniform(0, 1000)
    clock = BoxClock()
    now = 3.0

    def device(at: float) -> int:
        return int((began + at * rate) * 1e6)

    while not clock.ready:
        sent = now
        there = sent + _way(chance)
        now = there + _way(chance)
        clock.exchanged(sent, device(there), device(there), now)
        now = max(now, sent + _ASKED_EVERY_S)
    return clock.place(device(pressed)).at


def _way(chance: random.Random) -> float:
    return chance.uniform(0.0001, _STALLED_S if chance.random() < _STALLS else _QUICKLY_S)
