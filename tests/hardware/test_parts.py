"""The list of parts in the guide adds up, and is enough for the games."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from companion import games
from companion.act_cards import IDS
from hardware import parts
from hardware.pcb import boards
from hardware.pcb.model import CircuitBoard
from tests.hardware.wiring import ROOT

GUIDE = (ROOT / "hardware/README.md").read_text(encoding="utf-8")
BOUGHT_AS = {
    # what is soldered to the printed boards: the row of the list that has it
    boards.SOCKET: "RJ45 sockets",
    boards.POD_PLUG: "pod terminals",
    boards.CENTRE_PLUG: "centre terminal",
    boards.HEADER: "flat cable and box header",
    boards.PICO: "Raspberry Pi Pico H",
    boards.READER_FUSE: "fuses of the readers",
    boards.POD_FUSE: "fuses of the pods",
    boards.DIODE: "diode 1N4001",
    boards.C470U: "capacitor 470 µF",
}


def counts(name: str) -> tuple[int, ...]:
    return next(part.counts for part in parts.read() if part.name == name)


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
    packs = min(counts("NFC stickers"))
    assert 100 * packs >= max(len(game.cards_of(game.box())) for game in games.known().values())


def test_a_table_with_a_reader_at_each_seat_has_stickers_for_all_games_and_sleeves_for_their_cards() -> None:
    needed, packs = re.findall(r"^\| all \| (\d+) \| (\d+) packs of 100 \|$", GUIDE, re.M)[0]
    _, four, six = counts("NFC stickers")
    assert (four, six) == (int(packs), int(packs))
    assert 100 * int(packs) >= int(needed)
    cards = sum(len(pieces.cards_of(pieces.box())) for slug, pieces in games.with_tags().items() if slug != "table")
    assert 100 * min(counts("card sleeves")[1:]) >= cards


def test_the_list_has_an_act_card_for_each_act() -> None:
    assert set(counts("act cards")) == {len(IDS)}


def test_what_is_on_both_printed_boards_is_in_the_list_once() -> None:
    kinds = Counter(part.kind for build in (boards.bus, boards.box) for part in build().parts)
    for kind, name in BOUGHT_AS.items():
        assert counts(name)[-1] == kinds[kind], name
    loose = {kind.value for kind in kinds if kind not in BOUGHT_AS}
    assert loose == {"100 Ω", "330 Ω", "1 kΩ", "6 × 4.7 kΩ, 7 pins", "1 nF", "100 nF"}
    having_loose = [part.name for part in parts.read() if part.way != "stripboard" and re.search("kΩ| nF", part.what)]
    assert having_loose == ["small parts of the boards"]


def test_a_makers_number_in_the_list_is_one_of_the_boards() -> None:
    kinds = {part.kind for build in (boards.bus, boards.box) for part in build().parts}
    numbers = {kind.number for kind in kinds} | {kind.besides.number for kind in kinds if kind.besides}
    numbers_told = re.findall(r"\b(?:184\d{4}|54602-\w+|MF-R\d+)\b", " ".join(part.what for part in parts.read()))
    assert len(numbers_told) == 7
    assert set(numbers_told) <= numbers


def test_the_places_that_stay_empty_for_four_seats_are_those_of_pods_5_and_6() -> None:
    pods = [{net for net in part.nets.values() if re.fullmatch(r"\+5V [56]", net)} for part in boards.box().parts]
    places = [part.ref for part, nets in zip(boards.box().parts, pods, strict=True) if nets]
    sentence = re.findall(r"pods 5 and 6 stay empty: (.*)\.$", GUIDE, re.M)[0]
    assert sorted(re.findall(r"[A-Z]\d", sentence)) == sorted(places)


def test_the_guide_says_what_four_seats_want_of_the_boxs_own_list() -> None:
    (counts_told,) = re.findall(r"four seats want (\d) terminals and (\d) plugs of five poles, and (\d) fuses", GUIDE)
    pods = counts("pod terminals")[1]
    assert tuple(map(int, counts_told)) == (pods, pods, counts("fuses of the pods")[1])


@pytest.mark.parametrize("build", [boards.bus, boards.box])
def test_the_guide_says_how_large_each_board_is(build: Callable[[], CircuitBoard]) -> None:
    board = build()
    assert f"{board.width:g} × {board.height:g}" in GUIDE


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
