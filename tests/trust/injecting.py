"""What people put into names, addresses and headers stays what it is: text."""

import csv
import io
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from companion.access.seats import HOST
from tests.trust.findings import Finding
from tests.trust.peeking import Answer, Request, answer, form
from tests.trust.twin import TOKENS, Twin

ROOT = Path(__file__).parents[2]
NAMES = (
    "<script>x</script>",
    "<img src=x onerror=1",
    "\"'><svg onload=1>",
    "{{7*7}}${7*7}",
    "{seat} %s %(a)s",
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "＝1+1",
    "a;=1+1",
    "a,=1+1",
    "a\t=1",
    "a;'=1",
    "a\r\nSet-Cookie: x=1",
    "a\nb",
    "\x00a\x1b[31m",
    "\u202egnp.exe",
    "\u2066a\u2069",
    "\ufeffa\u200b",
    "../../etc/passwd",
    "a\\..\\b",
    "]]>--><!--",
    "data: x\n\ndata: y",
)
PATHS = (
    "/static/../table.py",
    "/static/%2e%2e/words.toml",
    "/static/%2e%2e%2fwords.toml",
    "/static/..%2f..%2fpyproject.toml",
    "/static/..%5cwords.toml",
    "/static/....//words.toml",
    "/static/%252e%252e/words.toml",
    "/static//etc/passwd",
    "/static/%2fetc/passwd",
    "/static/companion.js%00.html",
    "/static/%c0%ae%c0%ae/words.toml",
    "/static/..;/words.toml",
    "/static/.",
    "/static/",
    "//etc/passwd",
    "/../../../../etc/passwd",
    "http://evil.example/static/../words.toml",
    "/results/..%2f..%2flog.sqlite",
    "/evening/..%2flog.sqlite.csv",
    "/evening/2026-11-20%0d%0aX-Evil:1.csv",
    "/join/..%2f..%2f..%2fetc%2fpasswd",
    "/log.sqlite",
    "/log.sqlite.phones",
    "/tags.toml",
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
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]")
_NUMBER = re.compile(r"-?\d+([.,]\d+)?")


class _Seen:
    def __init__(self, seed: int):
        self.seed = seed
        self.tried: Counter[str] = Counter()
        self.broken: Counter[str] = Counter()
        self.examples: dict[str, str] = {}

    def note(self, what: str, *, holds: bool, example: object) -> None:
        self.tried[what] += 1
        if not holds:
            self.broken[what] += 1
            self.examples.setdefault(what, f"seed {self.seed}: {example}".replace("|", "/")[:600])


def findings(table: Twin, seed: int, *, quick: bool) -> Iterator[Finding]:
    """Try names, then paths, headers and what every answer bears."""
    seen, chance = _Seen(seed), random.Random(seed)
    table.give((HOST, 1, 3, 5))
    _paths(table, seen)
    for first in range(0, len(NAMES), 3):
        _names(table, seen, NAMES[first : first + 3])
    for _ in range(20 if quick else 400):
        _headers(table, seen, chance)
    _borne(table, seen)
    for what, tried in seen.tried.items():
        yield Finding(f"access: {what}", tried, seen.broken[what], seen.examples.get(what, ""))


def _paths(table: Twin, seen: _Seen) -> None:
    for path in PATHS:
        for method in ("GET", "POST"):
            got = answer(table.port, Request(method, path, TOKENS[HOST]))
            leaks = [part for part in INSIDE if part in got.body]
            holds = not leaks and got.status in (302, 303, 308, 400, 403, 404, 405)
            seen.note("no path leaves its folder", holds=holds, example=f"{method} {path}: {got.status} {leaks}")
            away = [value for name, value in got.headers if name == "Location" and _leads_away(value)]
            seen.note("no path leads to another site", holds=not away, example=f"{method} {path}: {away}")


def _leads_away(location: str) -> bool:
    host = re.match(r"(?:[a-z]+:)?//([^/]*)", location)
    return bool(host) and host[1] != "192.168.4.1:8000"


