"""A code is read as it was made, however it is copied; and never as another one."""

import base64
import zlib

import pytest

from companion.club.invitation import Invitation, WrongCode, decode, encode

GIVEN = Invitation("mqtts://hub.local:8883", "wednesday", "abcdefgh234567ab", "pärö l'été", "whose cards")


def test_a_code_is_read_however_it_is_typed() -> None:
    assert decode(encode(GIVEN).lower().replace("-", " \n")) == GIVEN


def test_a_damaged_code_says_so() -> None:
    code = encode(GIVEN)
    for wrong in (
        code[:-1],
        code[:20] + ("A" if code[20] != "A" else "B") + code[21:],
        code.replace("CLUB-", "CLUB-8"),
    ):
        with pytest.raises(WrongCode, match="damaged"):
            decode(wrong)
    with pytest.raises(WrongCode, match="not a club's code"):
        decode("http://hub.local/")


def test_a_password_is_in_no_error() -> None:
    assert "pärö" not in repr(GIVEN)
    assert "whose cards" not in repr(GIVEN)


def test_a_code_of_an_earlier_hub_has_no_secret_for_cards() -> None:
    body = b'["mqtt://hub.local:1883","wednesday","",""]'
    letters = base64.b32encode(zlib.crc32(body).to_bytes(4) + body).decode().rstrip("=")
    assert decode(f"CLUB-{letters}").cards == ""
