"""Invitations: all that a table needs to join a club, as a code of letters and digits for a QR code or for typing.

>>> code = encode(Invitation("mqtt://hub.local:1883", "wednesday"))
>>> code.startswith("CLUB-")
True
>>> decode(code.lower().replace("-", " ")).club
'wednesday'
"""

import base64
import binascii
import zlib

import msgspec

from companion.errors import WrongInput

_MARK = "CLUB"
_SUM = 4
"""Bytes of checksum, by which a wrong copy is noticed."""


class WrongCode(WrongInput):
    """The code is not a club's, or was not copied correctly."""


class Invitation(msgspec.Struct, frozen=True, array_like=True, repr_omit_defaults=True):
    """A club's broker and topics, with the credentials for a table."""

    broker: str
    """`mqtt://host:1883` or `mqtts://host:8883`."""
    club: str
    user: str = ""
    """The table's user name at the broker; "" if it asks for none."""
    password: str = ""
    cards: str = ""
    """The club's secret for club cards; "" where anybody may read the code."""

    def __repr__(self) -> str:
        """Leave out the password, which must not get into a log through an error."""
        return f"Invitation({self.broker!r}, {self.club!r}, {self.user!r})"


def encode(invitation: Invitation) -> str:
    """Return the code of an invitation. It is not encrypted: the password can be read from it."""
    body = msgspec.json.encode(invitation)
    packed = zlib.crc32(body).to_bytes(_SUM) + body
    letters = base64.b32encode(packed).decode().rstrip("=")
    return "-".join([_MARK, *(letters[at : at + 5] for at in range(0, len(letters), 5))])


def decode(code: str) -> Invitation:
    """Decode a code; blanks, hyphens and case do not matter. Raises `WrongCode`."""
    letters = "".join(letter for letter in code.upper() if letter.isalnum())
    if not letters.startswith(_MARK):
        raise WrongCode("this is not a club's code, which begins with CLUB-. The hub's page shows it")
    letters = letters.removeprefix(_MARK)
    try:
        packed = base64.b32decode(letters + "=" * (-len(letters) % 8))
        body = packed[_SUM:]
        if zlib.crc32(body).to_bytes(_SUM) != packed[:_SUM]:
            raise binascii.Error
        return msgspec.json.decode(body, type=Invitation)
    except (binascii.Error, ValueError):
        raise WrongCode(
            "the code is damaged: a letter is wrong or missing. Copy it whole from the hub's page"
        ) from None
