"""NetworkManager, asked through its own `nmcli`: which networks there are, which is joined, and how to change that."""

import re
import subprocess
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from companion.errors import NotNow

Run = Callable[[Sequence[str], float], str]
"""Run a command for at most this many seconds; return its output. Raises `Unwilling`."""

OWN = "table-companion"
"""What NetworkManager calls the table's own network."""
LOOK_S, UP_S = 15.0, 30.0
"""Seconds allowed for listing networks, and for joining one."""

_FIELD = re.compile(r"((?:\\.|[^:\\])*)(?::|$)")
_SECRETS = re.compile("Secrets were required|property is invalid|802-11-wireless-security", re.IGNORECASE)


class Unwilling(NotNow):
    """NetworkManager did not do it: why, in its own words; `password`: because of the password."""

    def __init__(self, why: str):
        super().__init__(why)
        self.password = bool(_SECRETS.search(why))


class InRange(Struct, frozen=True):
    """A network in range."""

    ssid: str
    strength: int
    """0 to 100."""
    closed: bool
    """Whether it wants a password."""
    joined: bool = False


def run(words: Sequence[str], seconds: float) -> str:
    """See `Run`."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=seconds, check=False)
    except FileNotFoundError:
        raise Unwilling(f"{words[0]} is not installed: NetworkManager does not run this machine's network") from None
    except subprocess.TimeoutExpired:
        raise Unwilling(f"no answer within {seconds:.0f} s") from None
    except (OSError, ValueError) as wrong:  # no memory for it; or an argument, or its answer, is not text
        raise Unwilling(f"{words[0]} can't be run: {wrong}") from wrong
    if done.returncode:
        raise Unwilling(done.stderr.strip() or done.stdout.strip() or f"it ended with {done.returncode}")
    return done.stdout


def fields(line: str) -> list[str]:
    r"""Split a line of `nmcli -t` into its fields: a colon within one is written `\:`."""
    found = [re.sub(r"\\(.)", r"\1", one[1]) for one in _FIELD.finditer(line)]
    return found[:-1] if line.endswith(":") or len(found) > line.count(":") + 1 else found


def networks(text: str) -> list[InRange]:
    """Return the networks listed, strongest first, each once, without those that hide their name."""
    best: dict[str, InRange] = {}
    for line in text.splitlines():
        here, ssid, strength, security = (*fields(line), "", "", "", "")[:4]
        one = InRange(ssid, int(strength or 0), security not in ("", "--"), here == "*")
        if ssid and (ssid not in best or one.joined or (one.strength > best[ssid].strength and not best[ssid].joined)):
            best[ssid] = one
    return sorted(best.values(), key=lambda one: (not one.joined, -one.strength, one.ssid))


def devices(text: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield the device, kind, state and connection on each line."""
    for line in text.splitlines():
        device, kind, state, connection = (*fields(line), "", "", "", "")[:4]
        yield device, kind, state, connection


def opening(kind: str, device: str, ssid: str, password: str) -> list[str]:
    """Return the command that makes the table's own network; on a cable (`ethernet`) it has no name or password."""
    words = ["nmcli", "connection", "add", "type", kind, "ifname", device, "con-name", OWN, "autoconnect", "no"]
    if kind == "wifi":
        words += ["ssid", ssid, "802-11-wireless.mode", "ap", "802-11-wireless.band", "bg"]
        words += ["wifi-sec.key-mgmt", "wpa-psk", "wifi-sec.psk", password]
    return [*words, "ipv4.method", "shared", "ipv6.method", "disabled"]
