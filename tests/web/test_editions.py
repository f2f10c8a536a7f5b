"""Static files: kept by phones for as long as they are the same, and sent with few headers."""

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion import web
from companion.web.http.editions import FOR_GOOD, _script_as_sent
from companion.web.http.security import HEADERS, OF_FILES

PATHS = ("/", "/join", "/seat/1", "/big", "/how/stop-it", "/results", "/overlay")


def sent(phone: FlaskClient, path: str, **headers: str) -> TestResponse:
    """Return an answer that is read to its end."""
    with phone.get(path, headers=headers) as answer:
        answer.get_data()
        return answer


@pytest.fixture
def edition(bare: FlaskClient) -> str:
    address = re.search(r"/static/tokens\.css\?(\w+)", sent(bare, "/").text)
    assert address
    return address[1]


def test_a_file_is_kept_for_good_under_an_address_that_bears_its_edition_and_no_other(
    bare: FlaskClient, edition: str
) -> None:
    for file in ("/static/companion.css", "/static/display.woff2", "/games/go/style.css"):
        first = sent(bare, f"{file}?{edition}")
        assert first.headers["Cache-Control"] == FOR_GOOD
        again = sent(bare, f"{file}?{edition}", **{"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.headers["Cache-Control"]) == (304, FOR_GOOD)
        for query in ("", "?0123abcd", f"?{edition}x"):
            assert "immutable" not in sent(bare, f"{file}{query}").headers["Cache-Control"]
    assert "immutable" not in sent(bare, f"/static/nothing.css?{edition}").headers["Cache-Control"]


def test_what_a_style_sheet_names_bears_the_edition_too(bare: FlaskClient, edition: str) -> None:
    pages = [sent(bare, path).text for path in PATHS]
    sheets = {sheet for page in pages for sheet in re.findall(r'href="([^"]+\.css[^"]*)"', page)}
    assert len(sheets) > 10
    named = {name for sheet in sheets for name in re.findall(r"url\(([^)#]+)\)", sent(bare, sheet).text)}
    assert any("display.woff2" in name for name in named)
    assert [name for name in named if not name.endswith(f"?{edition}")] == []


def test_comments_and_indents_of_a_style_sheet_stay_at_the_table(bare: FlaskClient) -> None:
    for path in ("/static/frame.css", "/games/kartel/style.css"):
        sheet = sent(bare, path).text
        assert "/*" not in sheet
        assert "\n  " not in sheet
        assert sheet.count("{") == sheet.count("}") > 50


def test_what_a_script_imports_bears_the_edition_and_is_named_on_its_page(bare: FlaskClient, edition: str) -> None:
    """Nothing waits for a script that only another script names."""
    imports_seen = set[str]()
    for path in PATHS:
        named = set(re.findall(r'<script src="/static/([^"]+)"', sent(bare, path).text))
        for script in named:
            imported = set(re.findall(r'\bimport\b.*"\./([^"]+)"', sent(bare, f"/static/{script}").text))
            assert imported <= named, (path, script)
            imports_seen |= imported
    assert imports_seen == {f"{name}.js?{edition}" for name in ("afresh", "choices", "companion", "saying", "stream")}


def test_comments_types_and_indents_of_a_script_stay_at_the_table(bare: FlaskClient) -> None:
    scripts = sorted((Path(web.__file__).parent / "static").glob("*.js"))
    assert len(scripts) > 10
    for file in scripts:
        script = sent(bare, f"/static/{file.name}").text
        assert re.findall(r"^\s*//.*|/\*\*|^ .*", script, re.MULTILINE) == [], file.name


def test_all_code_of_a_script_is_sent(bare: FlaskClient) -> None:
    """Also what stands behind a comment, or between two."""
    for file in (Path(web.__file__).parent / "static").glob("*.js"):
        lines = sent(bare, f"/static/{file.name}").text.splitlines()
        source = re.sub(r"/\*\* @type [^\n]*?\*/ ", "", file.read_text(encoding="utf-8"))
        code = [line.strip() for line in source.splitlines() if not re.match(r"\s*(//|/\*\*|\*|$)", line)]
        imports = re.compile(r'"\./[\w-]+\.js\?\w+"')
        as_written = [imports.sub(lambda quoted: quoted[0].partition("?")[0] + '"', line) for line in lines if line]
        assert as_written == code, file.name


def test_code_that_begins_behind_a_comment_is_sent() -> None:
    script = b"""/** Seconds. */ const LONG = 3;
go();
/** Stop. */
stop();
"""
    assert _script_as_sent(script, "e") == b"const LONG = 3;\ngo();\nstop();\n"


def test_no_string_of_a_script_goes_over_several_lines(bare: FlaskClient) -> None:
    """So that nothing is taken from within one as the script is sent."""
    for file in (Path(web.__file__).parent / "static").glob("*.js"):
        lines = sent(bare, f"/static/{file.name}").text.splitlines()
        assert [line for line in lines if line.count("`") % 2] == [], file.name


def test_the_font_is_asked_for_at_once_and_only_once(bare: FlaskClient, edition: str) -> None:
    font = f"display.woff2?{edition}"
    preload = f'<link rel="preload" href="/static/{font}" as="font" type="font/woff2" crossorigin>'
    assert preload in sent(bare, "/").text
    assert f"url({font})" in sent(bare, f"/static/tokens.css?{edition}").text


def test_a_file_bears_only_headers_that_mean_something_there(bare: FlaskClient, edition: str) -> None:
    for path in (f"/static/companion.css?{edition}", "/static/companion.js", "/games/go/emblem.svg"):
        assert {name for name, _ in sent(bare, path).headers} & HEADERS.keys() == set(OF_FILES)
    assert HEADERS.keys() <= {name for name, _ in sent(bare, "/static/nothing.css").headers}
