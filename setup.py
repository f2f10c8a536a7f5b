"""Note in what is built which commit it was built from; all else of the build stands in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

CHECKOUT = Path(__file__).parent
sys.path.insert(0, str(CHECKOUT))  # which a build in an environment of its own leaves out

from companion.versions.commit import FILE, commit_of_checkout  # noqa: E402


def note_commit(package: Path) -> None:
    """Write the commit into a package that is being built; an sdist brings its own."""
    if commit := commit_of_checkout(CHECKOUT):
        (package / FILE).write_text(f"{commit}\n", encoding="utf-8")


class BuildWithCommit(build_py):
    """What goes into a wheel. An editable installation asks its checkout instead."""

    def run(self) -> None:
        """Copy the modules, and note the commit beside them."""
        super().run()
        if not self.editable_mode:
            note_commit(Path(self.build_lib, "companion"))


class SourceWithCommit(sdist):
    """What goes into an sdist."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        """Copy the files, and note the commit beside them."""
        super().make_release_tree(base_dir, files)
        note_commit(Path(base_dir, "companion"))


setup(cmdclass={"build_py": BuildWithCommit, "sdist": SourceWithCommit})
