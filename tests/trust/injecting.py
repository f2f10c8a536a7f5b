"""What people put into names, addresses and headers stays what it is: text."""

import csv
import io
import random
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import quote

from companion.access.seat_rights import HOST
from companion.web.feed import LOAD_AGAIN
from companion.web.http.gzip import FILES
from companion.web.http.security import OF_FILES
from tests.trust.findings import Finding, Tally
from tests.trust.offering import addresses
from tests.trust.peeking import Answer, Request, answer, form
from tests.trust.staged import TOKENS
from tests.trust.twin import Twin

NAMES = (
    *("<script>x</script>", "<img src=x onerror=1", "\"'><svg onload=1>", "{{7*7}}${7*7}", "{seat} %s %(a)s", "=1+1"),
    *("+1", "-1", "@SUM(A1)", "\t=1", "＝1+1", "a;=1+1", "a,=1+1", "a\t=1", "a;'=1", "a\r\nSet-Cookie: x=1", "a\nb"),
    *("\x00a\x1b[31m", "\u202egnp.exe", "\u2066a\u2069", "\ufeffa\u200b", "../../etc/passwd", "a\\..\\b", "]]>--><!--"),
    "data: x\n\ndata: y",
)
PATHS = (
    *(
        "/static/../table.py",
        "/static/%2e%2e/words.pot",
        "/static/%2e%2e%2fwords.pot",
        "/static/..%5cwords.pot",
    ),
    *(
        "/static/..%2f..%2fpyproject.toml",
        "/static/....//words.pot",
        "/static/%252e%252e/words.pot",
        "/static/.",
    ),
    *("/static//etc/passwd", "/static/%2fetc/passwd", "/static/companion.js%00.html", "/static/..;/words.pot"),
    *("/static/%c0%ae%c0%ae/words.pot", "/static/", "//etc/passwd", "/../../../../etc/passwd", "/log.sqlite"),
    *(
        "http://evil.example/static/../words.pot",
        "/results/..%2f..%2flog.sqlite",
        "/evening/..%2flog.sqlite.csv",
    ),
    *("/evening/2026-11-20%0d%0aX-Evil:1.csv", "/join/..%2f..%2f..%2fetc%2fpasswd", "/log.sqlite.phones", "/tags.toml"),
    "/stream/..%2f..%2fwords",
)
INSIDE = (b"root:x:0", b"[project]", b"[tool.", b"_en = ", b'\nen = "', b"SQLite format 3", b'"holders"', b"def test_")
"""What only the files outside the folder of static files hold."""
HEADERS = {
    "Content-Security-Policy": re.compile(
        r"default-src 'self'; (?=.*base-uri 'none')(?=.*form-action 'self')(?=.*frame-ancestors 'none')"
        r"(?=.*object-src 'none')(?!.*unsafe)(?!.*\*).*"
    ),
    "X-Content-Type-Options": re.compile("nosniff"),
    "Referrer-Policy": re.compile("same-origin"),
    "Permissions-Policy": re.compile(r"(?=.*camera=\(\))(?=.*microphone=\(\))(?=.*geolocation=\(\)).*"),
    "Cross-Origin-Opener-Policy": re.compile("same-origin"),
    "Cross-Origin-Resource-Policy": re.compile("same-origin"),
}
_ASKING = tuple(
    (token, headers)
    for token in (None, TOKENS[HOST])
    for headers in ((), (("Accept-Encoding", "gzip"),), (("Host", "evil.example"),))
)
"""Who asks for a page, and how."""
_LINES = ("\r\nX-Evil: 1", "\nX-Evil: 1", "%0d%0aX-Evil:%201", "\r\n\r\n<b>", "\u2028X-Evil: 1")
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]")
_NUMBER = re.compile(r"-?\d+([.,]\d+)?")


def findings(table: Twin, seed: int, *, quick: bool) -> Iterator[Finding]:
    """Try paths, names and headers, then what every answer bears."""
    tally = Tally(seed)
    chance = random.Random(seed)
    table.give((HOST, 1, 3, 5))
    _paths(table, tally)
    for first in range(0, len(NAMES), 3):
        _names(table, tally, NAMES[first : first + 3])
    for _ in range(20 if quick else 400):
        _headers(table, tally, chance)
    _borne(table, tally, chance, 1 if quick else len(_ASKING))
    yield from tally.findings("access: {}")


def _paths(table: Twin, tally: Tally) -> None:
    for path in PATHS:
        for method in ("GET", "POST"):
            got = answer(table.port, Request(method, path, TOKENS[HOST]))
            leaks = [part for part in INSIDE if part in got.body]
            holds = not leaks and (got.status in (302, 303, 308, 400, 403, 404, 405) or got.body == LOAD_AGAIN)
            tally.note("no path leaves its folder", holds=holds, example=f"{method} {path}: {got.status} {leaks}")
            to = re.match(r"(?:[a-z]+:)?//([^/]*)", got.header("Location") or "")
            tally.note("no path leads to another site", holds=not to or to[1] == "192.168.4.1:8000", example=path)


