"""What is read of the translators' files, and which languages there are."""

from pathlib import Path

import pytest

from companion import catalogue, translating
from companion.catalogue import entries_of, prepare_entries
from companion.kit.wording import odd_translations
from companion.languages import LANGUAGES, Language, language
from companion.web.render import words

HEADER = 'msgid ""\nmsgstr ""\n"Language: {}\\n"\n"Plural-Forms: {}\\n"\n\n'
ENGLISH = HEADER.format("en", "nplurals=2; plural=(n != 1);")
POLISH = HEADER.format("pl", "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);")
COUNTED = 'msgctxt "left, by number"\nmsgid "{number} card"\nmsgid_plural "{number} cards"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "locale").mkdir()
    return tmp_path


def write(folder: Path, english: str, polish: str = "") -> None:
    (folder / "locale/words.pot").write_text(ENGLISH + english, encoding="utf-8")
    (folder / "locale/pl.po").write_text(POLISH + polish, encoding="utf-8")


def test_a_number_takes_the_form_of_its_plural_class(folder: Path) -> None:
    forms = 'msgstr[0] "{number} karta"\nmsgstr[1] "{number} karty"\nmsgstr[2] "{number} kart"\n'
    write(folder, COUNTED + 'msgstr[0] ""\nmsgstr[1] ""\n', COUNTED + forms)
    entry = entries_of(folder, "pl")["left"]
    assert [entry.form(number) for number in (1, 22, 5)] == ["{number} karta", "{number} karty", "{number} kart"]


def test_one_below_nothing_is_one(folder: Path) -> None:
    write(folder, COUNTED + 'msgstr[0] ""\nmsgstr[1] ""\n')
    assert entries_of(folder, "en")["left"].form(-1) == "{number} card"


def test_a_value_that_has_its_own_form_comes_before_the_plurals(folder: Path) -> None:
    none = 'msgctxt "left, number = 0"\nmsgid "none left"\nmsgstr ""\n'
    write(folder, COUNTED + 'msgstr[0] ""\nmsgstr[1] ""\n\n' + none)
    entry = entries_of(folder, "en")["left"]
    assert (entry.by, entry.form(0), entry.form(2)) == ("number", "none left", "{number} cards")


@pytest.mark.parametrize(
    "translated",
    [
        "",
        'msgctxt "sit"\nmsgid "Sit down."\nmsgstr ""\n',
        '#, fuzzy\nmsgctxt "sit"\nmsgid "Sit down."\nmsgstr "Usiądź."\n',
        'msgctxt "sit"\nmsgid "Sit."\nmsgstr "Usiądź."\n',
    ],
    ids=["missing", "empty", "doubtful", "of other English"],
)
def test_what_is_not_translated_is_said_in_english(folder: Path, translated: str) -> None:
    write(folder, 'msgctxt "sit"\nmsgid "Sit down."\nmsgstr ""\n', translated)
    assert entries_of(folder, "pl")["sit"].text == "Sit down."
    assert list(translating.untranslated(folder, "pl")) == ["sit"]


def test_a_plural_that_is_not_translated_follows_english_numbers(folder: Path) -> None:
    write(folder, COUNTED + 'msgstr[0] ""\nmsgstr[1] ""\n')
    assert entries_of(folder, "pl")["left"].form(22) == "{number} cards"


def test_a_sentence_whose_english_has_changed_keeps_its_translation_as_doubtful(folder: Path) -> None:
    write(
        folder,
        'msgctxt "sit"\nmsgid "Sit down, please."\nmsgstr ""\n\nmsgctxt "new"\nmsgid "New"\nmsgstr ""\n',
        '# the polite form\nmsgctxt "sit"\nmsgid "Sit down."\nmsgstr "Usiądź."\n\n'
        'msgctxt "gone"\nmsgid "Gone"\nmsgstr "X"\n',
    )
    translating.update(folder)
    text = (folder / "locale/pl.po").read_text(encoding="utf-8")
    assert text == (
        POLISH
        + '# the polite form\n#, fuzzy\nmsgctxt "sit"\nmsgid "Sit down, please."\nmsgstr "Usiądź."\n\n'
        + 'msgctxt "new"\nmsgid "New"\nmsgstr ""\n'
    )
    translating.update(folder)
    assert (folder / "locale/pl.po").read_text(encoding="utf-8") == text


def test_a_new_language_begins_with_every_sentence_and_its_own_plural_classes(folder: Path) -> None:
    write(folder, COUNTED + 'msgstr[0] ""\nmsgstr[1] ""\n')
    translating.add(folder, "cs")
    text = (folder / "locale/cs.po").read_text(encoding="utf-8")
    assert "nplurals=3" in text
    assert 'msgstr[2] ""' in text
    assert list(translating.untranslated(folder, "cs")) == ["left, by number"]


def test_what_is_no_language_is_refused(folder: Path) -> None:
    write(folder, "")
    with pytest.raises(ValueError, match="'xx-yy' is no code of a language"):
        translating.add(folder, "xx-yy")


