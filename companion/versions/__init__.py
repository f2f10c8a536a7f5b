"""The versions of the companion on a table that maintains itself: side by side, one of them current."""
