"""The photo finish of a call, as `finish.html` draws it: a ruler of time, and where every press stands on it.

Times are in microseconds behind the first press, places in hundredths of the drawing's width or height.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

STEPS = [digit * 10**power for power in range(2, 8) for digit in (1, 2, 5)]
LONGEST_STEP = 100_000_000
START = 9
"""Where the first press stands."""
LANES_APART = 11
"""Two medals that stand nearer than this are drawn one above the other."""
FAR_APART = 10
"""How much room a press behind the break takes."""
WHY_WIDE = 20
"""How much room the words beside a band of doubt take."""
BY_PHONE_WIDE = 18
"""How much room the words below a press by phone take."""
BOTH_FIGURES = 31
"""Where the first two presses stand at least so far apart, the shout has room between them."""


class Tick(Struct, frozen=True):
    """A line on the ruler."""

    x: str
    half: bool = False
    says: str = ""
    """Its time in the ruler's unit, with a point; "" for a short line."""


class Window(Struct, frozen=True):
    """The time after the first press in which nobody is first."""

    x: str
    width: str
    end: str
    microseconds: int
    explained: bool
    """Whether there is room for words beside it."""


class BandOfDoubt(Struct, frozen=True):
    """By how much a press may be off."""

    left: str
    width: str
    explained: Literal["", "after", "before"]
    """On which side of the band is room for words."""


class PressOnRuler(Struct, frozen=True):
    """A press, as it stands on the ruler or behind its break."""

    seat: int
    behind: int
    doubt: int | None
    x: str
    late: bool
    """Whether it came so much later that it stands behind the break."""
    order: str
    """Which it was; "=" in a dead heat."""
    high: int
    """How far down its medal stands."""
    stem: int
    says: str
    """How late a press behind the break came, with a point."""
    band: BandOfDoubt | None
    by_phone: bool
    """Whether words below it say that nobody knows how late it came; of several side by side the first has them."""


class PhotoFinish(Struct, frozen=True):
    """The whole drawing."""

    name: str
    """Another one for each call."""
    level: bool
    """Whether it was a dead heat, of which nobody is first."""
    lanes: bool
    """Whether some medals are drawn above others."""
    narrow: bool
    """Whether the first two presses stand too near each other for the shout."""
    unit: Literal["s", "ms"]
    short_ticks: tuple[Tick, ...]
    ticks: tuple[Tick, ...]
    break_at: str
    """Where the ruler breaks off; "": nobody pressed so much later."""
    window: Window | None
    """None where it would be too small to be seen."""
    second: int
    """How far behind the first press the second came."""
    span: str
    """The same on the ruler."""
    line: int
    """How far down the line between the two is drawn."""
    presses: tuple[PressOnRuler, ...]


class _Ruler(Struct, frozen=True):
    """Which part of time is drawn, and where."""

    whole: float
    """The latest time on it."""
    wide: float
    """Hundredths of the width a microsecond."""
    end: int
    step: int
    """From one long line to the next."""
    unit: int

    def at(self, time: float) -> str:
        return f"{round(START + self.wide * time, 2)}%"

    def long(self, time: float) -> str:
        return f"{round(self.wide * time, 2)}%"

    def says(self, time: float) -> str:
        if not time:
            return "0"
        if self.step * 20 <= self.unit:
            return f"{time / self.unit:.2f}"
        if self.step < self.unit:
            return f"{time / self.unit:.1f}"
        return str(int(time / self.unit))


def photo_finish(table: Mapping[str, Any], exact: bool) -> PhotoFinish:
    """Lay out the call on the table. `exact`: whether it is shown how far a press may be off."""
    presses = table["shouts"]
    window = round(table["tie_window"] * 1_000_000)
    level = len(presses) > 1 and len(table["now"].get("seats", ())) > 1
    second = presses[1]["behind"] if len(presses) > 1 else 0
    # Whoever pressed about then stands on the ruler itself, whoever came much later behind its break.
    reach = max(second * 3.2, window * 2)
    near = [press for press in presses if press["behind"] <= reach]
    far_presses = [press for press in presses if press["behind"] > reach]
    ruler = _ruler(near, second, window, len(far_presses))
    lanes = _lanes(near, ruler)
    narrow = ruler.wide * second < BOTH_FIGURES
    middle = 50 if any(lanes.values()) else 44 if narrow else 40
    return PhotoFinish(
        name=f"{len(table['rounds'])}-{presses[0]['seat']}",
        level=level,
        lanes=any(lanes.values()),
        narrow=narrow,
        unit="s" if ruler.unit > 1000 else "ms",
        short_ticks=tuple(
            Tick(ruler.at(number * ruler.step / 10), half=number % 5 == 0)
            for number in range(1, int(ruler.whole * 10 / ruler.step) + 1)
            if number % 10
        ),
        ticks=tuple(
            Tick(ruler.at(number * ruler.step), says=ruler.says(number * ruler.step))
            for number in range(int(ruler.whole / ruler.step) + 1)
            if not far_presses or ruler.wide * number * ruler.step < ruler.end - START - 3
        ),
        break_at=f"{ruler.end}%" if far_presses else "",
        window=_window(ruler, window, near, explains=exact or level),
        second=second,
        span=ruler.long(second),
        line=8 if narrow else middle,
        presses=_presses(presses, near, far_presses, ruler, window, lanes, middle, level=level, exact=exact),
    )


