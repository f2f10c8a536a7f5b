"""Which rulings of stop it! are news."""

from collections.abc import Mapping

from companion.game import Moment

MOMENTS: Mapping[str, Moment] = {
    "started": Moment(2, who="seat"),
    "restarted": Moment(2, who="seat"),
    "shouted": Moment(2, "finish", "seat"),
    "shouted-earlier": Moment(3, "finish", "fastest", "behind"),
    "shouted-later": Moment(3, "finish", "fastest", "behind", explained=3.0),
    "dead-heat": Moment(3, "finish"),
    "shouted-after-dead-heat": Moment(3, "finish"),
    "stop-shown": Moment(1, who="seat"),
    "stop-shown-first": Moment(1, who="seat"),
    "stop-shown-in-dead-heat": Moment(2, who="seat", own="behind"),
    "stop-shown-between": Moment(2, who="seat", own="behind"),
    "withdrew": Moment(1, who="seat"),
    "false-call": Moment(2, who="seat"),
    "false-call-penalty": Moment(2, who="seat"),
    "unsorted": Moment(1, who="seat"),
    "dropped": Moment(1, who="seat"),
    "scored": Moment(3, "counting", "seats", "counts"),
    "piles-empty": Moment(2),
    "nobody-calls": Moment(1, "finish"),
}
