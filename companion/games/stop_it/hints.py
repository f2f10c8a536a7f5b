"""What whoever is new to stop it! is told, and when."""

from collections.abc import Mapping

from companion.game import Hint

_SHOWN = ("stop-shown", "stop-shown-first", "stop-shown-in-dead-heat", "stop-shown-between")
_NO_STOP = ("withdrew", "false-call", "false-call-penalty")

HINTS: Mapping[str, Hint] = {
    "scored": Hint(after=("scored",)),
    "false-call": Hint(after=("false-call", "false-call-penalty")),
    "ready": Hint(at=("now-ready",), done=("started",), once=True),
    "last-calls": Hint(at=("now-last-calls",), done=("nobody-calls",), once=True),
    "collecting": Hint(at=("now-collecting",), done=("scored",)),
    "show": Hint(at=("now-shouted", "now-dead-heat"), done=(*_SHOWN, *_NO_STOP)),
    "count": Hint(at=("now-counting",), done=("counted", "scored")),
    "count-all": Hint(at=("now-counting-all",), done=("counted", "scored")),
    "restart": Hint(at=("now-restart",), done=("restarted",)),
}
