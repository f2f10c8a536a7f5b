"""`companion replay`: judges a record again; the output has the same bytes everywhere."""

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from itertools import islice
from pathlib import Path
from typing import Any

import click
import msgspec

from companion.cli.options import LANGUAGE
from companion.cli.output import is_watched, json_line, print_lines, printable, say, write
from companion.cli.progress import shown_progress
from companion.errors import WrongInput
from companion.events import Event, Started
from companion.game import reads_as_misplay
from companion.judge import record_file, views
from companion.judge.match import Match, judge
from companion.progress import Advance, say_nothing
from companion.words import Words

Decode = Callable[[Iterable[bytes]], Iterator[Event]]


@click.command(
    epilog="Exit status: 0 judged; 1 can't be written out; 2 a damaged record (named on standard error) or wrong usage."
)
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object; for a folder one line for each record.")
@click.option("--until", type=click.IntRange(min=1), metavar="SEQ", help="Judge only the events up to SEQ.")
@click.option("--view", metavar="OBSERVER", help="Print what public, host or seat-N may know, as JSON.")
@click.option("--verify", is_flag=True, help="Refuse a record whose digests are wrong or missing.")
@click.option("--validate", is_flag=True, help="Judge nothing: only say whether each is a record.")
@LANGUAGE
def replay(
    file: str, as_json: bool, until: int | None, view: str | None, verify: bool, validate: bool, lang: str
) -> None:
    """Judge a record again.

    FILE is a record, a folder of records (with --json or --validate), or - for standard input.
    """
    path = None if file == "-" else Path(file)
    decode = _decode_verified if verify else record_file.decode_lines
    if validate:
        if as_json or view is not None or until is not None:
            raise click.UsageError("--validate judges nothing: leave out --json, --view and --until")
        _validate(path, decode)
        return
    if path is not None and os.path.isdir(path):
        if not as_json or view is not None:
            raise click.UsageError("a folder is judged with --json, and without --view")
        _replay_folder(path, until, decode)
        return
    match, events = judge_file(path, until, decode)
    if view is not None:
        write(json_line(views.view(match, views.observer(view))))
    elif as_json:
        write(json_line(summary(match, events)))
    else:
        print_lines(as_text(match, lang))


def _decode_verified(lines: Iterable[bytes]) -> Iterator[Event]:
    from companion.judge.digest_chain import decode_verified  # OpenSSL would slow down every other run

    return decode_verified(lines)


def _validate(path: Path | None, decode: Decode) -> None:
    """Print whether a file, or each file in a folder, is a record, and exit."""
    damaged = False
    for record, wrong in _records_below(path) if path is not None and path.is_dir() else [(path, "")]:
        try:
            if wrong:
                raise WrongInput(wrong)
            game, events = _counted(record, decode)
        except WrongInput as why:
            damaged = True
            say(str(why), err=True)
        else:
            say(f"{shown(record)}: a record of {game}, {events} events")
    sys.exit(2 if damaged else 0)


def _counted(path: Path | None, decode: Decode) -> tuple[str, int]:
    """Read a record; return its game and its number of events. Raises `WrongInput`."""
    with _events(path, decode) as events:
        first = next(events)
        assert isinstance(first, Started)
        return first.game, 1 + sum(1 for _ in events)


def _replay_folder(path: Path, until: int | None, decode: Decode) -> None:
    damaged = False
    with nullcontext(say_nothing) if is_watched() else shown_progress("judging every record") as advance:
        for judged, wrong in judge_folder(path, until, decode, advance):
            if judged is None:
                damaged = True
                say(wrong, err=True)
            else:
                write(json_line(judged))
    sys.exit(2 if damaged else 0)


@contextmanager
def _lines(path: Path | None) -> Iterator[Iterable[bytes]]:
    """Read a file line by line, or standard input if there is no path. Raises `WrongInput`."""
    try:
        if path is None:
            if sys.stdin is None:  # the parent process has closed it
                raise WrongInput("standard input is closed")
            yield sys.stdin.buffer
            return
        # A missing file is reported by `open`, below, with the system's reason.
        if path.exists() and not path.is_file():
            raise WrongInput(f"{shown(path)} is not a file")
        with path.open("rb") as file:
            yield file
    except OSError as wrong:
        raise WrongInput(f"can't read {shown(path)}: {wrong.strerror}") from wrong


