"""The table in a bottle: one seed, one thread, no sleep; see README.md."""
