"""Which phone may do what: seats, their codes, and how often a code may be tried."""
