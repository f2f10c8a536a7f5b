"""What proves to the broker who the table is, and to the table who the broker is. None of it is in any message."""

import ssl
from pathlib import Path

from companion.club_settings import ClubSettings
from companion.errors import WrongInput


class WrongCredentials(WrongInput):
    """A file that the club needs can't be used: which, why, and what to do."""


def see_that_files_are_good(club: ClubSettings) -> None:
    """See, before the table starts, that the files can be used. Raises `WrongCredentials`."""
    password(club)
    if club.by_tls:
        trusted(club)


def password(club: ClubSettings) -> str | None:
    """Read the password anew, so that a new one needs no restart. Raises `WrongCredentials`."""
    if not club.password_file:
        return None
    file = Path(club.password_file)
    try:
        if file.stat().st_mode & 0o077:
            raise WrongCredentials(f"the club's password in {file} may be read by others: chmod 600 {file}")
        return file.read_text(encoding="utf-8").rstrip("\r\n")
    except OSError as wrong:
        raise WrongCredentials(f"can't read the club's password in {file}: {wrong.strerror}") from wrong
    except UnicodeDecodeError:
        raise WrongCredentials(f"the club's password in {file} is not UTF-8 text") from None


def trusted(club: ClubSettings) -> ssl.SSLContext:
    """Return whom to trust about who the broker is. Raises `WrongCredentials`."""
    try:
        context = ssl.create_default_context(cafile=club.ca or None)
    except OSError as wrong:
        raise WrongCredentials(f"can't use the certificate {club.ca}: {wrong.strerror or 'it is none'}") from wrong
    context.sslsocket_class = _Tidy
    return context


class _Tidy(ssl.SSLSocket):
    """A connection that does not stay open where the broker is not whom it should be."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise
