"""A seat's own page: how large its news is, whom its player waits for, and what they may take back."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from msgspec import Struct

from companion.access.player_looks import Face
from companion.game.rulings import REVEAL
from companion.player_names import legible
from companion.web.render.news import News, Parts
from companion.web.render.page_files import is_brought
from companion.web.render.spoken import Line, points_lines, task_lines, told_lines
from companion.web.render.subjects.match import AboutMatch
from companion.web.render.subjects.page import AboutPage
from companion.web.render.subjects.people import AboutPeople
from companion.web.render.subjects.simulation import SimulationShown
from companion.web.render.verdicts import Sentence
from companion.web.render.waiting_for import Task, Turn

NewsAs = Literal["", "brief", "verdict"]
HEAVY = 3
"""News of this weight or more is never reduced to a line."""


class SeatPage(Struct, frozen=True):
    """How a seat's own page looks now."""

    plays: bool
    """Whether this seat plays in the match that is shown."""
    name: str
    """Who sits here; else the seat's number in words."""
    face: Face
    points: int | None = None
    """None: this seat has none."""
    state: Turn = "done"
    """Whose turn it is; `done` too while nobody is waited for."""
    news_as: NewsAs = ""
    """How the news is shown: `verdict` larger than the task, `brief` as a line beside it, "" no longer."""
    reveals: bool = False
    """Whether this phone plays what the big screen would, because there is none."""
    soon: Parts = ()
    """What is asked until the big screen, or this phone, has played what tells the outcome; (): nothing is played."""
    undo: tuple[Sentence, ...] = ()
    """What its player has just done and may take back. It never expires: a picture may still cover it."""
    is_undo_told: bool = False
    """Whether the verdict tells of just that, so that its button need not."""
    calls_on: str = ""
    """What stands over the task where its player acts now; "": the task says so itself, or they do not."""
    awaited: tuple[int, ...] = ()
    """Whose chips stand over the task, or, if the news is a verdict, in it: those whom its player waits for."""
    come_before: tuple[int, ...] = ()
    """Those who have their turn before this seat, if turns go round the table."""
    have_done: tuple[int, ...] = ()
    """Those who are done with what all do at once, while others still are at it; (): that is not so."""
    is_at_once: bool = False
    """Whether all may act at once and the first counts. Messages then go below the cards, so that nothing moves under a
    thumb."""
    result: str = ""
    """At the end, where this seat came; "": it won, and the headline says so."""
    told_aloud: tuple[Line, ...] = ()
    """What was told lately, in the lines in which it is spoken."""
    task_aloud: tuple[Line, ...] = ()
    """What the table waits for, likewise."""
    points_aloud: tuple[Line, ...] = ()
    """Everybody's points, likewise."""

    @property
    def is_felt(self) -> bool:
        """Whether the table's felt shows: nothing is asked of this player alone."""
        return self.state in ("done", "all") or (self.state == "wait" and self.news_as == "verdict")


