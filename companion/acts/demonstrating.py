"""Plans about demonstrations: when one begins and ends, and how fast it is told."""

from companion.acts.outcome import PlannedAct, Refuse, not_now, wrong
from companion.acts.sentence import NOTHING, Saying
from companion.acts.table import Situation
from companion.acts.table_acts import GoOnWithDemo, HoldDemo, LeaveDemo, PaceDemo, StartDemo, StepDemo, StopDemo

SPEEDS = (0.5, 1.0, 2.0, 4.0)
"""How many times as fast the story may be told."""
Steered = HoldDemo | GoOnWithDemo | StepDemo | PaceDemo
SAID = {HoldDemo: Saying("demo-held"), GoOnWithDemo: Saying("demo-goes-on"), StepDemo: NOTHING, PaceDemo: NOTHING}


def start_demo(act: StartDemo, situation: Situation) -> PlannedAct | Refuse:
    """Begin a demonstration, unless people are playing a match."""
    return not_now("demo-while-played") if situation.people_play else PlannedAct(act, Saying("demo-started"))


def stop_demo(act: StopDemo) -> PlannedAct:
    """End the demonstration, if there is one."""
    return PlannedAct(act, Saying("demo-stopped"))


def leave_demo(act: LeaveDemo, situation: Situation) -> PlannedAct | Refuse:
    """End a demonstration that began by itself: anybody may, such as by touching the big screen."""
    return PlannedAct(act, Saying("demo-stopped")) if situation.shows_itself else not_now("demo-not-shown")


def steer_demo(act: Steered, situation: Situation) -> PlannedAct | Refuse:
    """Hold the demonstration, let it go on or do one step, or change its pace."""
    if not situation.plays_itself:
        return not_now("no-demo-now")
    if isinstance(act, PaceDemo) and act.speed not in SPEEDS:
        return wrong("bad-pace")
    return PlannedAct(act, SAID[type(act)])
