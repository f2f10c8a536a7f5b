"""`companion words`: what is still to be translated, and the translators' files."""

from pathlib import Path

import click

from companion import translating
from companion.cli.output import say
from companion.errors import WrongInput
from companion.languages import LANGUAGES, SOURCE


@click.command(epilog="Exit status: 0 done; 1 a file can't be written; 2 a file can't be read, or wrong usage.")
@click.argument("folders", nargs=-1, type=click.Path(path_type=Path, file_okay=False, exists=True), metavar="[GAME]...")
@click.option("--update", is_flag=True, help="Bring every CODE.po in step with words.pot.")
@click.option("--add", metavar="CODE", default="", help="Begin a language: write its CODE.po, as in it.po.")
def words(folders: tuple[Path, ...], update: bool, add: str) -> None:
    """Say what is not translated yet, in the companion and in each game.

    GAME is a folder with locale/words.pot; without one, all that are installed are meant.
    """
    chosen = folders or translating.folders()
    try:
        for folder in chosen:
            if add:
                translating.add(folder, add)
            if update:
                translating.update(folder)
        for language in sorted({*LANGUAGES, add} - {SOURCE, ""}):
            for folder in chosen:
                _report(folder, language)
    except ValueError as wrong:
        raise WrongInput(str(wrong)) from None


def _report(folder: Path, language: str) -> None:
    contexts = list(translating.untranslated(folder, language))
    say(f"{language} {folder.name}: untranslated: {len(contexts)}")
    for context in contexts:
        say(f"    {context}")
