"""The bench still measures. How large its figures are is no test's business: that is for the machine it runs on."""

import pytest

from companion import games
from tests.bench.__main__ import RESULTS, main


def test_figures_come_out(capsys: pytest.CaptureFixture[str]) -> None:
    kept = RESULTS.read_bytes()
    main(["--quick", "--only", "judging", "--only", "replay"])
    printed = capsys.readouterr().out
    for what in (*(f"judged, {slug}" for slug in games.known()), "companion replay"):
        assert f"\n| {what}" in printed
    assert RESULTS.read_bytes() == kept
