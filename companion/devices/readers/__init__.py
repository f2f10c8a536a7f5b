"""Card readers: the PN532 on any bus, and when a card counts as there."""
