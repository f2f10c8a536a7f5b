"""Manual entry of what a sensor missed; it makes the same events as the sensors."""

from collections.abc import Callable
from typing import Any

import msgspec
from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.acts.match_acts import EnterCards, EnterPress, EnterWord
from companion.events import Said
from companion.judge.record_file import check_readable
from companion.web.http.form_answers import Refused
from companion.web.http.named_match import named_match
from companion.web.routes.acting import done
from companion.web.routes.forms import offered_cards, typed_seat

LONGEST_WORD = 40
LONGEST_VALUE = 2000

routes = Blueprint("manual_entry", __name__)


@routes.post("/enter")
def enter() -> ResponseReturnValue:
    """Enter a press, a word, or cards tapped in turn; answer with the ruling, as far as this page may know it."""
    read = READERS.get(request.form.get("kind", ""))
    if read is None:
        raise Refused(400, "bad-kind")
    return done(read())


def _pressed() -> EnterPress:
    return EnterPress(typed_seat("seat"), match=named_match())


def _tapped() -> EnterCards:
    place: Any = request.form.get("place", "")
    return EnterCards(place, tuple(offered_cards()), match=named_match())


def _said() -> EnterWord:
    word = request.form.get("what", "")
    if not 0 < len(word) <= LONGEST_WORD:
        raise Refused(400, "bad-what")
    seat: Any = "host" if request.form.get("seat") == "host" else typed_seat("seat")
    value = _value()
    try:
        check_readable(Said(0, 0.0, seat, word, value))
    except ValueError:
        raise Refused(400, "bad-value") from None
    return EnterWord(seat, word, value, match=named_match())


READERS: dict[str, Callable[[], EnterPress | EnterCards | EnterWord]] = {
    "pressed": _pressed,
    "tapped": _tapped,
    "said": _said,
}


def _value() -> Any:
    """Read a word's value: `value` is JSON, `value.` an item of a list, `value.KEY` an item of the list under a key.

    An empty field adds no item, but makes its list exist. `value.KEY.1`, `value.KEY.2` … belong to one list too,
    because each group of radio buttons needs a name of its own.
    """
    form = request.form
    parts = [(name.split(".")[1], text) for name, text in form.items(multi=True) if name.startswith("value.")]
    if sum(len(text) for text in (form.get("value", ""), *(text for _, text in parts))) > LONGEST_VALUE:
        raise Refused(400, "bad-value")
    if not parts:
        return _json(form["value"]) if form.get("value") else msgspec.UNSET
    lists: dict[str, list[Any]] = {key: [] for key, _ in parts}
    for key, text in parts:
        if text:
            lists[key].append(_json(text))
    return lists[""] if lists.keys() == {""} else lists


def _json(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (ValueError, RecursionError):  # the latter for deeply nested JSON
        raise Refused(400, "bad-value") from None
