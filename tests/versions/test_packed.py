"""An update is taken only as the makers signed it."""

import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from companion.errors import WrongInput
from companion.versions import packed
from tests.needs import needs


@pytest.fixture
def signed(tmp_path: Path) -> Path:
    """An update, with the maker's key beside it."""
    needs("ssh-keygen", shutil.which("ssh-keygen"))
    for signer in ("maker", "other"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / signer], check=True)
        (tmp_path / f"{signer}s").write_text(f"makers {(tmp_path / f'{signer}.pub').read_text()}")
    (tmp_path / "wheels").mkdir()
    (tmp_path / "wheels/thing-2.0-py3-none-any.whl").write_bytes(b"a wheel")
    (tmp_path / "to").mkdir()
    packed.pack(tmp_path / "wheels", "2.0", tmp_path / "maker", tmp_path / "new.update")
    return tmp_path


def test_it_holds_every_wheel(signed: Path) -> None:
    assert packed.unpack(signed / "new.update", signed / "to", signed / "makers") == "2.0"
    assert (signed / "to/thing-2.0-py3-none-any.whl").read_bytes() == b"a wheel"
    assert packed.peek(signed / "new.update") == "2.0"


@pytest.mark.parametrize("signers", ["others", packed.SIGNERS])
def test_what_somebody_else_signed_is_refused(signed: Path, signers: str | Path) -> None:
    with pytest.raises(WrongInput, match="not signed by the makers"):
        packed.unpack(signed / "new.update", signed / "to", signed / signers)
    assert not [*(signed / "to").iterdir()]


@pytest.mark.parametrize("part", ["thing-2.0-py3-none-any.whl", packed.MANIFEST, packed.SIGNATURE])
def test_what_was_altered_is_refused(signed: Path, part: str) -> None:
    with zipfile.ZipFile(signed / "new.update") as good, zipfile.ZipFile(signed / "bad.update", "w") as bad:
        for name in good.namelist():
            content = bytearray(good.read(name))
            if name == part:
                content[-5] ^= 1
            bad.writestr(name, bytes(content))
    with pytest.raises(WrongInput):
        packed.unpack(signed / "bad.update", signed / "to", signed / "makers")


def test_what_is_packed_as_no_update_is_and_damaged_is_refused_in_words(tmp_path: Path) -> None:
    file = tmp_path / "bad.update"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bad:
        bad.writestr(packed.MANIFEST, b'{"update": 1, "version": "2.0", "files": {}}')
        begins = 30 + len(packed.MANIFEST)
    content = bytearray(file.read_bytes())
    content[begins] = 0xFF  # no block of deflate begins so
    file.write_bytes(content)
    assert packed.peek(file) == ""
    with pytest.raises(WrongInput, match="damaged, or not an update"):
        packed.unpack(file, tmp_path)


def test_a_file_that_is_no_update_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "no.update").write_bytes(b"nothing of the kind")
    with pytest.raises(WrongInput, match="damaged, or not an update"):
        packed.unpack(tmp_path / "no.update", tmp_path)
    assert packed.peek(tmp_path / "no.update") == ""


def test_versions_are_ordered_by_number_and_what_is_under_way_comes_before_its_release() -> None:
    versions = ["0.1.0", "0.2.0.dev0", "0.2.0.dev1", "0.2.0", "0.2.1.dev0", "0.2.1", "0.10.0.dev0", "0.10.0", "1.0.0"]
    assert sorted({*versions}, key=packed.order) == versions


def add_signer(signed: Path, name: str) -> None:
    """Have a table take what a second key has signed, too."""
    with (signed / "makers").open("a") as signers:
        signers.write((signed / f"{name}s").read_text())


def test_each_of_two_signers_suffices(signed: Path) -> None:
    add_signer(signed, "other")
    packed.pack(signed / "wheels", "2.1", signed / "other", signed / "second.update")
    for file in ("new.update", "second.update"):
        packed.unpack(signed / file, signed / "to", signed / "makers")


def test_a_withdrawn_key_signs_for_nobody_whose_version_knows_of_it(signed: Path) -> None:
    (signed / "makers").write_text((signed / "others").read_text())
    with pytest.raises(WrongInput, match="not signed by the makers"):
        packed.unpack(signed / "new.update", signed / "to", signed / "makers")


def test_an_update_packed_twice_is_the_same_bytes(signed: Path) -> None:
    again = signed / "again"
    shutil.copytree(signed / "wheels", again)
    os.utime(again / "thing-2.0-py3-none-any.whl", (1e9, 1e9))
    packed.pack(again, "2.0", signed / "maker", signed / "again.update")
    assert (signed / "again.update").read_bytes() == (signed / "new.update").read_bytes()
