"""TOML as people and formatters write it: what is not changed stays as it is, to the letter."""

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.toml_editing import as_section, edited, sections, values_of

COMMENTS = st.sampled_from(
    ["", "  # Ana's wires", '  # "red" = seat 1', "  # [not a header]", "# tight", "  # a = 1", "  #", "  # é ]]"]
)
KEYS = st.sampled_from(["place", "lines", "seats", "port", "name", "reset", "red-1"])


def _spelt_key(key: str) -> st.SearchStrategy[str]:
    return st.sampled_from([key, f'"{key}"', f"'{key}'"])


@st.composite
def _array(draw: st.DrawFn) -> tuple[str, list[Any]]:
    values = draw(st.lists(st.integers(0, 40), max_size=6))
    if draw(st.booleans()) or not values:
        return f"[{', '.join(map(str, values))}]", values
    comments = [draw(COMMENTS) for _ in values]
    lines = [f"    {value},{comment}\n" for value, comment in zip(values, comments, strict=True)]
    return f"[\n{''.join(lines)}  ]", values


VALUES = st.one_of(
    st.integers(-5, 99_999).map(lambda value: (str(value), value)),
    st.sampled_from([("true", True), ("1_000", 1000), ("0x2A", 42), ("0.5", 0.5)]),
    st.sampled_from(['"a"', "'b # c'", '"it\'s"', '"""\n[x]\ny # z\n"""', "'''\n[[reader]]\n'''"]).map(
        lambda text: (text, tomllib.loads(f"x = {text}")["x"])
    ),
    st.sampled_from(["{ a = 1, b = [1, 2] }", "{a='x'}", "{}"]).map(
        lambda text: (text, tomllib.loads(f"x = {text}")["x"])
    ),
    _array(),
)


@st.composite
def section_texts(draw: st.DrawFn, header: str = "") -> tuple[str, dict[str, Any], list[str]]:
    """A section, its values, and its comments."""
    end = draw(st.sampled_from(["\n", "\r\n"]))
    comments = [draw(COMMENTS)]
    text = f"{header}{comments[0]}\n"
    values: dict[str, Any] = {}
    for key in draw(st.lists(KEYS, unique=True)):
        spelt, value = draw(VALUES)
        around = draw(st.sampled_from(["", "\n", "\n\n", "# above's own\n", "\n  # more\n"]))
        comment = draw(COMMENTS)
        text += f"{around}{draw(st.sampled_from(['', '  ', chr(9)]))}{draw(_spelt_key(key))} "
        text += f"{draw(st.sampled_from(['=', ' =']))} {spelt}{comment}\n"
        comments.append(comment)
        values[key] = value
    text += draw(st.sampled_from(["", "\n", "\n# the next one's\n"]))
    return text.replace("\n", end), values, [comment.strip() for comment in comments]


@given(section_texts(header="[[reader]]"), section_texts(header='["page"]'), section_texts())
def test_a_text_is_cut_at_its_headers_and_nowhere_else(
    reader: tuple[str, dict[str, Any], list[str]],
    page: tuple[str, dict[str, Any], list[str]],
    head: tuple[str, dict[str, Any], list[str]],
) -> None:
    parts = [head[0], reader[0], page[0], reader[0]]
    assert sections("".join(parts)) == parts
    assert [values_of(part)[0] for part in parts] == ["", "reader", "page", "reader"]


@given(section_texts(header="[[ reader ]]"), st.dictionaries(KEYS, st.one_of(st.none(), VALUES), max_size=4))
def test_what_is_changed_is_changed_and_all_else_stays(
    section: tuple[str, dict[str, Any], list[str]], changes: dict[str, tuple[str, Any] | None]
) -> None:
    text, values, comments = section
    changed = {key: None if change is None else change[1] for key, change in changes.items()}
    text_after = edited(text, changed)
    name, values_after = values_of(text_after)
    expected = {key: value for key, value in (values | changed).items() if value is not None}
    assert (name, values_after) == ("reader", expected)
    keys_left = [key for key in values if key in expected]
    assert [key for key in values_after if key in values] == keys_left, "in their order"
    for comment in comments:
        assert comment in text_after
    for line in text.split("\n"):
        if line.lstrip().startswith("#") or line.split("=")[0].strip(" \t\"'") in values.keys() - changed.keys():
            assert line.rstrip("\r") in text_after


@given(section_texts(header="[page]"))
def test_what_is_given_the_values_that_it_has_is_the_same_text(
    section: tuple[str, dict[str, Any], list[str]],
) -> None:
    text, values, _ = section
    assert edited(text, values) == text


@given(st.dictionaries(KEYS, st.one_of(st.text(), st.integers(), st.lists(st.text())), max_size=4))
def test_a_new_section_is_read_as_it_was_written(values: dict[str, Any]) -> None:
    assert tomllib.loads(as_section("club", values)) == {"club": values}
    assert tomllib.loads(as_section("reader", values, repeated=True)) == {"reader": [values]}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_array_over_several_lines_stays_one_and_keeps_its_comments(end: str) -> None:
    text = "lines = [\n  5, # Ana's\n  6, # Bo's\n]\n".replace("\n", end)
    assert edited(text, {"lines": (6, 5)}) == text.replace("5", "x").replace("6", "5").replace("x", "6")


def test_a_new_key_comes_after_the_one_before_it() -> None:
    text = '[kartel]\nred-boss = "04"  # boss\nblue-3 = "05"\n\n# Mine.\n'
    assert edited(text, {"red-1": "06"}, ("red-boss", "red-1", "blue-3")) == text.replace(
        "# boss\n", '# boss\nred-1 = "06"\n'
    )
    assert edited(text, {"x": 1}) == text.replace('"05"\n', '"05"\nx = 1\n')
