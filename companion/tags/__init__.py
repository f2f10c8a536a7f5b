"""Tags: which card each is stuck on, and enrolling a deck's stickers."""
