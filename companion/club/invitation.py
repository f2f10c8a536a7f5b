"""What a table needs to join a club, as one code: letters and digits that a QR code holds and people can copy.

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
"""Bytes that show whether a code was copied completely."""


class WrongCode(WrongInput):
    """This is not a club's code, or was not copied completely."""


class Invitation(msgspec.Struct, frozen=True, array_like=True, repr_omit_defaults=True):
    """Where a club meets, and who may come in."""

    broker: str
    """`mqtt://host:1883` or `mqtts://host:8883`."""
    club: str
    user: str = ""
    """The broker's name for the table; "" if it asks for none."""
    password: str = ""
    cards: str = ""
    """The club's secret, by which its tables recognise club cards; "" where anybody may read the code."""

    def __repr__(self) -> str:
        """Leave out the password, which must not get into a log through an error."""
        return f"Invitation({self.broker!r}, {self.club!r}, {self.user!r})"


def encode(invitation: Invitation) -> str:
    """Return the code of an invitation. Whoever has it can read all that is in it, the password too."""
    body = msgspec.json.encode(invitation)
    packed = zlib.crc32(body).to_bytes(_SUM) + body
    letters = base64.b32encode(packed).decode().rstrip("=")
    return "-".join([_MARK, *(letters[at : at + 5] for at in range(0, len(letters), 5))])


def decode(code: str) -> Invitation:
    """Read a code; blanks, hyphens and case do not matter. Raises `WrongCode`."""
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
