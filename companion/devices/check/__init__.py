"""How well every device works, and the walk around the table."""
