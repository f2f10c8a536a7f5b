"""How well every device does, and the walk around the table."""
