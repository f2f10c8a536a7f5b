"""German. A family is addressed as "ihr", one player as "du"."""

from companion.languages import Language

LANGUAGE = Language(
    "Deutsch",
    is_read_by_a_native=False,
    decimal_mark=",",
    delimiter=";",
    percent="\u202f%",
    within=str,  # a noun keeps its capital
)
