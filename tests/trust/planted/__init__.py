"""Planted bugs: slips that a programmer might make, each of which breaks one promise, and is found by some trial."""
