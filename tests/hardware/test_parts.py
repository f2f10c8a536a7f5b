"""The list of parts in the guide adds up, and is enough for the games."""

import re
from pathlib import Path

import pytest

from companion import games
from hardware import parts
from tests.hardware.wiring import ROOT

GUIDE = (ROOT / "hardware/README.md").read_text(encoding="utf-8")


def test_the_guide_has_the_list_as_it_is_in_the_file() -> None:
    assert parts.listed_in(GUIDE) == GUIDE


@pytest.mark.parametrize("way", parts.WAYS)
def test_quantities_times_prices_are_the_sums_in_the_guide(way: str) -> None:
    rows = [[cell.strip() for cell in line.split("|")] for line in GUIDE.splitlines() if re.search(r"\d € \|", line)]
    sums = [0.0, 0.0, 0.0]
    for _, _, _, only_for, each, *counts, _ in rows:
        for column, count in enumerate(counts):
            if only_for in ("", way) and "**" not in count:
                sums[column] += float(each.strip(" €")) * int(count or 0)
    total = re.search(rf"about, in all\D*{way}\D*(\d+) €\D*(\d+) €\D*(\d+) €", GUIDE)
    assert total
    assert [round(cost) for cost in sums] == [int(cost) for cost in total.groups()]


def test_every_list_has_a_sticker_for_every_card_of_any_one_game() -> None:
    packs = min(count for part in parts.read() if part.name == "NFC stickers" for count in part.counts)
    assert 100 * packs >= max(len(game.cards_of(game.box())) for game in games.known().values())


def test_prices_have_a_date() -> None:
    assert "2026-11" in GUIDE


@pytest.mark.parametrize("licence", ["CERN-OHL-P-2.0", "CC-BY-4.0"])
def test_the_hardware_has_its_licences_whole(licence: str) -> None:
    text = (ROOT / f"hardware/LICENSES/{licence}.txt").read_text(encoding="utf-8")
    assert len(text) > 8000
    assert f"LICENSES/{licence}.txt" in GUIDE


@pytest.mark.parametrize("model", sorted((ROOT / "hardware/print").glob("*.scad")), ids=lambda path: path.name)
def test_every_model_names_its_licence(model: Path) -> None:
    assert model.read_text(encoding="utf-8").startswith("// SPDX-License-Identifier: CC-BY-4.0\n")
