"""How a command answers: what it prints, and how it says that it can't."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from companion.errors import NotNow, WrongInput


def write(data: bytes) -> None:
    """Write to standard output, or say why that can't be."""
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except (OSError, AttributeError) as wrong:
        if sys.stdout is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing more may be tried at exit
        if not isinstance(wrong, BrokenPipeError):
            click.echo(
                f"can't write to standard output: {getattr(wrong, 'strerror', None) or 'it is closed'}", err=True
            )
        sys.exit(1)


@contextmanager
def telling_why() -> Iterator[None]:
    """Tell why a command can't be done now, or what is wrong with what it was given."""
    try:
        yield
    except WrongInput as wrong:
        click.echo(str(wrong), err=True)
        sys.exit(2)
    except NotNow as wrong:
        raise click.ClickException(str(wrong)) from wrong
