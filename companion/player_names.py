"""Players' names: how typed ones are cleaned, whether two are the same person's, and whether two look alike."""

import functools
import re
import unicodedata
from collections.abc import Collection

from companion import spelling
from companion.spelling import is_seen, on_one_line, tidy
from companion.spelling import key as key  # its home for everybody else

BOTS = ("Bot Kim", "Bot Max", "Bot Lou", "Bot Sam", "Bot Alex", "Bot Noa")
"""The bots' names at a simulated table, one per seat; they appear in no standings."""
LONGEST = 24
"""Letters, as people count them."""
LONG = 9
"""A word with more letters than this is drawn smaller where there is little room for a name."""

_TOGETHER = {"LATIN", "CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO"}
"""Alphabets that people mix within a word."""
_ANY = {"COMBINING", "MODIFIER", "VARIATION", "ZERO"}
"""How Unicode names begin for signs that go with every alphabet."""
_PICTURE = "[©®\u203c\u2049\u2100-\u27bf\u2900-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
_DRAWN = f"(?!\u2800){_PICTURE}\ufe0f?[\U0001f3fb-\U0001f3ff]?"
_EMOJI = re.compile(
    "([\U0001f1e6-\U0001f1ff]{2}"  # a flag, by its country's two letters
    "|\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f"  # a flag, by its region's tags
    "|[0-9#*]\ufe0f?\u20e3"
    f"|{_DRAWN}(?:\u200d{_DRAWN})*)"
)
"""What people see as one picture, however many characters it has."""
_JOINERS = "\u200c\u200d"
"""Invisible; after a virama, and in Arabic scripts, they decide a letter's shape."""
_VIRAMA = 9
"""Its combining class."""
_PICTURES_NAMED_IN = "en"
"""The language of Unicode's names."""
MOST_MARKS = 4
"""Accents and points on one letter; no script stacks more, and hundreds would strike through all that is shown."""


def written(text: str) -> str:
    """Return the name that somebody typed, as one line of its visible characters only; "" if there are none.

    An é is one letter, whether typed as one or as an e and an accent; a picture stays whole.
    """
    visible = "".join(part if of_picture else _shaped(part) for part, of_picture in _parts(text))
    return tidy(" ".join(word.rstrip(_JOINERS) for word in spelling.without_repeated_marks(visible).split()))


def letters(name: str) -> int:
    """Count a name's letters as people do: an emoji is one, and an accent is none."""
    return sum(
        1 if of_picture else sum(unicodedata.category(letter)[0] not in "MC" for letter in part)
        for part, of_picture in _parts(name)
    )


def is_drawn(name: str) -> bool:
    """Whether it consists of pictures and signs only: a screen without such glyphs shows nothing of it."""
    return name != "" and not any(letter.isalnum() for letter in name)


@functools.lru_cache(256)
def legible(name: str, language: str = _PICTURES_NAMED_IN) -> str:
    """Return the name, in English followed by what the picture shows if there is nothing else to read.

    >>> legible("Zoé"), legible("🦄"), legible("🦄", "es")
    ('Zoé', '🦄 (unicorn face)', '🦄')
    """
    if language != _PICTURES_NAMED_IN or not is_drawn(name):
        return name
    picture = next((unicodedata.name(letter, "") for letter in name if unicodedata.category(letter) == "So"), "")
    return f"{name} ({picture.lower()})" if picture else name


def is_long(name: str) -> bool:
    """Whether one of its words would be broken where there is room for an ordinary name.

    >>> is_long("Jean-Christophe"), is_long("Marie-Anne")
    (True, False)
    """
    return max(map(len, name.replace("-", " ").split()), default=0) > LONG


def same(first: str, second: str) -> bool:
    """Whether both are one person's name, however each is typed."""
    return key(first) == key(second)


def plain(name: str) -> str:
    """Return a name as typed in haste, without accents: by that it is found, and sorted.

    >>> plain("Émile")
    'emile'
    """
    return "".join(letter for letter in unicodedata.normalize("NFD", key(name)) if not unicodedata.combining(letter))


def mixes(name: str) -> bool:
    """Whether one of its words mixes alphabets: most letters of one pass for letters of another, and some signs are
    invisible beside others.

    >>> mixes("B\u0585"), mixes("Анна Smith"), mixes("小Ana")
    (True, False, False)
    """
    return any(len(_alphabets(word)) > 1 for word in unicodedata.normalize("NFKC", name).split())


def _alphabets(word: str) -> set[str]:
    of_letters = {
        unicodedata.name(letter, "").split(" ")[0] for letter in word if unicodedata.category(letter)[0] in "LM"
    } - _ANY
    return of_letters if not of_letters <= _TOGETHER else set()


def is_bots(name: str) -> bool:
    """Whether this is a bot's name."""
    return key(name) in _BOTS


def bots_beside(names: Collection[str]) -> list[str]:
    """Return all bots' names, last those with a first name that somebody at the table has.

    >>> bots_beside(["SAM", "Ana"])[-1]
    'Bot Sam'
    """
    return sorted(BOTS, key=lambda bot: any(alike(bot, f"Bot {name}") for name in names))


def is_persons(name: str) -> bool:
    """Whether this names a person: neither a bot nor nobody in particular."""
    return bool(key(name)) and not is_bots(name)


def alike(name: str, other_name: str) -> bool:
    """Whether nobody at the table can tell two names apart.

    >>> alike("Ana", "\u0410NA"), alike("Il", "ll"), alike("Ian", "Lan")
    (True, True, False)
    """
    if key(name) == key(other_name):
        return True
    return any(first == second for first, second in zip(spelling.looks(name), spelling.looks(other_name), strict=True))


def _parts(text: str) -> list[tuple[str, bool]]:
    """Split a text at its pictures, and mark each part that is one."""
    return [(part, bool(at % 2)) for at, part in enumerate(_EMOJI.split(text))]


def _shaped(text: str) -> str:
    """Return the visible letters, with the joiners that shape them."""
    visible = " "
    marks = 0
    for letter in map(on_one_line, text):
        joins = unicodedata.combining(visible[-1]) == _VIRAMA or unicodedata.bidirectional(visible[-1]) == "AL"
        if not (is_seen(letter) or (letter in _JOINERS and joins)):
            continue
        if unicodedata.category(letter)[0] == "M":
            marks += 1
        elif letter not in _JOINERS:
            marks = 0
        if marks <= MOST_MARKS:
            visible += letter
    return visible[1:]


_BOTS = frozenset(map(key, BOTS))
