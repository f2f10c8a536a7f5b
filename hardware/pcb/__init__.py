"""The two printed circuit boards: a model in Python, from which a KiCad project is written."""
