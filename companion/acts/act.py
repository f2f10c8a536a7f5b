"""Acts: requests of a phone to the table, as values. Each has one text form, so that it can be stored with a question.

>>> from companion.acts.seat_acts import FreeSeat
>>> text(FreeSeat(3))
'{"act":"free","seat":3}'
>>> read(text(FreeSeat(3))) == FreeSeat(3)
True
"""

from typing import get_args

import msgspec

from companion.acts.match_acts import MatchAct
from companion.acts.seat_acts import SeatAct
from companion.acts.table_acts import TableAct
from companion.acts.upkeep_acts import UpkeepAct
from companion.errors import WrongInput

Act = MatchAct | SeatAct | TableAct | UpkeepAct
ACTS: tuple[type[Act], ...] = get_args(Act)
_ACT: msgspec.json.Decoder[Act] = msgspec.json.Decoder(Act)


def match_of(act: Act) -> int | None:
    """Return the past match that an act names; None: it is about the one on the table, or about none."""
    match: int | None = getattr(act, "match", None)
    return match


def text(act: Act) -> str:
    """Return an act's text form."""
    return msgspec.json.encode(act).decode()


def read(written: str) -> Act:
    """Return the act of this text form. Raises `WrongInput`."""
    try:
        return _ACT.decode(written)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        raise WrongInput(f"{written[:80]!r} is no act: {wrong}") from wrong
