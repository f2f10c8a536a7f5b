"""Which rulings of Kartel are news."""

from collections.abc import Mapping

from companion.game import Moment

MOMENTS: Mapping[str, Moment] = {
    "ring-done": Moment(1, who="seat"),
    "rolled": Moment(1, who="seat", passing=True),
    "won": Moment(1, who="seat"),
    "won-closed": Moment(1, who="seat"),
    "boss-jailed": Moment(3, "jail", "seats", "tally"),
    "boss-jailed-alone": Moment(1, "jail", "seat"),
}
