"""Compiled templates, cached as Python caches modules: compiling them is most of the cost of a first page."""

import os
import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket, FileSystemBytecodeCache


class Compiled(FileSystemBytecodeCache):
    """One file per template, replaced by the next version's. An unreadable one is compiled again."""

    def __init__(self, templates: Path) -> None:
        """Keep them in systemd's cache folder if there is one, or else beside these templates."""
        beside = Path(cache_from_source(str(templates / "any.py"))).parent
        super().__init__(os.environ.get("CACHE_DIRECTORY", str(beside)), "%s.jinja")

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Name a template by its package and itself, wherever they are installed."""
        return "-".join((*Path(filename or name).parts[-3:], jinja2.__version__))

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load it, if it is there and complete."""
        try:
            super().load_bytecode(bucket)
        except Exception:  # a power cut may have left anything in the file
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep it, if possible."""
        if self.keeps():
            with suppress(OSError):
                super().dump_bytecode(bucket)

    def keeps(self) -> bool:
        """Whether anything can be kept here."""
        with suppress(OSError):
            if not sys.dont_write_bytecode:
                Path(self.directory).mkdir(parents=True, exist_ok=True)
                return os.access(self.directory, os.W_OK)
        return False
