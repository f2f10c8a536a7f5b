"""The table in networks, over what `nmcli` was recorded to say; no radio was there."""

import errno
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import Mock

import pytest

from companion.network import nmcli
from companion.network.nmcli import OWN, InRange, Unwilling
from companion.network.own_wifi import OwnWifi, load_own_wifi
from companion.network.wifi import ALONE_S, Wifi
from tests.web.table import Clock

OURS = OwnWifi("Kitchen table", "k7mq3wz8tr")
NMCLI_WORDS = ("id", "uuid", "path", "filename", "ifname", "help", "-a", "--ask", "--show-secrets")
"""What nmcli 1.42 was seen to take for a word of its own where it stands in place of a connection's name."""


class Manager:
    """What NetworkManager would do, by nmcli's words and its answers."""

    def __init__(self) -> None:
        self.on = ""
        self.known = {"Home": "right-password"}
        self.gone: set[str] = set()
        self.hidden: set[str] = set()
        """Networks that do not tell their name, and are found by nobody who does not say so."""
        self.half_made: set[str] = set()
        """Connections that a refused password left behind."""
        self.off = False
        self.asked: list[Sequence[str]] = []

    def __call__(self, words: Sequence[str], seconds: float) -> str:
        self.asked.append(words)
        command = " ".join(words)
        if command.endswith("DEVICE,TYPE,STATE,CONNECTION device"):
            state = "unavailable" if self.off else "connected" if self.on else "disconnected"
            return f"wlan0:wifi:{state}:{self.on}\nlo:loopback:unmanaged:\n"
        if "wifi list" in command:
            return "".join(f" :{ssid}:50:WPA2\n" for ssid in self.known if ssid not in self.hidden)
        if "connection up" in command:
            connection = _named_connection(words)
            if connection in self.gone:
                raise Unwilling("Error: Connection activation failed: The Wi-Fi network could not be found")
            self.on = connection
        if "connection delete" in command:
            self.half_made.discard(_named_connection(words))
        if "wifi connect" in command:
            self.on = ""  # whatever it was in is left first
            ssid = words[words.index("connect") + 1]
            if ssid not in self.known or (ssid in self.hidden and "hidden yes" not in command):
                raise Unwilling(f"Error: No network with SSID '{ssid}' found.")
            if f"password {self.known[ssid]}" not in command:
                self.half_made.add(ssid)
                raise Unwilling("Error: Connection activation failed: (7) Secrets were required, but not provided.")
            self.on = ssid
        return ""


def _named_connection(words: Sequence[str]) -> str:
    match words[words.index("connection") + 2 :]:
        case [name] if name in NMCLI_WORDS:
            raise Unwilling("Error: (null) argument is missing.")
        case ["id", name] | [name]:
            return name
    raise Unwilling("Error: invalid extra argument")


@pytest.fixture
def manager() -> Manager:
    return Manager()


def test_a_table_in_no_network_opens_its_own_after_a_while(manager: Manager) -> None:
    clock = Clock()
    wifi = Wifi(OURS, manager, clock)
    wifi.look()
    assert manager.on == ""
    clock.now += ALONE_S
    wifi.look()
    assert (manager.on, wifi.standing.own) == (OWN, OURS)


def test_a_network_is_joined_and_whoever_shows_the_address_is_told(manager: Manager) -> None:
    wifi = Wifi(OURS, manager, Clock())
    calls = list[bool]()
    wifi.open()
    wifi.watch(lambda: calls.append(True))
    wifi.join("Home", "right-password")
    assert (wifi.standing.joined, wifi.standing.own, calls) == ("Home", None, [True])


def test_a_network_that_hides_its_name_is_looked_for_and_no_other_is(manager: Manager) -> None:
    manager.known["Cellar"] = "right-password"
    manager.hidden.add("Cellar")
    wifi = Wifi(OURS, manager, Clock())
    wifi.search()
    wifi.join("Cellar", "right-password")
    assert wifi.standing.joined == "Cellar"
    wifi.join("Home", "right-password")
    assert [words[-2:] == ["hidden", "yes"] for words in manager.asked if "connect" in words] == [True, False]


def test_what_was_refused_is_told_no_more_once_its_own_is_opened(manager: Manager) -> None:
    wifi = Wifi(OURS, manager, Clock())
    wifi.join("Nowhere", "")
    assert wifi.standing.refused == "Nowhere"
    wifi.open()
    assert wifi.standing.refused == ""


@pytest.mark.parametrize(("ssid", "password", "by_password"), [("Home", "wrong", True), ("Nowhere", "", False)])
def test_where_it_can_not_join_it_is_back_in_its_own(
    manager: Manager, ssid: str, password: str, by_password: bool
) -> None:
    wifi = Wifi(OURS, manager, Clock())
    wifi.open()
    wifi.join(ssid, password)
    standing = wifi.standing
    assert (manager.on, standing.own, standing.refused, standing.password) == (OWN, OURS, ssid, by_password)


