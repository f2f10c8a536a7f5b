"""Planted bugs: slips that a programmer might make, each of which some trial must find. A small patch a bug."""
