"""What is kept of a match or an evening, in words: slips of paper, photo finishes, and a picture to share."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion import games, player_names
from companion.access.player_looks import Face
from companion.history.evening import Award, Evening
from companion.history.souvenir import Highlight, Photo
from companion.history.standings import Result, standings
from companion.web.render.podium import best, theirs
from companion.web.render.words import PageWords
from companion.words import figure

Looks = Callable[[Mapping[int, str]], Mapping[int, Face]]
"""(names by seat) → how each of them looks."""
ON_PICTURE = 3
"""Slips."""
MOST = 6
"""How many people are on the picture of an evening."""
REACH = 4
"""A press this many times as far behind the first as the second was still fits on the same ruler."""
DEAD_HEAT_REACH = 8
"""The same in a dead heat, whose presses stand close together."""


class Portrayed(Struct, frozen=True):
    """A player, as they look on a souvenir."""

    name: str
    face: Face
    figure: str = ""


class Slip(Struct, frozen=True):
    """One thing worth telling."""

    title: str
    who: tuple[Portrayed, ...]
    names: str
    where: str
    figure: str
    """"": what is told has none."""
    then: str = ""
    """The address that shows the table as it stood; "" if no entry tells of it."""


class Stroke(Struct, frozen=True):
    """A press on the ruler of a photo finish."""

    who: Portrayed
    at: float
    """Its position, as a share of the ruler."""
    behind: str


class Finish(Struct, frozen=True):
    """A photo finish."""

    title: str
    presses: tuple[Stroke, ...]
    later: tuple[Stroke, ...]
    """Those too far behind for the ruler."""
    whole: str
    """How long the ruler is."""
    window: int
    """Microseconds within which nobody was first; 0: somebody was."""
    then: str


class Picture(Struct, frozen=True):
    """A picture to share."""

    title: str
    date: str
    slug: str
    """The game whose emblem is on it; "" for an evening of several games."""
    headline: str
    winners: tuple[Portrayed, ...]
    others: tuple[Portrayed, ...]
    slips: tuple[Slip, ...]
    label: str
    """SIMULATED, if cards and buzzers of any match on it were virtual."""


class Album:
    """Tells about matches in one language."""

    def __init__(self, language: str, looks: Looks, date: Callable[[str], str]):
        """`date` writes an evening's in words."""
        self._language = language
        self._looks = looks
        self._date = date

    def of_match(self, one: Result) -> tuple[Slip, ...]:
        """Tell what a match is remembered for."""
        return tuple(self._slip(one, highlight) for highlight in theirs(one.souvenir.highlights, demo=one.demo))

    def photos_of_match(self, one: Result) -> tuple[Finish, ...]:
        """Show the closest finishes of a match."""
        return tuple(self._finish(one, photo) for photo in one.souvenir.photos)

    def of_evening(self, kept: Evening) -> tuple[Slip, ...]:
        """Tell what an evening is remembered for."""
        return (*self._turning(kept), *self.of_awards(kept.awards))

    def of_awards(self, awards: Iterable[Award]) -> tuple[Slip, ...]:
        """Tell the best of several matches."""
        return tuple(self._award(award) for award in awards)

    def photos_of_evening(self, kept: Evening) -> tuple[Finish, ...]:
        """Show the closest finishes of an evening."""
        return tuple(self._finish(one, photo) for one, photo in kept.photos)

    def picture_of_match(self, one: Result) -> Picture:
        """Draw a match that is over."""
        people, words = self._people(one), self._words(one)
        seats = [player.seat for player in one.winners]
        return Picture(
            games.known()[one.game].title,
            self._date(one.evening) if one.evening else "",
            one.game,
            words.say("souvenir-won" if len(seats) == 1 else "souvenir-won-shared", {"seats": seats}),
            tuple(replace(people[player.seat], figure=_counted(player.points, words)) for player in one.winners),
            tuple(people[player.seat] for player in one.players if player.seat not in seats),
            self.of_match(one)[:ON_PICTURE],
            words.say("simulated") if one.simulated else "",
        )

    def picture_of_evening(self, kept: Evening, results: Sequence[Result], *, goes_on: bool) -> Picture:
        """Draw an evening: its winners, beside those who won matches; while it goes on, the winners only lead."""
        words, of = PageWords(None, self._language), results[0].evening
        won = [one for one in standings(results) if one.won][:MOST]
        named = [one.name for one in won]
        looks = self._looks(dict(enumerate(named, 1)))
        people = [
            Portrayed(
                player_names.legible(one.name), looks[seat], words.say("souvenir-matches-won", {"number": one.won})
            )
            for seat, one in enumerate(won, 1)
        ]
        winners = len(kept.winners)
        code = f"souvenir-evening-{'leads' if goes_on else 'won'}{'-shared' if winners > 1 else ''}"
        return Picture(
            words.say("souvenir-evening"),
            self._date(of) if of else "",
            "",
            words.say(code, {"names": words.several([player_names.legible(name) for name in kept.winners])}),
            tuple(people[:winners]),
            tuple(people[winners:]),
            self.of_evening(kept)[:ON_PICTURE],
            words.say("simulated") if any(one.simulated for one in results) else "",
        )

    def _turning(self, kept: Evening) -> Iterator[Slip]:
        if kept.turned is None:
            return
        one, words = kept.turned, self._words(kept.turned)
        winner = next(player.seat for player in one.winners if player_names.same(player.name, kept.winners[0]))
        where = f"{games.known()[one.game].title} · {words.say('souvenir-turning-evening-where')}"
        yield self._of(one, (winner,), words.say("souvenir-turning"), where, "", f"/results/{one.match}")

    def _award(self, award: Award) -> Slip:
        one = award.of
        slip, words = self._slip(one, award.highlight), self._words(one)
        title = words.say("souvenir-closest") if award.highlight.code == "finish" else slip.title
        where = " · ".join(filter(None, (games.known()[one.game].title, slip.where)))
        return replace(slip, title=title, where=where, then=slip.then or f"/results/{one.match}")

    def _slip(self, one: Result, of: Highlight) -> Slip:
        words, then = self._words(one), "" if of.entry is None else f"/results/{one.match}/then/{of.entry}"
        told = best(of, words)
        return self._of(one, told.seats, told.title, told.where, told.figure, then)

    def _of(self, one: Result, seats: Iterable[int], title: str, where: str, shown: str, then: str) -> Slip:
        people = self._people(one)
        who = tuple(people[seat] for seat in seats)
        return Slip(title, who, self._words(one).names_of(seats), where, shown, then)

    def _finish(self, one: Result, photo: Photo) -> Finish:
        people, words = self._people(one), self._words(one)
        second = max(photo.presses[1][1], 1)
        near = [behind for _, behind in photo.presses if behind <= REACH * second]
        whole = DEAD_HEAT_REACH * second if photo.dead_heat else max(near, default=second)
        presses = [
            Stroke(people[seat], behind / whole, words.span(behind) if behind else "0")
            for seat, behind in photo.presses
        ]
        (first, _), (other, margin) = photo.presses[:2]
        facts = {"seat": first, "other": other, "seats": (first, other), "margin": margin}
        return Finish(
            words.say("souvenir-dead-heat" if photo.dead_heat else "souvenir-first", facts),
            tuple(one for one in presses if one.at <= 1),
            tuple(one for one in presses if one.at > 1),
            words.span(whole),
            photo.window,
            f"/results/{one.match}/then/{photo.entry}",
        )

    def _words(self, one: Result) -> PageWords:
        return PageWords(one.game, self._language, {player.seat: player.name for player in one.players})

    def _people(self, one: Result) -> dict[int, Portrayed]:
        words, looks = self._words(one), self._looks({player.seat: player.name for player in one.players})
        return {
            player.seat: Portrayed(
                words.name(player.seat), looks[player.seat], "" if player.points is None else figure(player.points)
            )
            for player in one.players
        }


def _counted(points: int | None, words: PageWords) -> str:
    """Return a winner's figure with its unit, so that the other figures need none."""
    if points is None:
        return ""
    return f"{figure(points)}\u00a0{words.scored(points).lower()}"
