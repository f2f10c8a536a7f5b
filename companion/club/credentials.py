"""Credentials between a table, or the hub, and the broker. None of them is in any message."""

import ssl
from pathlib import Path

from companion.broker_settings import BrokerSettings
from companion.errors import WrongInput
from companion.storage.files import contents


class WrongCredentials(WrongInput):
    """A credentials file can't be used; the message says which, why, and what to do."""


def see_that_files_are_good(broker: BrokerSettings) -> None:
    """Check before the start that the credentials files can be used. Raises `WrongCredentials`."""
    password(broker)
    if broker.by_tls:
        trusted(broker)


def password(broker: BrokerSettings) -> str | None:
    """Read the password from its file at each call, so that a new one needs no restart. Raises `WrongCredentials`."""
    if not broker.password_file:
        return None
    file = Path(broker.password_file)
    try:
        if file.stat().st_mode & 0o077:
            raise WrongCredentials(f"the broker's password in {file} may be read by others: chmod 600 {file}")
        return contents(file).decode("utf-8").rstrip("\r\n")
    except OSError as wrong:
        cure = "Write it there, or correct `password_file`"
        raise WrongCredentials(f"can't read the broker's password in {file}: {wrong.strerror}. {cure}") from wrong
    except UnicodeDecodeError:
        raise WrongCredentials(f"the broker's password in {file} is not UTF-8 text: write it anew") from None


def trusted(broker: BrokerSettings) -> ssl.SSLContext:
    """Return the TLS context that trusts the broker's authorities. Raises `WrongCredentials`."""
    try:
        context = ssl.create_default_context(cafile=broker.ca or None)
    except OSError as wrong:
        why = wrong.strerror or "it is not one"
        cure = "Put the right file there, or correct `ca`"
        raise WrongCredentials(f"can't use the certificate {broker.ca}: {why}. {cure}") from wrong
    context.sslsocket_class = _ClosedOnFailedHandshake
    return context


def authorities(broker: BrokerSettings) -> str:
    """Return the broker's authorities as PEM: certificates only, whatever else the file of `ca` holds.

    Raises `WrongCredentials`.
    """
    certificates = trusted(broker).get_ca_certs(binary_form=True)
    return "".join(map(ssl.DER_cert_to_PEM_cert, certificates))


def why_unreachable(wrong: Exception) -> str:
    """Describe why a connection to a broker failed; for a certificate also what to do about it."""
    if isinstance(wrong, ssl.SSLCertVerificationError):
        message = wrong.verify_message.rstrip(".")
        cure = _CERTIFICATE_CURES.get(wrong.verify_code, "Name the file of the club's authority in `ca`")
        return f"certificate verify failed: {message}. {cure}"
    return str(getattr(wrong, "strerror", None) or wrong)


_CALL_BY_ITS_NAME = "Call the broker in `broker` as its certificate does"
_CERTIFICATE_CURES = {
    9: "It begins later than this machine's clock says: set the clock",
    10: "Renew it at the broker, or set this machine's clock",
    62: _CALL_BY_ITS_NAME,
    64: _CALL_BY_ITS_NAME,
}
"""By OpenSSL's X509_V_ERR codes (x509_vfy.h): not yet valid, expired, another host's name, another address."""


class _ClosedOnFailedHandshake(ssl.SSLSocket):
    """A TLS socket that closes itself if the handshake fails."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise
