"""`python -m tests.web.floor.write_sheets FOLDER`: every style sheet as older browsers get it, for a linter."""

import re
import sys
from pathlib import Path

from companion import games, web
from companion.web.older.sheets import older

ASKED_FOR = re.compile(r"@media [^{]*\b(?:forced-colors|prefers-contrast)\b")
ALLOWED = "/* stylelint-disable-next-line plugin/use-baseline -- whoever can't ask for it does without */\n"


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    sheets = {file.stem: file for file in (Path(web.__file__).parent / "static").glob("*.css")}
    sheets |= {slug: game.folder / "pages/style.css" for slug, game in games.known().items()}
    sheets |= {f"{slug}-poster": game.folder / "pages/poster.css" for slug, game in games.known().items()}
    for name, file in sheets.items():
        # One declaration a line: that is how a linter names it.
        written = older(file.read_text("utf-8"), name).css.replace(";", ";\n").replace("{", "{\n")
        written = ASKED_FOR.sub(lambda media: f"\n{ALLOWED}{media[0]}", written)
        (folder / f"{name}.css").write_text(written, "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
