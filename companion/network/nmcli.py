"""Runs NetworkManager's `nmcli`, and parses its output."""

import re
import subprocess
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from companion.errors import NotNow

Run = Callable[[Sequence[str], float], str]
"""Runs a command with a timeout in seconds; returns its output. Raises `Unwilling`."""

OWN = "table-companion"
"""The name of the table's own connection in NetworkManager."""
LOOK_S = 15.0
"""Timeout for listing networks, in seconds."""
UP_S = 30.0
"""Timeout for joining one, in seconds."""

_STRENGTH = re.compile("[0-9]{1,3}")
_SECRETS = re.compile("Secrets were required|property is invalid|802-11-wireless-security", re.IGNORECASE)


class Unwilling(NotNow):
    """NetworkManager refused or failed; the message is its own. `password`: whether the password was the cause."""

    def __init__(self, why: str):
        super().__init__(why)
        self.password = bool(_SECRETS.search(why))


class InRange(Struct, frozen=True):
    """A network in range."""

    ssid: str
    strength: int
    """0 to 100."""
    closed: bool
    """Whether it needs a password."""
    joined: bool = False


def run(words: Sequence[str], seconds: float) -> str:
    """See `Run`."""
    try:
        done = subprocess.run(words, capture_output=True, timeout=seconds, check=False)
    except FileNotFoundError:
        raise Unwilling(f"{words[0]} is not installed: NetworkManager does not run this machine's network") from None
    except subprocess.TimeoutExpired:
        raise Unwilling(f"no answer within {seconds:.0f} s") from None
    except (OSError, ValueError) as wrong:  # no memory for it; or an argument is not text
        raise Unwilling(f"{words[0]} can't be run: {wrong}") from wrong
    output, complaint = (stream.decode(errors="replace") for stream in (done.stdout, done.stderr))
    if done.returncode:
        raise Unwilling(complaint.strip() or output.strip() or f"it ended with {done.returncode}")
    return output


def fields(line: str) -> list[str]:
    r"""Split a line of `nmcli -t` into its fields: a colon or backslash within one is written `\:`, `\\`.

    >>> fields(r"*:Caf\: bar:52:")
    ['*', 'Caf: bar', '52', '']
    """
    parts = [""]
    letters = iter(line)
    for letter in letters:
        if letter == ":":
            parts.append("")
        else:
            parts[-1] += next(letters, "") if letter == "\\" else letter
    return parts


def rows(text: str, width: int) -> Iterator[list[str]]:
    """Yield the fields of each line of `nmcli -t` that has exactly `width` of them."""
    for line in text.split("\n"):
        row = fields(line)
        if len(row) == width:
            yield row


def networks(text: str) -> list[InRange]:
    """Return the listed networks, the joined one first, then by strength, without hidden ones.

    A name may contain any bytes, and `nmcli` does not escape line ends: lines that are no valid row belong to such a
    name, and are skipped.
    """
    best: dict[str, InRange] = {}
    for row in rows(text, 4):
        in_use, ssid, strength, security = row
        if in_use not in ("*", "", " ") or not _STRENGTH.fullmatch(strength):
            continue
        network = InRange(ssid, int(strength), security not in ("", "--"), in_use == "*")
        # A network has a row for each access point; the joined one counts, else the strongest.
        if ssid and (
            ssid not in best or network.joined or (network.strength > best[ssid].strength and not best[ssid].joined)
        ):
            best[ssid] = network
    return sorted(best.values(), key=lambda network: (not network.joined, -network.strength, network.ssid))


def devices(text: str) -> Iterator[tuple[str, str, str, str]]:
    """Return device, kind, state and connection of each line."""
    return ((device, kind, state, connection) for device, kind, state, connection in rows(text, 4))


def opening(kind: str, device: str, ssid: str, password: str) -> list[str]:
    """Return the command that creates the table's own network; on a cable (`ethernet`) without name and password."""
    words = ["nmcli", "connection", "add", "type", kind, "ifname", device, "con-name", OWN, "autoconnect", "no"]
    if kind == "wifi":
        words += ["ssid", ssid, "802-11-wireless.mode", "ap", "802-11-wireless.band", "bg"]
        words += ["wifi-sec.key-mgmt", "wpa-psk", "wifi-sec.psk", password]
    return [*words, "ipv4.method", "shared", "ipv6.method", "disabled"]
