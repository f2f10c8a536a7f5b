"""Faults of devices in words, for players and for builders."""

from companion.devices.faults import BUS, PROGRAMS, WHERE, DeviceFault, Fact, FaultCode
from companion.events import seat_at
from companion.web.render.words import PageWords, capitalised

_SINCE = (FaultCode.SILENT, FaultCode.GARBLED)
"""Faults that wires and switches hardly explain once the device has worked."""


def said_to_players(name: str, fault: DeviceFault, words: PageWords) -> str:
    """Return whose device it is and what to do now; "" if no code says it."""
    kind = _kind_of(name, fault)
    facts: dict[str, Fact] = {"kind": kind, "device": _whose(name, kind, words)}
    sentence = _find_sentence(f"fault-{fault.code}", fault, facts, words)
    return capitalised(sentence)


def said_to_builders(name: str, fault: DeviceFault, has_worked: bool, words: PageWords) -> str:
    """Return what is wrong where, and what to check; "" if no code says it. `has_worked` means since the start."""
    code = f"fault-{fault.code}-exactly"
    if has_worked and fault.code in _SINCE and _kind_of(name, fault) == "reader":
        code = "fault-silent-since"
    sentence = _find_sentence(code, fault, {WHERE: name, BUS: None}, words)
    if sentence and fault.facts.get(PROGRAMS):
        return f"{sentence} {words.say('fault-programs', {PROGRAMS: fault.facts[PROGRAMS]})}"
    return sentence


def _find_sentence(code: str, fault: DeviceFault, facts: dict[str, Fact], words: PageWords) -> str:
    """Return a sentence; "" if there is none, or if a package's driver gives too few facts for it."""
    if not words.has(code):
        return ""
    try:
        return words.say(code, {**facts, **fault.facts})
    except KeyError:
        return ""


def _kind_of(name: str, fault: DeviceFault) -> str:
    if name.startswith("reader "):
        return "reader"
    return "box" if fault.facts.get(BUS) == "box" else "buttons"


def _whose(name: str, kind: str, words: PageWords) -> str:
    if kind != "reader":
        return words.say(f"whose-{kind}")
    place = name.removeprefix("reader ")
    seat = seat_at(place)
    if seat is None:
        return words.say("whose-reader-place", {"place": words.place(place)})
    if words.names.get(seat):
        return words.say("whose-reader", {"seat": seat})
    return words.say("whose-reader-seat", {"number": seat})
