"""How one name may be spelled, and which names look alike, by Unicode's own data. Pure.

Two readings of two names: they are *one* if nobody means to write two by them, as a phone's ’ and a keyboard's ', or
upper and lower case; they *look alike* if nobody at a table can tell them apart, as a Cyrillic А from a Latin A.
The first decides whose match it is, and must never make one person of two: accents and letters of another alphabet
stay what they are. The second only keeps two from playing in one match.
"""

import functools
import json
import re
import unicodedata
from pathlib import Path

_IGNORED = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\u2800\U0001d159]"  # a letter and a note by Unicode's account, and yet blank
)
"""Unicode's Default_Ignorable_Code_Point: nothing of it is seen."""
_KEYS = str.maketrans(
    {
        **dict.fromkeys("‘’‛′‵ʹʻʼʽʾʿˈˊˋ´`՚՝׳ꞌ\u07f4\u07f5", "'"),
        **dict.fromkeys("“”„‟″‶«»״〝〞ˮ", '"'),
        **dict.fromkeys("‐‑‒–—―−⁃˗➖⸺⸻\u05be\u1806\u058a\u1400", "-"),
        **dict.fromkeys("•∙⋅‧・ᐧ", "·"),
    }
)
"""What phones and keyboards make of one key: apostrophes, quotation marks, hyphens, points in the middle."""
_LETTERS = str.maketrans(
    {
        "\u0326": "\u0327",  # comma and cedilla: Romanian keyboards have either
        **dict.fromkeys("ىیېے", "ي"),  # Persian and Urdu keyboards have their own yeh, kaf and heh
        **dict.fromkeys("کڪ", "ك"),
        **dict.fromkeys("ہھە", "ه"),
        "\u0640": "",  # a line that only stretches an Arabic word
    }
)
_VOWELS = re.compile(
    "[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u0652\u0657-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8]"
)
"""Points that Hebrew and Arabic may leave out."""
_TONES = re.compile("(?<=[\u0370-\u03ff\u1f00-\u1fff])([\u0308\u0345]*)[\u0300\u0301\u0313\u0314\u0342]+")
"""Greek accents, which capitals have not; a diaeresis they keep."""
_SAME_MARK = re.compile(r"([\u0300-\u036f])\1+")
_AROUND = re.compile(r"\s*(?:-\s*)+")
_FULL_STOPS = " .。।"
"""What a phone's keyboard makes of a second blank after a name."""
_TURKISH = re.compile("[şŞğĞ]")
"""Who types these has a Turkish keyboard: there ı and i are two letters, and I is the capital of ı."""


@functools.lru_cache(4096)
def key(name: str) -> str:
    """Return what all spellings of one name share. It is its own key, and empty only if nothing of the name is seen."""
    visible = _visible(name)
    words = (_in_lower_case(word) for word in visible.translate(_KEYS).split())
    folded = unicodedata.normalize("NFD", " ".join(words).translate(_KEYS)).translate(_LETTERS)
    folded = _SAME_MARK.sub(r"\1", _TONES.sub(r"\1", _VOWELS.sub("", folded)))
    folded = "".join(str(unicodedata.decimal(letter, letter)) for letter in folded)
    folded = _AROUND.sub("-", folded)
    return tidy(folded.rstrip(_FULL_STOPS)) or tidy(folded) or tidy(visible.casefold())


@functools.lru_cache(4096)
def looks(name: str) -> tuple[str, str, str]:
    """Return the looks of a name as it is typed, in lower case and in capitals: alike in one is alike.

    A look is Unicode's skeleton (UTS 39, section 4).
    """
    typed = _visible(name).translate(_KEYS)
    return _skeleton(typed), _skeleton(typed.casefold()).casefold(), _skeleton(typed.upper())


def without_repeated_marks(text: str) -> str:
    """Return it with each accent once where the same is stacked on itself."""
    return unicodedata.normalize("NFC", _SAME_MARK.sub(r"\1", unicodedata.normalize("NFD", text)))


def is_seen(letter: str) -> bool:
    """Whether it is neither a blank in disguise nor a sign that only changes how others are drawn."""
    return not (is_format(letter) or _IGNORED.match(letter))


def is_format(letter: str) -> bool:
    """Whether it is a sign for whoever lays out the text, or half a character."""
    return unicodedata.category(letter) in ("Cf", "Cs")


def on_one_line(letter: str) -> str:
    """Return it, or a blank for whatever would end the line or can't be printed."""
    return letter if letter.isprintable() or is_format(letter) or _IGNORED.match(letter) else " "


def tidy(text: str) -> str:
    """Return it as one line without needless blanks; "" if only accents are left."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    return name if any(unicodedata.category(letter)[0] != "M" for letter in name) else ""


def _visible(name: str) -> str:
    """Return what is seen of a name, compatible characters as one, so that a ﬁ is f and i."""
    normal = unicodedata.normalize("NFKC", name.translate(_KEYS))
    return " ".join("".join(filter(is_seen, map(on_one_line, normal))).split())


def _in_lower_case(word: str) -> str:
    dotless = word.replace("I", "ı") if _TURKISH.search(word) else word.replace("ı", "i")
    return dotless.replace("İ", "i").casefold().replace("i\u0307", "i")


def _skeleton(text: str) -> str:
    prototypes = "".join(_prototypes().get(letter, letter) for letter in unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", prototypes)


@functools.cache
def _prototypes() -> dict[str, str]:
    """Return what each character that passes for another stands for, from Unicode's confusables.txt."""
    table = json.loads(Path(__file__).with_name("confusables.json").read_text(encoding="utf-8"))
    return {source: prototype for prototype, sources in table.items() for source in sources}
