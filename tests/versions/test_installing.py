"""A version is installed whole, or not at all."""

from pathlib import Path

import pytest

from companion.versions.installing import CantInstall, install


def test_what_could_not_be_installed_leaves_the_card_as_it_was(tmp_path: Path) -> None:
    (wheels := tmp_path / "wheels").mkdir()
    for name in ("table_companion-1.0-py3-none-any.whl", "pip-1-py3-none-any.whl"):
        (wheels / name).touch()
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\nmkdir -p "$4/bin"; echo much > "$4/half"; echo No space left on device >&2; exit 1\n')
    python.chmod(0o755)
    with pytest.raises(CantInstall, match="No space left"):
        install(wheels, tmp_path / "root", str(python))
    assert not [*(tmp_path / "root/versions").iterdir()]
