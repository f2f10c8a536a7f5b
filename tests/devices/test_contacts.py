"""A contact that stays closed is told; a press, however long, and a look in play are not."""

from companion.devices.buttons.contacts import AGAIN_S, CLOSED_S, WANTED_S, Contacts


def looked(contacts: Contacts, at: float, *closed: int) -> None:
    contacts.note_closed(set(closed), at)


def test_a_contact_that_is_closed_at_every_look_is_stuck() -> None:
    contacts = Contacts()
    looked(contacts, 0.0, 2)
    assert contacts.stuck == ()
    looked(contacts, CLOSED_S, 1, 2)
    assert contacts.stuck == (2,)


def test_one_that_was_open_in_between_is_not() -> None:
    contacts = Contacts()
    looked(contacts, 0.0, 2)
    looked(contacts, 1.0)
    looked(contacts, CLOSED_S, 2)
    assert contacts.stuck == ()


def test_nobody_looks_unasked_nor_for_long() -> None:
    contacts = Contacts()
    assert not contacts.is_due(0.0)
    contacts.want(1.0)
    assert contacts.is_due(1.0)
    assert not contacts.is_due(1.0 + AGAIN_S / 2)
    assert contacts.is_due(1.0 + AGAIN_S)
    assert not contacts.is_due(1.0 + WANTED_S)
