"""What is wanted between any two steps: every act of the table of consent, at the table that it is about."""

from collections.abc import Mapping
from typing import get_args

import msgspec
from msgspec.structs import replace

from companion.acts import match_acts, table_acts, upkeep_acts
from companion.acts.act import Act
from companion.acts.question import EarlierMatch
from companion.acts.table import Situation
from companion.acts.told import EntryTold
from tests.acts import consent
from tests.acts.tables import dealt

STORES_NOTHING: Mapping[type[Act], str] = {
    match_acts.LiesAt: "the table has counted the card where it was laid last",
    match_acts.ObjectToAnnouncement: "nothing is announced",
    table_acts.Cheer: "what is shown beside play is in no file",
    match_acts.LookAgain: "what is shown beside play is in no file",
    match_acts.HaveRead: "bots go on, and no start remembers that they waited",
    match_acts.HearCards: "a seat hears its cards until the next start",
    match_acts.PlayCards: "a seat hears its cards until the next start",
    **dict.fromkeys(
        (
            table_acts.StartDemo,
            table_acts.StopDemo,
            table_acts.LeaveDemo,
            table_acts.HoldDemo,
            table_acts.GoOnWithDemo,
            table_acts.StepDemo,
            table_acts.PaceDemo,
        ),
        "a match that plays itself is nobody's",
    ),
    **dict.fromkeys(get_args(upkeep_acts.UpkeepAct), "the machine's, not the match's"),
}
"""The acts that leave nothing here in the files of matches and people, and why."""


class Wish(msgspec.Struct, frozen=True):
    """An act, and the table at which it is wanted."""

    act: Act
    around: Situation
    is_moved: bool = False
    """Whether Bo has made a move with simulated things."""


AT_A_WORLD: Mapping[str, Act] = {
    "take a move back": match_acts.TakeBack(EntryTold(0)),
    **{
        name: consent.ALL[name]
        for name in (
            *("play bots", "start the next match", "end the match", "take a break"),
            *("free seat 3", "rename Bo", "go on in another browser"),
        )
    },
}
"""Acts that are tried at a simulated table, too."""
BEFORE = EarlierMatch(1, "stop-it", {1: "Ana", 3: "Bo"}, frozenset({3}))
AFTERWARDS: Mapping[str, Act] = {
    "take back Bo's count": replace(consent.ALL["take back Bo's count"], match=BEFORE.number),
    "put Ana's stop card right": replace(consent.ALL["put Ana's stop card right"], match=BEFORE.number),
    "enter a press of Bo": replace(consent.ALL["enter a press of Bo"], match=BEFORE.number),
}
"""Acts that are tried about a match that was ended before the one on the table, too."""
WISHES: Mapping[str, Wish] = {
    **{name: Wish(act, consent.around(act)) for name, act in consent.ALL.items() if type(act) not in STORES_NOTHING},
    **{
        f"{name}, in a world": Wish(act, replace(consent.around(act), simulated=True, dealt=dealt()), is_moved=True)
        for name, act in AT_A_WORLD.items()
    },
    **{
        f"{name}, a match later": Wish(act, replace(consent.around(act), earlier=BEFORE))
        for name, act in AFTERWARDS.items()
    },
}
"""By name, all that is tried."""
