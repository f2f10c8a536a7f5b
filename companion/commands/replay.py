"""`companion replay`: judge a record again, the same bytes everywhere."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from companion.errors import WrongInput
from companion.game import Misplay
from companion.judge import record, views
from companion.judge.match import Match, judge
from companion.words import Words


class Unreadable(WrongInput):
    """A record that can't be judged: which, where, and what is wrong."""


def read(path: Path | None) -> bytes:
    """Read a file, or standard input where there is no path. Raises `Unreadable`."""
    try:
        if path is None:
            return sys.stdin.buffer.read()
        if path.exists() and not path.is_file():
            raise Unreadable(f"{shown(path)} is no file")
        return path.read_bytes()
    except OSError as wrong:
        raise Unreadable(f"can't read {shown(path)}: {wrong.strerror}") from wrong
    except AttributeError:
        raise Unreadable("standard input is closed") from None


def shown(path: Path | None) -> str:
    """Name a file for people and in JSON, also where its name is no UTF-8."""
    return "-" if path is None else os.fsencode(path).decode(errors="replace")


def judged(path: Path | None, until: int | None) -> tuple[Match, int]:
    """Judge a record up to an event; give the match and the number of events. Raises `Unreadable`."""
    try:
        events = record.decode(read(path))
    except record.Damaged as wrong:
        raise Unreadable(f"{shown(path)}, {wrong}") from wrong
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
    return "\n".join(printable(line) for line in lines)


def printable(line: str) -> str:
    """Spell out what would move the cursor or colour the terminal: names and words come from anywhere."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def folder(root: Path, until: int | None) -> Iterator[tuple[dict[str, Any] | None, str]]:
    """Judge every record below a folder, in name order: (judgement, "") or (None, what is wrong)."""
    unreadable: list[OSError] = []
    found = [
        Path(place, name)
        for place, _, names in os.walk(root, onerror=unreadable.append)
        for name in names
        if name.endswith(".jsonl")
    ]
    for wrong in unreadable:
        yield None, f"can't read {shown(Path(wrong.filename))}: {wrong.strerror}"
    for path in sorted(found, key=lambda path: os.fsencode(path.relative_to(root))):
        try:
            match, events = judged(path, until)
        except Unreadable as wrong:
            yield None, str(wrong)
            continue
        yield {"file": shown(path.relative_to(root)), **as_json(match, events)}, ""


def line(found: dict[str, Any]) -> bytes:
    """Write one object as a line of JSON."""
    return msgspec.json.encode(found) + b"\n"
