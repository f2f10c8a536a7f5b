"""Which rulings of STOP me GO are news: none before its cards are turned up."""

from collections.abc import Mapping

from companion.game import Moment

MOMENTS: Mapping[str, Moment] = {
    "round-begins": Moment(1),
    "turned-up": Moment(1),
    "reshuffled-at-once": Moment(1),
    "all-laid-arrest": Moment(1),
    "fled-nobody": Moment(2, "reveal", explained=2.0),
    "fled-several": Moment(2, "reveal", explained=2.0),
    "long-round": Moment(2, "reveal"),
    "captured": Moment(3, "reveal", "seat"),
    "taken": Moment(2, "reveal", "seat"),
    "discarded-nobody": Moment(2, "reveal"),
    "discarded-several": Moment(2, "reveal"),
    "round-won": Moment(3, "reveal", "seat"),
    "round-won-by-one": Moment(3, "reveal", "seat"),
    "token-taken": Moment(1, who="seat"),
    "all-tokens-won": Moment(2),
    "token-read-twice": Moment(2),
}
