"""What documents and schemas say of the code is what the code says: `make reference` writes it."""

import pytest

from tests.reference import FILES, ROOT


@pytest.mark.parametrize("file", FILES)
def test_a_file_says_what_the_code_says(file: str) -> None:
    assert (ROOT / file).read_text(encoding="utf-8") == FILES[file](), "run: make reference"


@pytest.mark.parametrize("file", FILES)
def test_what_is_written_from_the_code_is_named_where_one_learns_of_it(file: str) -> None:
    """Itself, or its folder where all of that is written."""
    folder = file.rpartition("/")[0]
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"`{file}`" in text or f"`{folder}/`" in text
