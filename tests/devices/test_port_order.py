"""What a finger pressed, held to what was told."""

import pytest

from companion.devices.check.port_order import Gap, certificate

US = 1e-6


def test_nothing_is_certified_of_nothing() -> None:
    assert certificate([]) is None


def test_orders_ties_and_what_was_not_told_are_counted() -> None:
    report = certificate(
        [
            Gap(1, 4, 20 * US, 21 * US),
            Gap(4, 1, 5 * US, 5 * US),
            Gap(1, 4, 0.4 * US, 0.0),
            Gap(4, 1, 0.6 * US, -1 * US),
            Gap(1, 4, 50 * US, None),
            Gap(1, 4, 0.0, 0.0),
            Gap(4, 1, 0.0, 1 * US),
        ]
    )
    assert report is not None
    assert (report.seats, report.presses, report.missing, report.longest) == ((1, 4), 7, 1, 50 * US)
    assert (report.apart, report.reversed, report.ties) == (4, 1, 1)
    assert report.surely == 0.6 * US
    assert report.off == pytest.approx(1.6 * US)
    assert (report.at_once, report.lower_first, report.upper_first) == (2, 0, 1)


def test_what_was_never_wrong_is_told_with_how_sure_that_is() -> None:
    report = certificate(Gap(1, 2, 2 * US, 2 * US) for _ in range(3000))
    assert report is not None
    assert (report.surely, report.share) == (0.0, 0.001)
