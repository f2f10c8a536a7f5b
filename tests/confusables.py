"""`python -m tests.confusables confusables.txt`: make companion/confusables.json from Unicode's file of that name.

The file is at https://www.unicode.org/Public/security/latest/confusables.txt. Left out is what NFKC changes, because
names are compared after that.
"""

import json
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

MADE = Path(__file__).parents[1] / "companion" / "confusables.json"


def table(text: str) -> dict[str, str]:
    """Return each prototype with all the characters that pass for it."""
    sources_of = defaultdict(list)
    for line in text.splitlines():
        fields = [field.strip() for field in line.partition("#")[0].split(";")]
        if len(fields) >= 3:
            source, prototype = ("".join(chr(int(code, 16)) for code in field.split()) for field in fields[:2])
            if unicodedata.normalize("NFKC", source) == source:
                sources_of[prototype].append(source)
    return {prototype: "".join(sources) for prototype, sources in sorted(sources_of.items())}


def main() -> None:
    """Make the file, a prototype on each line."""
    text = Path(sys.argv[1]).read_text(encoding="utf-8-sig")
    MADE.write_text(json.dumps(table(text), ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