@contextmanager
def _events(path: Path | None, decode: Decode) -> Iterator[Iterator[Event]]:
    """Read a record's events one by one. Raises `WrongInput`, which names the file."""
    try:
        with _lines(path) as lines:
            yield decode(lines)
    except record_file.Damaged as wrong:
        raise WrongInput(f"{shown(path)}, {wrong}") from wrong


def shown(path: Path | None) -> str:
    """Return a file's name for people and JSON, even if it is not UTF-8; "-" for standard input."""
    return "-" if path is None else os.fsencode(path).decode(errors="replace")


def judge_file(path: Path | None, until: int | None, decode: Decode = record_file.decode_lines) -> tuple[Match, int]:
    """Judge a record up to an event; return the match and the number of events. Raises `WrongInput`.

    Later events are read too, but not kept: a damaged record is refused as a whole.
    """
    with _events(path, decode) as events:
        match = judge(islice(events, until))
        deque(events, maxlen=0)
    judged = len(match.events)
    match.events.clear()  # no longer needed, and writing the result takes as much memory
    return match, judged


class MisplayTold(msgspec.Struct, frozen=True, gc=False):
    """A misplay with the keys of record.md. A struct, because a long record may have one per event: a dict takes three
    times the memory.
    """

    seq: int
    code: str


def summary(match: Match, events: int) -> dict[str, Any]:
    """Return the judgement with the keys of record.md."""
    outcome = match.outcome
    return {
        "game": match.game.slug,
        "over": match.over,
        "scores": {str(seat): points for seat, points in outcome.scores.items()},
        "winners": sorted(outcome.winners),
        "misplays": [MisplayTold(misplay.seq, misplay.code) for misplay in match.misplays],
        "events": events,
    }


def as_text(match: Match, language: str) -> Iterator[str]:
    """Yield the judgement for people, line by line: every ruling and misplay, then the score."""
    words = Words(match.game.slug, language, match.names)
    for verdict in match.verdicts:
        mark = "!" if reads_as_misplay(verdict) else " "
        rule = words.rule(verdict.code)
        sentence = f"{words.say(verdict.code, verdict.facts)}{f' ({rule})' if rule else ''}"
        yield printable(f"{verdict.seq:5} {mark} {sentence}")
    outcome = match.outcome
    yield ""
    for seat, points in outcome.scores.items():
        won = "*" if seat in outcome.winners else " "
        yield printable(f"{won} {words.name(seat):20} {'?' if points is None else points:>4}")


def judge_folder(
    root: Path, until: int | None, decode: Decode, advance: Advance = say_nothing
) -> Iterator[tuple[dict[str, Any] | None, str]]:
    """Judge every record below a folder, in name order: (judgement, "") or (None, what is wrong).

    `advance` is called before each record.
    """
    records = [*_records_below(root)]
    for number, (path, wrong) in enumerate(records):
        advance(number, len(records))
        if wrong:
            yield None, wrong
            continue
        try:
            match, events = judge_file(path, until, decode)
        except WrongInput as why:
            yield None, str(why)
            continue
        yield {"file": shown(path.relative_to(root)), **summary(match, events)}, ""


def _records_below(root: Path) -> Iterator[tuple[Path, str]]:
    """Yield every record below a folder in name order, after the folders that can't be read, with what is wrong."""
    unreadable: list[OSError] = []
    records = [
        Path(place, name)
        for place, _, names in os.walk(root, onerror=unreadable.append)
        for name in names
        if name.endswith(".jsonl")
    ]
    for wrong in unreadable:
        folder = Path(wrong.filename)
        yield folder, f"can't read {shown(folder)}: {wrong.strerror}"
    for path in sorted(records, key=lambda path: os.fsencode(path.relative_to(root))):
        yield path, ""
