"""Nobody does what is another's: every route of the application, tried by everybody; what the log holds after it."""

import random
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from companion import games
from companion.access import seat_rights
from companion.access.rights_file import Phones
from companion.access.seat_rights import ALPHABET, HOST, LENGTH, NoSuchCode, phone_of
from companion.events import Event, Player
from companion.judge import views
from companion.judge.match import Match, judge
from companion.kit.random_matches import NAMES, play
from companion.web.feed import LOAD_AGAIN
from tests.access.codes import hand_on
from tests.trust import injecting
from tests.trust.findings import Finding, Tally
from tests.trust.offering import STANDS, addresses, made_up
from tests.trust.peeking import Request, answer, form
from tests.trust.staged import TOKENS
from tests.trust.twin import Twin, twin

DAY = 24 * 3600.0
SEATS = (1, 3, 5)
JSON = ("Accept", "application/json")
OPEN_TO_ALL = ("/join", "/sit", "/language", "/cheer")
"""Forms that anybody may send: none of them changes the match or who holds what."""
SPECTATORS = {"nobody": None, "spectator": "ff" * 16, "seat that does not play": TOKENS[6]}
OTHER_SITES: tuple[tuple[tuple[str, str], ...], ...] = (
    (("Origin", "http://evil.example"),),
    (("Origin", "null"),),
    (("Origin", "http://192.168.4.1"),),
    (("Origin", "http://192.168.4.1:8001"),),
    (("Origin", "https://192.168.4.1:8000"),),
    (("Sec-Fetch-Site", "cross-site"),),
    (("Sec-Fetch-Site", "same-site"),),
    (("Host", "evil.example"),),
    (("Host", "evil.example:8000"), ("Origin", "http://evil.example:8000")),
    (("Host", "192.168.4.1.evil.example"), ("Origin", "http://192.168.4.1.evil.example")),
    (("Host", "localhost.evil.example"), ("Sec-Fetch-Site", "same-origin")),
)
"""What a browser sends on behalf of another site's page, and of a name that was made to lead here."""
NO_FORMS = ("text/plain", "application/json", "multipart/form-data")
MAY_CHANGE = {
    "/hand-on": {"passing"},
    "/keep": {"passing"},
    "/free": {"rights", "passing"},
    "/hear": {"hearing"},
    "/hear/end": {"hearing"},
    "/answer": {"question"},
    "/enter": {"question", "hearing"},  # to ask is theirs, and whoever ends a match ends what goes on in it
    "/take-back": {"question", "hearing"},
}
"""What a player may change by a route beside the record: of their own."""


