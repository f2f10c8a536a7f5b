"""`companion replay`: judge a record again, the same bytes everywhere."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from companion import record, views
from companion.game import Misplay
from companion.match import Match, judge
from companion.words import Words


class Unreadable(Exception):
    """A record that can't be judged: which, where, and what is wrong."""


def read(path: str) -> bytes:
    """Read a file, or standard input for "-". Raises `Unreadable`."""
    if path == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except OSError as wrong:
        raise Unreadable(f"can't read {path}: {wrong.strerror}") from wrong


def judged(path: str, until: int | None) -> tuple[Match, int]:
    """Judge a record up to an event; give the match and the number of events. Raises `Unreadable`."""
    try:
        events = record.decode(read(path))
    except record.Damaged as wrong:
        raise Unreadable(f"{path}, {wrong}") from wrong
    events = events[:until]
    return judge(events), len(events)


def as_json(match: Match, events: int) -> dict[str, Any]:
    """Give the judgement as record.md names its keys."""
    outcome = match.outcome
    return {
        "game": match.game.slug,
        "over": match.over,
        "scores": {str(seat): points for seat, points in outcome.scores.items()},
        "winners": sorted(outcome.winners),
        "misplays": [{"seq": misplay.seq, "code": misplay.code} for misplay in match.misplays],
        "events": events,
    }


def as_view(match: Match, observer: str) -> dict[str, Any]:
    """Give what an observer may know; at an empty seat that is what the public knows. Raises ValueError."""
    return views.view(match, views.observer(observer))


def as_text(match: Match, language: str) -> str:
    """Tell the judgement to people: every ruling and misplay, then the score."""
    words = Words(match.game.slug, language, match.names)
    lines = []
    for verdict in match.verdicts:
        mark = "!" if isinstance(verdict, Misplay) else " "
        rule = words.rule(verdict.code)
        lines.append(f"{verdict.seq:5} {mark} {words.say(verdict.code, verdict.facts)}{f' ({rule})' if rule else ''}")
    outcome = match.outcome
    lines.append("")
    for seat, points in outcome.scores.items():
        won = "*" if seat in outcome.winners else " "
        lines.append(f"{won} {words.name(seat):20} {'?' if points is None else points:>4}")
    return "\n".join(lines)


def folder(root: Path, until: int | None) -> Iterator[tuple[dict[str, Any] | None, str]]:
    """Judge every record below a folder, in name order: (judgement, "") or (None, what is wrong)."""
    paths = sorted(path.relative_to(root).as_posix() for path in root.rglob("*.jsonl") if path.is_file())
    for name in paths:
        try:
            match, events = judged(str(root / name), until)
        except Unreadable as wrong:
            yield None, str(wrong)
            continue
        yield {"file": name, **as_json(match, events)}, ""


def line(found: dict[str, Any]) -> bytes:
    """Write one object as a line of JSON."""
    return msgspec.json.encode(found) + b"\n"
