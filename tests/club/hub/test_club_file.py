"""What is wrong in a CLUB.toml is said with its line, before anything is opened."""

from pathlib import Path

import pytest

from companion.club.hub.club_file import load
from companion.config import ConfigFault

GOOD = '[club]\nbroker = "mqtts://hub.local"\nclub = "wednesday"\n'


def written(folder: Path, text: str) -> Path:
    file = folder / "CLUB.toml"
    file.write_text(text)
    return file


def test_a_club_needs_a_broker_and_a_name_and_no_more(tmp_path: Path) -> None:
    club = load(written(tmp_path, GOOD))
    assert (club.host, club.port, club.tls, club.name, club.store.name) == (
        *("hub.local", 8883, True, "wednesday", "CLUB.sqlite"),
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", r"CLUB\.toml: write \[club\]"),
        ('[club]\nclub = "x"\n', "line 1: the setting 'broker' is missing"),
        (GOOD.replace("wednesday", "Our club"), "line 3: club = 'Our club': 1 to 32 small letters"),
        (GOOD.replace("mqtts://hub.local", "hub.local"), 'line 2: broker = .* write "mqtt://host:1883"'),
        (GOOD + 'colour = "red"\n', "line 4: unknown setting 'colour'; known: broker, club, name"),
        (GOOD + "user = 3\n", "line 4: user: Expected 'str', got 'int'"),
        (GOOD + 'password_file = "none"\n', "line 4: password_file: there is no file .*none"),
        (GOOD + "[season]\nratings = 1\n", "line 5: ratings: Expected 'bool'"),
        (GOOD + "[page]\nprot = 1\n", "line 5: unknown setting 'prot'; known: host, port"),
        ("page = 3\n" + GOOD, "line 1: page: Expected"),
        ("[club\n", "is not TOML"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ConfigFault, match=told):
        load(written(tmp_path, text))


def test_a_password_that_others_may_read_is_refused_and_never_shown(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("hunter2\n")
    file = written(tmp_path, GOOD + 'password_file = "secret"\n')
    with pytest.raises(ConfigFault, match=f"chmod 600 {secret}"):
        load(file)
    secret.chmod(0o600)
    assert load(file).password == "hunter2"
    assert "hunter2" not in repr(load(file))
