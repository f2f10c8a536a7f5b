"""A short form of every trial that `make trust` makes at length."""

import pytest

from tests.trust.findings import Trial
from tests.trust.trials import TRIALS


@pytest.mark.trial
@pytest.mark.parametrize("trial", TRIALS.values(), ids=TRIALS.keys())
def test_nothing_breaks(trial: Trial) -> None:
    untried = []
    for finding in trial(True):
        if finding.untried:
            untried.append(f"{finding.what} ({finding.untried})")
            continue
        assert finding.tried, finding.row
        assert not finding.broken, finding.row
    if untried:
        pytest.skip(f"tried all but {'; '.join(untried)}")
