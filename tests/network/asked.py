"""Asks the table's network for names, as a phone does."""

import socket
import time

_HEAD = bytes.fromhex("123401000001000000000000")


def address(name: str) -> str:
    """Return the address of a name; a dash where nobody knows it."""
    question = b"".join(bytes((len(part),)) + part.encode() for part in name.split(".")) + b"\0\0\1\0\1"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.settimeout(5)
        asking.sendto(_HEAD + question, ("10.42.0.1", 53))
        answer = asking.recv(512)
    return socket.inet_ntoa(answer[-4:]) if answer[7] else "–"


if __name__ == "__main__":
    for name in ("table.local", "connectivitycheck.gstatic.com", "example.com"):
        for attempt in range(20):
            try:
                print(name, address(name))
                break
            except OSError:
                time.sleep(0.1 * attempt)
