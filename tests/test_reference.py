"""What documents say of commands and settings is what the code says: `make reference` writes it."""

import click
import pytest

from companion.cli import COMMANDS, main
from tests.reference import DOCUMENTS, ROOT, renewed


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_document_says_what_the_code_says(document: str) -> None:
    assert (ROOT / document).read_text(encoding="utf-8") == renewed(document), "run: make reference"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_of_each_what_its_own_help_says(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert command.help is not None
    assert " ".join(command.help.split("\n\n")[0].split()) == COMMANDS[name][1]
