"""Which phone may do what: seats, and their codes."""
