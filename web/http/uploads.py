"""The few requests that may be longer than a form: a backup that the host's phone sends."""

from collections.abc import Callable, Mapping
from email.message import Message
from http.cookies import CookieError, SimpleCookie

from werkzeug.datastructures import Headers

LARGEST_BACKUP = 32_000_000
"""Bytes: some ten thousand matches. Where a machine keeps what is sent in its memory, more would not fit."""


def may_send_backup(
    where: str, is_host: Callable[[Mapping[str, str]], bool]
) -> Callable[[str, Message | Headers], int]:
    """Return what says how long a request may be before it is read: long at one address, and from the host's phone,
    which `is_host` knows by its cookies.
    """

    def most(path: str, headers: Message | Headers) -> int:
        try:
            cookies = {name: morsel.value for name, morsel in SimpleCookie(headers.get("Cookie", "")).items()}
        except CookieError:
            return 0
        return LARGEST_BACKUP if path == where and is_host(cookies) else 0

    return most
