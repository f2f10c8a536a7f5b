"""Records, damaged in bytes or values, and matches that no table ever played: judged, or refused in words."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from companion import games
from companion.cli import main
from companion.cli.output import json_line
from companion.cli.replay import as_text, summary
from companion.games import places
from companion.judge import record_file, views
from companion.judge.digest_chain import bearing, chain
from companion.judge.match import Match, judge
from companion.kit.random_matches import VALUES
from tests.trust.fuzz import AT_LENGTH, Terminal, damaged, promised

RECORDS = [path.read_bytes() for path in sorted((Path(__file__).parents[2] / "games").glob("*/records/*.jsonl"))]
SHORT = [found for found in RECORDS if len(found) < 12_000]
CHAINED = [
    b"".join(bearing(line, digest.encode()) + b"\n" for line, digest in zip(lines, chain(lines), strict=True))
    for lines in (record.splitlines() for record in SHORT)
]
"""The same with digests."""
LONG_LINE = 10_000_000
"""Bytes."""
AGAIN = 100
"""Events up to which a match is judged a second time, live."""

Line = dict[str, Any]
_RAW = "@raw-%d@"
_TOKENS = (
    *("NaN", "Infinity", "-Infinity", "1e999", "-1e400", "-0", "-0.0", "1e-400", "0x10", "01", "1.", "nul", ""),
    *("-" + "9" * 20, "9" * 400, "9" * 5000, "1" + "0" * 400 + ".5", str(2**64), "[[1],[2]]", "[" * 100_000, "1e308"),
    *("[" * 500 + "]" * 500, '{"a":' * 60_000, '{"a":1,"a":2}', '{"seat":1,"seat":2}', '"' + "A" * 5000 + '"'),
    *(r'"\ud800"', r'"\udfff\ud800"', r'"\u0000"', r'"\x"', r'"\u202e"'),
)
_KEYS = (
    *("seq", "at", "kind", "place", "card", "tag", "by", "seat", "what", "value"),
    *("target", "game", "players", "digest", ""),
)
_BETWEEN = (b"\n", b" \n", b"[]\n", b"{}\n", b"null\n", b"\xef\xbb\xbf", b"\x00\n")
_ENDS = (b"", b"\r\n", b"\r", b"\n\n", b"\xe2\x80\xa8")

words = (*VALUES, "ghost", "host", "seat-0", "seat-7", "centre", "red-1", "best", "%s", {"1": [3, 0]}, ["pink-1"] * 40)
numbers_told = st.one_of(st.integers(), st.integers(-2, 9), st.floats(allow_nan=False, allow_infinity=False))
simple = st.one_of(st.sampled_from(words), st.none(), st.booleans(), numbers_told, st.text(max_size=9))
values = st.recursive(simple, lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner), max_leaves=4)
numbers = st.integers(0, 2**16)


# What is made up.


@st.composite
def lines_damaged(draw: st.DrawFn) -> bytes:
    lines = draw(st.sampled_from(SHORT)).splitlines(keepends=True)
    for how in draw(st.lists(st.sampled_from(("add", "swap", "end", "key", "leave out")), min_size=1, max_size=3)):
        at = draw(numbers) % len(lines)
        other = draw(numbers) % len(lines)
        match how:
            case "add":
                lines.insert(at, draw(st.sampled_from(_BETWEEN)))
            case "swap":
                lines[at], lines[other] = lines[other], lines[at]
            case "end":
                lines[at] = lines[at].replace(b"\n", draw(st.sampled_from(_ENDS)))
            case "key":
                lines[at] = lines[at].replace(b"{", b'{"%s":1,' % draw(st.sampled_from(_KEYS)).encode(), 1)
            case "leave out" if len(lines) > 1:
                del lines[at]
    return b"".join(lines)


@st.composite
def values_damaged(draw: st.DrawFn) -> bytes:
    lines = _read(draw(st.sampled_from(SHORT)))
    raw = list[str]()
    for how in draw(st.lists(st.sampled_from(("leave out", "raw", "raw", "value", "value")), min_size=1, max_size=3)):
        objects = [*_objects(lines[draw(numbers) % len(lines)])]
        inside = objects[draw(numbers) % len(objects)]
        key = draw(st.sampled_from([*inside, *_KEYS]))
        match how:
            case "leave out":
                inside.pop(key, None)
            case "raw":
                inside[key] = _RAW % len(raw)
                raw.append(draw(st.sampled_from(_TOKENS)))
            case _:
                inside[key] = draw(values)
    text = _text(lines, ascii_only=draw(st.booleans()))
    for number, token in enumerate(raw):
        text = text.replace(json.dumps(_RAW % number), token)
    return text.encode("utf-8", "surrogatepass")


def _objects(found: Any) -> Iterator[Line]:
    """Return an object and those inside it, such as players, options, or what is said."""
    if isinstance(found, dict):
        yield found
    for value in found.values() if isinstance(found, dict) else found if isinstance(found, list) else ():
        yield from _objects(value)


@st.composite
def wild(draw: st.DrawFn) -> bytes:
    """Make a match that is well formed and means nothing: events of any game, in any order, at any time."""
    first, *rest = _read(draw(st.sampled_from(SHORT)))
    foreign = _read(draw(st.sampled_from(SHORT)))[1:]
    for _ in range(draw(st.integers(1, 25))):
        at = draw(numbers) % (len(rest) + 1)
        match draw(st.integers(0, 8)):
            case 0:
                del rest[at : at + draw(st.integers(1, 3))]
            case 1 if rest:
                rest.insert(at, dict(draw(st.sampled_from(rest))))
            case 2 if foreign:
                rest.insert(at, dict(draw(st.sampled_from(foreign))))
            case 3:
                rest.insert(at, {"kind": "retracted", "target": 2 + draw(numbers) % max(1, at - 1)})
            case 4 if rest:
                _change(draw, rest[at - 1], first["game"])
            case 5:
                what = draw(st.sampled_from([one["what"] for one in (*rest, *foreign) if "what" in one] or ["hello"]))
                seat = draw(st.sampled_from((1, 2, 3, 4, 5, 6, "host")))
                rest.insert(at, {"kind": "said", "seat": seat, "what": what, "value": draw(values)})
            case 6 if rest:
                rest.append(rest.pop(at - 1))
            case 7:
                rest.insert(
                    at, {"kind": "elapsed", "what": draw(st.sampled_from(("last-calls", "supper", "echo", "")))}
                )
            case _:
                rest.insert(at, {"kind": "pressed", "seat": draw(st.integers(1, 6))})
    return _text(_numbered([first, *rest]), ascii_only=False).encode("utf-8", "surrogatepass")


def _change(draw: st.DrawFn, found: Line, slug: str) -> None:
    decks = [game.deck for game in games.known().values()]
    likely = {
        "card": st.sampled_from([*games.known()[slug].deck, *(card for deck in decks for card in deck)]),
        "place": st.sampled_from(places()),
        "seat": st.integers(1, 6),
        "value": values,
        "at": st.sampled_from((0.0, -5.0, 1e9, 100.0001)),
    }
    found.update({key: draw(likely[key]) for key in found if key in likely})


def _numbered(lines: list[Line]) -> list[Line]:
    """Number the events anew, so that nothing but what happened is odd."""
    at = 0.0
    for seq, found in enumerate(lines, 1):
        at = found.setdefault("at", at)
        found["seq"] = seq
        if found["kind"] == "retracted" and seq > 2:
            found["target"] = min(max(2, found["target"]), seq - 1)
    return lines


def _text(lines: list[Line], *, ascii_only: bool) -> str:
    return "".join(json.dumps(found, ensure_ascii=ascii_only) + "\n" for found in lines)


def _read(data: bytes) -> list[Line]:
    return [json.loads(text) for text in data.splitlines()]


records = st.one_of(damaged(SHORT), damaged(CHAINED), lines_damaged(), values_damaged(), wild(), wild())
hows = st.sampled_from(
    ("--json", "", "--lang fr", "--until 7", "--view seat-2", "--view public", "--verify", "--verify --until 3")
).map(str.split)
LONG = {
    "a number": (SHORT[0] + b'{"seq":', b"1", b"}\n"),
    "a line": (SHORT[0], b"x", b""),
    "a name": (
        b'{"seq":1,"at":1.0,"kind":"started","game":"stop-it","players":[{"seat":1,"name":"',
        b"A",
        b'"},{"seat":2,"name":"Bo"}],"options":{}}\n',
    ),
    "brackets": (SHORT[0], b"[", b""),
    "no lines": (b"", b"\n", SHORT[0]),
}
"""What comes before, what is said so often that it is long, and what comes after."""


# What must hold.


@promised(records, 120)
def test_a_record_is_refused_or_judged_written_anew_the_same_and_live_as_replayed(given: bytes) -> None:
    events = ()
    why = ""
    try:
        events = record_file.decode(given)
    except record_file.Damaged as wrong:
        why = str(wrong)
    assert events or why, "refused without a word"
    if not events:
        return
    match = judge(events)
    assert not any(misplay.code == "judge-failed" for misplay in match.misplays)
    assert record_file.decode(record_file.encode(events)) == events, "written anew it is another"
    if len(events) < AGAIN:
        live = Match(events[0])  # type: ignore[arg-type]
        for event in events[1:]:
            live.add(event)
        assert summary(live, len(events)) == summary(match, len(events)), "live it is judged otherwise"
    for who in (None, *match.seats):
        json_line(views.view(match, who))
    for language in ("en", "fr"):
        "".join(as_text(match, language)).encode()


def as_it_should_be_told(status: int, out: bytes, err: bytes) -> None:
    assert b"Traceback" not in err
    assert (status == 0 and out and not err) or (status == 2 and err.strip() and not out), (status, err)


@promised(st.tuples(records, hows), 60)
def test_the_command_answers_or_says_what_is_wrong(asked: tuple[bytes, list[str]]) -> None:
    given, how = asked
    as_it_should_be_told(*Terminal().run(main, ["replay", "-", *how], given))


@pytest.mark.trial
@pytest.mark.parametrize("line", LONG if AT_LENGTH else ["a number"])
def test_as_a_process_it_does_so_with_a_line_of_10_mb(line: str) -> None:
    command = [sys.executable, "-m", "companion", "replay", "-", "--json"]
    before, long, after = LONG[line]
    done = subprocess.run(command, input=before + long * LONG_LINE + after, capture_output=True)
    as_it_should_be_told(done.returncode, done.stdout, done.stderr)
