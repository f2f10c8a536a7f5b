"""A wiring as nets: which named pins are joined to each other, whatever terminals they meet at."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from wireviz import wireviz

ROOT = Path(__file__).parents[2]
WIRING = ROOT / "hardware/wiring"
TERMINALS = ("BUS", "STRIP")
"""Boards that only join wires."""

Nets = set[frozenset[str]]


def harness(name: str) -> Any:
    return wireviz.parse(WIRING / f"{name}.yaml", return_types="harness")


def nets(harness: Any) -> Nets:
    net_of = {pin: frozenset((pin,)) for name in harness.connectors for pin in labels(harness, name).values()}
    for terminal, other in _wires(harness):
        joined = net_of[terminal] | net_of[other]
        net_of |= dict.fromkeys(joined, joined)
    ends = (frozenset(pin for pin in net if not pin.startswith(TERMINALS)) for net in net_of.values())
    return {net for net in ends if net}


def labels(harness: Any, name: str) -> dict[int, str]:
    """Return the pins of a connector: number to full name."""
    connector = harness.connectors[name]
    return {pin: f"{name}: {label}" for pin, label in zip(connector.pins, connector.pinlabels, strict=True)}


def _wires(harness: Any) -> Iterable[tuple[str, str]]:
    pins = {name: labels(harness, name) for name in harness.connectors}
    for cable in harness.cables.values():
        for wire in cable.connections:
            yield pins[wire.from_name][wire.from_pin], pins[wire.to_name][wire.to_pin]
    for name, connector in harness.connectors.items():
        for pin, other in connector.loops:
            yield pins[name][pin], pins[name][other]


def joined(*groups: Iterable[str]) -> Nets:
    return {frozenset(group) for group in groups}
