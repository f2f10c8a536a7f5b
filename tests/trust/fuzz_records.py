"""Fuzz records: damaged bytes, damaged values, and well-formed matches that no table ever played.

A record is judged or refused, never anything else: the command's status is 0, or 2 with a sentence and nothing printed.
"""

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from companion import games
from companion.cli import main
from companion.cli.output import json_line
from companion.cli.replay import as_text, summary
from companion.events import PLACES
from companion.judge import record, views
from companion.judge.match import Match, judge
from tests.games.matches import VALUES
from tests.trust.findings import Finding
from tests.trust.fuzzing import Growth, Terminal, Tried, chance_of, damaged, new_seed, shrunk, within

FOLDER = Path(__file__).parents[1] / "games"
RECORDS = [path.read_bytes() for path in sorted(FOLDER.glob("*/records/*.jsonl"))]
SHORT = [found for found in RECORDS if len(found) < 12_000]
HANGS = 20.0
"""Seconds that one record may take."""
LONG_LINE = 10_000_000
"""Bytes."""

Line = dict[str, Any]
_RAW = "@raw-%d@"
_TOKENS = (
    *(
        "NaN",
        "Infinity",
        "-Infinity",
        "1e999",
        "-1e999",
        "1e400",
        "-0",
        "-0.0",
        "1e-400",
        "0x10",
        "01",
        "1.",
        "nul",
        "",
    ),
    *("9" * 20, "-" + "9" * 20, "9" * 400, "9" * 5000, "1" + "0" * 400 + ".5", "18446744073709551616", "1e308"),
    *("[" * 500 + "]" * 500, "[" * 100_000, '{"a":' * 60_000, '{"a":1,"a":2}', "[[1],[2]]", '{"seat":1,"seat":2}'),
    *(r'"\ud800"', r'"\udfff\ud800"', r'"\u0000"', r'"\x"', '"\x1b[2J"', '"\u202e"', '"' + "A" * 5000 + '"'),
)
_VALUES: tuple[Any, ...] = (
    *(*VALUES, "", "?", "ghost", "host", "seat-0", "seat-7", "centre", "red-1", "\U0001f600", "é" * 300, "%s", "{0}"),
    *(0, 1, 2, 7, -1, 10**6, 2**31, 2**53, 2**63, 2**64, -(2**63) - 1, 10**30, 0.1, 1e300, -1e300, 1e12, 1e13),
    *(False, None, [], {}, [[]], {"": 0}, {"1": [3, 0]}, {"seat": 9, "fault": "?"}, ["pink-1"] * 40, "best"),
)
_KEYS = (
    "seq",
    "at",
    "kind",
    "place",
    "card",
    "tag",
    "by",
    "seat",
    "what",
    "value",
    "target",
    "game",
    "players",
    "x",
    "",
)


def trial(quick: bool) -> Iterator[Finding]:
    """Judge damaged records in this process, and some in processes of their own."""
    yield _judged(700 if quick else 100_000, new_seed(quick))
    yield _in_processes(2 if quick else 40, new_seed(quick))


def _judged(many: int, seed: int) -> Finding:
    tried, growth = Tried("damaged records: judged or refused with a sentence, no fault of the judge", seed), Growth()
    terminal, refused = Terminal(), 0
    for number in range(many):
        if number == many // 2:
            growth.halfway()
        tried.tried += 1
        given = made(chance_of(seed, number))
        status, why = _commanded(given, terminal, chance_of(seed, number))
        refused += status == 2
        why = _wrong(given) or why
        if why:
            tried.broke(number, why, shrunk(given, lambda less, why=why: _wrong(less) == why))
    return tried.finding(f"{refused:,} refused, the others judged", growth.seen(tried))


def made(chance: random.Random) -> bytes:
    """Make a record that is damaged, or wild."""
    match chance.randrange(10):
        case 0 | 1:
            return damaged(chance.choice(SHORT), chance)
        case 2:
            return _lines_damaged(chance)
        case 3 | 4 | 5:
            return _values_damaged(_read(chance.choice(SHORT)), chance)
    return _written(_wild(chance))


