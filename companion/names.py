"""Players' names: what is left of what people type, whether two are one person's, and whether two look alike."""

import unicodedata

_UNSEEN = "\u115f\u1160\u2800\u3164\uffa0\U0001d159\u034f\u17b4\u17b5"
"""Letters and signs, says Unicode, and yet nothing is seen of them."""
_TWINS = str.maketrans(
    "авекмнорстухіјѕһԁԛԝӏ" + "αβεζηικμνορτυχ" + "ıɑɡ",
    "abekmhopctyxijshdqwl" + "abezhikmnoptyx" + "iag",
)
"""Cyrillic and Greek letters and the Latin ones they pass for, as small or as capital letters."""


def written(text: str) -> str:
    """Return the name that somebody typed: one line, and only what is seen of it; "" where nothing is.

    An é is one letter, whether it was typed as one or as an e and an accent.
    """
    seen = "".join(filter(_is_seen, (letter if letter.isprintable() or _is_format(letter) else " " for letter in text)))
    name = " ".join(unicodedata.normalize("NFC", seen).split())
    return name if any(unicodedata.category(letter)[0] != "M" for letter in name) else ""


def key(name: str) -> str:
    """Return what is the same for all names of one person: case, spaces and what is not seen make no difference."""
    return written(unicodedata.normalize("NFKC", name).casefold())


def look(name: str) -> str:
    """Return what is the same for names that nobody at the table can tell apart."""
    return unicodedata.normalize("NFKD", key(name)).translate(_TWINS)


def _is_seen(letter: str) -> bool:
    """Whether it is neither a blank in disguise nor a sign that only says how others are drawn."""
    draws = _is_format(letter) or "VARIATION SELECTOR" in unicodedata.name(letter, "")
    return not draws and letter not in _UNSEEN


def _is_format(letter: str) -> bool:
    return unicodedata.category(letter) in ("Cf", "Cs")
