"""Golden transcripts: every event of an example, its verdicts, and what each observer then saw.

At most two examples a game have one, those that show the most between them. `python -m companion.kit.golden GAME`
rewrites the transcripts of a game, or without a name of all; a leak, or a changed rule, shows in the diff. To start
one, create an empty `golden/NAME.txt`.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.game import NOBODY, AnyGame, reads_as_misplay
from companion.judge import record_file, views
from companion.kit.random_matches import begun, beside, named
from companion.words import Words

WHOM = {None: "all", NOBODY: "nobody"}


def transcripts_of(game: AnyGame) -> list[Path]:
    """Return a game's transcripts."""
    return sorted((beside(game) / "golden").glob("*.txt"))


def record_of(transcript_path: Path) -> Path:
    """Return the record of a transcript."""
    return transcript_path.parent.parent / "records" / f"{transcript_path.stem}.jsonl"


def transcript(path: Path) -> str:
    """Judge a record, and return its transcript."""
    events = record_file.decode(path.read_bytes())
    match = begun(events)
    words = Words(match.game.slug, "en", match.names)
    earlier_views: dict[str, dict[str, str]] = {}
    lines = []
    for event in events:
        lines.append(record_file.encode_line(event).decode())
        for verdict in match.add(event) if event.seq > 1 else ():
            mark = "misplay" if reads_as_misplay(verdict) else "ruling"
            whom = WHOM.get(verdict.to) or f"seat {verdict.to}"
            lines.append(f"    {mark} {verdict.code} to {whom}: {words.say(verdict.code, verdict.facts)}")
        later_views = {_name(observer): dict(_flat(views.view(match, observer))) for observer in (None, *match.seats)}
        lines += _changes(earlier_views, later_views)
        earlier_views = later_views
    return "\n".join(lines) + "\n"


def _name(observer: int | None) -> str:
    return "public" if observer is None else f"seat-{observer}"


def _changes(earlier: dict[str, dict[str, str]], later: dict[str, dict[str, str]]) -> Iterator[str]:
    """Yield the changes between views, once for all observers who see the same."""
    observers_of: dict[str, list[str]] = {}
    for observer, view in later.items():
        old = earlier.get(observer, {})
        for path in sorted(view.keys() | old.keys()):
            if view.get(path) != old.get(path):
                observers_of.setdefault(f"{path} = {view.get(path, 'gone')}", []).append(observer)
    for change, observers in observers_of.items():
        everybody = len(observers) == len(later)
        yield f"      {'everybody' if everybody else ' '.join(observers)} sees {change}"


def _flat(view: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield a view's (path, value) pairs; of the story only a seat's private entries, as the rulings have the rest."""
    if isinstance(view, dict) and view:
        for key, value in view.items():
            if path == "" and key == "told":
                private = [entry["code"] for entry in value if entry["entry"] is None]
                yield "told only here", json.dumps(private)
            else:
                yield from _flat(value, f"{path}.{key}" if path else key)
    else:
        yield path, json.dumps(view, ensure_ascii=False)


def main(*slugs: str) -> None:
    """Rewrite the transcripts of these games, or of all."""
    for game in named(slugs):
        for path in transcripts_of(game):
            path.write_text(transcript(record_of(path)), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