def _lines_damaged(chance: random.Random) -> bytes:
    lines = chance.choice(SHORT).splitlines(keepends=True)
    for _ in range(chance.randint(1, 3)):
        at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        match chance.randrange(5):
            case 0:
                lines.insert(
                    at, chance.choice((b"\n", b" \n", b"[]\n", b"{}\n", b"null\n", b"\xef\xbb\xbf", b"\x00\n"))
                )
            case 1:
                lines[at], lines[other] = lines[other], lines[at]
            case 2:
                lines[at] = lines[at].replace(b"\n", chance.choice((b"", b"\r\n", b"\r", b"\n\n", b"\xe2\x80\xa8")))
            case 3:
                lines[at] = lines[at].replace(b"{", b'{"%s":1,' % chance.choice(_KEYS).encode(), 1)
            case _ if len(lines) > 1:
                del lines[at]
    return b"".join(lines)


def _values_damaged(lines: list[Line], chance: random.Random) -> bytes:
    raw: list[str] = []
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(lines))
        while isinstance(within_it := lines[at] if not chance.randrange(4) else _inside(lines[at], chance), list):
            pass
        key = chance.choice([*within_it, *_KEYS])
        if chance.random() < 0.15:
            within_it.pop(key, None)
        elif chance.random() < 0.4:
            within_it[key] = _RAW % len(raw)
            raw.append(chance.choice(_TOKENS))
        else:
            within_it[key] = chance.choice(_VALUES)
    text = _text(lines, ascii_only=chance.random() < 0.5)
    for number, token in enumerate(raw):
        text = text.replace(json.dumps(_RAW % number), token)
    return text.encode("utf-8", "surrogatepass")


def _inside(found: Line, chance: random.Random) -> Line:
    """Give an object somewhere inside, such as a player, the options or what is said."""
    deeper = [value for value in found.values() if isinstance(value, dict)]
    deeper += [one for value in found.values() if isinstance(value, list) for one in value if isinstance(one, dict)]
    return chance.choice(deeper) if deeper else found


def _wild(chance: random.Random) -> list[Line]:
    """Make a match that is well formed and means nothing: events of any game, in any order, at any time."""
    lines = _read(chance.choice(SHORT if chance.random() < 0.97 else RECORDS))
    first, rest = lines[0], lines[1:]
    foreign = _read(chance.choice(SHORT))[1:]
    for _ in range(chance.randint(1, 25)):
        at = chance.randrange(len(rest) + 1)
        match chance.randrange(9):
            case 0 if rest:
                del rest[at : at + chance.choice((1, 1, 3))]
            case 1 if rest:
                rest.insert(at, dict(chance.choice(rest)))
            case 2 if foreign:
                rest.insert(at, dict(chance.choice(foreign)))
            case 3:
                rest.insert(at, {"kind": "retracted", "target": chance.randint(2, max(2, at))})
            case 4 if rest:
                _anything(rest[at - 1], first["game"], chance)
            case 5:
                said = chance.choice([one["what"] for one in (*rest, *foreign) if one["kind"] == "said"] or ["hello"])
                who = chance.choice((1, 2, 3, 4, 5, 6, "host"))
                rest.insert(at, {"kind": "said", "seat": who, "what": said, "value": chance.choice(_VALUES)})
            case 6 if rest:
                other = chance.randrange(len(rest))
                rest[at - 1], rest[other] = rest[other], rest[at - 1]
            case 7:
                what = chance.choice(("last-calls", "supper", "echo", ""))
                rest.insert(at, {"kind": "elapsed", "what": what})
            case _:
                rest.insert(at, {"kind": "pressed", "seat": chance.randint(1, 6)})
    return [first, *rest]


def _anything(found: Line, slug: str, chance: random.Random) -> None:
    deck = games.known()[slug if chance.random() < 0.8 else chance.choice([*games.known()])].deck
    for key in found:
        match key:
            case "card":
                found[key] = chance.choice([*deck])
            case "place":
                found[key] = chance.choice(PLACES)
            case "seat":
                found[key] = chance.randint(1, 6)
            case "value":
                found[key] = chance.choice(_VALUES)
            case "at":
                found[key] = chance.choice((0.0, -5.0, 1e9, found[key] + 0.0001, found[key] - 3.0))


