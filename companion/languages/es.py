"""Spanish, as in Spain. A family is addressed as "vosotros", one player as "tú"."""

import re
import unicodedata

from companion.languages import Language

_SOUNDS_LIKE_I = re.compile(r"h?i(?![aeou])|y(?![a-z])")


def joined(earlier: str, conjunction: str, last: str) -> str:
    """Say "Ana e Inés", but "Ana y Bo" and "Ana y Hielo"."""
    plain = unicodedata.normalize("NFD", last.lstrip("*\u2068").lower())
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    spoken = "e" if conjunction == "y" and _SOUNDS_LIKE_I.match(letters) else conjunction
    return f"{earlier} {spoken} {last}"


LANGUAGE = Language(
    "Español", is_read_by_a_native=False, decimal_mark=",", delimiter=";", percent="\u202f%", joined=joined
)
