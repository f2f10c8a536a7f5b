"""Players' names: what is left of what people type, whether two are one person's, and whether two look alike."""

import functools
import re
import unicodedata

BOTS = ("Bot Kim", "Bot Max", "Bot Lou", "Bot Sam", "Bot Alex", "Bot Noa")
"""What bots are called at a simulated table, one for each seat; no standings name them."""
LONGEST = 24
"""Letters, as people count them."""
LONG = 9
"""Letters of a word above which it is drawn smaller where little room is left for a name."""

_UNSEEN = "\u115f\u1160\u2800\u3164\uffa0\U0001d159\u034f\u17b4\u17b5"
"""Letters and signs, says Unicode, and yet nothing is seen of them."""
_TWINS = str.maketrans(
    "авекмнорстухіјѕһԁԛԝӏ" + "αβεζηικμνορτυχ" + "ıɑɡ",
    "abekmhopctyxijshdqwl" + "abezhikmnoptyx" + "iag",
)
"""Cyrillic and Greek letters and the Latin ones they pass for, as small or as capital letters."""
_BARS = str.maketrans("Il1|0", "\u01c0" * 4 + "o")
"""What is a mere stroke, or a mere ring, in most typefaces."""
_TOGETHER = {"LATIN", "CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO"}
"""Alphabets that people write in one word."""
_ANY = {"COMBINING", "MODIFIER", "VARIATION", "ZERO"}
"""How the names of signs begin that go with every alphabet."""
_PICTURE = "[©®\u203c\u2049\u2100-\u27bf\u2900-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
_DRAWN = f"(?!\u2800){_PICTURE}\ufe0f?[\U0001f3fb-\U0001f3ff]?"
_EMOJI = re.compile(
    "([\U0001f1e6-\U0001f1ff]{2}"  # a flag, by its country's two letters
    "|\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f"  # a flag, by its region's tags
    "|[0-9#*]\ufe0f?\u20e3"
    f"|{_DRAWN}(?:\u200d{_DRAWN})*)"
)
"""What people see as one picture, whatever it is made of."""
_JOINERS = "\u200c\u200d"
"""Unseen themselves; after a virama, and in Arabic scripts, they say which shape a letter has."""
_VIRAMA = 9
"""Its combining class."""
MOST_MARKS = 4
"""Accents and points on one letter; no script stacks more, and hundreds would strike through all that is shown."""


def written(text: str) -> str:
    """Return the name that somebody typed: one line, and only what is seen of it; "" where nothing is.

    An é is one letter, whether it was typed as one or as an e and an accent; a picture stays whole.
    """
    return _tidy("".join(part if of_picture else _shaped(part) for part, of_picture in _parts(text)))


def letters(name: str) -> int:
    """Count a name's letters as people do: an emoji is one, and an accent is none."""
    return sum(
        1 if of_picture else sum(unicodedata.category(letter)[0] not in "MC" for letter in part)
        for part, of_picture in _parts(name)
    )


def is_drawn(name: str) -> bool:
    """Whether it is of pictures and signs alone: a screen that has no such letters shows nothing of it."""
    return name != "" and not any(letter.isalnum() for letter in name)


def legible(name: str) -> str:
    """Return the name; what a picture shows is said after it, where nothing else is to be read.

    >>> legible("Zoé"), legible("🦄")
    ('Zoé', '🦄 (unicorn face)')
    """
    if not is_drawn(name):
        return name
    said = next((unicodedata.name(letter, "") for letter in name if unicodedata.category(letter) == "So"), "")
    return f"{name} ({said.lower()})" if said else name


def is_long(name: str) -> bool:
    """Whether a word of it would be broken where there is room for a usual name.

    >>> is_long("Jean-Christophe"), is_long("Marie-Anne")
    (True, False)
    """
    return max(map(len, name.replace("-", " ").split()), default=0) > LONG


@functools.lru_cache(4096)
def key(name: str) -> str:
    """Return what is the same for all names of one person: case, spaces and what is not seen make no difference."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return _tidy("".join(filter(_is_seen, map(_one_line, folded))))


def mixes(name: str) -> bool:
    """Whether a word of it is of several alphabets: most letters of one pass for letters of another, and some of their
    signs are not seen beside others.

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
    """Whether this is what a bot is called."""
    return key(name) in _BOTS


def is_persons(name: str) -> bool:
    """Whether somebody is known by this name: no bot, and not nobody in particular."""
    return bool(key(name)) and not is_bots(name)


def alike(one: str, other: str) -> bool:
    """Whether nobody at the table can tell two names apart.

    >>> alike("Ana", "\u0410NA"), alike("Il", "ll"), alike("Ian", "Lan")
    (True, True, False)
    """
    return _look(one) == _look(other) or _look(one.translate(_BARS)) == _look(other.translate(_BARS))


def _look(name: str) -> str:
    return unicodedata.normalize("NFKD", key(name)).translate(_TWINS)


def _parts(text: str) -> list[tuple[str, bool]]:
    """Split a text at its pictures; say of each part whether it is one."""
    return [(part, bool(at % 2)) for at, part in enumerate(_EMOJI.split(text))]


def _shaped(text: str) -> str:
    """Return what is seen of letters, with the joiners that give them their shapes."""
    kept, marks = " ", 0
    for letter in map(_one_line, text):
        joins = unicodedata.combining(kept[-1]) == _VIRAMA or unicodedata.bidirectional(kept[-1]) == "AL"
        if not (_is_seen(letter) or (letter in _JOINERS and joins)):
            continue
        if unicodedata.category(letter)[0] == "M":
            marks += 1
        elif letter not in _JOINERS:
            marks = 0
        if marks <= MOST_MARKS:
            kept += letter
    return kept[1:]


def _tidy(text: str) -> str:
    """Return it as one line without needless blanks; "" where only accents are left."""
    name = " ".join(word.rstrip(_JOINERS) for word in unicodedata.normalize("NFC", text).split())
    return name if any(unicodedata.category(letter)[0] != "M" for letter in name) else ""


def _one_line(letter: str) -> str:
    return letter if letter.isprintable() or _is_format(letter) else " "


def _is_seen(letter: str) -> bool:
    """Whether it is neither a blank in disguise nor a sign that only says how others are drawn."""
    draws = _is_format(letter) or "VARIATION SELECTOR" in unicodedata.name(letter, "")
    return not draws and letter not in _UNSEEN


def _is_format(letter: str) -> bool:
    return unicodedata.category(letter) in ("Cf", "Cs")


_BOTS = frozenset(map(key, BOTS))
