"""Fairness, the whole way from pin to verdict: nobody's place at the table may win or lose a shout.

Any two of the six buttons are pressed a gap apart, at any phase to the device's clock, both bouncing as worn contacts
do, at the end of short and long cables; the driver tells of them, the table stores, the judge says who was first.
"""

import math
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.firmware.pio import stamp
from tests.trust.fairness.contacts import CLOSES_LATE, LONGEST_CABLE, NS
from tests.trust.fairness.judging import Verdict, judging
from tests.trust.fairness.kinds import KINDS, SEATS, Heard, Kind
from tests.trust.fairness.plot import drawn
from tests.trust.fairness.plugged import trial_of_two
from tests.trust.fairness.shares import Share, keep
from tests.trust.findings import Finding

_AT_NONE = 10
"""Times as often at no gap, where nothing but chance may decide which stamp is the earlier one."""
_SEED = 20261121
_QUICK_GAPS = (0, 1, 50, 499, 502, 700, 4000, 25_000, 50_000)
_QUICK = 9
"""Rounds of each kind, quickly."""
_ROUNDED_S = 1e-6
"""Times are told in whole microseconds."""
_CERTAIN = 4.5
"""Standard errors: by chance alone that happens once in 150,000 times."""


class Tally:
    """What came of the rounds of one kind."""

    def __init__(self, kind: Kind, window: float, apart: float) -> None:
        self.kind = kind
        self.window = window
        self.apart = apart
        self.verdicts: dict[float, dict[Verdict, int]] = {}
        self.errors: dict[int, list[float]] = {seat: [] for seat in SEATS}
        """Microseconds by which a seat was told later than another, over what was so."""
        self.earlier = dict.fromkeys(SEATS, 0)
        self.later = dict.fromkeys(SEATS, 0)
        """At no gap at all: how often a seat's stamp was the earlier one, and how often the later one."""
        self.wrong = self.undecided = self.inexact = 0
        self.most_off = self.stated = 0.0
        """Milliseconds: by which a margin was off, and by which a press was said to be, at the most."""

    def add(self, seats: tuple[int, int], gap: float, told: dict[int, float], said: tuple[Verdict, float]) -> None:
        """Take in a round: seats in their true order, gap and times in seconds."""
        verdict, margin = said
        counts = self.verdicts.setdefault(round(gap * 1e6, 3), dict.fromkeys(Verdict, 0))
        counts[verdict] += 1
        first, second = seats
        # At no gap there is no first: whoever is named alone is wronged no less.
        self.wrong += verdict is Verdict.WRONG or (gap == 0 and verdict is not Verdict.DEAD_HEAT)
        self.undecided += verdict is Verdict.DEAD_HEAT and gap > self.window + self.apart
        self.inexact += (off := abs(margin - gap)) > self.apart + _ROUNDED_S
        self.most_off = max(self.most_off, off * 1e3)
        late = (told[second] - told[first] - gap) * 1e6
        self.errors[second].append(late)
        self.errors[first].append(-late)
        if gap == 0:
            ahead, behind = sorted(seats, key=told.__getitem__)
            self.earlier[ahead] += told[ahead] < told[behind]
            self.later[behind] += told[ahead] < told[behind]

    @property
    def tried(self) -> int:
        """Rounds."""
        return sum(sum(counts.values()) for counts in self.verdicts.values())

    @property
    def shares(self) -> Iterator[Share]:
        """Return the counts by gap."""
        for gap, counts in sorted(self.verdicts.items()):
            yield Share(
                f"{self.kind.name}, {self.kind.what}", self.window, gap, *(counts[verdict] for verdict in Verdict)
            )


def trial(quick: bool) -> Iterator[Finding]:
    """See module."""
    shares: list[Share] = []
    for number, kind in enumerate(KINDS):
        seed = _SEED + number if quick else time.time_ns() % 10**9
        chance = random.Random(seed)
        heard = Heard()
        began = time.monotonic()
        tally = _tried(kind, heard, chance, quick)
        shares += tally.shares
        yield from _found(tally, heard, f"seed {seed}, {time.monotonic() - began:.0f} s")
        if not quick:  # a few rounds say nothing of chance
            yield from _biases(tally)
    yield trial_of_two(200 if quick else 18_000, _SEED if quick else time.time_ns() % 10**9)
    if not quick:
        keep(shares)
        drawn(shares)


