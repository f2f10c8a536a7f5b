"""The setup's sentences: places, steps, remarks and advice, in a page's words. Pure."""

from companion.devices.check.walk import Act, Step
from companion.events import seat_at
from companion.setup.table_plan import Remark, Silent
from companion.web.render.words import PageWords

CURES = {
    Act.LAY: ("setup-try-middle", "setup-try-sticker", "setup-cure-reader"),
    Act.PRESS: ("setup-try-firmly", "setup-try-wires", "setup-cure-box"),
}
"""Codes of the advice shown where nothing answers, by the act that the step asks for."""


def name_place(place: str, words: PageWords) -> str:
    """Name a seat, or a pad in the middle."""
    return words.place(place) if seat_at(place) is not None else words.of_pad("setup-place", place)


def say_remark(remark: Remark, words: PageWords) -> str:
    """Put a remark on the last act into words."""
    facts = remark.facts
    place = facts.get("place")
    place_name = name_place(place, words) if place else ""
    if remark.code in ("setup-lost", "setup-back"):
        device = place_name or words.say("setup-reader", {"number": facts.get("number")})
        return words.say(f"{remark.code}-{facts['what']}", {"place": device})
    heard = facts.get("heard")
    return words.say(remark.code, {"place": place_name, "heard": name_place(heard, words) if heard else ""})


def ask_step(step: Step, words: PageWords) -> str:
    """Return the sentence that asks for a step."""
    seat = seat_at(step.place)
    if seat is None:
        return words.of_pad("setup-lay", step.place)
    return words.say(f"setup-{step.act}-seat", {"number": seat})


def cure_of(silent: Silent) -> str:
    """Return the code of the advice for a port where something is plugged in and does not answer."""
    buses = (bus for bus in ("spi", "i2c") if bus in silent.where)
    return f"setup-cure-{next(buses, 'port')}"
