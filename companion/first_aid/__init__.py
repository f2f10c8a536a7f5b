"""A table that can't start: what ails it, and what people choose to do about it, on a page."""
