"""What documents say of commands and settings is what the code says: `make reference` writes it."""

import pytest

from tests.club import contract
from tests.reference import DOCUMENTS, RECORD_SCHEMA, ROOT, record_schema, renewed


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_document_says_what_the_code_says(document: str) -> None:
    assert (ROOT / document).read_text(encoding="utf-8") == renewed(document), "run: make reference"


def test_the_records_schema_is_what_the_types_say() -> None:
    assert RECORD_SCHEMA.read_text(encoding="utf-8") == record_schema(), "run: make reference"


def test_the_clubs_contract_for_machines_says_what_the_code_says() -> None:
    for path, text in contract.files().items():
        assert path.read_text(encoding="utf-8") == text, "run: make reference"
