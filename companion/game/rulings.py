"""What a game declares about its rulings, once each: how they are told, and what they show or seal."""

from collections.abc import Mapping
from typing import Literal

import msgspec


class Staging(msgspec.Struct, frozen=True):
    """What the big screen plays for a moment. Its game's `pages/stage.html` draws it."""

    name: str
    """Pages know it by this."""
    seconds: float
    """For how many seconds it is played before the outcome is told."""
    again: float | None = None
    """The same once it was played before; None: as long. What ends the match is never played faster."""
    first: float = 0.0
    """Extra seconds the first time."""
    ends_unit: bool = True
    """Whether a lay, count, call or round ends with it."""
    is_read: bool = False
    """Whether people read what it shows, so that bots wait until somebody has."""


REVEAL = Staging("reveal", 2.8)
"""Cards are turned up one by one."""
FINISH = Staging("finish", 1.3, ends_unit=False)
"""Presses on a ruler."""
COUNTING = Staging("counting", 5.6, again=3.0, first=2.0, is_read=True)
"""Hands are counted; the first time, every hand is read."""
PODIUM = Staging("podium", 2.8, ends_unit=False)
"""The winners."""
DECISIVE_S: Mapping[int, float] = {1: 3.5, 2: 9.0, 3: 9.0}
"""Seconds for which a staged moment that ended the match stands before its winners come, by its weight."""

SoundName = Literal["first", "start", "card", "stamp", "score"]


class RulingKind(msgspec.Struct, frozen=True):
    """What a game declares about one of its rulings.

    With a weight it is news: a moment. The game's words then hold its headline as `news-CODE`, what explains it as
    `news-CODE-more`, and as `news-CODE-soon` what the big screen asks while it plays it; for a seat that has a part in
    it `news-CODE-PART`, where the part is `me` for whom `who` names, `own` for whom `own` has a figure, or the fact
    that names the seat. What is news, or sounds, must be told to everybody.
    """

    weight: Literal[0, 1, 2, 3] = 0
    """How large it is shown as news, and for how long; 0: it is no news."""
    stage: Staging | None = None
    """What the big screen plays for it; None: the headline alone is shown."""
    who: str = ""
    """The fact that names the seat, or seats, whose moment it is."""
    own: str = ""
    """The fact that holds pairs of seat and figure: on a seat's own page it is that seat's figure. It is not
    called `gains`, which is always pairs in a sentence."""
    sound: SoundName | None = None
    """What is heard with it. The end of a match sounds in every game."""
    in_demo: bool = False
    """Whether a demonstration shows it where it can, because it is what the game is about."""
    passing: bool = False
    """Whether it only leads up to what comes next; once people know it, a demonstration hurries past."""
    explained: float = 0.0
    """Extra seconds that a demonstration takes the first time, to explain it on the page."""
    shows: bool = False
    """Whether it shows whoever brings it about what was sealed from them: such an act can't be taken back alone, or
    they could look and then do something else."""
    seals: bool = False
    """Whether it is about an act whose card stays sealed, and would differ if that card lay open elsewhere: what was
    told before such an act can't be put right, or naming one card after another would reveal the sealed one."""


UNDECLARED = RulingKind()
"""What is taken of a ruling that its game has not declared: told, and no more."""

END = RulingKind(3, PODIUM, "seats")
"""The end of a match is a moment in every game."""
