"""The diagram of a game's phases, drawn from random matches and the example records.

It is part of the game's `record.md`. `python -m companion.kit.phase_diagram GAME` redraws it.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from companion.events import Elapsed, Event, Said
from companion.game import AnyGame
from companion.judge import record_file
from companion.judge.match import Match
from companion.judge.taken_back import standing
from companion.kit.random_matches import begun, beside, named, random_match

MATCHES = 60
OUTSIDE = "[*]"
"""Mermaid's symbol for start and end."""
_DRAWN = re.compile(r"```mermaid\n.*?```\n", re.DOTALL)

Arrow = tuple[str, str]


def drawing(game: AnyGame) -> str:
    """Return the Mermaid diagram of every change of phase seen, with the acts that cause it."""
    arrows: dict[Arrow, set[str]] = defaultdict(set)
    for events, phases in _matches(game):
        for arrow, act in zip(pairwise(phases), ["", *map(_act, events[1:]), ""], strict=False):
            if arrow[0] != arrow[1]:
                arrows[arrow].add(act)
    lines = ["```mermaid", "stateDiagram-v2"]
    order = [OUTSIDE, *dict.fromkeys(phase for phase, _ in arrows), OUTSIDE]
    for phase, next_phase in sorted(arrows, key=lambda arrow: (order.index(arrow[0]), -order[::-1].index(arrow[1]))):
        acts = arrows[phase, next_phase] - {""}
        label = f": {', '.join(sorted(acts))}" if acts else ""
        lines.append(f"    {_name(phase)} --> {_name(next_phase)}{label}")
    return "\n".join([*lines, "```", ""])


def drawn_in(game: AnyGame) -> str:
    """Return the diagram in a game's `record.md`; "" if there is none."""
    drawing = _DRAWN.search(_contract(game).read_text(encoding="utf-8"))
    return drawing[0] if drawing else ""


def _matches(game: AnyGame) -> Iterator[tuple[list[Event], list[str]]]:
    """Yield matches with their phases: `OUTSIDE`, the phase after each event, and `OUTSIDE` again at the end."""
    phases: list[str] = []

    def noted(match: Match) -> bool:
        phases.extend([match.state.phase.value, *[OUTSIDE] * match.over])
        return match.over

    for seed in range(MATCHES):
        phases[:] = [OUTSIDE]
        yield random_match(game, seed, undo=0.0, most=5000, enough=noted), phases
    for path in sorted((beside(game) / "records").glob("*.jsonl")):
        phases[:] = [OUTSIDE]
        events = standing(record_file.decode(path.read_bytes()))
        match = begun(events)
        noted(match)
        for event in events[1:]:
            match.add(event)
            noted(match)
        yield events, phases


def _act(event: Event) -> str:
    kind = type(event).__name__.lower()
    return f"{kind} {event.what}" if isinstance(event, Said | Elapsed) else kind


def _contract(game: AnyGame) -> Path:
    return game.folder / "record.md"


def _name(phase: str) -> str:
    """Return a phase's name without dashes, which Mermaid does not allow."""
    return phase.replace("-", "_")


def main(*slugs: str) -> None:
    """Redraw the phases of these games, or of all."""
    for game in named(slugs):
        text = _contract(game).read_text(encoding="utf-8")
        drawn = drawing(game)
        _contract(game).write_text(text.replace(drawn_in(game), drawn, 1), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
