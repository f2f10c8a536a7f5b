"""Encodes text for terminals with few characters: on many a Pi only ISO 8859-1, on some only ASCII."""

import codecs
import sys
import unicodedata
from io import TextIOWrapper

_ERRORS = "companion-legible"
"""The name of the error handler in Python's codecs."""
_STAND_INS = str.maketrans(
    {
        "…": "...",
        "–": "-",
        "—": "-",
        "−": "-",
        "·": "-",
        "•": "-",
        "‘": "'",
        "’": "'",
        "“": '"',
        "”": '"',
        "„": '"',
        "«": '"',
        "»": '"',
        "\N{NO-BREAK SPACE}": " ",
        "\N{NARROW NO-BREAK SPACE}": " ",
        "→": "->",
        "±": "+-",
        "×": "x",
        "≥": ">=",
        "≤": "<=",
        "µ": "u",
        "œ": "oe",
        "Œ": "OE",
        "æ": "ae",
        "Æ": "AE",
        "ß": "ss",
    }
)
"""ASCII replacements of characters that a terminal may lack."""


def legible(text: str, encoding: str) -> str:
    """Replace characters that an encoding lacks: "…" by "...", an accented e by a plain one."""
    return text.encode(encoding, _ERRORS).decode(encoding)


def fits(text: str, encoding: str) -> bool:
    """Return whether an encoding has every character of the text."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def make_streams_legible() -> None:
    """Make other output (click's help, tracebacks) fit the terminal too."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=_ERRORS)


def _stand_in(wrong: UnicodeError) -> tuple[str, int]:
    if not isinstance(wrong, UnicodeEncodeError):
        raise wrong
    lacking = wrong.object[wrong.start : wrong.end]
    plain = unicodedata.normalize("NFKD", lacking.translate(_STAND_INS))
    without_accents = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return without_accents.encode("ascii", "backslashreplace").decode(), wrong.end


codecs.register_error(_ERRORS, _stand_in)
