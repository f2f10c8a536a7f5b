"""Compiled templates, cached as Python caches modules: compiling them is most of the cost of a first page."""

from contextlib import suppress
from pathlib import Path

import jinja2
from jinja2 import Environment
from jinja2.bccache import Bucket, FileSystemBytecodeCache

from companion import __version__, compiled


class Compiled(FileSystemBytecodeCache):
    """A cache with one file per template, which the next version replaces. An unreadable one is compiled again."""

    def __init__(self, templates: Path) -> None:
        """Keep the files in the cache folder for this folder of templates."""
        super().__init__(str(compiled.folder_of(templates)), "%s.jinja")

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Return a key of package and file name, the same wherever they are installed."""
        return f"{compiled.name_of(Path(filename or name))}-{jinja2.__version__}"

    def get_bucket(self, environment: Environment, name: str, filename: str | None, source: str) -> Bucket:
        """Return what is kept of this source, unless another version compiled it, or one with other filters."""
        return super().get_bucket(environment, name, filename, source + __version__ + _calls(environment))

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


def _calls(environment: Environment) -> str:
    """Return which functions are passed the context: a compiled template passes it to those, and to no others."""
    functions = {**environment.filters, **environment.tests}
    return str(sorted((name, str(getattr(function, "jinja_pass_arg", ""))) for name, function in functions.items()))
