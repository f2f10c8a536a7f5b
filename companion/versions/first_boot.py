"""The first boot of a memory card: installs a table from a folder on the card, without a network.

Each step is atomic and skipped if done; so power may fail at any moment, and the next boot continues. Runs from the
wheel, which is not installed yet.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from companion.languages import LANGUAGES
from companion.versions import launcher
from companion.versions.installing import CantInstall, install
from companion.versions.launcher import ROOT, swap, sync

MADE = "made"
"""The file in the versions' folder that marks that everything is done."""

_NO_SELECTS = "dtoverlay=spi0-0cs"
"""The line of config.txt that frees GPIO 7 and 8 for readers: SPI would keep them as its chip selects."""


@dataclass(frozen=True, slots=True)
class FreshCard:
    """The settings in card.toml, by the person who wrote the card."""

    hostname: str = ""
    language: str = ""
    country: str = ""
    """The Wi-Fi's country, whose law decides which channels may be used."""


def read_card(folder: Path) -> FreshCard:
    """Read card.toml; invalid values are ignored, because nobody would see an error."""
    try:
        settings = tomllib.loads((folder / "card.toml").read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return FreshCard()
    good = {"hostname": r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", "language": "|".join(LANGUAGES), "country": "[A-Z]{2}"}
    words = {key: settings[key] for key in good if isinstance(settings.get(key), str)}
    return FreshCard(**{key: word for key, word in words.items() if re.fullmatch(good[key], word)})


def make_table(folder: Path, system: Path, run: Callable[..., None]) -> Iterator[str]:
    """Turn this machine into a table; yield each step done. Raises `CantInstall` and OSError.

    `system` is the machine's root folder, and `run` runs a command on it.
    """
    root = system / ROOT.relative_to("/")
    card = read_card(folder)
    if card.hostname:
        _name(card.hostname, system, run)
        yield f"its name is {card.hostname}.local"
    restart = _switch_on(card, folder / "table.toml", system, run)
    _join_wifi(folder, system, run)
    version = install(folder / "wheels", root)
    yield f"version {version} is there"
    if not launcher.current(root):
        launcher.point(root, version)
    command = system / "usr/local/bin/companion"
    launcher.link(command, ROOT / "current/bin/companion")
    yield "its command is there"
    settings = system / "var/lib/table-companion/table.toml"
    described = folder / "table.toml"
    if not settings.exists() and not described.exists():
        settings.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        language = f'language = "{card.language}"\n\n' if card.language else ""
        put(settings, f"{language}[page]\nport = 80\n\n[network]\nwifi = true\n".encode())
    run(str(command), "service", "install", *([str(described)] if described.exists() and not settings.exists() else []))
    yield "the table runs"
    put(root / MADE, b"")
    if restart:
        yield "it restarts, for GPIO 7 and 8 to be free"
        run("systemctl", "--no-block", "reboot")


def put(path: Path, content: bytes) -> None:
    """Write a file atomically and durably."""
    part = path.with_name(f"{path.name}.new")
    part.write_bytes(content)
    sync(part)
    swap(part, path)


def _name(hostname: str, system: Path, run: Callable[..., None]) -> None:
    hosts = system / "etc/hosts"
    text = hosts.read_text(encoding="utf-8") if hosts.exists() else "127.0.0.1\tlocalhost\n"
    lines = [line for line in text.removesuffix("\n").split("\n") if not line.startswith("127.0.1.1")]
    put(hosts, "\n".join([*lines, f"127.0.1.1\t{hostname}", ""]).encode())
    put(system / "etc/hostname", f"{hostname}\n".encode())
    run("hostname", hostname)


def _switch_on(card: FreshCard, table: Path, system: Path, run: Callable[..., None]) -> bool:
    """Switch on what Raspberry Pi OS leaves off: the readers' buses, and the radio, which needs a country.

    A table with a settings file gets I2C only if it has readers there: a power button needs one of its pins. Return
    whether the machine must restart.
    """
    if not shutil.which("raspi-config"):
        return False
    readers = _readers(table)
    i2c = [("do_i2c", "0")] if readers is None or any(map(_on_own_i2c, readers)) else []
    country = [("do_wifi_country", card.country)] if card.country else []
    for setting in (("do_spi", "0"), *i2c, *country):
        with suppress(CantInstall):  # the table works without them, too
            run("raspi-config", "nonint", *setting)
    if any(reader.get("driver") == "pn532-spi" and "chip_select" not in reader for reader in readers or ()):
        return False
    with suppress(OSError):
        return _free_selects(system / "boot/firmware/config.txt")
    return False


def _readers(table: Path) -> list[dict[str, Any]] | None:
    """Return the readers' sections of a table.toml; None if the file is missing or unreadable."""
    try:
        readers = tomllib.loads(table.read_text(encoding="utf-8")).get("reader")
    except (OSError, ValueError):
        return None
    return [reader for reader in readers if isinstance(reader, dict)] if isinstance(readers, list) else []


def _on_own_i2c(reader: dict[str, Any]) -> bool:
    return reader.get("driver") == "pn532-i2c" and reader.get("bus", "/dev/i2c-1") == "/dev/i2c-1"


def _free_selects(config: Path) -> bool:
    """Add the line to config.txt; return whether it was missing. Raises OSError."""
    text = config.read_bytes()
    line = _NO_SELECTS.encode()
    if line in text.splitlines():
        return False
    put(config, text.rstrip() + b"\n\n[all]\n" + line + b"\n")
    return True


def _join_wifi(folder: Path, system: Path, run: Callable[..., None]) -> None:
    """Move the Wi-Fi's settings to NetworkManager: on the card, anybody could read the password."""
    from_card = folder / "wifi.nmconnection"
    if not from_card.exists():
        return
    target = system / "etc/NetworkManager/system-connections/table.nmconnection"
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(".table.new")
    # Private before it contains the password; chmod, because `touch` does not change the mode of an existing file.
    part.touch(mode=0o600)
    part.chmod(0o600)
    part.write_bytes(from_card.read_bytes())
    sync(part)
    swap(part, target)
    from_card.unlink()
    if shutil.which("nmcli"):
        run("nmcli", "connection", "reload")


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        complaint = (done.stderr or done.stdout).strip().splitlines()
        raise CantInstall(f"{command[0]} ended with {done.returncode}: {' '.join(complaint[-3:])}")


def main(folder: Path) -> int:
    """Turn this machine into a table, reporting on its console; return the exit status."""
    os.umask(0o022)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a new machine's console may know ASCII only
    os.environ.pop("PYTHONPATH", None)  # it points to this wheel, and would hide the installed version from itself
    try:
        for step in make_table(folder, Path("/"), _run):
            print(f"table: {step}", flush=True)
    except (CantInstall, OSError) as wrong:
        print(f"table: not yet: {wrong}", flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
