"""The bench of the box still measures."""

from tests.bench.stamps import stamps


def test_figures_come_out_and_the_order_is_right():
    right, errors, *times = stamps(True)
    assert right.verdict == "met"
    assert 0 <= min(errors.samples) <= max(errors.samples) <= 16
    assert all(figure.samples for figure in times)
