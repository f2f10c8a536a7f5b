"""French."""

import re
import unicodedata
from collections.abc import Mapping

from companion.languages import Language

_THIN = "\u202f"
"""Before an exclamation mark, a question mark or a semicolon."""
_WIDE = "\u00a0"
"""As wide as any space: before a colon and inside guillemets."""
_BEFORE = re.compile(r" (?=[;!?])")
_BEFORE_WIDE = re.compile(r" (?=[:»])")
_AFTER = re.compile(r"(?<=«) ")
_ELIDES = re.compile(r"\b([DdLl]|[Qq]u)e \{(seats?|caller|other|fastest|runner_up|card|names?)\}")


def elided(template: str, words: Mapping[str, str]) -> str:
    """Say "d’Anna", "qu’Hugo", "l’argent" and "d’Yves", but "de Bruno" and "de Yann"."""
    return _ELIDES.sub(lambda match: _elided(match[1], match[2], words), template)


def _elided(little: str, key: str, words: Mapping[str, str]) -> str:
    begins = "".join(filter(str.isalpha, unicodedata.normalize("NFD", words[key])))[:2].lower()
    is_elided = begins[:1] in {*"aeiouhœæ"} or (begins[:1] == "y" and begins[1:] not in {*"aeiou"})
    return f"{little}’{{{key}}}" if is_elided else f"{little}e {{{key}}}"


def typeset(text: str) -> str:
    """Keep lines from beginning with punctuation."""
    return _BEFORE.sub(_THIN, _BEFORE_WIDE.sub(_WIDE, _AFTER.sub(_WIDE, text)))


LANGUAGE = Language(
    "Français",
    decimal_mark=",",
    delimiter=";",
    percent=" %",
    first_of_month="1er",
    clock="{hour}\u202fh\u202f{minute:02}",
    fitted=elided,
    typeset=typeset,
)
