"""Which rulings of ¡Go! are news."""

from collections.abc import Mapping

from companion.game import Moment

MOMENTS: Mapping[str, Moment] = {
    "took-pile": Moment(1, who="seat"),
    "took-discard": Moment(1, who="seat"),
    "took-row": Moment(1, who="seat"),
    "row-open": Moment(1, explained=8.0),
    "discarded": Moment(1, who="seat"),
    "must-call": Moment(2, who="seat"),
    "called": Moment(2, who="seat"),
    "called-last-pile": Moment(2, who="seat"),
    "row-card": Moment(1),
    "reading": Moment(1, who="seat"),
    "read-in-two-hands": Moment(2, who="seat"),
    "series-told": Moment(2, who="seat"),
    "series-best": Moment(2, who="seat"),
    "series-auto": Moment(2, who="seat"),
    "scored-caller": Moment(3, "counting", "caller", "penalties"),
    "scored-others": Moment(3, "counting", "seats", "penalties"),
    "perfect": Moment(3, "counting", "seat"),
    "void-row": Moment(2, who="seat"),
    "void-host": Moment(2),
}