def test_a_file_that_cannot_be_read_is_named_with_its_line(folder: Path) -> None:
    write(folder, '[sit]\nen = "Sit down."\n')
    with pytest.raises(ValueError, match=r"words.pot can't be read: Unknown or misformatted keyword on 5"):
        entries_of(folder, "en")


SIT = 'msgctxt "sit"\nmsgid "{}"\nmsgstr ""\n'


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return which files are read as PO from now on, with what is read kept as everywhere."""
    files: list[Path] = []
    read_po = catalogue.read_po
    monkeypatch.setattr(catalogue, "read_po", lambda file: files.append(file) or read_po(file))
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    monkeypatch.delenv("CACHE_DIRECTORY", raising=False)
    return files


def start_and_say(folder: Path) -> str:
    entries_of.cache_clear()
    return entries_of(folder, "en")["sit"].text


def test_a_file_is_read_at_the_first_start_alone(folder: Path, reads: list[Path]) -> None:
    write(folder, SIT.format("Sit down."))
    assert [start_and_say(folder), start_and_say(folder)] == ["Sit down."] * 2
    assert reads == [folder / "locale/words.pot"]


def test_a_file_that_has_changed_is_read_again(folder: Path, reads: list[Path]) -> None:
    write(folder, SIT.format("Sit down."))
    start_and_say(folder)
    write(folder, SIT.format("Stand up."))
    assert start_and_say(folder) == "Stand up."


@pytest.mark.parametrize("end", [0, 1, -1])
def test_a_file_is_read_again_where_what_was_kept_of_it_is_damaged(folder: Path, reads: list[Path], end: int) -> None:
    write(folder, SIT.format("Sit down."))
    start_and_say(folder)
    (compiled,) = (folder / "__pycache__").iterdir()
    compiled.write_bytes(compiled.read_bytes()[:end])
    assert start_and_say(folder) == "Sit down."
    assert len(reads) == 2


def test_a_file_is_read_where_nothing_can_be_kept(folder: Path, reads: list[Path]) -> None:
    write(folder, SIT.format("Sit down."))
    (folder / "__pycache__").write_bytes(b"")
    assert start_and_say(folder) == "Sit down."


def test_what_is_prepared_is_read_from_its_file_when_it_is_said_and_takes_no_memory_before(
    folder: Path, reads: list[Path]
) -> None:
    write(folder, SIT.format("Sit down."), SIT.format("Sit down.").replace('msgstr ""', 'msgstr "Usiądź."'))
    entries_of.cache_clear()
    prepare_entries(folder, "pl")
    assert [file.name for file in reads] == ["words.pot", "pl.po"]
    assert entries_of.cache_info().currsize == 0
    assert entries_of(folder, "pl")["sit"].text == "Usiądź."
    assert len(reads) == 2


def test_what_is_prepared_is_at_hand_also_where_nothing_can_be_kept(folder: Path, reads: list[Path]) -> None:
    write(folder, SIT.format("Sit down."))
    (folder / "__pycache__").write_bytes(b"")
    entries_of.cache_clear()
    prepare_entries(folder, "en")
    reads.clear()
    assert entries_of(folder, "en")["sit"].text == "Sit down."
    assert reads == []


def test_every_file_of_sentences_is_prepared_while_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared: set[tuple[Path, str]] = set()
    monkeypatch.setattr(words, "prepare_entries", lambda *which: prepared.add(which))
    for prepare in words.to_read():
        prepare()
    at_a_table = [domain for domain in translating.folders() if domain.name != "game_to_copy"]
    assert prepared >= {(domain, code) for domain in at_a_table for code in LANGUAGES}


@pytest.mark.parametrize("wrong", ["{place}: usiądź.", "*Usiądź*, {seat}.", "Usiądź|, {seat}."])
def test_a_translation_that_says_other_facts_or_marks_is_found(folder: Path, wrong: str) -> None:
    sentence = 'msgctxt "sit"\nmsgid "{seat}, sit down."\nmsgstr '
    write(folder, sentence + '""\n', f'{sentence}"{wrong}"\n')
    assert len(list(odd_translations(folder))) == 1


@pytest.mark.parametrize("domain", translating.folders(), ids=lambda domain: domain.name)
def test_translations_are_in_step_and_say_what_their_english_says(domain: Path, tmp_path: Path) -> None:
    files = sorted((domain / "locale").iterdir())
    (tmp_path / "locale").mkdir()
    for file in files:
        (tmp_path / "locale" / file.name).write_bytes(file.read_bytes())
    translating.update(tmp_path)
    changed = [file for file in files if file.read_bytes() != (tmp_path / "locale" / file.name).read_bytes()]
    assert changed == [], "run: companion words --update"
    assert list(odd_translations(domain)) == []


@pytest.mark.parametrize("code", ["fr"])
@pytest.mark.parametrize("domain", translating.folders(), ids=lambda domain: domain.name)
def test_nothing_is_untranslated(domain: Path, code: str) -> None:
    assert list(translating.untranslated(domain, code)) == []


def test_a_language_without_rules_of_its_own_is_written_like_english() -> None:
    assert language("xx") == Language("xx")


def test_each_language_goes_by_its_own_name() -> None:
    assert {code: language(code).name for code in LANGUAGES}["fr"] == "Français"
