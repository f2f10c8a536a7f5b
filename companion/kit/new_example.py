"""Draws a new example match, with mistakes: `python -m companion.kit.new_example GAME NAME`.

It is written to `records/`, with its transcript and the diagram of phases. Read the verdicts before you keep it: from
then on they are the rule.
"""

import json
import sys
import zlib
from pathlib import Path

from companion.events import Event, Retracted
from companion.game import AnyGame
from companion.judge import record_file
from companion.judge.match import judge
from companion.kit import golden, phase_diagram
from companion.kit.random_matches import beside, named, random_match

DRAWN = 20
"""Random matches from which the example is chosen."""


def draw(game: AnyGame, name: str) -> list[Event]:
    """Return a random match seeded by the name: with a misplay and an undo, and short, to be read by people."""
    first = zlib.crc32(name.encode())
    matches = (random_match(game, first + number, noise=0.1, undo=0.02, most=5000) for number in range(DRAWN))
    return min(matches, key=_rank)


def _rank(events: list[Event]) -> tuple[int, int]:
    lacks_misplay = not judge(events).misplays
    lacks_undo = not any(isinstance(event, Retracted) for event in events)
    return lacks_misplay + lacks_undo, len(events)


def write(game: AnyGame, name: str) -> Path:
    """Draw a match, and write its files; return the record's path."""
    path = beside(game) / "records" / f"{name}.jsonl"
    path.parent.mkdir(exist_ok=True)
    events = draw(game, name)
    path.write_bytes(record_file.encode(events))
    match = judge(events)
    expected = {
        "over": match.over,
        "scores": {str(seat): points for seat, points in match.outcome.scores.items()},
        "winners": list(match.outcome.winners),
        "misplay_seqs": [misplay.seq for misplay in match.misplays],
    }
    path.with_suffix(".expected.json").write_text(json.dumps(expected) + "\n", encoding="utf-8")
    transcript = beside(game) / "golden" / f"{name}.txt"
    transcript.parent.mkdir(exist_ok=True)
    transcript.touch()
    return path


def main(*words: str) -> None:
    """Write the example, and rewrite the game's transcripts and diagram. Raises SystemExit for wrong arguments."""
    if len(words) != 2:
        raise SystemExit("usage: python -m companion.kit.new_example GAME NAME")
    slug, name = words
    (game,) = named([slug])
    write(game, name)
    golden.main(slug)
    phase_diagram.main(slug)


if __name__ == "__main__":
    main(*sys.argv[1:])
