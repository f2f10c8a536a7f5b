"""The versions of the companion on a table that keeps itself: beside each other, one of them current."""