def _names(table: Twin, seen: _Seen, names: tuple[str, ...]) -> None:
    people = {f"seat-{seat}": name for seat, name in zip((1, 3, 5), names, strict=False)}
    people |= {"seat-2": "Zoé"}
    table.give((HOST,))  # nobody else: the host alone may leave the match
    got = answer(
        table.port, form("/start", TOKENS[HOST], {"game": "stop-it", **people}, ("Accept", "application/json"))
    )
    if got.status != 200:
        told = b"message" in got.body and got.status == 400
        seen.note("a name that can't be is refused in words", holds=told, example=f"{names}: {got.status} {got.body!r}")
        return
    for name in table.names().values():
        bad = [letter for letter in name if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
        seen.note("no name holds what can't be seen", holds=not bad, example=f"{name!r}")
    raw = [name for name in names if "<" in name]
    number = table.digest()["match"][0]
    table.give((HOST, 1, 2, 3, 5))
    for part, path in _pages(number):
        page = answer(table.port, Request("GET", path, TOKENS[part]))
        inside = [name for name in raw if name.encode() in page.body] + re.findall(
            rb"49\$49|<svg onload|<img src=x", page.body
        )
        seen.note("no name becomes markup", holds=page.status == 200 and not inside, example=f"{path}: {inside}")
        head = [name for name, _ in page.headers if name.lower() in ("x-evil", "set-cookie")]
        seen.note("no name becomes a header", holds=not head, example=f"{path}: {head}")
    for path in (f"/results/{number}.csv", "/results.csv", "/season.csv"):
        for language in ("en", "fr"):
            _spreadsheet(table, seen, f"{path}?lang={language}")


def _pages(number: int) -> Iterator[tuple[int, str]]:
    for path in ("/", "/big", "/story", "/results", f"/results/{number}", "/season", "/stream/score", "/join"):
        yield HOST, path
    for path in ("/host", "/host/1", "/host/codes", "/stream/host", "/tags"):
        yield HOST, path
    for seat in (1, 3, 5):
        yield seat, f"/seat/{seat}"
        yield seat, f"/stream/seat-{seat}"


def _spreadsheet(table: Twin, seen: _Seen, path: str) -> None:
    """Read a table as spreadsheets do, with whichever sign they take for what stands between two cells."""
    got = answer(table.port, Request("GET", path))
    text = got.body.decode("utf-8-sig")
    for between in ",;\t":
        for row in csv.reader(io.StringIO(text), delimiter=between):
            bad = [cell for cell in row if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell)]
            seen.note("no cell is a formula, whatever parts them", holds=not bad, example=f"{path} {between!r}: {bad}")
    named = got.header("Content-Disposition") or ""
    safe = re.fullmatch(r'attachment; filename="[a-z0-9-]+\.csv"', named)
    seen.note("a download has a plain name", holds=bool(safe), example=f"{path}: {named}")


def _headers(table: Twin, seen: _Seen, chance: random.Random) -> None:
    evil = chance.choice(("\r\nX-Evil: 1", "\nX-Evil: 1", "%0d%0aX-Evil:%201", "\r\n\r\n<b>", "\u2028X-Evil: 1"))
    path = chance.choice(("/", "/join/{}", "/results/{}", "/evening/{}", "/evening/{}.csv", "/?lang={}", "/right/{}"))
    fields = dict.fromkeys(("page", "language", "then", "code", "once", "game", "seat-1"), f"score{evil}")
    to = chance.choice(("/language", "/join", "/start", "/enter", "/answer"))
    plain = form(to, TOKENS[HOST], {**fields, "language": chance.choice(("fr", fields["language"]))})
    for asked in (Request("GET", path.format(quote(evil, safe="%")), TOKENS[HOST]), plain):
        got = answer(table.port, asked)
        bad = [name for name, _ in got.headers if name.lower() == "x-evil"]
        seen.note(
            "nothing that is sent becomes a header", holds=not bad and got.status < 500, example=f"{asked} {got.status}"
        )


def _borne(table: Twin, seen: _Seen) -> None:
    """See that every answer of every route bears what a careful site's do."""
    for rule, endpoint, methods in table.routes():
        path = rule.replace("<int:seat>", "3").replace("<int:number>", "1").replace("<of>", "2026-11-20")
        path = path.replace("<name>", "score").replace("<code>", "ZZZZZZ").replace("<path:filename>", "companion.css")
        for token in (None, TOKENS[HOST]):
            for method in methods:
                for headers in ((), (("Accept-Encoding", "gzip"),), (("Host", "evil.example"),)):
                    asked = Request(method, path, token, headers)
                    _careful(answer(table.port, asked), asked, endpoint, seen)
    for path in ("/nothing", "/seat/9", "/static/nothing", "/stream/nobody"):
        asked = Request("GET", path)
        _careful(answer(table.port, asked), asked, "", seen)


def _careful(got: Answer, asked: Request, endpoint: str, seen: _Seen) -> None:
    for name, wanted in HEADERS.items():
        value = got.header(name) or ""
        seen.note(
            "every answer bears a careful site's headers",
            holds=bool(wanted.fullmatch(value)),
            example=f"{asked}: {name}: {value}",
        )
    kept = got.header("Cache-Control") or ""
    private = endpoint != "static" or got.status != 200
    holds = "no-store" in kept if private else "max-age" in kept or asked.method == "OPTIONS"
    seen.note("no page is kept by a browser or on the way", holds=holds, example=f"{asked}: {got.status} {kept}")
    for name, value in got.headers:
        if name == "Set-Cookie":
            flags = {flag.strip().partition("=")[0]: flag for flag in value.split(";")[1:]}
            holds = "HttpOnly" in flags and "SameSite=Strict" in flags.get(" SameSite", flags.get("SameSite", ""))
            holds = holds and "Domain" not in flags
            seen.note("every cookie is kept from scripts and other sites", holds=holds, example=f"{asked}: {value}")
    said = [value for name, value in got.headers if name in ("Server", "X-Powered-By")]
    seen.note("no answer says what it runs on", holds=not said, example=said)
