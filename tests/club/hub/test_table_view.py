"""A picture that fails costs itself alone, and its fault is told once."""

import pytest
from jinja2 import DictLoader, Environment

from companion.club.hub.known_table import KnownTable, Shown
from companion.web.hub import table_view
from companion.web.hub.table_view import drawn
from companion.web.render.environment import Sheet


def test_a_view_that_cannot_be_drawn_is_in_the_journal_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(table_view, "_KNOWN", set())
    env = Environment(loader=DictLoader({"table.html": "{{ one.table }}: {{ 'shown' if picture else 'plain' }}"}))
    env.template_class = Sheet
    table = KnownTable("abcd", view={}, shown=Shown("stop-it", (), False, {}, drawable=True))
    assert [drawn(env, "table.html", table, "en") for _ in range(3)] == ["abcd: plain"] * 3
    assert caplog.text.count("without its picture") == 1
    assert "Traceback" not in caplog.text
