"""Whether the time until something comes tells what is sealed: many trials, one secret or the other by lot, and a test.

The table runs in a process of its own with its log in memory, so that no disk's moods hide a difference. The test is
Mann and Whitney's (two-sided, with the normal approximation): it asks nothing of how times are distributed. Secrets
alternate by lot, so that whatever else the machine does meanwhile befalls both alike.
"""

import math
import random
import select
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion import games
from companion.access.seat_rights import HOST
from companion.events import Event, Player, Tapped
from companion.games.stop_me_go.state import Phase
from companion.judge.match import judge
from companion.kit.random_matches import play
from tests.trust.findings import Finding
from tests.trust.pairs import CALL, COUNT, EASY, GO, GOES, HARD, LAID, OTHERS, SMG, STOP_IT, STOPS, counted, tap
from tests.trust.peeking import Request, form, sent
from tests.trust.staged import TOKENS
from tests.trust.twin import Twin, twin
from tests.waiting import PATIENCE

LEVEL = 0.001
"""How likely it may be that a difference is called in any scene where there is none."""
TRIALS = 1000
"""Of each scene."""
PLANTED_S = 0.0002
"""The difference that must be found, or else the test is blind."""
AT_ONE_TABLE = 100
"""Trials, each a match: with thousands of them in an evening, its page is as slow as no real one."""


Times = tuple[list[float], list[float]]
"""Seconds, with one secret and with the other."""


class Scene(NamedTuple):
    """What happens, one of two secrets in it, and when the watch runs."""

    name: str
    before: Sequence[Event]
    """What happens before, the first event included."""
    secrets: tuple[Sequence[Event], Sequence[Event]]
    then: Sequence[Event] | Request
    """What is timed, until the public score has changed or the answer is there; (): the last event of the secret."""
    asked_before: Request | None = None
    """What was asked for before the secret."""


def findings(folder: Path, seed: int) -> Iterator[Finding]:
    """Time one scene with a planted difference, then every scene without."""
    every = scenes()
    chance = random.Random(seed)
    times = _times(folder / "planted", every[0], chance, PLANTED_S)
    p = unlike(*times)
    blind = p >= LEVEL / len(every)
    yield Finding(f"secrecy: the test sees a planted {1000 * PLANTED_S:g} ms", TRIALS, int(blind), told(times, p))
    for number, scene in enumerate(every):
        times = _times(folder / f"times-{number}", scene, chance)
        p = unlike(*times)
        yield Finding(f"secrecy: no time tells: {scene.name}", TRIALS, int(p < LEVEL / len(every)), told(times, p))


def told(times: Times, p: float) -> str:
    """Say how long it took with one secret and with the other."""
    one, other = (1000 * median(found) for found in times)
    return f"medians {one:.3f} and {other:.3f} ms, p = {p:.2g}"


def unlike(one: Sequence[float], other: Sequence[float]) -> float:
    """Return how likely times at least so unlike are where nothing tells them apart (Mann and Whitney's p)."""
    ranked = sorted([(value, True) for value in one] + [(value, False) for value in other])
    ranks = sum(rank for rank, (_, mine) in enumerate(ranked, 1) if mine)
    n = len(one)
    m = len(other)
    u = ranks - n * (n + 1) / 2
    z = (u - n * m / 2) / math.sqrt(n * m * (n + m + 1) / 12)
    return math.erfc(abs(z) / math.sqrt(2))


@contextmanager
def listening(table: Twin) -> Iterator[socket.socket]:
    """Return the public score's stream as a spectator's phone has it."""
    with socket.create_connection(("127.0.0.1", table.port)) as phone:
        phone.sendall(b"GET /stream/score HTTP/1.1\r\nHost: 192.168.4.1:8000\r\n\r\n")
        yield phone


