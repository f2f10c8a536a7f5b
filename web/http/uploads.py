"""The only request that may be longer than a form: a backup that the host's phone sends."""

from collections.abc import Callable, Mapping
from email.message import Message
from http.cookies import CookieError, SimpleCookie

from werkzeug.datastructures import Headers

LARGEST_BACKUP = 32_000_000
"""Bytes: some ten thousand matches. A machine whose temporary files are in memory has no room for more."""


def may_send_backup(
    where: str, is_host: Callable[[Mapping[str, str]], bool]
) -> Callable[[str, Message | Headers], int]:
    """Return the check of how long a body may be, made before it is read: long at `where`, from the host's phone only.

    `is_host` tells by a phone's cookies whether it is the host's.
    """

    def most(path: str, headers: Message | Headers) -> int:
        try:
            cookies = {name: morsel.value for name, morsel in SimpleCookie(headers.get("Cookie", "")).items()}
        except CookieError:
            return 0
        return LARGEST_BACKUP if path == where and is_host(cookies) else 0

    return most
