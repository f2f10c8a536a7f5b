"""Sentences for people."""

import pytest

from companion.words import Words


@pytest.mark.parametrize(
    ("name", "said"),
    [("Anna", "d’Anna"), ("Éva", "d’Éva"), ("hugo", "d’hugo"), ("Bruno", "de Bruno"), ("Yves", "de Yves")],
)
def test_french_names_elide(name: str, said: str) -> None:
    words = Words("stop-it", "fr", {1: name})
    assert f"La main {said} " in words.say("unsorted", {"seat": 1})


def test_a_list_of_names_is_joined_as_people_do() -> None:
    names = {1: "Ana", 2: "Bo", 3: "Cléo"}
    assert Words(None, "en", names).several([*names.values()]) == "Ana, Bo and Cléo"
    assert Words(None, "fr", names).several(["Ana", "Bo"]) == "Ana et Bo"
    assert Words(None, "en", names).several([]) == ""