def _names(table: Twin, tally: Tally, names: tuple[str, ...]) -> None:
    people = {f"seat-{seat}": name for seat, name in zip((1, 3, 5), names, strict=False)} | {"seat-2": "Zoé"}
    table.give((HOST,))  # nobody else: the host alone may leave the match
    start = form("/start", TOKENS[HOST], {"game": "stop-it", **people}, ("Accept", "application/json"))
    got = answer(table.port, start)
    if got.status != 200:
        told = b"message" in got.body and got.status == 400
        tally.note(
            "a name that can't be is refused in words", holds=told, example=f"{names}: {got.status} {got.body!r}"
        )
        return
    for name in table.names().values():
        bad = [letter for letter in name if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
        tally.note("no name holds what can't be seen", holds=not bad, example=f"{name!r}")
    number = table.match()
    markup = [name.encode() for name in names if "<" in name]
    table.give((HOST, 1, 2, 3, 5))
    for part, path in _pages(number):
        page = answer(table.port, Request("GET", path, TOKENS[part]))
        inside = [name for name in (*markup, b"49$49", b"<svg onload", b"<img src=x") if name in page.body]
        tally.note("no name becomes markup", holds=page.status == 200 and not inside, example=f"{path}: {inside}")
        head = [name for name, _ in page.headers if name.lower() in ("x-evil", "set-cookie")]
        tally.note("no name becomes a header", holds=not head, example=f"{path}: {head}")
    for path in (f"/results/{number}.csv", "/results.csv", "/season.csv"):
        for language in ("en", "fr"):
            _spreadsheet(table, tally, f"{path}?lang={language}")


def _pages(number: int) -> Iterator[tuple[int, str]]:
    for path in ("/", "/big", "/story", "/results", f"/results/{number}", "/season", "/stream/score", "/join"):
        yield HOST, path
    for path in ("/host", "/host/1", "/host/codes", "/stream/host", "/tags"):
        yield HOST, path
    for seat in (1, 3, 5):
        yield seat, f"/seat/{seat}"
        yield seat, f"/stream/seat-{seat}"


def _spreadsheet(table: Twin, tally: Tally, path: str) -> None:
    """Read a table as spreadsheets do, with whichever sign they take for what stands between two cells."""
    got = answer(table.port, Request("GET", path))
    for between in ",;\t":
        for row in csv.reader(io.StringIO(got.body.decode("utf-8-sig")), delimiter=between):
            bad = [cell for cell in row if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell)]
            tally.note("no cell is a formula, whatever parts them", holds=not bad, example=f"{path} {between!r}: {bad}")
    named = got.header("Content-Disposition") or ""
    safe = re.fullmatch(r'attachment; filename="[a-z0-9-]+\.csv"', named)
    tally.note("a download has a plain name", holds=bool(safe), example=f"{path}: {named}")


def _headers(table: Twin, tally: Tally, chance: random.Random) -> None:
    evil = chance.choice(_LINES)
    path = chance.choice(("/", "/join/{}", "/results/{}", "/evening/{}", "/evening/{}.csv", "/?lang={}", "/right/{}"))
    fields = dict.fromkeys(("page", "language", "then", "code", "once", "game", "seat-1"), f"score{evil}")
    to = chance.choice(("/language", "/join", "/start", "/enter", "/answer"))
    plain = form(to, TOKENS[HOST], {**fields, "language": chance.choice(("fr", fields["language"]))})
    for asked in (Request("GET", path.format(quote(evil, safe="%")), TOKENS[HOST]), plain):
        got = answer(table.port, asked)
        holds = got.status < 500 and got.header("X-Evil") is None
        tally.note("nothing that is sent becomes a header", holds=holds, example=f"{asked} {got.status}")


def _borne(table: Twin, tally: Tally, chance: random.Random, ways: int) -> None:
    """See that every answer of every route, asked for in so many ways, bears what a careful site's do."""
    for rule, endpoint, methods in table.routes():
        (path,) = addresses(rule)
        for method in methods:
            for token, headers in chance.sample(_ASKING, ways):
                asked = Request(method, path, token, headers)
                _careful(answer(table.port, asked), asked, endpoint, tally)
    for path in ("/nothing", "/seat/9", "/static/nothing", "/stream/nobody"):
        asked = Request("GET", path)
        _careful(answer(table.port, asked), asked, "", tally)


def _careful(got: Answer, asked: Request, endpoint: str, tally: Tally) -> None:
    is_file = endpoint in FILES and got.status < 400
    for name, wanted in HEADERS.items():
        if is_file and name not in OF_FILES:
            continue
        value = got.header(name) or ""
        holds = bool(wanted.fullmatch(value))
        tally.note("every answer bears a careful site's headers", holds=holds, example=f"{asked}: {name}: {value}")
    kept = got.header("Cache-Control") or ""
    private = endpoint not in FILES or got.status != 200
    holds = "no-store" in kept if private else "max-age" in kept or asked.method == "OPTIONS"
    tally.note("no page is kept by a browser or on the way", holds=holds, example=f"{asked}: {got.status} {kept}")
    for value in (value for name, value in got.headers if name == "Set-Cookie"):
        flags = [flag.strip() for flag in value.split(";")[1:]]
        holds = {"HttpOnly", "SameSite=Strict"} <= {*flags} and not any(flag.startswith("Domain") for flag in flags)
        tally.note("every cookie is kept from scripts and other sites", holds=holds, example=f"{asked}: {value}")
    said = [value for name, value in got.headers if name in ("Server", "X-Powered-By")]
    tally.note("no answer says what it runs on", holds=not said, example=said)