def test_it_goes_back_to_the_network_it_was_in_and_if_that_is_gone_to_its_own(manager: Manager) -> None:
    wifi = Wifi(OURS, manager, Clock())
    wifi.join("Home", "right-password")
    wifi.join("Nowhere", "")
    assert wifi.standing.joined == "Home"
    manager.gone.add("Home")
    wifi.join("Nowhere", "")
    assert wifi.standing.own == OURS


@pytest.mark.parametrize("name", NMCLI_WORDS)
def test_a_network_named_like_a_word_of_nmcli_is_gone_back_to(manager: Manager, name: str) -> None:
    manager.on = name
    wifi = Wifi(OURS, manager, Clock())
    wifi.look()
    wifi.join("Nowhere", "")
    assert (manager.on, wifi.standing.joined) == (name, name)


@pytest.mark.parametrize("name", NMCLI_WORDS)
def test_a_network_named_like_a_word_of_nmcli_is_forgotten_with_its_wrong_password(manager: Manager, name: str) -> None:
    manager.known[name] = "right-password"
    Wifi(OURS, manager, Clock()).join(name, "wrong")
    assert manager.half_made == set()


def test_a_name_that_no_command_can_be_told_is_refused_as_any_other(manager: Manager) -> None:
    def strict(words: Sequence[str], seconds: float) -> str:
        return nmcli.run(["true", *words], seconds) if "connect" in words else manager(words, seconds)

    wifi = Wifi(OURS, strict, Clock())
    wifi.open()
    wifi.join("\0", "")
    assert (wifi.standing.refused, wifi.standing.wanted, wifi.standing.own) == ("\0", "", OURS)


def test_a_command_that_does_not_start_is_told_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    wifi = Wifi(OURS, lambda words, seconds: nmcli.run(["true"], seconds))
    with monkeypatch.context() as full:
        full.setattr(nmcli.subprocess, "run", Mock(side_effect=OSError(errno.ENOMEM, "Cannot allocate memory")))
        wifi.look()
    assert "Cannot allocate memory" in wifi.standing.trouble
    wifi.look()
    assert wifi.standing.trouble == ""


def test_a_machine_without_network_manager_says_so() -> None:
    def missing(words: Sequence[str], seconds: float) -> str:
        return nmcli.run(["no-such-command"], seconds)

    wifi = Wifi(OURS, missing)
    wifi.look()
    wifi.open()
    assert "NetworkManager" in wifi.standing.trouble


RECORDED = r"""*:Home:74:WPA2
:Caf\: \\ bar:52:
:Home:40:WPA2
::80:WPA2
:Neighbours:61:WPA1 WPA2
"""


def test_networks_are_told_once_the_strongest_first() -> None:
    """Names may hold colons; one that is hidden has none."""
    assert nmcli.networks(RECORDED) == [
        InRange("Home", 74, True, joined=True),
        InRange("Neighbours", 61, True),
        InRange("Caf: \\ bar", 52, False),
    ]


@pytest.mark.parametrize("end", ["\n", "\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_a_line_end_in_a_neighbours_name_takes_no_other_network_away(end: str) -> None:
    listed = nmcli.networks(f"*:Home:80:WPA2\n:evil{end}x\\:y:70:WPA2\n:a{end}b{end}*\\:c\\:99:60:WPA2\n:Cafe:50:\n")
    ours = [network for network in listed if end not in network.ssid]
    assert ours[0] == InRange("Home", 80, True, joined=True)
    assert ours[-1] == InRange("Cafe", 50, False)
    assert [network.ssid for network in listed if network.joined] == ["Home"]


@pytest.mark.parametrize("strength", ["", "-1", "²", "٣", "9" * 5000, "x", "1e2"])
def test_a_network_of_no_strength_is_left_out(strength: str) -> None:
    assert nmcli.networks(f":Odd:{strength}:WPA2\n:Cafe:50:\n") == [InRange("Cafe", 50, False)]


def test_a_name_in_no_known_encoding_takes_no_other_network_away(tmp_path: Path) -> None:
    output = tmp_path / "said"
    output.write_bytes(b":\xff\xfe:60:WPA2\n:a\rb:55:\n:Cafe:50:\n")
    assert [network.ssid for network in nmcli.networks(nmcli.run(["cat", str(output)], 60))] == [
        "\ufffd\ufffd",
        "a\rb",
        "Cafe",
    ]


def test_the_own_wifi_keeps_its_password_and_its_code_can_be_scanned(tmp_path: Path) -> None:
    log = tmp_path / "log.sqlite"
    own_wifi = load_own_wifi(log, 'Ours; "the" table')
    assert load_own_wifi(log, "Renamed").password == own_wifi.password
    assert (log.with_name("log.sqlite.wifi").stat().st_mode & 0o777, len(own_wifi.password)) == (0o600, 10)
    assert own_wifi.code == rf"WIFI:T:WPA;S:Ours\; \"the\" table;P:{own_wifi.password};;"
