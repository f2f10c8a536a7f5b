"""The lines of protocol.md: cuts bytes into lines, and splits lines into words, and back."""

from array import array

LONGEST = 80


def _table() -> array[int]:
    table = array("H")
    for crc in range(256):
        crc <<= 8
        for _ in range(8):
            crc = crc << 1 ^ (0x1021 if crc & 0x8000 else 0)
        table.append(crc & 0xFFFF)
    return table


_CRC = _table()


def checksum(body: bytes) -> int:
    """Return the CRC-16/CCITT of some bytes."""
    crc = 0xFFFF
    for byte in body:
        crc = (crc << 8 & 0xFF00) ^ _CRC[crc >> 8 ^ byte]
    return crc


def line(*words: object) -> bytes:
    """Write words as a line, with its checksum and line end."""
    body = " ".join([str(word) for word in words]).encode()
    return body + f" *{checksum(body):04X}\n".encode()


def words(line: bytes) -> list[str]:
    """Read a line's words; none if it is damaged."""
    body = line[:-6]
    if line[-6:] != f" *{checksum(body):04X}".encode():
        return []
    try:
        return body.decode().split(" ")
    except UnicodeError:
        return []


def number(word: str, most: int) -> int:
    """Read a number as the protocol writes it. Raises ValueError for any other text, and for more than `most`."""
    if not word.isdigit() or (word[0] == "0" and word != "0") or int(word) > most:
        raise ValueError(word)
    return int(word)


class Cutter:
    """Cuts received bytes into lines; holds one unfinished line, of bounded length."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, byte: int) -> bytes | None:
        """Take a byte; return the line it ends, without its line end, or None."""
        if byte != 10:
            if len(self._rest) < LONGEST + 2:  # room for a carriage return, and for one byte that makes it too long
                self._rest.append(byte)
            return None
        line, self._rest = bytes(self._rest), bytearray()
        if line.endswith(b"\r"):
            line = line[:-1]
        return line if 0 < len(line) <= LONGEST else None
