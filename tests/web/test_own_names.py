"""Under which names a site may be opened, so that no name on the internet that is made to lead here passes for one."""

import socket
from pathlib import Path

import pytest

from companion.web.http import own_names
from companion.web.http.own_names import host_of, is_own

URLS = ("https://table.example.org/",)


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine in a network whose router names a domain, with a list against advertisements."""
    (tmp_path / "resolv.conf").write_text("nameserver 192.168.1.1\nsearch Flat.example.net example.com.\n")
    (tmp_path / "hosts").write_text(
        "127.0.0.1 localhost ads.example\n0.0.0.0 evil.example # window.evil.example\n"
        "127.0.1.1 window.club.example window\n"
    )
    monkeypatch.setattr(own_names, "_RESOLVER", tmp_path / "resolv.conf")
    monkeypatch.setattr(own_names, "_HOSTS", tmp_path / "hosts")
    monkeypatch.setattr(socket, "gethostname", lambda: "Window")


@pytest.mark.parametrize(
    "host",
    [
        *("192.168.1.50", "192.168.1.50:8000", "[fd00:1::50]:8000", "127.0.0.1"),
        *("raspberrypi", "raspberrypi:8000", "table.local", "table-2.local", "TABLE.Local:80", "table.local."),
        *("table.lan", "table.home", "table.home.arpa", "table.internal", "table.private", "table.localdomain"),
        *("my_table.local", "my_table", "[fe80::1%25eth0]:8000", "xn--kchentisch-9db.local", "table.fritz.box.:8000"),
        *("table.fritz.box", "table.speedport.ip", "table.tail1234.ts.net", "table.mshome.net", "a.table.lan"),
        *("window.flat.example.net", "window.example.com", "WINDOW.club.example", "table.example.org:8443"),
    ],
)
def test_a_name_that_a_network_gives_the_table_is_its_own(host: str) -> None:
    assert is_own(host_of(host), URLS)


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example.", "192.168.1.50.evil.example", "table.local.evil.example", "local.example"),
        *("evil.flat.example.net", "flat.example.net", "ads.example", "window.evil.example", "xwindow.example.com"),
        *("fritz.box.evil.example", "evil.box", "evilfritz.box", "evil.net", "table.house", "sub.table.example.org"),
        *(
            "",
            ".",
            "..",
            ".lan",
            "table..lan",
            "table.lan..",
            "[::",
            "table.lan evil.example",
        ),
        *("table.lan@evil.example", "evil.example#.lan", "evil.example/.lan", "täble.lan", "evil.example,table.lan"),
    ],
)
def test_a_name_that_somebody_may_register_is_not(host: str) -> None:
    assert not is_own(host_of(host), URLS)
