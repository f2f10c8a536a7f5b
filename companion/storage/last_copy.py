"""The copy of a small file, taken when it was last read without error.

After a power cut a file may be empty, full of NUL bytes, or cut short. Nothing is deleted: a file that is in the way is
renamed to its name and a number.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path

from companion.storage.ailments import Remedy
from companion.storage.files import contents, give_to_the_folders_owner, swap, write_private

LARGEST = 1_000_000
"""Bytes that none of these files exceeds."""
_NOTHING = b"\0 \t\r\n\xef\xbb\xbf"
"""Bytes without meaning: the NULs that a power cut leaves, blanks, and a byte order mark."""


def copy_of(path: Path) -> Path:
    """Return where the copy of a file lies."""
    return path.with_name(f"{path.name}.last")


def says_something(path: Path) -> bool:
    """Whether a file is there and holds more than blanks and NUL bytes; True if it can't be read at all."""
    try:
        return bool(contents(path, LARGEST).strip(_NOTHING))
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True


def is_lost(path: Path) -> bool:
    """Whether a file is empty or gone although it had contents when it last worked."""
    return not says_something(path) and says_something(copy_of(path))


def is_cut(path: Path) -> bool:
    """Whether a file of settings has lost its end since it last worked, even if it was edited in between.

    False if it lacks only comments, or if people removed something before its end.
    """
    text = _contents_or_nothing(path)
    last_text = _contents_or_nothing(copy_of(path))
    return text != last_text and (_is_beginning(text, last_text) or _lacks_last_sections(text, last_text))


def _lacks_last_sections(text: bytes, last_text: bytes) -> bool:
    from companion.toml_editing import lacks_last_sections  # only when needed: no start has to wait for tomlkit

    try:
        return lacks_last_sections(_as_toml(text), _as_toml(last_text))
    except (ValueError, RecursionError):  # no UTF-8 or TOML: that is told when it is read
        return False


def _as_toml(content: bytes) -> str:
    import tomllib  # only when needed: no start has to wait for it

    text = content.decode("utf-8-sig")
    tomllib.loads(text)
    return text


def _is_beginning(text: bytes, last_text: bytes) -> bool:
    beginning = text.rstrip(_NOTHING)
    if not beginning or not last_text.startswith(beginning):
        return False
    lacking = last_text[len(beginning) :]
    ends_a_line = lacking.lstrip(b" \t").startswith((b"\r", b"\n"))
    if text != beginning and not ends_a_line:  # an edited value, such as 80 for 8080, not a cut
        return False
    return any(line.strip(_NOTHING) and not line.lstrip().startswith(b"#") for line in lacking.splitlines())


def keep_copy(path: Path) -> None:
    """Copy a file that works; an empty one replaces no copy. If the disk is full, there is only no new copy."""
    copy = copy_of(path)
    with suppress(OSError):
        if says_something(path) and contents(path) != _contents_or_nothing(copy):
            _put(copy, path)


def _contents_or_nothing(path: Path) -> bytes:
    try:
        return contents(path, LARGEST)
    except OSError:
        return b""


def remedies_for(path: Path) -> tuple[Remedy, ...]:
    """Return what can be done about a file that can't be used."""
    return (Remedy.LAST_COPY, Remedy.ANEW) if says_something(copy_of(path)) else (Remedy.ANEW,)


def bring_back(path: Path) -> None:
    """Put the copy in the file's place; what was there is moved aside. Raises OSError."""
    set_aside(path)
    _put(path, copy_of(path))


def give_up(path: Path) -> None:
    """Go on without a file: move it and its copy aside. Raises OSError."""
    set_aside(path)
    set_aside(copy_of(path))


def use_as_it_is(path: Path) -> None:
    """Go on with a file that lacks what its copy holds: move the copy aside, and take another. Raises OSError."""
    set_aside(copy_of(path))
    keep_copy(path)


def set_aside(path: Path) -> Path | None:
    """Rename a file to the next free number; return its new name, or None if there is no such file. Raises OSError."""
    if not os.path.lexists(path):
        return None
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.name}.aside-{number}")):
        number += 1
    swap(path, aside)
    return aside


def _put(target: Path, source: Path) -> None:
    """Copy a file, with its mode, over another. Raises OSError."""
    part = target.with_name(f"{target.name}.new")
    try:
        write_private(part, contents(source))
        part.chmod(stat.S_IMODE(source.stat().st_mode))
        give_to_the_folders_owner(part)
        swap(part, target)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
