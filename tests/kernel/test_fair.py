"""Ports of one button compared on a real kernel's GPIO, whose emulated pins can only be moved one after the other."""

import time
from collections.abc import Callable
from pathlib import Path

from companion.cli.check.buzzer_fairness import Comparison
from companion.cli.check.checking import Checking
from companion.cli.check.report import report
from companion.config import load
from tests.kernel.pins import Pins

LINES = (27, 17)
PRESSES = 12
REST_S = 0.06


def test_the_line_that_falls_first_is_found_to_be_the_earlier_port(
    pins: Pins, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    path = tmp_path / "table.toml"
    path.write_text(f'[[buzzers]]\ndriver = "gpiod"\nseats = [1, 2]\nlines = {list(LINES[::-1])}\n', encoding="utf-8")
    table = load(path)
    comparison = Comparison(table)

    def press() -> bool:
        for line in LINES:
            pins.press(line)
        time.sleep(REST_S)
        for line in LINES:
            pins.release(line)
        time.sleep(REST_S)
        return False

    with Checking(table) as checking:
        comparison_lines = [*comparison.collect(checking, PRESSES, press)]
        checked = comparison.add_to(report(checking))
    assert f"{10} of {PRESSES}" in comparison_lines
    [pair] = checked.fair
    assert (pair.one, pair.other) == (2, 1)
    assert pair.presses >= PRESSES
    assert pair.one_first == pair.presses
    record_property(
        "gpiod, two lines moved after one another, µs apart (mean, deviation, most)",
        (round(pair.late * 1e6), round(pair.spread * 1e6), round(pair.most * 1e6)),
    )
