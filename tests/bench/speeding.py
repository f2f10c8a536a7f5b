"""Five hundred phones, and five thousand, while a match of stop it! runs as fast as the table takes it.

Then no page shows every act: a phone gets the newest, whatever it has missed. So the same match is played twice. The
first time, slowly, tells what each page says after each act; the second time, from just before an act is sent to the
table until a phone has a page that shows it, or one that shows what came after it.
"""

import time
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from tests.bench.figures import Budget, Figure
from tests.bench.phones import STREAMS, Phones, Update
from tests.bench.rig import NAMES, Program, rig, some_cards

BUDGETS = {500: Budget(most_at_most=60), 5_000: Budget(most_at_most=250)}
ROUNDS, CARDS = 8, 40
"""Cards that nobody has called for, in every round."""
NOT_DEAF = 0.55
"""Seconds after a start before a shout is heard."""
SHOWN = 0.1
"""Seconds after which a page that an act changes has come."""

Act = Mapping[str, str]
Said = Mapping[int, Sequence[int]]
"""What a page says → the acts, by their number, after which it says so."""


def full_speed(quick: bool) -> Iterator[Figure]:
    rooms, acts = ({20: None}, match(1, 3)) if quick else (BUDGETS, match(ROUNDS, CARDS))
    with rig() as table, table.running() as program:
        learned = _learned(program, acts)
        port = table.port  # which the big screen shows
    for phones, budget in rooms.items():
        with rig(port) as table, table.running() as program:
            began, updates, spent = _played(program, acts, phones)
        late = [
            lag
            for at, updates_of_phone in enumerate(updates)
            for lag in lags(began, learned[at % len(STREAMS)], updates_of_phone)
        ]
        rate = (len(began) - 1) / (began[-1] - began[0])
        label = f"{phones} phones, a match at full speed"
        yield Figure(f"{label}: acts a second", "1/s", [rate], emulated=True)
        yield Figure(f"{label}: act to the bytes at a phone", "ms", [1000 * lag for lag in late], budget, emulated=True)
        for program_name, seconds in zip(("the table’s", "that of the tool that reads them"), spent, strict=True):
            yield Figure(
                f"{label}: processor an act, {program_name}", "ms", [1000 * seconds / len(began)], emulated=True
            )


def match(rounds: int, cards: int) -> list[Act]:
    """Return the acts of a match after its first start; each changes every page."""
    acts: list[Act] = []
    seats = [name.removeprefix("seat-") for name in NAMES]
    stops = ("red", "yellow", "green", "violet", "orange", "brown", "blue")
    chosen = some_cards(rounds * cards)
    for number in range(rounds):
        caller = seats[number % len(seats)]
        acts += [{"kind": "tapped", "place": "centre", "card": next(chosen)} for _ in range(cards)]
        acts.append({"kind": "pressed", "seat": caller})
        acts.append({"kind": "tapped", "place": "centre", "card": f"{stops[number % 7]}-stop-{number // 7 + 1}"})
        acts += [{"kind": "said", "seat": seat, "what": "count", "value": str(1 + int(seat) % 3)} for seat in seats]
        acts.append({"kind": "pressed", "seat": caller})
    return acts


def entered(program: Program, acts: Sequence[Act]) -> Iterator[float]:
    """Start a match and enter these; give when each was sent. A shout waits until it is heard."""
    program.start_match()
    started = time.monotonic()
    for act, earlier in zip(acts, ({}, *acts), strict=False):
        if act["kind"] == "pressed":
            time.sleep(max(0.0, started + NOT_DEAF - time.monotonic()))
        moment = time.time()
        program.enter(**act)
        if act["kind"] == "pressed" and earlier.get("kind") == "said":
            started = time.monotonic()
        yield moment


def lags(began: Sequence[float], acts_by_page: Said, updates: Sequence[Update]) -> Iterator[float]:
    """Give, for each act that changes this page, the seconds until the phone has a page that shows it."""
    acts_shown = []
    at = -1
    for update in updates:
        acts_of_page = acts_by_page.get(update.says, ())  # the start's own page is none of them
        at = next((act for act in acts_of_page if act > at), at)
        acts_shown.append(at)
    for act in sorted(number for numbers in acts_by_page.values() for number in numbers):
        yield updates[bisect_left(acts_shown, act)].at - began[act]


def _learned(program: Program, acts: Sequence[Act]) -> list[Said]:
    """Play slowly; say for each stream what it says after each act."""
    program.first_page()
    acts_by_page: list[dict[int, list[int]]] = [{} for _ in STREAMS]
    with Phones(program.port, len(STREAMS)) as phones:
        for number, _ in enumerate(entered(program, acts)):
            time.sleep(SHOWN)
            for pages, updates in zip(acts_by_page, phones.take(), strict=True):
                for update in updates[-1:]:
                    pages.setdefault(update.says, []).append(number)
    return acts_by_page


def _played(program: Program, acts: Sequence[Act], count: int) -> tuple[list[float], list[list[Update]], list[float]]:
    """Play as fast as the table takes it; say when each act was sent, what each phone has got, and how many seconds of
    a processor the table took for it, and reading.
    """
    program.first_page()
    with Phones(program.port, count) as phones:
        processor_before = program.processor(), phones.processor()
        began = list(entered(program, acts))
        time.sleep(5)
        spent = [
            used - then for used, then in zip((program.processor(), phones.processor()), processor_before, strict=True)
        ]
        return began, phones.take(), spent
