"""`companion club join` and `leave`: table.toml says what is so, and the broker forgets who has left."""

from pathlib import Path

import pytest

from companion.club.invitation import Invitation, encode
from companion.club.outbox import card_secret, table_id
from companion.config import load
from companion.storage.files import club_of
from companion.storage.last_copy import keep_copy
from tests.cli.program import companion
from tests.club.broker import Broker, Follower
from tests.club.member import Member
from tests.test_config import GOOD
from tests.waiting import until


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(GOOD, encoding="utf-8")
    return path


def test_a_code_becomes_a_section_and_leaving_takes_it_out(file: Path, broker: Broker) -> None:
    invitation = Invitation(f"mqtt://127.0.0.1:{broker.port}", "wednesday", "window", 'pa"ss')
    done = companion("club", "join", encode(invitation), file, "--name", 'Ana\'s "own"')
    assert (done.exit_code, table_id(club_of(load(file).log)) in done.output) == (0, True)
    club = load(file).club
    assert club is not None
    assert (club.broker, club.club, club.name, club.user) == (invitation.broker, "wednesday", 'Ana\'s "own"', "window")
    assert Path(club.password_file).read_text() == 'pa"ss\n'
    assert Path(club.password_file).stat().st_mode & 0o777 == 0o600
    assert 'pa"ss' not in done.output + file.read_text()
    assert companion("club", "join", encode(invitation), file).exit_code == 1
    keep_copy(file)  # as a start does
    assert companion("club", "leave", file).exit_code == 0
    assert file.read_text() == GOOD
    assert load(file).club is None
    assert companion("club", "leave", file).exit_code == 2


@pytest.mark.parametrize("name", ["\U0001f3f4\U000e0067\U000e0062\U000e007f", r"a\b"])
def test_a_table_is_called_just_as_it_was_typed(file: Path, name: str) -> None:
    done = companion("club", "join", encode(Invitation("mqtt://127.0.0.1:1", "wednesday")), file, "--name", name)
    assert done.exit_code == 0, done.output
    club = load(file).club
    assert club is not None
    assert club.name == name


def test_half_a_letter_in_a_name_changes_nothing(file: Path) -> None:
    code = encode(Invitation("mqtt://127.0.0.1:1", "wednesday"))
    assert companion("club", "join", code, file, "--name", "Bo\udcff").exit_code == 2
    assert file.read_text() == GOOD


def test_an_authority_that_is_not_there_yet_changes_nothing(file: Path) -> None:
    code = encode(Invitation("mqtts://127.0.0.1:1", "wednesday"))
    done = companion("club", "join", code, file, "--ca", "club-ca.crt")
    assert done.exit_code == 2
    assert f"can't use the certificate {file.parent / 'club-ca.crt'}" in done.output
    assert file.read_text() == GOOD


def test_the_secret_for_club_cards_comes_with_the_code_and_is_in_no_text(file: Path) -> None:
    with_secret = encode(Invitation("mqtt://127.0.0.1:1", "wednesday", cards="whose cards"))
    done = companion("club", "join", with_secret, file)
    assert done.exit_code == 0
    outbox = club_of(load(file).log)
    assert card_secret(outbox) == "whose cards"
    assert outbox.stat().st_mode & 0o777 == 0o600
    assert "whose cards" not in done.output + file.read_text()


def test_a_table_that_joined_without_the_secret_gets_it_from_a_new_code(file: Path) -> None:
    companion("club", "join", encode(Invitation("mqtt://127.0.0.1:1", "wednesday")), file)
    settings_before = file.read_text()
    wrong = Invitation("mqtt://127.0.0.1:1", "thursday", cards="other"), Invitation("mqtt://127.0.0.1:1", "wednesday")
    for refused in wrong:
        assert companion("club", "cards", encode(refused), file).exit_code == 2
    code = encode(Invitation("mqtt://127.0.0.1:1", "wednesday", cards="whose cards"))
    assert companion("club", "cards", code, file).exit_code == 0
    assert card_secret(club_of(load(file).log)) == "whose cards"
    assert file.read_text() == settings_before


def test_a_damaged_code_changes_nothing(file: Path) -> None:
    done = companion("club", "join", encode(Invitation("mqtt://hub", "c"))[:-2], file)
    assert (done.exit_code, file.read_text()) == (2, GOOD)


def test_a_broker_that_is_away_is_told_and_nothing_changed(file: Path, broker: Broker) -> None:
    companion("club", "join", encode(Invitation(f"mqtt://127.0.0.1:{broker.port}", "wednesday")), file)
    broker.kill()
    done = companion("club", "leave", file)
    assert (done.exit_code, "Connection refused" in done.output) == (1, True)
    assert load(file).club
    assert companion("club", "leave", file, "--anyway").exit_code == 0
    assert load(file).club is None


def test_leaving_clears_what_was_retained_also_of_a_table_that_runs(
    member: Member, broker: Broker, follower: Follower, caplog: pytest.LogCaptureFixture
) -> None:
    from companion.club.leaving import leave

    member.joined()
    until(lambda: follower.of("public"))
    leave(member.settings, club_of(member.live.kept_in))
    until(lambda: member.membership.hindrance is not None and member.membership.hindrance.name == "LEFT")
    ending = "was left by this table, and is told nothing more"
    until(lambda: any(message.endswith(ending) for message in caplog.messages))
    late = Follower(broker.port)
    late.say("marker", b"{}")
    until(lambda: late.said)
    assert [message.topic for message in late.said] == ["marker"]
    late.leave()