def _tried(kind: Kind, heard: Heard, chance: random.Random, quick: bool) -> Tally:
    with tempfile.TemporaryDirectory(prefix="fairness-") as folder:
        table = kind.table(Path(folder))
        tally = Tally(kind, max(table.apart, kind.options.get("tie_window", 0.0005)), table.apart)
        for _ in range(1 if quick else kind.times):  # each on devices that are plugged in anew
            with (
                tempfile.TemporaryDirectory(prefix="fairness-") as anew,
                kind.pressing(table := kind.table(Path(anew)), heard, chance) as press,
                judging(Path(anew), table, kind.options, chance) as judge,
            ):
                for one, other, gap in _rounds(kind, chance, quick):
                    told = press(one, other, gap * 1000)
                    tally.stated = max(tally.stated, *(press.uncertainty * 1e3 for press in told))
                    tally.add((one, other), gap / 1e6, {press.seat: press.at for press in told}, judge(one, told))
    return tally


def _rounds(kind: Kind, chance: random.Random, quick: bool) -> list[tuple[int, int, float]]:
    pairs = chance.sample(kind.pairs, len(kind.pairs))
    if not quick:
        return [(*pair, gap) for gap in kind.gaps for pair in pairs * (1 if gap else _AT_NONE)]
    return [(*pairs[n % len(pairs)], _QUICK_GAPS[n % len(_QUICK_GAPS)]) for n in range(_QUICK)]


def _found(tally: Tally, heard: Heard, how: str) -> Iterator[Finding]:
    kind = tally.kind
    apart = tally.apart * 1e3
    named = f"{kind.name}, {kind.what}"
    stated = f"; a press's time is said to be off by {tally.stated:.3g} ms at most" if kind.clocks > 1 else ""
    yield Finding(
        f"{named}: nobody is told first who was second, and nobody at no gap (emulated)",
        tally.tried,
        tally.wrong,
        f"tie window {tally.window * 1e3:g} ms; {how}",
    )
    yield Finding(f"{named}: however a contact bounces, a press is told once", 2 * tally.tried, heard.doubled)
    yield Finding(
        f"{named}: no dead heat beyond the tie window and the {apart:g} ms these buttons may be off",
        tally.tried,
        tally.undecided,
        f"right from {_surely_right(tally)}",
    )
    yield Finding(
        f"{named}: no margin is off by more than those {apart:g} ms, and rounding",
        tally.tried,
        tally.inexact,
        f"at most {tally.most_off:.3g} ms{stated}",
    )
    if early := [error for errors in heard.early.values() for error in errors]:
        each = ", ".join(f"{statistics.fmean(errors):+.0f}" for errors in heard.early.values() if errors)
        yield Finding(
            f"{named}: a stamp is off the contact's closing by four cycles, the flip-flops and the cable at most",
            len(early),
            sum(not -_LATEST_NS <= error <= stamp.CYCLES_A_TURN * NS for error in early),
            f"ports 1 to 6, early by ns: {each}",
        )


def _biases(tally: Tally) -> Iterator[Finding]:
    """Find out whether a place at the table wins or loses by more than chance."""
    kind = tally.kind
    named = f"{tally.kind.name}, {tally.kind.what}"
    biases = {seat: statistics.fmean(errors) for seat, errors in tally.errors.items()}
    yield Finding(
        f"{named}: no port is told later than the others by more than half of that",
        len(SEATS),
        sum(_biased(errors, tally.apart * 1e6 / 2) for errors in tally.errors.values()),
        f"ports 1 to 6, late by µs: {', '.join(f'{bias:+.2f}' for bias in biases.values())}",
    )
    if kind.clocks == 1:
        counts = [(tally.earlier[seat], tally.later[seat]) for seat in SEATS]
        yield Finding(
            f"{named}: at no gap every port is stamped the earlier one as often as the later one",
            sum(tally.verdicts[0].values()),
            sum(abs(earlier - later) > _CERTAIN * math.sqrt(earlier + later) for earlier, later in counts),
            f"ports 1 to 6, earlier of all that differ: {', '.join(_share(*count) for count in counts)}",
        )


_LATEST_NS = LONGEST_CABLE * CLOSES_LATE + 2 * NS
"""The longest cable, and the cycle or two until a state machine sees it."""


def _biased(errors: list[float], least: float) -> bool:
    """Whether this is no chance any more, and worth speaking of."""
    return abs(statistics.fmean(errors)) > max(least, _CERTAIN * statistics.pstdev(errors) / math.sqrt(len(errors)))


def _share(earlier: int, later: int) -> str:
    return f"{100 * earlier / (earlier + later):.0f} %" if earlier + later else "–"


def _surely_right(tally: Tally) -> str:
    """Return the gap from which on every verdict was right."""
    found = None
    for gap, counts in sorted(tally.verdicts.items(), reverse=True):
        if counts[Verdict.RIGHT] < sum(counts.values()):
            break
        found = gap
    return "no gap that was tried" if found is None else f"{found:g} µs"
