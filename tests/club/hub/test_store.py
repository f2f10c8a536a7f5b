"""The hub's file."""

from companion.club.hub.store import Store


def test_a_match_that_bears_anothers_number_is_first_told_when_it_is(store: Store) -> None:
    for revision, began in ((1, "20:00"), (2, "20:00"), (1000, "21:00"), (1001, "21:00")):
        store.take("t", 1, revision, f'{{"began": "{began}"}}'.encode())
    assert [(one.revision, one.first) for one in store.results()] == [(1001, 3)]
