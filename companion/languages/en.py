"""English."""

from companion.languages import Language

LANGUAGE = Language("English")
