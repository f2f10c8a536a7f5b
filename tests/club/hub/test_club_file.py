"""What is wrong in a CLUB.toml is said with its line, before anything is opened."""

import re
import socket
from contextlib import nullcontext
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.club.hub.club_toml import load
from companion.club.hub.hub import opened
from companion.club.hub.store import HubFault
from companion.network.page_address import fixed
from companion.settings import ConfigFault

GOOD = '[club]\nbroker = "mqtts://hub.local"\nclub = "wednesday"\n'


def written(folder: Path, text: str) -> Path:
    file = folder / "CLUB.toml"
    file.write_text(text)
    return file


def test_a_club_needs_a_broker_and_a_name_and_no_more(tmp_path: Path) -> None:
    club = load(written(tmp_path, GOOD))
    assert (club.club.address, club.club.name, club.store.name) == (("hub.local", 8883), "wednesday", "CLUB.sqlite")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", r"CLUB\.toml, line 1: write \[club\]"),
        ('[club]\nclub = "x"\n', "line 1: the setting 'broker' is missing"),
        (GOOD.replace("wednesday", "Our club"), 'line 3: club = "Our club": up to 32 of a-z'),
        (GOOD + "[season]\nratings = 1\n", "line 5: ratings = 1: it must be true or false"),
        (GOOD + "[page]\nprot = 1\n", "line 5: unknown setting 'prot'; known: host, port"),
        (GOOD + '[[reader]]\ndriver = "x"\n', "line 4: this is a table's file, for `companion run`"),
        ("colour = 3\n" + GOOD, "line 1: unknown setting 'colour'; known: club, page, season"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ConfigFault, match=words):
        load(written(tmp_path, text))


def test_a_hub_whose_password_others_may_read_does_not_start(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("hunter2\n")
    file = written(tmp_path, GOOD + 'user = "hub"\npassword_file = "secret"\n')
    refused = CliRunner().invoke(main, ["hub", str(file)])
    assert refused.exit_code == 2
    assert "chmod 600" in refused.output
    assert "hunter2" not in refused.output


def test_the_start_says_where_the_keepers_code_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.cli.hub.serve", lambda *_, **__: None)
    monkeypatch.setattr("companion.cli.address.listening", lambda *_: nullcontext())
    file = written(tmp_path, GOOD.replace("mqtts://hub.local", "mqtt://127.0.0.1:1"))
    started = CliRunner().invoke(main, ["hub", str(file), "--host", "127.0.0.1", "--port", "8123"])
    assert re.search(r"The keeper's code is \w+, typed at http://127\.0\.0\.1:8123/keeper\n", started.output)


def test_a_second_hub_of_one_club_does_not_start(tmp_path: Path) -> None:
    """Both would be the broker's one client, and cut each other off for ever."""
    file = load(written(tmp_path, GOOD.replace("mqtts://hub.local", "mqtt://127.0.0.1:1")))
    where = fixed("http://hub.lan/")
    with opened(file, where), pytest.raises(HubFault, match=r"another hub already uses .*CLUB\.sqlite"):
        opened(file, where).__enter__()
    with opened(file, where):
        pass
    assert not [
        file for file in tmp_path.iterdir() if file.name not in ("CLUB.toml", "CLUB.sqlite", "CLUB.sqlite.lock")
    ]


def test_a_taken_port_is_refused_with_what_this_command_has_for_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, GOOD)
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = str(door.getsockname()[1])
        refused = CliRunner().invoke(main, ["hub", "CLUB.toml", "--port", port, "--host", "127.0.0.1"])
    assert refused.exit_code == 1
    assert (
        "another program has that port: stop it, or choose another by --port, or `port` in [page]\n" in refused.output
    )