def _ruler(near: Sequence[Mapping[str, Any]], second: int, window: int, far_count: int) -> _Ruler:
    """Return the ruler on which these stand; `far_count`: how many stand behind its break."""
    whole = max(near[-1]["behind"] * 1.15, second * 1.5, window * 1.6, 1000)
    if len(near) < 2:
        whole = max(whole, window * 3, 3000)
    end = 96 - FAR_APART * far_count - (2 if far_count else 0)
    step = next((step for step in STEPS if step >= whole / 4.2), LONGEST_STEP)
    unit = 1_000_000 if second >= 100_000 or step >= 500_000 else 1000
    return _Ruler(whole, (end - START) / whole, end, step, unit)


def _lanes(near: Sequence[Mapping[str, Any]], ruler: _Ruler) -> dict[int, bool]:
    """Return by seat whether its medal is drawn above the one before."""
    lanes: dict[int, bool] = {}
    last_x = -100.0
    up = False
    for press in near:
        x = ruler.wide * press["behind"]
        up = x - last_x < LANES_APART and not up
        lanes[press["seat"]] = up
        last_x = x
    return lanes


def _window(ruler: _Ruler, window: int, near: Sequence[Mapping[str, Any]], *, explains: bool) -> Window | None:
    if ruler.wide * window < 0.4:
        return None
    end_of_words = window + 19 / ruler.wide
    has_room = not any(window < press["behind"] < end_of_words for press in near[1:])
    return Window(
        x=ruler.at(0),
        width=ruler.long(window),
        end=ruler.at(window),
        microseconds=window,
        explained=explains and ruler.wide * window >= 4 and has_room,
    )


def _presses(
    presses: Sequence[Mapping[str, Any]],
    near: Sequence[Mapping[str, Any]],
    far_presses: Sequence[Mapping[str, Any]],
    ruler: _Ruler,
    window: int,
    lanes: Mapping[int, bool],
    middle: int,
    *,
    level: bool,
    exact: bool,
) -> tuple[PressOnRuler, ...]:
    placed = []
    words_at = -100.0
    for number, press in enumerate(presses, 1):
        late = press in far_presses
        behind = press["behind"]
        stands = ruler.end + 8 + FAR_APART * far_presses.index(press) if late else START + ruler.wide * behind
        by_phone = press["doubt"] is None and stands - words_at >= BY_PHONE_WIDE
        if by_phone:
            words_at = stands
        high = 27 if lanes.get(press["seat"]) else middle
        has_band = exact and press["doubt"] and number > 1 and not late
        placed.append(
            PressOnRuler(
                seat=press["seat"],
                behind=behind,
                doubt=press["doubt"],
                x=f"{stands:.2f}%" if late else ruler.at(behind),
                late=late,
                order="=" if level and behind <= window else str(number),
                high=high,
                stem=(68 if late else 74) - high,
                says=ruler.says(behind) if ruler.unit > 1000 else str(round(behind / 1000)),
                band=_doubt(press, ruler, window, explains=number == 2, breaks=bool(far_presses)) if has_band else None,
                by_phone=by_phone,
            )
        )
    return tuple(placed)


def _doubt(press: Mapping[str, Any], ruler: _Ruler, window: int, *, explains: bool, breaks: bool) -> BandOfDoubt:
    behind = press["behind"]
    doubt = press["doubt"]
    left = min(doubt, behind)
    right = min(doubt, (100 - START) / ruler.wide - behind)
    explained: Literal["", "after", "before"] = ""
    if explains and round(ruler.wide * doubt, 2) > 3:
        end_of_field = ruler.end + 8 if breaks else 100
        if START + ruler.wide * (behind + doubt) < end_of_field - WHY_WIDE:
            explained = "after"
        elif ruler.wide * (behind - doubt - window) > WHY_WIDE:
            explained = "before"
    return BandOfDoubt(ruler.long(left), ruler.long(left + right), explained)


def next_press(shouts: Sequence[Mapping[str, Any]], seat: int) -> Mapping[str, Any] | None:
    """Return the press that a seat's page compares with the first one: its own or, if that was the first, the second;
    None: there is none.
    """
    own_press = next((shout for shout in shouts if shout["seat"] == seat), None)
    if own_press is not None and own_press["behind"]:
        return own_press
    return shouts[1] if len(shouts) > 1 else None