@dataclass(frozen=True, eq=False)
class AboutSeatPage:
    """About a seat's own page."""

    _page: AboutPage
    _match: AboutMatch
    _people: AboutPeople
    _simulation: SimulationShown
    _has_screen: bool

    @cached_property
    def seat_page(self) -> SeatPage | None:
        """How a seat's own page looks; None: this is another page."""
        seat = self._page.page.own_seat
        view = self._match.view
        if seat is None:
            return None
        if view is None or seat not in self._match.seats:
            place = self._people.lobby.get(seat)
            if place is None:
                name = self._page.say("seat-number", number=seat)
            else:
                name = legible(place.name, self._page.words.language)
            return SeatPage(plays=False, name=name, face=place.face if place else self._people.faces[seat])
        return self._of_player(seat, view)

    def _of_player(self, seat: int, view: Mapping[str, Any]) -> SeatPage:
        snapshot = self._page.snapshot
        task = self._match.task
        assert task is not None
        state = "done" if view["over"] or snapshot.pause else task.state
        waits = state == "wait" and not snapshot.ended
        may_be_first = view["table"]["now"].get("other") == seat
        is_at_once = self._is_at_once(seat, state)
        news = self._fresh_news(seat, state, is_at_once=is_at_once)
        reveals = news is not None and self._reveals(news)
        soon = self._soon(news, reveals) if news else ()
        news_as = how_shown(news, soon, state, waits_for_first=may_be_first, is_at_once=is_at_once)
        done = snapshot.done
        is_done_by_all = state == "done" and task.state == "done" and not snapshot.pause and not view["over"]
        return SeatPage(
            plays=True,
            name=self._match.seats[seat],
            face=self._people.faces[seat],
            points=view["scores"][str(seat)],
            state=state,
            news_as=news_as,
            reveals=reveals,
            soon=soon,
            undo=self._undo(seat, task),
            is_undo_told=bool(news_as == "verdict" and news and done and news.entry == done.entry),
            calls_on=self._calls_on(seat, task) if state == "turn" else "",
            awaited=task.seats if waits and (news_as != "verdict" or len(task.seats) == 1) else (),
            come_before=self._come_before(seat) if waits and not may_be_first else (),
            have_done=tuple(seat for seat in self._match.seats if seat not in task.seats) if is_done_by_all else (),
            is_at_once=is_at_once,
            result=self._result(seat, view) if view["over"] else "",
            told_aloud=tuple(told_lines(self._page, self._match)),
            task_aloud=tuple(task_lines(self._page, self._match, task)),
            points_aloud=tuple(points_lines(self._page, view)),
        )

    def _is_at_once(self, seat: int, state: Turn) -> bool:
        snapshot = self._page.snapshot
        if snapshot.ended or snapshot.pause:
            return False
        return snapshot.at_once or (state == "all" and seat in self._simulation.sights)

    def _fresh_news(self, seat: int, state: Turn, *, is_at_once: bool) -> News | None:
        """Return the news that this page still shows. If the player taps things on the phone, it stays while they are
        waited for, unless it lies below them, so that nothing moves under their thumb.
        """
        news = self._match.news
        stays = seat in self._simulation.sights and state == "turn" and not (self._page.snapshot.ended or is_at_once)
        return news if news is not None and (news.fresh or stays) else None

    def _reveals(self, news: News) -> bool:
        """Return whether this phone stages a reveal itself; it does not wait for anything else that is staged."""
        return news.stage == REVEAL.name and not self._has_screen and is_brought(self._match.brought, "reveal")

    def _soon(self, news: News, reveals: bool) -> Parts:
        if not (self._has_screen or reveals):
            return ()
        if news.soon:
            return news.soon
        return (self._page.say("soon-reveal"),) if news.stage == REVEAL.name else ()

    def _undo(self, seat: int, task: Task) -> tuple[Sentence, ...]:
        """Return what this player may take back. While others are still to act, the game's own part of the page says
        how to change an act, so there is nothing here.
        """
        snapshot = self._page.snapshot
        done = snapshot.done
        if done is None or seat not in self._simulation.undoers(done) or task.state == "done":
            return ()
        if snapshot.ended or snapshot.demo or done.entry < self._simulation.stays:
            return ()
        return tuple(sentence for sentence in self._match.told.public if sentence.entry == done.entry)

    def _calls_on(self, seat: int, task: Task) -> str:
        your_turn = self._page.say("your-turn")
        caller = self._match.table["now"].get("caller")
        sight = self._simulation.sights.get(seat)
        can_act = caller in (None, seat) or sight is None or bool(sight.moves)
        if task.text.startswith(your_turn) or not can_act:
            return ""
        return your_turn if len(task.seats) == 1 or caller == seat else self._page.say("all-at-once")

    def _come_before(self, seat: int) -> tuple[int, ...]:
        following = self._match.table["now"].get("next")
        if not following:
            return ()
        seats = [*self._match.seats]
        start = seats.index(following)
        from_following = seats[start:] + seats[:start]
        return tuple(from_following[: from_following.index(seat)])

    def _result(self, seat: int, view: Mapping[str, Any]) -> str:
        steps, _ = self._match.podium()
        own = next((step for step in steps if step.seat == seat), None)
        if own is None or seat in view["winners"]:
            return ""
        if own.place <= 1:
            return self._page.say("own-lost")
        equals = [step for step in steps if step.place == own.place]
        code = "own-result" if len(equals) == 1 else "own-result-shared"
        return self._page.say(code, nth=own.place, number=len(self._match.seats))


def how_shown(
    news: News | None, soon: Parts, state: Turn, *, waits_for_first: bool, is_at_once: bool = False
) -> NewsAs:
    """Return how the news is shown. While the player waits for somebody else, or to be first, another's act is only a
    line: whom or what they wait for matters more. News that is staged, heavy or a correction stays a verdict; while all
    may act at once, staged news is only a line too.
    """
    if news is None:
        return ""
    if soon or news.weight >= HEAVY or news.code == "corrected":
        return "verdict"
    if is_at_once:
        return "brief"
    if news.stage:
        return "verdict"
    return "brief" if state == "all" or (state == "wait" and (waits_for_first or not news.own)) else "verdict"
