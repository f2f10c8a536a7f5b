"""A table in one file: a backup is written while people play, and a table is brought back from it."""
