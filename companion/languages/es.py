"""Spanish, as in Spain. A family is addressed as "vosotros", one player as "tú"."""

import re
import unicodedata
from collections.abc import Mapping

from companion.languages import Language

_SOUNDS_LIKE_I = re.compile(r"h?i(?![aeou])|y(?![a-z])")
_ARTICLE = re.compile(r"\b(del|el|El) \{card\}")
_FEMININE = {"del": "de la", "el": "la", "El": "La"}
_FEMININE_CARDS = ("jota ", "reina ")


def joined(earlier: str, conjunction: str, last: str) -> str:
    """Say "Ana e Inés", but "Ana y Bo" and "Ana y Hielo"."""
    plain = unicodedata.normalize("NFD", last.lstrip("*\u2068").lower())
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    spoken = "e" if conjunction == "y" and _SOUNDS_LIKE_I.match(letters) else conjunction
    return f"{earlier} {spoken} {last}"


def agreed(template: str, words: Mapping[str, str]) -> str:
    """Say "el 4 de tréboles" and "del as", but "la reina de picas"."""
    if not words.get("card", "").startswith(_FEMININE_CARDS):
        return template
    return _ARTICLE.sub(lambda article: f"{_FEMININE[article[1]]} {{card}}", template)


LANGUAGE = Language(
    "Español",
    is_read_by_a_native=False,
    decimal_mark=",",
    delimiter=";",
    percent="\u202f%",
    joined=joined,
    fitted=agreed,
)
