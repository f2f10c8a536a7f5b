"""Compiled templates, cached as Python caches modules: compiling them is most of the cost of a first page."""

from contextlib import suppress
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket, FileSystemBytecodeCache

from companion import compiled


class Compiled(FileSystemBytecodeCache):
    """One file per template, replaced by the next version's. An unreadable one is compiled again."""

    def __init__(self, templates: Path) -> None:
        """Keep them where what is compiled from this folder is kept."""
        super().__init__(str(compiled.folder_of(templates)), "%s.jinja")

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Name a template by its package and itself, wherever they are installed."""
        return f"{compiled.name_of(Path(filename or name))}-{jinja2.__version__}"

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
        return compiled.can_keep(Path(self.directory))
