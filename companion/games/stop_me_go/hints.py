"""What whoever is new to STOP me GO is told, and when."""

from collections.abc import Mapping

from companion.game import Hint

_LAID = ("laid", "all-laid", "all-laid-arrest")
_ARRESTED = ("captured", "fled-nobody", "fled-several")

HINTS: Mapping[str, Hint] = {
    "captured": Hint(after=("captured",)),
    "round-won-by-one": Hint(after=("round-won-by-one",)),
    "round-won": Hint(after=("round-won",)),
    "fled-nobody": Hint(after=("fled-nobody",)),
    "fled-several": Hint(after=("fled-several",)),
    "reshuffled": Hint(after=("reshuffled-at-once",)),
    "ready": Hint(at=("now-ready",), done=("turned-up",), once=True),
    "lay": Hint(at=("now-intervention",), done=_LAID),
    "arrest": Hint(at=("now-arrest",), done=_ARRESTED, once=True),
    "reward": Hint(at=("now-reward",), done=("token-taken",)),
    "values": Hint(at=("now-values",), done=("sum",), once=True),
}
