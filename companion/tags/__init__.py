"""Which card a tag is stuck on, and putting stickers on a deck."""
