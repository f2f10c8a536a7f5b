"""What a table keeps for its club: through backups, and however the file beside its log is damaged."""

from pathlib import Path

import pytest

from companion.club.outbox import Outbox, OutboxFault
from companion.club.payloads import MatchResult
from companion.storage.files import club_of
from tests.cli.kept import TABLE, Kept

WON = MatchResult(1, 1, "", "stop-it", {}, (), True, {"1": 4}, (1,), False, False)
CLUB = '[club]\nbroker = "mqtt://hub"\nclub = "c"\nname = "n"\nuser = "u"\npassword_file = "password"\n'


@pytest.fixture
def table_kept(tmp_path: Path) -> Kept:
    table_kept = Kept(tmp_path)
    table_kept.settings.write_text(TABLE + CLUB)
    (table_kept.folder / "password").write_text("secret")
    return table_kept


def test_a_table_from_a_backup_is_the_same_to_its_club_and_goes_on_beyond_what_was_sent(table_kept: Kept) -> None:
    outbox = Outbox(club_of(table_kept.log))
    outbox.put(WON, 3)
    id_before = outbox.table
    birth = outbox.born()
    outbox.close()
    table_kept.file = table_kept.backup(table_kept.folder.parent / "another.zip")
    table_kept.lose_everything()
    table_kept.restore()
    outbox = Outbox(club_of(table_kept.log))
    outbox.put(WON, 3)
    again = outbox.written_result(1)
    assert again is not None
    assert (outbox.table, outbox.born() > birth + 999, again.revision > 1000) == (id_before, True, True)
    outbox.close()
    assert (table_kept.folder / "password").stat().st_mode & 0o777 == 0o600


def test_what_is_there_knows_better_than_a_backup_what_was_sent(table_kept: Kept) -> None:
    Outbox(club_of(table_kept.log)).close()
    table_kept.file = table_kept.backup(table_kept.folder.parent / "another.zip")
    record_before = club_of(table_kept.log).read_bytes()
    table_kept.restore()
    assert club_of(table_kept.log).read_bytes() == record_before


def test_a_table_that_was_copied_and_started_anew_outdoes_its_copy(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path / "club")
    outbox.put(WON, 3)
    outbox.acknowledge(*outbox.next() or (0, b""))
    birth = outbox.born()
    outbox.contest()
    outbox.close()
    outbox = Outbox(tmp_path / "club")
    assert outbox.contested
    outbox.outdo()
    again = outbox.written_result(1)
    assert again is not None
    assert (again.revision > 1000, outbox.born() > birth + 999, outbox.waiting(), outbox.contested) == (
        *(True, True, 1, False),
    )
    outbox.close()


@pytest.mark.parametrize("damage", [b"x" * 9999, b"SQLite format 3\0"])
def test_a_damaged_file_is_told_and_no_new_id_drawn(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "club").write_bytes(damage)
    with pytest.raises(OutboxFault, match="can't use"):
        Outbox(tmp_path / "club")
    assert (tmp_path / "club").read_bytes() == damage