class Tries:
    """One table, and what was tried at it."""

    def __init__(self, table: Twin, seed: int):
        self.table, self.tally = table, Tally(seed)
        self.note = self.tally.note
        self.chance = random.Random(seed)
        self.reached: set[tuple[str, str]] = set()
        self.routes = table.routes()

    def begin(self, parts: tuple[int, ...] = (HOST, 1, 3, 5, 6)) -> None:
        """Play some way into a match of any game; in half of them, until one seat alone is waited for."""
        game = self.chance.choice([*games.known().values()])
        people = tuple(Player(seat, NAMES[seat - 1]) for seat in SEATS)
        least = self.chance.randint(4, 40)
        alone = self.chance.random() < 0.5
        enough: Callable[[Match], bool] = lambda match: (  # noqa: E731
            match.over or (len(match.events) >= least and (not alone or len(views.now(match).seats) == 1))
        )
        events = play(game, self.chance, {}, most=120, noise=0.05, undo=0.0, people=people, enough=enough)
        self.play(events[: len(events) // 2] if judge(events).over else events, parts)

    def play(self, events: Sequence[Event], parts: tuple[int, ...] = (HOST, 1, 3, 5, 6)) -> None:
        """Have this happened."""
        started: Any = events[0]
        self.table.begin(started)
        self.table.give(parts)
        for event in events[1:]:
            self.table.feed(event)

    def unchanged(self, what: str, asked: Request, *, refused: bool) -> None:
        """Send it and see that nothing came of it; `refused`: that it was, too."""
        before = self.table.digest()
        status = answer(self.table.port, asked).status
        after = self.table.digest()
        changed = {name: (before[name], after[name]) for name in before if before[name] != after[name]}
        if not refused:
            changed.pop("question", None)  # to ask is everybody's who plays
        self.note(what, holds=not changed and (not refused or status >= 400), example=f"{asked}: {status} {changed}")

    def shut(self, path: str, part: int | None) -> None:
        """See that the phone of this part, or one that has none, is shown what is another's by no means."""
        found = WHOSE.fullmatch(path)
        owner = (int(found[2]) if found[2] else HOST) if found else part
        for method in ("GET", "HEAD") if part != owner else ():
            token = None if part is None else TOKENS[part]
            got = answer(self.table.port, Request(method, path, token))
            own = part is not None and got.header("Location") in (f"/seat/{part}", f"/lobby/{part}")
            left = (
                path.startswith("/stream/") and answer(self.table.port, Request("GET", path, token)).body == LOAD_AGAIN
            )
            holds = got.status >= 400 or (got.status == 303 and own) or left
            self.note("nobody sees what is another's", holds=holds, example=f"{part}: {method} {path}")

    def posts(self) -> Iterator[tuple[str, str]]:
        """Return every route that takes a form, and an address of it."""
        for rule, _, methods in self.routes:
            if "POST" in methods:
                yield rule, rule.replace("<int:number>", "1")

    def fields(self, path: str) -> dict[str, Any]:
        """Make up a form that this address may well be sent."""
        likely: list[dict[str, Any]] = []
        match path:
            case "/enter":
                acts = self.table.acts()[:12]
                shared = {"kind": "tapped", "place": "centre"}
                likely = [*acts, *({**act, **shared} for act in acts if "place" in act)]
                likely += [{**shared, "card": card} for card in self.chance.sample(self.table.deck(), 3)]
            case "/take-back":
                likely = self.table.entries()
        return made_up(self.table, path, SEATS, self.chance, likely)


def trial(quick: bool) -> Iterator[Finding]:
    """Try who may what, other sites, codes, paths and what is put into names and headers.

    In short each of it is tried at one table alone.
    """
    seed = 1 if quick else random.SystemRandom().randrange(10**6)
    rounds = 1 if quick else 60
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        for virtual in (False, True):
            with twin(Path(folder) / f"table-{virtual}", virtual=virtual) as table:
                tries = Tries(table, seed)
                for number in range(rounds):
                    tries.begin()
                    if virtual or not quick:
                        spectators(tries, 1 if quick else len(SPECTATORS))
                        for_others(tries, *(1, 30) if quick else (6, 120))
                        if number % 3 == 0:
                            looking_changes_nothing(tries, 1 if quick else 4)
                    if not virtual:
                        host_alone(tries)
                        pages(tries)
                    elif number % 3 == 0:  # which has all routes
                        other_sites(tries, *(1, 1) if quick else (len(OTHER_SITES), len(NO_FORMS)))
                where = "a virtual table" if virtual else "a real table"
                yield from tries.tally.findings(f"access: {{}}, at {where}")
                if virtual or not quick:
                    yield _reached(tries, where)
                if not virtual:
                    yield from injecting.findings(table, seed, quick=quick)
        yield from guessing(Path(folder), seed, tries=2_000 if quick else 1_000_000)


def spectators(tries: Tries, kinds: int = len(SPECTATORS)) -> None:
    """Have so many of those who look on send a form to every address."""
    for rule, path in tries.posts():
        for name, token in tries.chance.sample([*SPECTATORS.items()], kinds):
            tries.reached.add((rule, "POST"))
            harmless = path in OPEN_TO_ALL
            if name.startswith("seat") and path in ("/hand-on", "/keep", "/free"):
                continue  # their own seat is theirs
            tries.unchanged("no spectator writes", form(path, token, tries.fields(path), JSON), refused=not harmless)


def for_others(tries: Tries, times: int, most: int) -> None:
    """Have seats send so many forms to every address, and so many that enter something or take it back."""
    addresses = [path for _, path in tries.posts() if path not in OPEN_TO_ALL]
    tried = [*addresses * times, *["/enter", "/take-back"] * (most // 2)]
    by_seats(tries, tries.chance.sample(tried, len(tried)))


def by_seats(tries: Tries, addresses: Sequence[str]) -> None:
    """Have seats send forms, their own and others'; whatever comes into the record must be theirs."""
    for path in addresses:
        tries.table.forget_question()  # where one is open, nobody can ask another
        seat = tries.chance.choice(SEATS)
        asked = form(path, TOKENS[seat], tries.fields(path), JSON)
        before = tries.table.digest()
        status = answer(tries.table.port, asked).status
        after = tries.table.digest()
        new = tries.table.new_events(before["events"]) if after["events"] > before["events"] else []
        foreign = [line for line, whose in new if seat not in whose]
        changed = {name for name in before if before[name] != after[name]} - {"events"} - MAY_CHANGE.get(path, set())
        tries.note("no seat acts for another", holds=not foreign, example=f"seat {seat}: {asked} {status} {foreign}")
        example = f"seat {seat}: {asked} {status} {changed}"
        tries.note("no seat does what is the host's", holds=not changed, example=example)
        others = {part: phone for part, phone in before["rights"][0].items() if part != seat}
        kept = all(after["rights"][0].get(part) == phone for part, phone in others.items())
        passed = [{part: code for part, code in now["passing"].items() if part != seat} for now in (before, after)]
        holds = kept and passed[0] == passed[1]
        tries.note("no seat takes another's seat, or hands it on", holds=holds, example=f"seat {seat}: {asked}")
        if path.startswith("/hear"):
            heard = {*before["hearing"]} ^ {*after["hearing"]}
            example = f"seat {seat}: {asked}"
            tries.note("no seat has another hear its cards, or stop", holds=heard <= {seat}, example=example)
        if path == "/free":
            tries.table.give((HOST, 1, 3, 5, 6))


def pages(tries: Tries) -> None:
    """Have everybody ask for what is one phone's alone."""
    for rule, _, methods in tries.routes:
        for path in addresses(rule, STANDS) if "GET" in methods else ():
            for name in ("seat-3", "story-3", "host", "host-3", "codes", "tags") if path == "/stream/score" else ("",):
                address = f"/stream/{name}" if name else path
                tries.reached.add((rule, "GET"))
                for part in (None, HOST, *SEATS):
                    tries.shut(address, part)


WHOSE = re.compile(r"/(?:stream/)?(?:(seat|story)[/-](\d)|(host|codes|table|tags|check|right)\b).*")
"""What is not for everybody: a seat's, or the host's."""


def host_alone(tries: Tries) -> None:
    """Have the host act for seats that have a phone: none of it may be done before another has agreed."""
    for _ in range(25):
        seat = tries.chance.choice(SEATS)
        path, fields = tries.chance.choice(
            [("/enter", act) for act in tries.table.acts() if act.get("seat") == str(seat)]
            or [("/enter", {"kind": "pressed", "seat": str(seat)})]
        )
        path, fields = tries.chance.choice([(path, fields), ("/free", {"part": str(seat)}), ("/end", {})])
        tries.unchanged(
            "the host alone does not act for somebody who has a phone", form(path, TOKENS[HOST], fields), refused=False
        )
        tries.table.forget_question()


def other_sites(tries: Tries, sites: int, kinds: int) -> None:
    """Have the host's own browser send forms on behalf of so many other sites; the host might do all of it."""
    for rule, path in tries.posts():
        for headers in tries.chance.sample(OTHER_SITES, sites):
            asked = form(path, TOKENS[HOST], tries.fields(path), JSON, *headers)
            tries.unchanged("no other site's form works", asked, refused=True)
        for kind in tries.chance.sample(NO_FORMS, kinds):
            body = b'{"seat": "1", "kind": "pressed"}='
            headers = (("Content-Type", kind), ("Origin", "http://evil.example"))
            tries.unchanged(
                "no other site's form works", Request("POST", path, TOKENS[HOST], headers, body), refused=True
            )
        preflight = (("Origin", "http://evil.example"), ("Access-Control-Request-Method", "POST"))
        got = answer(tries.table.port, Request("OPTIONS", path, TOKENS[HOST], preflight))
        allowed = [name for name, _ in got.headers if name.lower().startswith("access-control")]
        tries.note("no other site is allowed in when it asks before", holds=not allowed, example=f"{rule} {allowed}")
    for path in ("/", "/story", "/results.csv", "/stream/score", "/static/companion.js", "/join", "/qr.svg"):
        for host in ("evil.example", "192.168.4.1.evil.example", "localhost.evil.example", "evil.example:8000"):
            got = answer(tries.table.port, Request("GET", path, None, (("Host", host),)))
            told = any(NAMES[seat - 1].encode() in got.body for seat in SEATS)
            what = "no name of another site that leads here shows the table"
            tries.note(what, holds=got.status >= 400 and not told, example=f"{host}{path}: {got.status}")


def looking_changes_nothing(tries: Tries, disguised: int) -> None:
    """Ask for every address as the host, with a form's fields behind it."""
    for rule, _, methods in tries.routes:
        stands = {**STANDS, "<code>": (tries.table.codes()[5],), "<path:filename>": ("companion.js",)}
        (path,) = addresses(rule, stands)
        for method in sorted(set(methods) - {"POST"}):
            tries.reached.add((rule, method))
            asked = Request(method, f"{path}?kind=pressed&seat=1&code={tries.table.codes()[5]}", TOKENS[HOST])
            tries.unchanged("looking changes nothing", asked, refused=False)
        if "POST" in methods:
            for method in tries.chance.sample(("GET", "PUT", "DELETE", "PATCH"), disguised):
                asked = Request(method, path, TOKENS[HOST], (("X-HTTP-Method-Override", "POST"),))
                tries.unchanged("looking changes nothing", asked, refused=False)


def _reached(tries: Tries, where: str) -> Finding:
    routes = {(rule, method) for rule, _, methods in tries.routes for method in methods}
    missing = sorted(routes - tries.reached)
    return Finding(f"access: every route was tried, at {where}", len(routes), len(missing), str(missing or ""))


def guessing(folder: Path, seed: int, tries: int) -> Iterator[Finding]:
    """Guess while every part has a code of its own and one to hand it on."""
    chance = random.Random(seed)
    phones = Phones(folder / "guessed.phones")
    phones.change(lambda now: replace(now, holders={part: phone_of("x") for part in seat_rights.PARTS}))
    for part in seat_rights.PARTS:
        hand_on(phones, part)
    right = 0
    for _ in range(tries):
        with suppress(NoSuchCode):
            phones.claim(phone_of("guesser"), "".join(chance.choice(ALPHABET) for _ in range(LENGTH)))
            right += 1
    good = len({*phones.rights.codes.values(), *phones.rights.passing.values()})
    once_in = round(len(ALPHABET) ** LENGTH / (10_000 * DAY * good))
    besides = f"at 10,000 a second, with {good} good codes, one is right once in {once_in:,} days"
    yield Finding("access: no code is guessed within a day", tries, right + int(once_in < 20_000), besides)