def _written(lines: list[Line]) -> bytes:
    """Number the events anew, so that nothing but what happened is odd."""
    at = 0.0
    for seq, found in enumerate(lines, 1):
        at = found.setdefault("at", at)
        found["seq"] = seq
        if found["kind"] == "retracted" and seq > 2:
            found["target"] = min(max(2, found["target"]), seq - 1)
    return _text(lines, ascii_only=False).encode("utf-8", "surrogatepass")


def _text(lines: list[Line], *, ascii_only: bool) -> str:
    return "".join(json.dumps(found, ensure_ascii=ascii_only) + "\n" for found in lines)


def _read(data: bytes) -> list[Line]:
    return [json.loads(text) for text in data.splitlines()]


def _wrong(given: bytes) -> str:
    """Say what is wrong with how this record is read, judged and shown; "" if nothing is."""
    try:
        with within(HANGS):
            events = record.decode(given)
            match = judge(events)
            if any(misplay.code == "judge-failed" for misplay in match.misplays):
                return "the judge failed"
            if record.decode(record.encode(events)) != events:
                return "written anew it is another"
            live = Match(events[0])  # type: ignore[arg-type]
            for event in events[1:] if len(events) < 100 else ():
                live.add(event)
            if len(events) < 100 and summary(live, len(events)) != summary(match, len(events)):
                return "live it is judged otherwise"
            for who in (None, *match.seats):
                json_line(views.view(match, who))
            for language in ("en", "fr"):
                as_text(match, language).encode()
    except record.Damaged as wrong:
        return "" if str(wrong) else "refused without a word"
    except Exception as wrong:
        return f"{type(wrong).__name__}: {wrong}"[:80]
    return ""


def _commanded(given: bytes, terminal: Terminal, chance: random.Random) -> tuple[int, str]:
    """Give the exit status of `companion replay`, and what is wrong with its answer; "" if nothing is."""
    how = chance.choice(
        (["--json"], [], ["--lang", "fr"], ["--until", "7"], ["--view", "seat-2"], ["--view", "public"])
    )
    try:
        status, out, err = terminal.run(main, ["replay", "-", *how], given)
    except Exception as wrong:
        return 1, f"replay: {type(wrong).__name__}"
    return status, _wrong_answer(status, out, err)


def _wrong_answer(status: int, out: bytes, err: bytes) -> str:
    if b"Traceback" in err:
        return "a traceback"
    if status == 0:
        return "" if out and not err else "judged, and not as it should be told"
    if status == 2:
        return "" if err.strip() and not out else "refused, and not as it should be told"
    return f"exit status {status}"


def _in_processes(many: int, seed: int) -> Finding:
    tried = Tried("damaged records, `companion replay` as a process, some with a line of 10 MB", seed)
    longest: tuple[Callable[[bytes], bytes], ...] = (
        lambda found: found + b'{"seq":' + b"1" * LONG_LINE + b"}\n",
        lambda found: found + b"x" * LONG_LINE,
        lambda found: found.replace(b'"name":"', b'"name":"' + b"A" * LONG_LINE, 1),
        lambda found: found + b"[" * LONG_LINE,
        lambda found: b"\n" * LONG_LINE + found,
    )
    for number in range(many):
        chance = chance_of(seed, number)
        given = made(chance) if number % 2 else longest[number // 2 % len(longest)](chance.choice(SHORT))
        tried.tried += 1
        command = [sys.executable, "-m", "companion", "replay", "-", "--json"]
        try:
            done = subprocess.run(command, input=given, capture_output=True, timeout=120)
            why = _wrong_answer(done.returncode, done.stdout, done.stderr)
        except subprocess.TimeoutExpired:
            why = "it hangs"
        if why:
            tried.broke(number, why, given[:2000])
    return tried.finding()
