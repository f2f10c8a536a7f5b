"""A whole image: its recipe by what rpi-image-gen reads, its list by what the Raspberry Pi Imager asks of one."""

import hashlib
import json
import lzma
import re
from pathlib import Path
from typing import Any

import pytest

from hardware.sd_card import firstboot, manifest

RECIPE = Path(firstboot.__file__).parent / "image"
# What the Imager's own description of its lists (doc/json-schema, of 2026-08) wants of every system.
WANTED = {"name", "description", "icon", "url", "release_date", "devices"}
WANTED |= {"extract_size", "extract_sha256", "image_download_size"}
LAYER = (RECIPE / "layer/table-companion.yaml").read_text()


@pytest.fixture
def written(tmp_path: Path) -> tuple[dict[str, Any], bytes]:
    image = tmp_path / "table-companion.img.xz"
    image.write_bytes(lzma.compress(b"a card" * 1000))
    assert not manifest.main([str(image), "https://table.example/get/"])
    assert (tmp_path / "icon.svg").exists()
    return json.loads((tmp_path / "os_list.json").read_text()), image.read_bytes()


def test_the_list_tells_sizes_and_sums_of_the_image_as_it_is(written: tuple[dict[str, Any], bytes]) -> None:
    (entry,), packed = written[0]["os_list"], written[1]
    whole = b"a card" * 1000
    assert entry.keys() >= WANTED
    assert (entry["extract_size"], entry["extract_sha256"]) == (len(whole), hashlib.sha256(whole).hexdigest())
    assert (entry["image_download_size"], entry["image_download_sha256"]) == (
        len(packed),
        hashlib.sha256(packed).hexdigest(),
    )
    assert entry["url"] == "https://table.example/get/table-companion.img.xz"


def test_the_list_offers_each_board_that_the_image_is_for(written: tuple[dict[str, Any], bytes]) -> None:
    listing = written[0]
    assert {tag for board in listing["imager"]["devices"] for tag in board["tags"]} == set(
        listing["os_list"][0]["devices"]
    )


def test_a_torn_image_is_no_image(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = tmp_path / "torn.img.xz"
    image.write_bytes(lzma.compress(b"a card" * 1000)[:-20])
    assert manifest.main([str(image), "https://table.example"]) == 1
    assert "torn.img.xz" in capsys.readouterr().err


def test_the_recipe_s_head_is_as_rpi_image_gen_reads_it() -> None:
    (head,) = re.findall(r"^# METABEGIN\n(.*)^# METAEND\n---\n", LAYER, re.MULTILINE | re.DOTALL)
    fields = [line.removeprefix("# ") for line in head.splitlines() if not line.startswith("#  ")]
    assert all(re.match("X-Env-(Layer|VarPrefix|Var)[-:]|#$", line) for line in fields)
    assert re.search(r"X-Env-Layer-Version: \d+\.\d+\.\d+\n", head)
    config = (RECIPE / "config/table.yaml").read_text()
    assert "app: table-companion\n" in config  # the layer's name
    assert re.search(r"^table:\n  folder: ", config, re.MULTILINE)  # the one thing that it must be told


def test_the_recipe_takes_what_the_first_boot_file_writes() -> None:
    used = re.findall(r"\$IGconf_table_folder/([\w./-]+)", LAYER)
    assert used == ["table-companion", "firstrun.sh"]
    assert firstboot.FOLDER == "/boot/firmware/table-companion"
