"""Compiled templates, cached as Python caches modules: compiling them is most of the cost of a first page."""

from contextlib import suppress
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket, FileSystemBytecodeCache

from companion import compiled


class Compiled(FileSystemBytecodeCache):
    """A cache with one file per template, which the next version replaces. An unreadable one is compiled again."""

    def __init__(self, templates: Path) -> None:
        """Keep the files in the cache folder for this folder of templates."""
        super().__init__(str(compiled.folder_of(templates)), "%s.jinja")

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Return a key of package and file name, the same wherever they are installed."""
        return f"{compiled.name_of(Path(filename or name))}-{jinja2.__version__}"

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a compiled template, if there is a complete one."""
        try:
            super().load_bytecode(bucket)
        except Exception:  # a power cut may have left anything in the file
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template, if possible."""
        if self.keeps():
            with suppress(OSError):
                super().dump_bytecode(bucket)

    def keeps(self) -> bool:
        """Return whether this folder can be written to."""
        return compiled.can_keep(Path(self.directory))
