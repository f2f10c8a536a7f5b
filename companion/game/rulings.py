"""Declarations of a game's rulings: how they are told, and what they reveal or hide."""

from collections.abc import Mapping
from typing import Literal

import msgspec


class Staging(msgspec.Struct, frozen=True):
    """An animation that the big screen plays for a moment; the game's `pages/stage.html` draws it."""

    name: str
    """Its name in templates and scripts."""
    seconds: float
    """Seconds that the style sheets take for it before they show the outcome; what is told elsewhere waits as long."""
    again: float | None = None
    """Seconds from its second time on; None: as long. The end of a match is never shortened."""
    first: float = 0.0
    """Extra seconds the first time."""
    per_seat: float = 0.0
    """Extra seconds for each player of the match."""
    settles: float = 0.0
    """Extra seconds in which pieces move on the table before the outcome is told; a demonstration reads meanwhile."""
    ends_unit: bool = True
    """Whether a lay, count, call or round ends with it."""
    is_read: bool = False
    """Whether people read what it shows: bots wait until somebody has."""

    def lasts(self, players: int) -> float:
        """Return the seconds that it lasts in a match of so many players."""
        return self.seconds + self.per_seat * players + self.settles


REVEAL = Staging("reveal", 1.2, per_seat=0.4)
"""Cards are turned up one by one."""
FINISH = Staging("finish", 1.3, ends_unit=False)
"""Presses are drawn on a time scale."""
COUNTING = Staging("counting", 5.6, again=3.0, first=2.0, is_read=True)
"""Hands are counted; the first time people read every hand."""
PODIUM = Staging("podium", 2.8, ends_unit=False)
"""The winners."""
DECISIVE_S: Mapping[int, float] = {1: 3.5, 2: 9.0, 3: 9.0}
"""Seconds for which a staged moment that ended the match is shown before the winners, by weight."""

SoundName = Literal["first", "start", "card", "stamp", "score"]


class RulingKind(msgspec.Struct, frozen=True):
    """The declaration of a ruling.

    With a weight it is news: a moment. The game's words then hold its headline as `news-CODE`, its explanation as
    `news-CODE-more`, and as `news-CODE-soon` what the big screen asks during its animation; for a seat that takes part
    in it `news-CODE-PART`, where PART is `me` for a seat that `who` names, `own` for one that `own` has a figure for,
    or the fact that names the seat. A ruling that is news, or has a sound, must be told to everybody.
    """

    weight: Literal[0, 1, 2, 3] = 0
    """How large, and how long, it is shown as news; 0: it is no news."""
    stage: Staging | None = None
    """Its animation on the big screen; None: the headline alone."""
    who: str = ""
    """The fact that names the seat or seats whose moment it is."""
    own: str = ""
    """The fact that holds pairs of seat and figure; on a seat's own page it is that seat's figure. It must not be named
    `gains`, which stays pairs in every sentence."""
    sound: SoundName | None = None
    """The sound played with it. The end of a match has a sound in every game."""
    in_demo: bool = False
    """Whether a demonstration shows it if it can, because the game is about it."""
    passing: bool = False
    """Whether it only leads up to the next ruling: a demonstration hurries past it once people know it."""
    explained: float = 0.0
    """Extra seconds in a demonstration the first time, while the page explains it."""
    shows: bool = False
    """Whether it reveals to the acting player what was sealed from them: they can't take such an act back alone, or
    they could look and then act otherwise."""
    seals: bool = False
    """Whether it concerns an act whose card stays sealed, and would differ if that card lay open elsewhere: earlier
    entries can't be corrected then, because naming one card after another would reveal the sealed one."""


UNDECLARED = RulingKind()
"""The declaration of a ruling that its game has not declared: it is told, and no more."""

END = RulingKind(3, PODIUM, "seats")
"""The end of a match is a moment in every game."""