def _times(folder: Path, scene: Scene, chance: random.Random, planted: float = 0.0) -> Times:
    """Time a scene so often, with each secret as often; `planted`: seconds more for one of them."""
    times: Times = [], []
    secrets = chance.sample([0, 1] * (TRIALS // 2), TRIALS)
    for first in range(0, TRIALS, AT_ONE_TABLE):
        with twin(folder / f"{first}", phones=(HOST, 1, 5)) as table, listening(table) as stream:
            if planted:
                table.hold_up("stop", planted)
            for which in secrets[first : first + AT_ONE_TABLE]:
                times[which].append(_time(table, stream, scene, which))
    return times


def _time(table: Twin, stream: socket.socket, scene: Scene, which: int) -> float:
    events = [*scene.before[1:], *scene.secrets[which]]
    timed: Any = scene.then or [events.pop()]
    table.begin(scene.before[0])
    at = 101.0
    for number, event in enumerate([*events, None]):
        at += 1
        if scene.asked_before and number == len(scene.before) - 1:
            sent(table.port, scene.asked_before)
        if event is not None:
            table.feed(replace(event, at=at))
    table.sent()
    _drain(stream)
    began = time.perf_counter()
    if isinstance(timed, Request):
        sent(table.port, timed)
        return time.perf_counter() - began
    table.begun("feed", replace(timed[0], at=at + 1))
    ready = select.select([stream], [], [], PATIENCE)[0]
    took = time.perf_counter() - began
    assert ready, f"{scene.name}: nothing came"
    table.ended()
    return took


def _drain(stream: socket.socket) -> None:
    while select.select([stream], [], [], 0)[0]:
        stream.recv(1 << 20)


def scenes() -> list[Scene]:
    """Return the scenes: what may be sealed in every game, and what follows from it."""
    gangster = [SMG, *LAID[:1]]
    laid = [SMG, *LAID[:1], *GOES]
    count = [STOP_IT, *COUNT]
    call = [GO, *CALL]
    lying = (GOES, STOPS)
    counts = (counted(3, 2), counted(3, 9))
    hands = (EASY, HARD)
    rewarded = _to_the_reward()
    winner: Any = next(
        act for act in games.known()["stop-me-go"].moves.likely(_state(rewarded)) if isinstance(act, Tapped)
    )
    tokens = (tap(winner.place, "token-0-1"), tap(winner.place, "token-3-1"))
    back = {"seat": "3", "card": "red-3", "page": "host-3"}
    return [
        Scene("GO or STOP, until the others hear that it lies", gangster, lying, ()),
        Scene("a count of 2 or of 9, until the others hear of it", count, counts, ()),
        Scene(
            "GO or STOP last of all, until the others hear that all lie",
            [*gangster, *OTHERS],
            lying,
            (),
        ),
        Scene("the next card after GO or STOP", gangster, lying, tap("seat-5", "blue-go-1")),
        Scene("an easy hand or a hard one, until the others hear that it is complete", call, hands, ()),
        Scene("a token of 0 or of 3, until the others hear that it was drawn", rewarded, tokens, ()),
        Scene(
            "the score after one card or another", count, (tap("seat-3", "red-4"), tap("seat-3", "red-5")), _GET("/")
        ),
        Scene("another's page, refused", count, counts, _GET("/seat/3", 5)),
        Scene("the result of a match under way", call, hands, _GET("/results/1")),
        Scene("the host's page", gangster, lying, _GET("/host", HOST)),
        Scene("the host's page, a card changed or read twice", laid, (STOPS, GOES), *[_GET("/host", HOST)] * 2),
        Scene("the evening, a card changed or read twice", laid, (STOPS, GOES), *[_GET("/results")] * 2),
        Scene(
            "the host takes a card of a hidden hand back: held or not",
            call,
            (EASY[:5], HARD[:5]),
            form("/take-back", TOKENS[HOST], back, ("Accept", "application/json")),
        ),
    ]


def _GET(path: str, part: int | None = None) -> Request:  # noqa: N802 - it is that method's name
    return Request("GET", path, None if part is None else TOKENS[part])


def _to_the_reward() -> list[Event]:
    """Play STOP me GO until somebody may draw a token, as soon as can be."""
    game = games.known()["stop-me-go"]
    there: Callable[[Any], bool] = lambda match: match.state.phase is Phase.REWARD  # noqa: E731
    people = (Player(1, "Ana"), Player(3, "Bo"))
    played = [
        play(game, random.Random(seed), {}, noise=0.0, undo=0.0, enough=there, people=people) for seed in range(25)
    ]
    return min((events for events in played if _state(events).phase is Phase.REWARD), key=len)


def _state(events: Sequence[Event]) -> Any:
    return judge(events).state
