"""A record in, what it means out. Pure."""
