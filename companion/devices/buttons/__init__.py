"""Buttons on the GPIO lines of this machine: from an edge to a press."""
