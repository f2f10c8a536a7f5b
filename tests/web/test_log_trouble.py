"""What people are told while nothing can be stored."""

import pytest

from companion.live.table import Live
from companion.storage.ailments import AilmentCode
from companion.storage.opening import LogFault
from companion.web.render.words import PageWords
from tests.live.table import refusing
from tests.web.languages import ENGLISH, foreign, words_of_page
from tests.web.table import app_of

CODES = [code for code in AilmentCode if code.startswith(("log-", "disk-")) or code is AilmentCode.OTHER]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_reason_has_its_sentence(code: AilmentCode, language: str) -> None:
    assert PageWords(None, language).say(f"not-recording-{code}")


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("path", ["/", "/host", "/seat/1", "/big"])
def test_a_french_page_says_why_nothing_can_be_stored_in_french(live: Live, path: str, code: AilmentCode) -> None:
    fault = LogFault("can't use the log /var/lib/log.sqlite: in English, and that is the cure", code)
    with refusing(live._judging.recorder._log, "append", "try_to_write", error=fault):
        client = app_of(live).test_client()
        client.post("/enter", data={"kind": "pressed", "seat": "1"})
        page = client.get(path, query_string={"lang": "fr"}).text
    assert "RIEN N’EST ENREGISTRÉ" in page
    assert "in English" not in page
    assert foreign(words_of_page(page), ENGLISH) == []
