"""The languages of the pages, and how each writes numbers, times, lists and names.

A language is there as soon as `companion/locale/CODE.po` is. What the files can't say, its typography and how it joins
words, stands in a module of its own here, named after its code; a language without one is written like English.
"""

import functools
import importlib
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources

SOURCE = "en"
"""The language in which sentences are written first; a sentence not yet translated is said in it."""
_FILES = (file.name for file in resources.files("companion").joinpath("locale").iterdir())
TRANSLATED = tuple(sorted(name.removesuffix(".po") for name in _FILES if name.endswith(".po")))
"""Found also where the package is read from a wheel, as at a card's first boot."""
LANGUAGES = (SOURCE, *TRANSLATED)


def _as_it_is(text: str, *_: object) -> str:
    return text


def _with_spaces(earlier: str, conjunction: str, last: str) -> str:
    return f"{earlier} {conjunction} {last}"


@dataclass(frozen=True, slots=True)
class Language:
    """How a language is written."""

    name: str
    """Its own name."""
    is_read_by_a_native: bool = True
    """Whether a native speaker has read all its sentences; the pages say so where none has."""
    decimal_mark: str = "."
    delimiter: str = ","
    """What stands between the cells of a spreadsheet; no comma where numbers have one."""
    percent: str = "%"
    """What follows the number."""
    first_of_month: str = "1"
    clock: str = "{hour:02}:{minute:02}"
    """A time of day; `hour` and `minute` are numbers."""
    within: Callable[[str], str] = str.lower
    """Write a noun that stands alone in an entry as it stands inside a sentence."""
    joined: Callable[[str, str, str], str] = _with_spaces
    """Join what is listed already, "and", and what comes last."""
    fitted: Callable[[str, Mapping[str, str]], str] = _as_it_is
    """Fit a sentence to the words about to be put into it, which are given by the names of its facts."""
    typeset: Callable[[str], str] = _as_it_is
    """Set a sentence in print: no line begins with its punctuation."""


@functools.cache
def language(code: str) -> Language:
    """Return the rules of the language with this code; by default those of English under the code's name."""
    module = f"{__name__}.{code}"
    if importlib.util.find_spec(module) is None:
        return Language(code)
    rules: Language = importlib.import_module(module).LANGUAGE
    return rules
